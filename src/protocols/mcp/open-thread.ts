import { MessageChannel, type Worker } from 'node:worker_threads'
import { serve } from '../../threads/calls.ts'
import { ServiceThread } from '../../threads/service-thread.ts'
import { startThread } from '../../threads/start-thread.ts'
import type { McpAbout, McpCaller, McpService, OpenThread } from './thread.ts'

export const openThread: OpenThread = (caller, about, failed) =>
  new ServiceThread<McpService>(() => startMcpThread(caller, about()), failed)

/** A thread for which `caller` makes the calls. */
export const startMcpThread = (caller: McpCaller, about: McpAbout): Worker => {
  const { port1, port2 } = new MessageChannel()
  serve(port1, caller)
  return startThread(import.meta.url, './mcp-thread', {
    workerData: { port: port2, about },
    transferList: [port2],
  })
}
