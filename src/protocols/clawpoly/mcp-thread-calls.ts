// What the thread that speaks Clawpoly's MCP and the thread that plays ask of each other, beside requests and calls of tools.

import type { AccountId } from '../../arena/account.ts'
import type { Called, McpAbout, McpCaller, McpService, McpThread } from '../mcp/thread.ts'
import type { ToolName } from './mcp-tools.ts'

/** What the clients of an agent are told while none of its calls waits: as `data` of a logging notification. */
export interface Notice {
  readonly event: 'pending_decision'
  readonly type: string
  /** The fields of the prompt. */
  readonly context: object
  readonly message: string
}

/** What the thread serves. It keeps the sessions. */
export interface ClawpolyMcpService extends McpService {
  /** Tells all sessions in which this agent has called a tool. */
  notify(agent: AccountId, notice: Notice): void
  /** Ends all sessions: the host stops. */
  endAll(): void
}

/** The answer to a call, with the account of the agent that has made it; null where it has not logged in. */
export interface ClawpolyCalled extends Called {
  readonly agent: AccountId | null
}

/** What the thread that plays serves. */
export interface ClawpolyMcpCaller extends McpCaller<ToolName, ClawpolyCalled> {
  /** The decision that an agent owes now; null where it owes none. */
  pending(agent: AccountId): Notice | null
}

/** How many sessions there may be. */
export interface SessionLimits {
  readonly perAddress: number
  readonly inAll: number
  /** Milliseconds without a request after which a session ends. */
  readonly idle: number
}

export type OpenClawpolyThread = (
  caller: ClawpolyMcpCaller,
  about: () => McpAbout,
  failed: (error: Error) => void,
) => McpThread<ClawpolyMcpService>
