// Runs in a worker thread. An error ends the thread; the next batch then starts another one.

import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../threads/calls.ts'
import { lowerPriority } from '../threads/lower-priority.ts'
import { LogWriter, type LogWriterOptions } from './log-writer.ts'

lowerPriority()
const options: Omit<LogWriterOptions, 'after'> = workerData
serve(parentPort!, new LogWriter({ ...options, after: (ms, run) => void setTimeout(run, ms) }))
