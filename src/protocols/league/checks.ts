// The checks of a request, in the order of the protocol: shape, protocol, base fields, timestamp, token, fields.

import type { Envelope } from './calls.ts'
import { type ErrorCode, errors, rpcCodes } from './codes.ts'
import { type Fields, isTimestamp } from './messages.ts'
import { RpcError } from './rpc.ts'

/** The id that a sender names: `P01` of `player:P01`. */
export const senderId = ({ sender }: Fields): string => {
  const [, id = ''] = /^(?:player|referee):(.{1,64})$/s.exec(String(sender)) ?? []
  return id
}

/** An error in answer to a request, with the whole message of the error in it. */
export const leagueError = (
  code: ErrorCode,
  params: Fields,
  env: Envelope,
  { action, field }: { readonly action: string; readonly field?: string },
): RpcError => {
  const { name, rpc } = errors[code]
  return new RpcError(rpc, name, {
    ...env,
    message_type: 'LEAGUE_ERROR',
    error_code: code,
    error_description: name,
    affected_player: senderId(params).slice(0, 64),
    action_required: action,
    original_message_type: action,
    ...(field !== undefined && { context: { field } }),
  })
}

const baseFields = ['protocol', 'sender', 'timestamp', 'conversation_id'] as const

/** Everything up to the timestamp. */
export const checkBase = (
  params: Fields,
  isLenient: boolean,
  refuse: (code: ErrorCode, field: string) => RpcError,
): RpcError | null => {
  const { protocol, timestamp } = params
  if (isPresent(protocol) && protocol !== 'league.v2')
    return new RpcError(rpcCodes.params, 'Invalid params: "protocol" has to be "league.v2"')
  const missing = baseFields.find(
    field => (!isLenient || field === 'protocol') && !isPresent(params[field]),
  )
  if (missing !== undefined) return refuse('E003', missing)
  if (isPresent(timestamp) && !isTimestamp(timestamp)) return refuse('E021', 'timestamp')
  return null
}

export const isPresent = (value: unknown): boolean => value !== undefined && value !== null

/** The first of these fields that is missing, or that its check does not take. */
export const missingField = (
  given: Fields,
  wanted: Readonly<Record<string, (value: unknown) => boolean>>,
): string | undefined => Object.keys(wanted).find(field => !wanted[field]!(given[field]))

export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== ''

export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string')
