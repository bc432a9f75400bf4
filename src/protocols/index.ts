import { agentGamesModule } from './agentgames/index.ts'
import { agonModule } from './agon/index.ts'
import { clawpolyModule } from './clawpoly/index.ts'
import { httpModule } from './http/index.ts'
import { leagueModule } from './league/index.ts'
import { loaModule } from './loa/index.ts'
import { mcpModule } from './mcp/index.ts'
import type { ProtocolModule } from './protocol.ts'

/** All protocols. AGENTBBS_PROTOCOLS says which of them a host speaks. */
export const protocolModules: readonly ProtocolModule[] = [
  agentGamesModule,
  loaModule,
  httpModule,
  mcpModule,
  leagueModule,
  agonModule,
  clawpolyModule,
]
