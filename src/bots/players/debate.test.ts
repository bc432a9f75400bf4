import { describe, expect, it } from 'vitest'
import { debate } from '../../games/debate.ts'
import { Dice } from '../../games/dice.ts'
import { isVoting, stateAfter } from '../../games/game.ts'
import { debateMove } from './debate.ts'

type Said = { readonly action: string; readonly content: string }

/** A debate of two house players to its vote: what each has written. */
const debateOf = (nodes: number, seed: number) => {
  const dice = Dice.fromSeed(seed)
  const said: string[] = []
  let state = debate.start(seed, 2, debate.setup)
  while (!isVoting(debate.status(state))) {
    const seat = said.length % 2
    const move = debateMove(debate, state, seat, nodes, dice) as Said
    said.push(move.content)
    state = stateAfter(debate, state, seat, move) as typeof state
  }
  return { state, said }
}

describe.each([1, 2])('the house debater with %i nodes', nodes => {
  it('writes another text in each of its messages', () => {
    const { said } = debateOf(nodes, 5)
    expect(said).toHaveLength(20)
    expect(new Set(said).size).toBe(20)
  })

  it('writes the same by the same dice, and other words by others', () => {
    expect(debateOf(nodes, 5).said).toEqual(debateOf(nodes, 5).said)
    const topic = { topic: 'Tea is only leaf soup.' }
    const second = (seed: number) => {
      let state = debate.start(1, 2, topic)
      for (const seat of [0, 1]) state = stateAfter(debate, state, seat, 'Well.') as typeof state
      return debateMove(debate, state, 0, nodes, Dice.fromSeed(seed))
    }
    expect(
      new Set([1, 2, 3, 4, 5, 6].map(seed => JSON.stringify(second(seed)))).size,
    ).toBeGreaterThan(1)
  })

  it('says which side it argues, and that it is a program with templates', () => {
    const { said, state } = debateOf(nodes, 9)
    const claim = state.topic.replace(/\.$/, '')
    expect(said[0]).toContain(`I argue for: “${claim}”`)
    expect(said[1]).toContain(`I argue against: “${claim}”`)
    for (const first of said.slice(0, 2))
      expect(first).toContain('a program that fills in templates')
    for (const text of said) expect(text).not.toContain('CLAIM')
  })

  it('closes with its last message', () => {
    for (const text of debateOf(nodes, 3).said.slice(-2)) expect(text).toContain('To close:')
  })
})

describe('the answer to a message', () => {
  const answerTo = (message: string) => {
    let state = debate.start(1, 2)
    for (const [seat, text] of [
      [0, 'I begin.'],
      [1, 'I reply.'],
      [0, message],
    ] as const)
      state = stateAfter(debate, state, seat, text) as typeof state
    return (debateMove(debate, state, 1, 2, Dice.fromSeed(1)) as Said).content
  }

  it('quotes the longest sentence that is short enough', () => {
    const long = `And ${'on and '.repeat(20)}on.`
    expect(answerTo(`  Cars stink. They are “loud”, too! ${long}`)).toContain(
      '“They are loud, too”',
    )
  })

  it('cuts a sentence where there are only long ones', () => {
    expect(answerTo('y'.repeat(500))).toContain(`“${'y'.repeat(80)}…”`)
  })

  it('takes a quote as it is', () => {
    expect(answerTo('$& and CLAIM')).toContain('“$& and CLAIM”')
  })

  it('is there for a message without words', () => {
    expect(answerTo('!!!')).toMatch(/^(I have read your message|Your message changes)/)
  })
})
