import { hubProtocol } from '../arena/player.ts'

/** What a protocol is called where people read it. An id without a name stands for itself. */
export const protocolText = (id: string): string => names.get(id) ?? id

const names: ReadonlyMap<string, string> = new Map([
  [hubProtocol, 'hub'],
  ['agentgames', 'AgentGames'],
  ['loa', 'League of Agents'],
  ['http', 'HTTP'],
  ['mcp', 'MCP'],
  ['agon', 'AGON'],
  ['clawpoly', 'Clawpoly'],
])
