import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore, type Store } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import {
  agentsLadder,
  eventLadder,
  type Ladder,
  parseLadderId,
  peopleLadder,
  standard,
  variants,
} from '../arena/ladder.ts'
import { verified } from '../commands/verify.ts'
import { games } from '../games/index.ts'
import { ladderAbout, ladderTitle } from '../record/ladder-title.ts'
import { sendWithin } from './match-book.ts'
import { pairings } from './suspects.ts'

const cup = eventLadder('ttt', 'spring-cup', { by: 'points', win: 3, draw: 1, loss: 0 })
const sums = eventLadder('resource-rush', 'spring-cup', { by: 'scores' })

type Result = [
  outcome: Parameters<Store['matchStore']['finish']>[1],
  moves: Parameters<Store['matchStore']['finish']>[2],
]
const won: Result = [outcomes.firstWins, ttt.firstWins]
const drawn: Result = [outcomes.draw, ttt.draw]

const opened = async (folder = dataFolder(), gainCap = 10) => {
  const clock = new FakeClock()
  const store = await openStore(folder, clock, { gainCap })
  onTestFinished(() => store.close())
  const play = async (ladder: Ladder, names: readonly string[], ...result: Result) => {
    const players = names.map(name => store.users.find(name) ?? newAccount(store.users, name))
    const match = { ...tttMatch(...players), game: ladder.game, ladder }
    const id = store.matchStore.begin(match)
    const finished = store.matchStore.finish(id, ...result)
    clock.pass(sendWithin)
    return { id, ...(await finished) }
  }
  const points = (ladder: Ladder) =>
    store.rankings.top(ladder, 9).map(({ name, rating, rank }) => [rank, name, rating])
  return { store, clock, play, points, folder }
}

describe('a ladder of an event', () => {
  it('counts points for wins, draws and losses, apart from all other ladders', async () => {
    const { store, play, points } = await opened()
    const first = await play(cup, ['ann', 'bob'], ...won)
    expect(first.changes).toEqual([
      { rating: 3, change: 3 },
      { rating: 0, change: 0 },
    ])
    const second = await play(cup, ['bob', 'ann'], ...drawn)
    expect(second.changes).toEqual([
      { rating: 1, change: 1 },
      { rating: 4, change: 1 },
    ])
    expect(points(cup)).toEqual([
      [1, 'ann', 4],
      [2, 'bob', 1],
    ])
    const { id } = store.users.find('ann')!
    expect(store.matchStore.standing(id, cup)).toEqual({ rating: 4, strength: null, lead: 0 })
    expect(store.matchStore.standing(id, agentsLadder('ttt'))).toEqual({
      rating: 1500,
      strength: null,
      lead: 0,
    })
    expect(store.matches.find(second.id)).toMatchObject({
      game: 'ttt',
      ladder: 'ttt+event:spring-cup',
      unrated: null,
      players: [{ rating: { before: 0, after: 1 } }, { rating: { before: 3, after: 4 } }],
    })
    expect(store.matches.newest({ account: id, game: 'ttt', limit: 9 })).toHaveLength(2)
    expect(verified(store).differences).toEqual([])
  })

  it('counts scores as their sum', async () => {
    const { store, play, points } = await opened()
    const scored = (...scores: number[]): Result => [{ ...outcomes.firstWins, scores }, []]
    await play(sums, ['ann', 'bob'], ...scored(7.5, 3))
    await play(sums, ['ann', 'bob'], ...scored(4, 9))
    // A match without scores counts as played.
    await play(sums, ['ann', 'bob'], ...drawn)
    expect(points(sums)).toEqual([
      [1, 'bob', 12],
      [2, 'ann', 11.5],
    ])
    expect(store.profiles.ratings(store.users.find('ann')!.id)).toMatchObject([
      { ladder: sums, games: 3 },
    ])
  })

  it('is the same after a restart, and its void matches bring no points', async () => {
    const { store, play, folder } = await opened()
    const { id } = await play(cup, ['ann', 'bob'], ...won)
    await play(cup, ['bob', 'ann'], ...drawn)
    await store.close()
    const again = await opened(folder)
    expect(again.store.ladders.find(cup.id)).toEqual(cup)
    expect(again.store.ladders.all()).toContainEqual(cup)
    expect(again.store.voids.void([id], 'the wrong opponents')).toEqual({ matches: 2, ratings: 2 })
    expect(again.points(cup)).toEqual([
      [1, 'ann', 1],
      [1, 'bob', 1],
    ])
    expect(verified(again.store).differences).toEqual([])
    again.store.voids.unvoid([id])
    expect(again.points(cup)).toEqual([
      [1, 'ann', 4],
      [2, 'bob', 1],
    ])
    expect(verified(again.store).differences).toEqual([])
  })

  it('is not among what one account gains from another, which the operator looks through', async () => {
    const { store, play } = await opened()
    await play(cup, ['ann', 'bob'], ...won)
    await play(agentsLadder('ttt'), ['ann', 'bob'], ...won)
    expect(pairings(store.db, 0).map(({ ladder }) => ladder)).toEqual(['ttt'])
  })

  it('has no limit on what one account gains from another in a day', async () => {
    const { play } = await opened()
    for (let n = 1; n < 9; n++)
      expect(await play(cup, ['ann', 'bob'], ...won)).toMatchObject({
        changes: [{ rating: 3 * n }, { rating: 0 }],
        unrated: null,
      })
  })

  it('never counts anything else than at first', async () => {
    const { play } = await opened()
    await play(cup, ['ann', 'bob'], ...won)
    const other = eventLadder('ttt', 'spring-cup', { by: 'points', win: 2, draw: 1, loss: 0 })
    await expect(play(other, ['ann', 'bob'], ...won)).rejects.toThrow(
      'the ladder ttt+event:spring-cup counts {"by":"points","win":3,"draw":1,"loss":0}, and not {"by":"points","win":2,"draw":1,"loss":0}',
    )
  })

  it('is found wrong where its points do not follow from its results', async () => {
    const { store, play, folder } = await opened()
    await play(cup, ['ann', 'bob'], ...won)
    store.db.file.exec(`update ladders set counts = replace(counts, '3', '2')`)
    await store.close()
    const again = await opened(folder)
    expect(verified(again.store).differences).toEqual([
      'match 1: the rating of seat 0 went from 0 to 3, recalculated from 0 to 2',
      'ann, ttt+event:spring-cup: 3 after 1 (+1 =0 -0, lead 1), recalculated 2 after 1 (+1 =0 -0, lead 1)',
    ])
  })
})

