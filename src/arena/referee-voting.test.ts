import { describe, expect, it } from 'vitest'
import { back, lost, move, Play, strict, tick } from '../../test/support/referee-play.ts'
import { type Game, illegal, votesOf } from '../games/game.ts'
import { timeLeft, voteOf, wakeAt } from './clocks.ts'
import { open } from './referee.ts'
import type { RefereeEvent } from './referee-step.ts'
import { replayOutcome } from './replay-outcome.ts'
import type { Terms } from './terms.ts'
import { noAudience, type VotingTimes } from './voting.ts'

type Verdict = {
  readonly said: readonly string[]
  readonly left: boolean
  readonly votes: readonly number[] | null
}

/** Each seat says one thing, or leaves; then the audience votes. */
const verdict: Game<Verdict> = {
  id: 'verdict',
  title: 'Verdict',
  summary: 'Say something, and be judged.',
  seats: 2,
  facts: { turns: 'alternate', luck: false, secrets: false, outOfTurn: true },
  start: () => ({ said: [], left: false, votes: null }),
  status: ({ said, left, votes }) => {
    if (votes !== null)
      return {
        places: votes.map(count => 1 + votes.filter(other => other > count).length),
        scores: votes,
        because: 'voted',
      }
    if (left) return { toMove: [], vote: { between: [0, 1], after: 'leaving' } }
    if (said.length === 2) return { toMove: [], vote: { between: [0, 1], after: 'message' } }
    return { toMove: [said.length], mayAct: [1 - said.length] }
  },
  play: (state, seat, move) => {
    if (state.left || state.said.length === 2) {
      const votes = votesOf(move)
      return votes === null ? illegal('the audience votes') : { ...state, votes }
    }
    if (move === 'leave') return { ...state, left: true }
    if (typeof move !== 'string' || seat !== state.said.length) return illegal('not now')
    return { ...state, said: [...state.said, move] }
  },
  view: ({ said, votes }) => ({ said, votes }),
  look: () => ({}),
}

/** AGON's: an absence of 30 s, the second half of which is told, while all clocks stand. */
const patient: Terms = {
  move: 90_000,
  illegal: 'retry',
  late: { strikes: 3, counted: 'in a row', next: { clock: 90_000 } },
  away: {
    stages: [
      { time: 15_000, play: 'stands' },
      { time: 15_000, play: 'stands', told: true },
    ],
    times: 5,
    together: true,
  },
}

const debate = (terms: Terms = strict, voting?: VotingTimes) => {
  const play = new Play(verdict, [terms, terms])
  const [match, effects] = open(verdict, 1, [terms, terms], 0, null, voting)
  play.match = match
  play.effects.splice(0, Number.POSITIVE_INFINITY, ...effects)
  return play
}
const votes = (terms: Terms = strict) =>
  debate(terms).do(move(0, 'yes', 1_000), move(1, 'no', 2_000))
const left = (terms: Terms = strict) =>
  debate(terms).do(move(0, 'yes', 1_000), move(0, 'leave', 2_000))
const vote = (voter: number, seat: number, at: number): RefereeEvent => ({
  kind: 'vote',
  voter,
  seat,
  at,
})
const resign = (seat: number, at: number): RefereeEvent => ({ kind: 'resign', seat, at })
const refusals = ({ effects }: Play) =>
  effects.flatMap(effect => (effect.kind === 'refuse' ? [effect.code] : []))

