import { expect, it, onTestFinished } from 'vitest'
import { sendWithin } from '../../src/store/match-book.ts'
import { dataFolder } from '../../test/support/data-folder.ts'
import { planOf } from '../../test/support/event-log.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import type { Played } from '../arena/match-store.ts'
import { replayOutcome } from '../arena/replay-outcome.ts'
import { bazaar } from '../games/bazaar.ts'
import type { Game } from '../games/game.ts'
import { verified } from './verify.ts'

const played = async () => {
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock)
  onTestFinished(() => store.close())
  const [ann, bob] = [newAccount(store.users, 'ann'), newAccount(store.users, 'bob')]
  const id = store.matchStore.begin(tttMatch(ann, bob))
  void store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
  clock.pass(sendWithin)
  return { clock, store, ann, bob }
}

it('accepts a finished match whose result could not be written to disk', async () => {
  const { clock, store, ann, bob } = await played()
  const id = store.matchStore.begin(tttMatch(ann, bob))
  void store.matchStore.abort(id, 'the result could not be kept', ttt.firstWins)
  clock.pass(sendWithin)
  expect(verified(store)).toEqual({ matches: 2, seals: 2, events: 0, points: 0, differences: [] })
})

it('plays matches again by the rules with which they started', async () => {
  const { clock, store, ann, bob } = await played()
  const game = bazaar as Game
  for (const setup of [null, { goals: 'independent' }]) {
    // No seat trades. By the oldest rules both hold 3 of the goods that they want; by the others seat 1 holds more.
    const begun = { game: 'bazaar', seed: 5, setup, accounts: [ann.id, bob.id], unrated: null }
    const moves: Played[] = [
      ...Array.from(
        { length: 10 },
        (_, i): Played => [i % 2, { action: 'message', content: 'hm' }, 1],
      ),
    ]
    const outcome = replayOutcome({ game, seed: 5, setup, moves }, [null, null])
    if (outcome === null) throw new Error('it comes to no result')
    const id = store.matchStore.begin({ ...begun, startedAt: clock.date() })
    void store.matchStore.finish(id, outcome, moves)
  }
  clock.pass(sendWithin)
  expect(verified(store)).toMatchObject({ matches: 3, differences: [] })
  store.db.file.exec('update matches set setup = null where setup is not null')
  expect(verified(store).differences).toEqual([
    expect.stringMatching(/^match 3: places are/),
    expect.stringMatching(/^match 3: it is not as it was sealed/),
  ])
})

it('accepts a match that was decided at its time limit, and finds a wrong result of one', async () => {
  const { clock, store, ann, bob } = await played()
  const begun = { game: 'go9', seed: 5, accounts: [ann.id, bob.id], unrated: null }
  const moves: Played[] = [[0, 'E5', 1]]
  for (const places of [
    [1, 2],
    [2, 1],
  ]) {
    const id = store.matchStore.begin({ ...begun, setup: null, startedAt: clock.date() })
    const detail = 'the match reached its limit of 7200 s'
    void store.matchStore.finish(
      id,
      { ending: 'limit', places, faults: [null, null], detail },
      moves,
    )
  }
  clock.pass(sendWithin)
  expect(verified(store).differences).toEqual(['match 3: places are 2,1, played again 1,2'])
})

it('finds a missing rating and a missing meeting', async () => {
  const { store } = await played()
  store.db.file.exec(
    "delete from ratings where account = 1; delete from meetings; insert into accounts (name, kind, created_at) values ('cat', 'player', 0); insert into ratings (account, ladder, rating, games, wins, losses, draws, lead) values (3, 'ttt', 1500, 0, 0, 0, 0, 0)",
  )
  expect(verified(store).differences).toEqual([
    'ann, ttt: 1500 after 0 (+0 =0 -0, lead 0), recalculated 1516 after 1 (+1 =0 -0, lead 1)',
    'ann, ttt: first 0 times against bob, counted again 1',
  ])
})

it('draws the rounds of an event again, and compares its results with its matches', async () => {
  const { clock, store, ann, bob } = await played()
  const of = (event: string) => ({ id: event, board: '1.1.1' })
  const people = [ann, bob].map(({ id, name }) => ({ account: id, name, rating: 1500 }))
  /** A series of one match, which the first has won. */
  const event = (
    id: string,
    changed: { board?: string; places?: number[]; drawn?: number[] } = {},
  ) => {
    const board = { ...of(id), ...(changed.board !== undefined && { board: changed.board }) }
    const match = store.matchStore.begin({ ...tttMatch(ann, bob), event: board })
    void store.matchStore.finish(match, outcomes.firstWins, ttt.firstWins)
    clock.pass(sendWithin)
    const plan = planOf({ id, game: 'ttt', format: { kind: 'series', bestOf: 1 } })
    const accounts = [ann.id, bob.id]
    store.events.append(id, 0, [
      { kind: 'created', plan },
      ...people.map(who => ({ kind: 'entered', ...who }) as const),
      { kind: 'started', entrants: people },
      {
        kind: 'drawn',
        round: 1,
        boards: [{ board: 1, accounts: changed.drawn ?? accounts }],
        byes: [],
      },
      {
        kind: 'played',
        ...{ round: 1, board: 1, leg: 1, match, accounts },
        places: changed.places ?? [1, 2],
        scores: [null, null],
      },
      { kind: 'finished' },
    ])
    return match
  }
  event('fair')
  expect(verified(store)).toEqual({ matches: 2, seals: 2, events: 1, points: 0, differences: [] })
  const moved = event('moved', { board: '1.1.2' })
  const turned = event('turned', { places: [2, 1] })
  event('drawn', { drawn: [bob.id, ann.id] })
  expect(verified(store).differences.toSorted()).toEqual([
    expect.stringMatching(/^event drawn: entry 5 \(drawn\): round 1 is .*, and drawn again /),
    `event moved: entry 6 (played): match ${moved} is 1.1.2, and not 1.1.1`,
    `event turned: entry 6 (played): match ${turned} has the places 1,2, and not 2,1`,
  ])
})
