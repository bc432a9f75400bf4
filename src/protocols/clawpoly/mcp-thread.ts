// Runs in a worker thread. An error ends the thread, and with it all sessions; the next request then starts another one.

import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../clock.ts'
import { Caller, remote, serve } from '../../threads/calls.ts'
import { lowerPriority } from '../../threads/lower-priority.ts'
import { Sessions } from './mcp-sessions.ts'
import type { ClawpolyMcpCaller } from './mcp-thread-calls.ts'

lowerPriority()
const { port, about, limits } = workerData
const caller = new Caller(port)
const host = remote<ClawpolyMcpCaller>((path, given) => caller.call(path, given))
serve(parentPort!, new Sessions({ host, about, clock: systemClock, limits }))
