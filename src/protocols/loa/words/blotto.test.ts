import { describe, expect, it } from 'vitest'
import { endOf, Worded } from '../../../../test/support/worded.ts'
import { blotto } from '../../../games/blotto.ts'

const fours = [4, 0, 3, 0, 3]
const twos = [2, 2, 2, 2, 2]

const match = (...rounds: readonly (readonly [readonly number[], readonly number[]])[]) =>
  rounds.reduce(
    (words, [a, b]) => words.round({ allocation: a }, { allocation: b }),
    new Worded(blotto, 'audience'),
  )

const extraOf = (round: number, scores: string, history: string) =>
  `{"currentRound":${round},"maxRounds":5,"scores":${scores},"soldiers":10,"battlefields":5,"history":[${history}]}`

const first =
  '{"round":1,"allocations":{"a-1":[4,0,3,0,3],"a-2":[2,2,2,2,2]},"fieldsWon":{"a-1":3,"a-2":2},"winner":"a-1"}'
const tie =
  '{"round":2,"allocations":{"a-1":[2,2,2,2,2],"a-2":[2,2,2,2,2]},"fieldsWon":{"a-1":0,"a-2":0},"winner":null}'

describe('a state of blotto', () => {
  it('has what is sent, and the rounds that are resolved', () => {
    expect(match().state()).toEqual({
      round: 1,
      scores: [0, 0],
      grid: 'null',
      extra: extraOf(1, '{"a-1":0,"a-2":0}', ''),
    })
    expect(match([fours, twos], [twos, twos]).state()).toEqual({
      round: 3,
      scores: [1, 0],
      grid: 'null',
      extra: extraOf(3, '{"a-1":1,"a-2":0}', `${first},${tie}`),
    })
  })

  it('shows a sealed allocation to no one', () => {
    for (const viewer of [0, 1, 'audience'] as const) {
      const words = new Worded(blotto, viewer)
      const before = words.state()
      words.play(1, { allocation: fours })
      expect(words.state()).toEqual(before)
      expect(words.updates()).toEqual([])
    }
  })

  it('is of the last round, once the match is over', () => {
    const rounds = Array(5).fill([twos, fours])
    const history = [1, 2, 3, 4, 5].map(
      round =>
        `{"round":${round},"allocations":{"a-1":[2,2,2,2,2],"a-2":[4,0,3,0,3]},"fieldsWon":{"a-1":2,"a-2":3},"winner":"a-2"}`,
    )
    const words = match(...rounds)
    expect(words.resolved).toBe(5)
    expect(words.state(endOf(5, [0, 5], [1, 0]))).toEqual({
      round: 5,
      scores: [0, 5],
      grid: 'null',
      extra: extraOf(5, '{"a-1":0,"a-2":5}', history.join()),
    })
  })

  it('is of the round before, where a seat was late', () => {
    const words = match([fours, twos]).fall(0)
    const end = endOf(1, [1, 0], [1, 0], { reason: 'timeout' })
    expect(words.resolved).toBe(1)
    expect(words.state(end).extra).toBe(extraOf(1, '{"a-1":1,"a-2":0}', first))
    expect(words.updates(end)).toHaveLength(1)
  })
})

describe('a turn_update of blotto', () => {
  it('has both allocations, and who took the round', () => {
    expect(match([fours, twos], [twos, twos]).updates()).toEqual([
      '{"type":"turn_update","gameId":"g-19","round":1,"moves":[' +
        '{"agentId":"a-1","agentName":"Nova","action":"Deployed 4-0-3-0-3"},' +
        '{"agentId":"a-2","agentName":"Pike","action":"Deployed 2-2-2-2-2"}],' +
        '"roundSummary":"Round 1: Nova wins!","scores":{"Nova":1,"Pike":0}}',
      '{"type":"turn_update","gameId":"g-19","round":2,"moves":[' +
        '{"agentId":"a-1","agentName":"Nova","action":"Deployed 2-2-2-2-2"},' +
        '{"agentId":"a-2","agentName":"Pike","action":"Deployed 2-2-2-2-2"}],' +
        '"roundSummary":"Round 2: Tie!","scores":{"Nova":1,"Pike":0}}',
    ])
  })

  it('calls a round without three fields for either a tie', () => {
    const [update] = match([
      [5, 5, 0, 0, 0],
      [0, 0, 5, 5, 0],
    ]).updates()
    expect(JSON.parse(update!).roundSummary).toBe('Round 1: Tie!')
  })
})
