// The messages of agents as they are parsed, and those of the host as they are printed.

import type { Json } from '../../games/game.ts'
import { type Fields, isRecord } from '../../games/json.ts'
import { quoted } from '../../games/words.ts'

/** What an agent may ask for, without `action:`. */
export const actionNames = [
  ...['roll_dice', 'buy', 'pass', 'build', 'end_turn'],
  ...['sell_building', 'mortgage', 'unmortgage', 'trade_offer', 'trade_respond'],
  ...['escape_pay', 'escape_card', 'escape_roll'],
] as const satisfies readonly string[]

export type ActionName =
  | 'roll_dice'
  | 'buy'
  | 'pass'
  | 'build'
  | 'end_turn'
  | 'sell_building'
  | 'mortgage'
  | 'unmortgage'
  | 'trade_offer'
  | 'trade_respond'
  | 'escape_pay'
  | 'escape_card'
  | 'escape_roll'

/** What only clients of the public implementation ask for. */
type LegacyName = 'upgrade' | 'skip_build'

/** An action as it was sent. Its fields are checked when it is their turn. */
export interface Action {
  readonly name: ActionName | LegacyName
  readonly data: Fields
}

const known: ReadonlySet<string> = new Set(actionNames)
const legacy: ReadonlySet<string> = new Set<LegacyName>(['upgrade', 'skip_build'])

/** The action in a message; or what is wrong with it, in words. */
export const parseAction = (text: string, isLegacy = false): Action | string => {
  let message: Json
  try {
    message = JSON.parse(text)
  } catch {
    return `the message is ${quoted(text)}, which is no JSON: send {"type":"action:roll_dice","data":{}}`
  }
  if (!isRecord(message)) return 'the message is no JSON object: send {"type":"action:…","data":{}}'
  const { type, data = {} } = message
  if (typeof type !== 'string') return 'the message has no type: send {"type":"action:…","data":{}}'
  const name = type.startsWith('action:') ? type.slice('action:'.length) : ''
  if (!known.has(name) && !(isLegacy && legacy.has(name)))
    return `there is no message of type ${quoted(type)}: send one of ${actionNames.map(each => `action:${each}`).join(', ')}`
  if (data !== null && !isRecord(data))
    return `data of ${type} is no JSON object: send {} or its fields`
  return { name: name as Action['name'], data: data ?? {} }
}

/** A message of the host. `at`: in milliseconds since 1970. */
export const printed = (type: string, data: object, at: number): string =>
  JSON.stringify({ type, data, timestamp: new Date(at).toISOString() })
