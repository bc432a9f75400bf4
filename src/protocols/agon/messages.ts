// The messages of clients, as they are parsed; and those of the host, as they are printed.

import type { Json } from '../../games/game.ts'
import { isRecord } from '../../games/json.ts'

/** What a client may ask for. */
const actions = [
  'enter_room',
  'sit_table',
  'send_message',
  'propose_trade',
  'accept_trade',
  'reject_trade',
  'leave_match',
  'vote',
  'react',
  'heartbeat',
  'propose_wager',
  'accept_wager',
  'decline_wager',
  'cancel_wager',
] as const

type Action = (typeof actions)[number]

/** A message of a client. Its fields are checked when it is their turn. */
export type Request = { readonly action: Action; readonly [field: string]: Json | undefined }

export const parse = (text: string): Request | 'bad JSON' | 'unknown action' => {
  let message: Json
  try {
    message = JSON.parse(text)
  } catch {
    return 'bad JSON'
  }
  return isRecord(message) && known.has(message.action) ? (message as Request) : 'unknown action'
}

const known: ReadonlySet<unknown> = new Set(actions)

export type Fields = { readonly [field: string]: unknown }

/** An event of the host. */
export const printed = (event: string, fields: Fields): string =>
  JSON.stringify({ event, ...fields })
