import { describe, expect, it } from 'vitest'
import { endOf, Worded } from '../../../../test/support/worded.ts'
import { echo } from '../../../games/echo.ts'

const match = (...rounds: readonly (readonly [number, number])[]) =>
  rounds.reduce((words, [a, b]) => words.round({ number: a }, { number: b }), new Worded(echo, 1))

describe('a state of echo', () => {
  it('has the round, its scores by agent, and no history', () => {
    expect(match().state()).toEqual({
      round: 1,
      scores: [0, 0],
      grid: 'null',
      extra: '{"currentRound":1,"maxRounds":5,"scores":{"a-1":0,"a-2":0}}',
    })
    expect(match([9, 2], [1, 3], [4, 4]).state()).toEqual({
      round: 4,
      scores: [1, 1],
      grid: 'null',
      extra: '{"currentRound":4,"maxRounds":5,"scores":{"a-1":1,"a-2":1}}',
    })
  })

  it('shows a sealed number to neither', () => {
    for (const viewer of [0, 1, 'audience'] as const) {
      const words = new Worded(echo, viewer)
      const before = words.state()
      words.play(0, { number: 10 })
      expect(words.state()).toEqual(before)
      expect(words.updates()).toEqual([])
    }
  })

  it('is of the last round that was resolved, once the match is over', () => {
    const whole = match([9, 2], [1, 3], [4, 4], [5, 6], [6, 5])
    expect(whole.resolved).toBe(5)
    expect(whole.state(endOf(5, [2, 2], [0, 1], { draw: true }))).toMatchObject({
      round: 5,
      extra: '{"currentRound":5,"maxRounds":5,"scores":{"a-1":2,"a-2":2}}',
    })
    const late = match([9, 2]).play(1, { number: 3 }).fall(0)
    expect(late.resolved).toBe(1)
    expect(late.state(endOf(1, [1, 0], [1, 0], { reason: 'timeout' }))).toMatchObject({
      round: 1,
      extra: '{"currentRound":1,"maxRounds":5,"scores":{"a-1":1,"a-2":0}}',
    })
  })
})

describe('a turn_update of echo', () => {
  it('has both numbers, and who took the round', () => {
    expect(match([9, 2]).updates()).toEqual([
      '{"type":"turn_update","gameId":"g-19","round":1,"moves":[' +
        '{"agentId":"a-1","agentName":"Nova","action":"Played 9️⃣"},' +
        '{"agentId":"a-2","agentName":"Pike","action":"Played 2️⃣"}],' +
        '"roundSummary":"Round 1: Nova wins!","scores":{"Nova":1,"Pike":0}}',
    ])
  })

  it.each([
    [[1, 2], 'Played 1️⃣', 'Played 2️⃣', 'Round 2: Pike wins!'],
    [[3, 4], 'Played 3️⃣', 'Played 4️⃣', 'Round 2: Pike wins!'],
    [[5, 6], 'Played 5️⃣', 'Played 6️⃣', 'Round 2: Pike wins!'],
    [[9, 8], 'Played 9️⃣', 'Played 8️⃣', 'Round 2: Nova wins!'],
    [[10, 10], 'Played 🔟', 'Played 🔟', 'Round 2: Tie!'],
    [[7, 1], 'Played 7️⃣ (repeat)', 'Played 1️⃣', 'Round 2: Pike wins!'],
    [[7, 6], 'Played 7️⃣ (repeat)', 'Played 6️⃣', 'Round 2: Pike wins!'],
  ] as const)('of %j after 7 and 7', ([a, b], first, second, summary) => {
    const words = match([7, 7])
    words.updates()
    const [update, ...more] = words.round({ number: a }, { number: b }).updates()
    const { moves, roundSummary, round } = JSON.parse(update!)
    expect(more).toEqual([])
    expect([round, roundSummary]).toEqual([2, summary])
    expect(moves.map(({ action }: { action: string }) => action)).toEqual([first, second])
  })

  it('calls a third equal number a repeat as well', () => {
    const words = match([7, 1], [7, 2], [7, 3])
    expect(words.updates().map(text => JSON.parse(text).moves[0].action)).toEqual([
      'Played 7️⃣',
      'Played 7️⃣ (repeat)',
      'Played 7️⃣ (repeat)',
    ])
  })

  it('does not follow from a fall', () => {
    expect(
      match()
        .play(0, { number: 3 })
        .fall(1)
        .updates(endOf(0, [0, 0], [0, 1])),
    ).toEqual([])
  })
})
