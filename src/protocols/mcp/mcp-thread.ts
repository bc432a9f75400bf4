// Runs in a worker thread. An error ends the thread; the next request then starts another one.

import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../clock.ts'
import { Caller, remote, serve } from '../../threads/calls.ts'
import { lowerPriority } from '../../threads/lower-priority.ts'
import { openService } from './service.ts'
import type { McpCaller } from './thread.ts'

lowerPriority()
const { port, about } = workerData
const caller = new Caller(port)
const host = remote<McpCaller>((path, given) => caller.call(path, given))
serve(parentPort!, openService({ host, about, clock: systemClock }))
