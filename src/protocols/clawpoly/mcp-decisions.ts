// The decisions that clients of MCP make, as texts: what they mean in the game, and what a prompt takes.

import type { Json } from '../../games/game.ts'
import { quoted } from '../../games/words.ts'
import type { LegacyPrompt } from './autopilot.ts'

export interface Decision {
  /** As the client has named it: `build:6`. */
  readonly text: string
  /** The prompt that it answers. */
  readonly answers: LegacyPrompt['type']
  readonly move: Json
}

const plain: Readonly<Record<string, Omit<Decision, 'text'>>> = {
  buy: { answers: 'buy', move: { action: 'buy' } },
  pass: { answers: 'buy', move: { action: 'pass' } },
  skip_build: { answers: 'build', move: { action: 'end_turn' } },
  escape_pay: { answers: 'lobster_pot', move: { action: 'escape_pay' } },
  escape_card: { answers: 'lobster_pot', move: { action: 'escape_card' } },
  escape_roll: { answers: 'lobster_pot', move: { action: 'escape_roll' } },
}

/** The decision of this text, or what is wrong with it. */
export const readDecision = (text: string): Decision | string => {
  const known = Object.hasOwn(plain, text) ? plain[text] : undefined
  if (known !== undefined) return { text, ...known }
  const [, verb, index] = /^(build|upgrade):(\d{1,3})$/.exec(text) ?? []
  if (verb === undefined)
    return `action is ${quoted(text)}; expected: ${Object.keys(plain).join(', ')}, build:INDEX or upgrade:INDEX`
  return atSquare(verb as 'build' | 'upgrade', Number(index))
}

export const atSquare = (verb: 'build' | 'upgrade', square: number): Decision => ({
  text: `${verb}:${square}`,
  answers: 'build',
  move: { action: 'build', square },
})

/** What can be answered to a prompt. */
export const answersTo = ({ type, context }: LegacyPrompt): readonly string[] => {
  switch (type) {
    case 'buy':
      return ['buy', 'pass']
    case 'build':
      return [
        ...context.buildableSquares.map(({ index }) => `build:${index}`),
        ...context.upgradeableSquares.map(({ index }) => `upgrade:${index}`),
        'skip_build',
      ]
    case 'lobster_pot':
      return [
        ...(context.yourMoney >= 50 ? ['escape_pay'] : []),
        ...(context.hasEscapeCard ? ['escape_card'] : []),
        'escape_roll',
      ]
  }
}

/** What a prompt asks, in a sentence. */
export const questionOf = (prompt: LegacyPrompt): string => {
  const { type, context } = prompt
  const answers = answersTo(prompt).join(', ')
  switch (type) {
    case 'buy': {
      const { name, index, price } = context.property
      return `Buy ${name} (square ${index}) for ${price} of your ${context.yourMoney} Shells? Answer one of: ${answers}.`
    }
    case 'build':
      return `Build, with ${context.yourMoney} Shells? Answer one of: ${answers}.`
    case 'lobster_pot':
      return `You are in the Lobster Pot, after ${context.turnsTrapped} failed throws. Answer one of: ${answers}.`
  }
}
