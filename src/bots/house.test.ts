import { describe, expect, it } from 'vitest'
import { effort } from '../../test/support/effort.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { TestArena } from '../../test/support/test-arena.ts'
import type { News, Player, Seated, Shown } from '../arena/player.ts'
import type { Terms } from '../arena/terms.ts'
import { noAudience } from '../arena/voting.ts'
import { Dice } from '../games/dice.ts'
import { type Game, illegal, type Json } from '../games/game.ts'
import { gameOf, games } from '../games/index.ts'
import type { MakePlayer } from '../matchmaking/practice.ts'
import { bestMove } from './best-move.ts'
import { house } from './house.ts'
import { levelNames } from './levels.ts'
import { BusyError } from './move-worker.ts'

type Ask = Parameters<typeof house>[1]

const think: Ask = async question => bestMove(gameOf(question.game)!, question)

const setUp = (ask = think) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const dice = Dice.fromSeed(1)
  const names: string[] = []
  const account = (name: string) => {
    if (!names.includes(name)) names.push(name)
    return { id: names.indexOf(name), name, kind: 'house' as const }
  }
  const makers = house(account, (question, account, unwanted) =>
    ask({ ...question, nodes: Math.min(question.nodes, 20) }, account, unwanted),
  )
  const seat = (game: Game, level: string) => (makers(game, level) as MakePlayer | undefined)?.()
  const arena = new TestArena({
    clock,
    matchStore,
    house: makers,
    queueWait: 1000,
    roll: n => dice.roll(n),
    voting: noAudience,
  })
  const begin = (game: Game, strength: string) =>
    expect(arena.seek(seat(game, 'easy')!, { game, practice: strength })).toBeTypeOf('function')
  const play = async (game: Game, strength: string) => {
    begin(game, strength)
    await over(arena)
    expect(clock.pending).toBe(0)
    return matchStore.matches.at(-1)!
  }
  return { account, arena, begin, clock, matchStore, names, play, seat }
}

const over = async (arena: TestArena) => {
  while (arena.tables.size > 0) await new Promise(setImmediate)
}

describe.each(games)('$id', game => {
  const names = levelNames(game)
  const tried = effort({ usual: [...new Set([names[0]!, names.at(-1)!])], ci: [...names] })
  it.each(tried)('a match against %s ends by the rules', async strength => {
    const { play } = setUp()
    const { aborted, outcome, unrated } = await play(game, strength)
    expect({ aborted, ending: outcome?.ending, unrated }).toEqual({
      aborted: null,
      ending: 'rules',
      unrated: 'practice against the house',
    })
  })
})