describe('a vote', () => {
  it('begins after the last message, is shown, and is told', () => {
    const play = votes()
    expect(play.kinds.slice(-3)).toEqual(['record', 'show', 'voting'])
    expect(voteOf(play.match, 2_000)).toEqual({
      between: [0, 1],
      opensIn: 0,
      closesIn: 60_000,
      count: 0,
    })
    expect(wakeAt(play.match)).toBe(62_000)
  })

  it('is closed when its time is over', () => {
    const play = votes().do(vote(7, 1, 3_000), tick(61_999))
    expect(play.outcome).toBeUndefined()
    play.do(tick(62_000))
    expect(play.outcome).toMatchObject({ ending: 'rules', places: [2, 1], scores: [0, 1] })
  })

  it('is recorded as a move of the referee under seat 0, which takes no time', () => {
    const play = votes().do(vote(7, 0, 3_000), vote(8, 0, 3_000), vote(9, 1, 3_000), tick(62_000))
    expect(play.effects.findLast(({ kind }) => kind === 'record')).toMatchObject({
      seat: 0,
      move: { votes: [2, 1] },
      ms: 0,
      isTurn: false,
      isFallback: true,
    })
  })

  it.each([
    ['more votes win', [0, 0, 1], [1, 2], [2, 1]],
    ['equal votes are a draw', [0, 1], [1, 1], [1, 1]],
    ['no votes are a draw', [], [1, 1], [0, 0]],
  ])('%s', (_, given, places, scores) => {
    const play = votes().do(...given.map((seat, i) => vote(10 + i, seat, 5_000)), tick(62_000))
    expect(play.outcome).toMatchObject({ places, scores })
  })

  it('of one agent replaces its earlier vote', () => {
    const play = votes().do(vote(7, 0, 3_000), vote(7, 1, 4_000))
    expect(play.kinds.filter(kind => kind === 'voted')).toHaveLength(1)
    expect(voteOf(play.match, 4_000)?.count).toBe(1)
    expect(play.do(tick(62_000)).outcome).toMatchObject({ scores: [0, 1] })
  })

  it('counts in the last millisecond, and not after it', () => {
    const play = votes().do(vote(7, 0, 61_999), vote(8, 1, 62_000))
    expect(play.outcome).toMatchObject({ scores: [1, 0] })
  })

  it('for a seat that is not voted on counts nothing', () => {
    expect(votes().do(vote(7, 2, 3_000), vote(7, -1, 3_000)).kinds).not.toContain('voted')
  })

  it('before there is one counts nothing', () => {
    const play = debate().do(vote(7, 0, 500))
    expect(play.kinds).not.toContain('voted')
    expect(voteOf(play.match, 500)).toBeNull()
  })

  it('takes no moves and no resignations', () => {
    const play = votes().do(move(0, 'more', 3_000), move(0, 'leave', 3_000), resign(1, 3_000))
    expect(refusals(play)).toEqual(['not-your-turn', 'not-your-turn', 'not-your-turn'])
    expect(play.outcome).toBeUndefined()
  })

  it('cannot be made up by a seat', () => {
    const tally = { votes: [9, 0] } as never
    const play = votes().do(move(0, tally, 3_000), tick(62_000))
    expect(refusals(play)).toEqual(['not-your-turn'])
    expect(play.outcome).toMatchObject({ scores: [0, 0] })
  })

  it('runs no clock', () => {
    const { match } = votes()
    expect([0, 1].map(seat => timeLeft(match, seat, 9_000))).toEqual([null, null])
  })
})

describe('a seat that leaves', () => {
  it('opens the vote 5 s later', () => {
    const play = left()
    expect(voteOf(play.match, 2_000)).toMatchObject({ opensIn: 5_000, closesIn: 65_000 })
    expect(wakeAt(play.match)).toBe(7_000)
    play.do(vote(7, 0, 6_999))
    expect(play.kinds).not.toContain('voted')
    play.do(tick(7_000), vote(7, 0, 7_000))
    expect(play.kinds.filter(kind => kind === 'voting')).toHaveLength(2)
    expect(voteOf(play.match, 7_000)).toMatchObject({ opensIn: 0, closesIn: 60_000, count: 1 })
  })

  it('is told of the opening before a vote that comes first', () => {
    const play = left().do(vote(7, 0, 7_000), tick(7_000))
    expect(play.kinds.slice(-2)).toEqual(['voting', 'voted'])
  })

  it('leaves the vote its full time', () => {
    const play = left().do(tick(7_000), tick(66_999))
    expect(play.outcome).toBeUndefined()
    expect(play.do(tick(67_000)).outcome).toMatchObject({ ending: 'rules' })
  })

  it('may do so out of turn, while the clock of the other runs', () => {
    const play = debate().do(move(1, 'leave', 1_000))
    expect(voteOf(play.match, 1_000)?.opensIn).toBe(5_000)
    expect(timeLeft(play.match, 0, 1_000)).toBeNull()
  })
})

describe('a lost connection during a vote', () => {
  it.each([
    ['by terms under which every one loses', strict],
    ['by terms with a grace', patient],
  ])('costs nothing %s', (_, terms) => {
    const play = votes(terms).do(lost(0, 3_000), lost(1, 3_000), tick(40_000), vote(7, 0, 41_000))
    expect(play.outcome).toBeUndefined()
    expect(play.kinds).not.toContain('away')
    expect(play.do(tick(62_000)).outcome).toMatchObject({ ending: 'rules', places: [1, 2] })
  })

  it('loses if the operator has banned the player', () => {
    const play = votes().do({ kind: 'lost', seat: 0, cause: 'banned', at: 3_000 })
    expect(play.outcome).toMatchObject({ ending: 'gone', places: [2, 1] })
  })

  it('may end: the seat is shown the board and told of the vote', () => {
    const play = votes(patient).do(lost(0, 3_000), back(0, 30_000, 1))
    expect(play.effects.slice(-2)).toEqual([
      { kind: 'show', seat: 0 },
      { kind: 'voting', seat: 0 },
    ])
  })
})

