import { MessageChannel, type Worker } from 'node:worker_threads'
import { serve } from '../../threads/calls.ts'
import { ServiceThread } from '../../threads/service-thread.ts'
import { startThread } from '../../threads/start-thread.ts'
import type { McpAbout } from '../mcp/thread.ts'
import type {
  ClawpolyMcpCaller,
  ClawpolyMcpService,
  OpenClawpolyThread,
  SessionLimits,
} from './mcp-thread-calls.ts'

/** A session takes 9 KB. Most clients never end theirs. */
const limits: SessionLimits = { perAddress: 64, inAll: 2000, idle: 900_000 }

export const openClawpolyThread: OpenClawpolyThread = (caller, about, failed) =>
  new ServiceThread<ClawpolyMcpService>(() => startClawpolyThread(caller, about(), limits), failed)

/** A thread for which `caller` makes the calls. */
export const startClawpolyThread = (
  caller: ClawpolyMcpCaller,
  about: McpAbout,
  limits: SessionLimits,
): Worker => {
  const { port1, port2 } = new MessageChannel()
  serve(port1, caller)
  return startThread(import.meta.url, './mcp-thread', {
    workerData: { port: port2, about, limits },
    transferList: [port2],
  })
}