describe('a house player', () => {
  it.each([
    ['default', 'level-1'],
    ['easy', 'level-1'],
    ['steady', 'level-2'],
    ['hard', 'level-4'],
    ['3', 'level-3'],
    ['Level-2', 'level-2'],
  ])('the word %s means %s', (asked, level) => {
    expect(setUp().seat(connectFour, asked)?.account.name).toBe(`house-${level}`)
  })

  it('a level word beyond the levels of a game means the best level', () => {
    expect(setUp().seat(gameOf('even-odd')!, 'hard')?.account.name).toBe('house-level-1')
  })

  it.each(['level-6', 'level-0', '0', 'godlike', 'constructor', ''])(
    'there is no level %j',
    level => {
      expect(setUp().seat(connectFour, level)).toBeUndefined()
    },
  )

  it('a house player does not move while the table tells it something', async () => {
    const { arena, begin, matchStore } = setUp()
    begin(connectFour, 'easy')
    const [table] = arena.tables.values()
    expect(table!.observation.board).toEqual(Array(6).fill(Array(7).fill('.')))
    await over(arena)
    expect(matchStore.matches[0]!.moves.length).toBeGreaterThan(6)
  })

  const atRandom = {
    outcome: { ending: 'rules' },
    unrated: 'practice against the house, which moved at random',
  }

  it('a house player moves at random when the worker is busy, and the match is unrated for it', async () => {
    const { play } = setUp(() => Promise.reject(new BusyError('too many questions wait')))
    expect(await play(connectFour, 'hard')).toMatchObject(atRandom)
  })

  it('a house player moves at random when its move is refused, and the match is unrated for it', async () => {
    const { play } = setUp(() => Promise.resolve('9'))
    expect(await play(connectFour, 'hard')).toMatchObject(atRandom)
  })

  it('the opponent is told when a house player moves at random', async () => {
    const { arena, account } = setUp(() => Promise.reject(new BusyError('too many questions wait')))
    const messages: News[] = []
    const tell = (one: News) => {
      messages.push(one)
      if (one.kind === 'shown' && one.yourTurn && messages.some(({ kind }) => kind === 'at-random'))
        setImmediate(() => seated(messages).handle.resign())
      else if (one.kind === 'shown' && one.yourTurn)
        setImmediate(() => seated(messages).handle.move(one.observation.legal![0]))
    }
    const player = { account: { ...account('ann'), kind: 'player' as const }, terms, tell }
    arena.seek(player, { game: connectFour, practice: 'hard' })
    await over(arena)
    const { seat } = seated(messages)
    const detail = 'house-level-4 had no time to think and moves at random'
    expect(messages).toContainEqual({ kind: 'at-random', match: 1, seat: 1 - seat, detail })
    expect(messages.at(-1)).toMatchObject({ kind: 'ended', unrated: atRandom.unrated })
  })

  it('the search runs on behalf of the practising account, and is cancelled when the match ends', async () => {
    const asked: { account: number; unwanted: AbortSignal }[] = []
    const { arena, account } = setUp((_, account, unwanted) => {
      asked.push({ account, unwanted: unwanted! })
      return new Promise(() => {})
    })
    const messages: News[] = []
    const tell = (one: News) => {
      messages.push(one)
      if (one.kind === 'shown' && one.yourTurn)
        setImmediate(() => seated(messages).handle.move(one.observation.legal![0]))
    }
    const player = { account: { ...account('ann'), kind: 'player' as const }, terms, tell }
    arena.seek(player, { game: connectFour, practice: 'hard' })
    while (asked.length === 0) await new Promise(setImmediate)
    expect(asked).toMatchObject([{ account: player.account.id, unwanted: { aborted: false } }])
    seated(messages).handle.lost()
    await over(arena)
    expect(asked[0]!.unwanted.aborted).toBe(true)
  })

  it('a house player that is late moves at random, and the late result is dropped', async () => {
    const late: ((move: string) => void)[] = []
    const { arena, begin, clock, matchStore } = setUp(
      () => new Promise(resolve => late.push(resolve)),
    )
    begin(connectFour, 'hard')
    while (arena.tables.size > 0) {
      await new Promise(setImmediate)
      clock.pass(1000)
      late.shift()?.('0')
    }
    expect(matchStore.matches[0]!.outcome?.ending).toBe('rules')
  })

  it('a house player resigns after several refused moves', async () => {
    const stuck: Game = { ...connectFour, play: () => illegal('never') }
    const { play } = setUp()
    expect((await play(stuck, 'easy')).outcome?.ending).toBe('resigned')
  })

  it('a house player thinks again when its move is stale', async () => {
    const asked: ((move: Json) => void)[] = []
    const { arena, seat } = setUp(() => new Promise(resolve => asked.push(resolve)))
    const bazaar = gameOf('bazaar')!
    const messages: News[] = []
    const visitor = {
      ...seat(bazaar, 'easy')!,
      tell: (one: News) => messages.push(one),
    } as Player
    arena.seek(visitor, { game: bazaar, practice: 'steady' })
    expect(arena.tables.size).toBe(1)
    const { handle } = seated(messages)
    const answer = async (move: Json) => {
      await new Promise(setImmediate)
      await new Promise(setImmediate)
      asked.shift()!(move)
      await new Promise(setImmediate)
    }
    const isMine = () => (messages.at(-1) as Shown).yourTurn
    if (!isMine()) await answer({ action: 'message', content: 'Hello.' })
    expect(isMine()).toBe(true)
    handle.move({ action: 'propose_trade', offer: {}, request: { gold: 1 } })
    handle.move({ action: 'message', content: 'Take it.' })
    handle.move({ action: 'reject_trade' })
    await answer({ action: 'accept_trade' })
    expect(isMine()).toBe(false)
    await answer({ action: 'message', content: 'What?' })
    expect(isMine()).toBe(true)
    expect((handle.position() as { messages: unknown[] }).messages.at(-1)).toMatchObject({
      content: 'What?',
    })
    handle.resign()
  })

  it('a house player decides on the position before the others moved in the round', async () => {
    const sealed: unknown[] = []
    const { play } = setUp(async question => {
      sealed.push((question.state as { sealed: unknown }).sealed)
      return { number: 5 }
    })
    await play(gameOf('echo')!, 'hard')
    expect(sealed).toEqual(Array(10).fill([null, null]))
  })
})

const connectFour = gameOf('c4')!

const seated = (messages: readonly News[]): Seated =>
  messages.find((one): one is Seated => one.kind === 'seated')!

const terms: Terms = {
  move: 1e6,
  illegal: 'forfeit',
  late: 'forfeit',
  away: 'forfeit',
}