describe('an absence that is under way when a vote begins', () => {
  it('is over, with the clocks that it stopped', () => {
    const play = debate(patient).do(
      move(0, 'yes', 1_000),
      lost(0, 2_000),
      tick(17_000),
      move(1, 'no', 20_000),
    )
    expect(play.kinds).toContain('away')
    expect(play.match.stopped).toBeNull()
    expect(play.do(tick(32_001)).outcome).toBeUndefined()
    expect(play.do(tick(80_000)).outcome).toMatchObject({ ending: 'rules' })
  })

  it('is not told to end, as the seat is not back', () => {
    const play = debate(patient).do(
      move(0, 'yes', 1_000),
      lost(0, 2_000),
      tick(17_000),
      move(1, 'no', 20_000),
      back(0, 25_000, 1),
    )
    expect(play.kinds).not.toContain('back')
  })
})

describe('a pause of the host', () => {
  it('takes no time from a vote', () => {
    const play = votes().do({ kind: 'pause', at: 12_000 })
    expect(wakeAt(play.match)).toBe(Infinity)
    expect(voteOf(play.match, 99_000)?.closesIn).toBe(50_000)
    play.do(tick(90_000), { kind: 'resume', at: 100_000 }, tick(149_999))
    expect(play.outcome).toBeUndefined()
    expect(play.do(tick(150_000)).outcome).toMatchObject({ ending: 'rules' })
  })

  it('stops no voter', () => {
    const play = votes().do(
      { kind: 'pause', at: 12_000 },
      vote(7, 1, 90_000),
      { kind: 'resume', at: 100_000 },
      tick(150_000),
    )
    expect(play.outcome).toMatchObject({ scores: [0, 1] })
  })

  it('puts off the opening after a seat has left', () => {
    const play = left().do({ kind: 'pause', at: 3_000 }, { kind: 'resume', at: 13_000 })
    expect(voteOf(play.match, 13_000)?.opensIn).toBe(4_000)
  })
})

describe('the limit of a match', () => {
  const limited: Terms = { ...patient, limit: { time: 30_000, result: 'forfeit' } }

  it('does not end a vote', () => {
    const play = votes(limited)
    expect(wakeAt(play.match)).toBe(62_000)
    expect(play.do(tick(40_000)).outcome).toBeUndefined()
  })

  it('ends the match before it', () => {
    expect(debate(limited).do(tick(30_025)).outcome).toMatchObject({ ending: 'late' })
  })
})

describe('without an audience', () => {
  it('a vote ends at once, without votes, and is not told', () => {
    const play = debate(strict, noAudience).do(move(0, 'yes', 1_000), move(1, 'leave', 2_000))
    expect(play.kinds.slice(-3)).toEqual(['record', 'record', 'end'])
    expect(play.kinds).not.toContain('voting')
    expect(play.outcome).toMatchObject({ ending: 'rules', places: [1, 1], scores: [0, 0] })
  })
})

it('the times of a vote are settings', () => {
  const play = debate(strict, { time: 100, leaving: 10 }).do(move(0, 'leave', 1_000))
  expect(voteOf(play.match, 1_000)).toMatchObject({ opensIn: 10, closesIn: 110 })
})

describe('a replay under the referee', () => {
  const replayed = (
    moves: readonly (readonly [number, string | { votes: number[] }, number])[],
    faults: readonly (null | 'gone' | 'resigned')[] = [null, null],
    ending: 'rules' | 'gone' = 'rules',
  ) => replayOutcome({ game: verdict, seed: 1, setup: null, moves }, faults, ending)
  const said = [
    [0, 'yes', 5],
    [1, 'no', 5],
  ] as const

  it('comes to the votes that were recorded', () => {
    expect(replayed([...said, [0, { votes: [1, 4] }, 0]])).toMatchObject({
      ending: 'rules',
      places: [2, 1],
      scores: [1, 4],
    })
  })

  it('comes to no result while the vote goes on', () => {
    expect(replayed(said)).toBeNull()
  })

  it('comes to the ban of a player during a vote', () => {
    expect(replayed(said, [null, 'gone'], 'gone')).toMatchObject({ ending: 'gone', places: [1, 2] })
  })

  it.each([
    ['a move of a seat', [0, 'more', 5]],
    ['votes under another seat', [1, { votes: [1, 1] }, 0]],
    ['votes for too few seats', [0, { votes: [1] }, 0]],
  ] as const)('refuses %s in place of the votes', (_, last) => {
    expect(() => replayed([...said, last as never])).toThrow('move 3 cannot be played')
  })

  it('refuses votes before their time', () => {
    expect(() => replayed([[0, { votes: [1, 1] }, 0]])).toThrow('move 1 cannot be played')
  })
})