describe('the ladders of speeds, and those without legal moves', () => {
  it('rate apart from each other, each with a chain of its own', async () => {
    const { store, play, points } = await opened(dataFolder(), 0)
    const ladders = variants.map(variant => agentsLadder('ttt', variant))
    for (const ladder of ladders) await play(ladder, ['ann', 'bob'], ...won)
    await play(ladders[3]!, ['ann', 'bob'], ...drawn)
    const once = [
      [null, 'ann', 1516],
      [null, 'bob', 1484],
    ]
    for (const ladder of ladders.slice(0, 3)) expect(points(ladder)).toEqual(once)
    expect(points(ladders[3]!)).not.toEqual(once)
    const ids = ['ttt', 'ttt+blind', 'ttt+thinking', 'ttt+thinking+blind']
    expect(ladders.map(({ id }) => id)).toEqual(ids)
    expect([...store.chains.ladders()]).toEqual(ids)
    expect(verified(store).differences).toEqual([])
  })

  it('are listed once a rated match was played on them', async () => {
    const { store, play } = await opened(dataFolder(), 0)
    const ids = () => store.ladders.all().flatMap(({ id, game }) => (game === 'ttt' ? [id] : []))
    expect(ids()).toEqual(['ttt'])
    await play(agentsLadder('ttt', { speed: 'thinking', listing: 'blind' }), ['ann', 'bob'], ...won)
    expect(ids()).toEqual(['ttt', 'ttt+thinking+blind'])
  })

  it('have ids that say what they are, and are read again', () => {
    for (const { id: game } of games)
      for (const variant of variants) {
        const { id, crowd } = agentsLadder(game, variant)
        expect(parseLadderId(id)).toEqual({ game, crowd, variant })
      }
    expect(agentsLadder('ttt', standard).id).toBe('ttt')
  })

  it('say in their titles what they are', () => {
    expect(variants.map(variant => ladderTitle(agentsLadder('ttt', variant)))).toEqual([
      'Tic-tac-toe',
      'Tic-tac-toe blind',
      'Tic-tac-toe thinking',
      'Tic-tac-toe thinking, blind',
    ])
    const about = (game: string) =>
      variants.map(variant => ladderAbout(agentsLadder(game, variant)).replace(/^.*: /, ''))
    expect(about('ttt')).toEqual([
      'fast, open (agents are given the legal moves).',
      'fast, blind (agents are not given the legal moves).',
      'thinking (20 s a move and 10 minutes), open (agents are given the legal moves).',
      'thinking (20 s a move and 10 minutes), blind (agents are not given the legal moves).',
    ])
    expect(about('echo').slice(0, 1)).toEqual(['fast.'])
    expect([ladderAbout(peopleLadder('ttt')), ladderAbout(cup)]).toEqual([
      'Matches with people.',
      'Matches of the event spring-cup.',
    ])
  })
})

describe('the name of a ladder', () => {
  it('is found, or refused', async () => {
    const { store, play } = await opened()
    await play(cup, ['ann', 'bob'], ...won)
    const { ladders } = store
    expect(ladders.find('ttt')).toBe(agentsLadder('ttt'))
    expect(ladders.find('ttt+people')).toBe(peopleLadder('ttt'))
    expect(ladders.find('ttt+event:spring-cup')).toEqual(cup)
    expect(ladders.find('ttt+thinking+blind')).toBe(
      agentsLadder('ttt', { speed: 'thinking', listing: 'blind' }),
    )
    expect(ladders.find('echo+thinking')?.variant.speed).toBe('thinking')
    for (const id of [
      'poker',
      'ttt+',
      'ttt+person',
      'ttt+people+people',
      'ttt+event:',
      'ttt+event:autumn-cup',
      'c4+event:spring-cup',
      'ttt+event:Spring Cup',
      `ttt+event:${'x'.repeat(41)}`,
      '+people',
      'ttt+fast',
      'ttt+open',
      'ttt+blind+thinking',
      'ttt+thinking+thinking',
      'ttt+thinking+people',
      'ttt+thinking+event:spring-cup',
      // Its moves cannot be listed.
      'echo+blind',
      '',
    ])
      expect(ladders.find(id), id).toBeUndefined()
    expect(ladders.unknown('c4+poeple')).toMatch(
      /^no ladder is called c4\+poeple: there are ttt, ttt\+event:spring-cup, /,
    )
  })

  it('of an event fits into an address, and its points are whole', () => {
    expect(() => eventLadder('ttt', 'Spring Cup', { by: 'scores' })).toThrow(
      'the event "Spring Cup": a name has up to 40 lower-case letters, digits and hyphens',
    )
    expect(() => eventLadder('ttt', 'cup', { by: 'points', win: 1, draw: 0.5, loss: 0 })).toThrow(
      'the event "cup": 1, 0.5 and 0 points: count in whole points, such as 2, 1 and 0',
    )
  })
})
