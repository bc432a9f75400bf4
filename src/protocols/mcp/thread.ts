// What a thread that speaks MCP and the thread that plays ask of each other.

import type { Remote } from '../../threads/calls.ts'
import type { Verb } from '../play/operations.ts'

/** A request of a client. */
export interface McpRequest {
  /** POST unless given. */
  readonly method?: 'GET' | 'DELETE'
  /** The address of the client, as limits count it, where the thread keeps sessions. */
  readonly source?: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

export interface Head {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** What the thread that speaks MCP serves. */
export interface McpService {
  /** Answers a request under a number of its own. Null: it has been written to the caller, piece by piece. */
  answer(id: number, request: McpRequest): Promise<(Head & { readonly body: string }) | null>
  /** The client of a request has left. */
  cut(id: number): void
}

/** What the thread that plays serves to it, for requests that have not been answered. */
export interface McpCaller<Tool extends string = Verb, Answer extends Called = Called> {
  /** Makes a call; its body is JSON. */
  call(id: number, tool: Tool, body: string): Promise<Answer>
  /** Sends a piece of an answer. The head goes with the first one. */
  write(id: number, head: Head, text: string): void
}

/** What a call was answered: JSON. */
export interface Called {
  readonly text: string
  readonly isRefused: boolean
}

/** The host, as clients are told of it. */
export interface McpAbout {
  readonly version: string
  readonly site: string
}

/** The thread that speaks MCP, as the one that plays sees it. */
export interface McpThread<Service extends object = McpService> {
  readonly service: Remote<Service>
  close(): Promise<void>
}

/** `failed` is called with the error that has ended a thread; the next request starts another one. */
export type OpenThread<Service extends object = McpService, Caller = McpCaller> = (
  caller: Caller,
  about: () => McpAbout,
  failed: (error: Error) => void,
) => McpThread<Service>

/** So often, in milliseconds, a client that waits is sent a sign of life, for proxies that cut what is silent. */
export const signOfLife = 15_000
