import { prefix, type Verb } from './operations.ts'

/** The protocols that play by the six operations. */
export type PlayProtocol = 'http' | 'mcp'

/** How a call of an operation is named to a client of this protocol. */
export const callText = (protocol: PlayProtocol, verb: Verb): string =>
  protocol === 'http' ? `POST ${prefix}/${verb}` : verb
