import { rpcCodes } from './codes.ts'
import { type Fields, isFields } from './messages.ts'

export type RpcId = string | number | null

export interface RpcRequest {
  readonly id: RpcId
  readonly method: string
  readonly params: Fields
}

/** A failed request, as JSON-RPC answers it. `data`: the whole message of an error of league.v2. */
export class RpcError {
  readonly code: number
  readonly message: string
  readonly data: object | undefined

  constructor(code: number, message: string, data?: object) {
    this.code = code
    this.message = message
    this.data = data
  }
}

/** Reads the shape of a request, and its id as far as there is one. */
export const readRequest = (
  text: string | undefined,
): RpcRequest | { readonly id: RpcId; readonly error: RpcError } => {
  let given: unknown
  try {
    given = JSON.parse(text ?? '')
  } catch {
    return { id: null, error: new RpcError(rpcCodes.parse, 'Parse error: the body is not JSON') }
  }
  const refused = (message: string, id: RpcId = null) => ({
    id,
    error: new RpcError(rpcCodes.request, `Invalid request: ${message}`),
  })
  if (Array.isArray(given)) return refused('batches are not taken, send one request at a time')
  if (!isFields(given)) return refused('expected an object')
  const { id, jsonrpc, method, params = {} } = given
  if (typeof id !== 'string' && !Number.isSafeInteger(id))
    return refused('expected an "id", a string or an integer')
  const known = id as string | number
  if (jsonrpc !== '2.0') return refused('expected "jsonrpc": "2.0"', known)
  if (typeof method !== 'string') return refused('expected a "method", a string', known)
  if (!isFields(params)) return refused('expected "params", an object', known)
  return { id: known, method, params }
}

export const resultText = (id: RpcId, result: object): string =>
  JSON.stringify({ jsonrpc: '2.0', result, id })

export const errorText = (id: RpcId, { code, message, data }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message, ...(data && { data }) }, id })

/** What a server has answered: the message that it sends, or an error of JSON-RPC. */
export type RpcReply =
  | { readonly message: Fields }
  | { readonly error: { readonly code: number; readonly message: string } }

/**
 * Reads what servers answer, in four shapes: an error, a result, a reply that has the shape of a request, or the bare
 * message; undefined for none of these.
 */
export const readReply = (given: unknown): RpcReply | undefined => {
  if (!isFields(given)) return undefined
  const { error, result, method, params } = given
  if (error !== undefined && error !== null) {
    const { code, message } = isFields(error) ? error : { code: 0, message: error }
    return {
      error: {
        code: typeof code === 'number' ? code : 0,
        message: typeof message === 'string' ? message.slice(0, 200) : '',
      },
    }
  }
  if (isFields(result)) return { message: result }
  if (typeof method === 'string' && isFields(params)) return { message: params }
  return typeof given.message_type === 'string' ? { message: given } : undefined
}
