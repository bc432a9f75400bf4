/** The errors of league.v2, by their codes. There are no others. */
export const errors = {
  E001: { name: 'TIMEOUT_ERROR', rpc: -32000 },
  E003: { name: 'MISSING_REQUIRED_FIELD', rpc: -32602 },
  E004: { name: 'INVALID_PARITY_CHOICE', rpc: -32602 },
  E005: { name: 'PLAYER_NOT_REGISTERED', rpc: -32000 },
  E009: { name: 'CONNECTION_ERROR', rpc: -32000 },
  E011: { name: 'AUTH_TOKEN_MISSING', rpc: -32001 },
  E012: { name: 'AUTH_TOKEN_INVALID', rpc: -32001 },
  E021: { name: 'INVALID_TIMESTAMP', rpc: -32602 },
} as const

export type ErrorCode = keyof typeof errors

/** The errors of JSON-RPC that have no code of league.v2. */
export const rpcCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
} as const
