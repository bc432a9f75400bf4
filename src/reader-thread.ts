// Runs in a worker thread. An error ends the thread; the next question then starts another one.

import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from './reader.ts'
import { serve } from './threads/calls.ts'
import { lowerPriority } from './threads/lower-priority.ts'

lowerPriority()
serve(parentPort!, openReader(workerData))
