// Runs in a worker thread. An error ends the thread; the next question then starts another one, which counts all results again.

import { parentPort, workerData } from 'node:worker_threads'
import { readDatabase, withSql } from '../store/database.ts'
import { serve } from '../threads/calls.ts'
import { lowerPriority } from '../threads/lower-priority.ts'
import { Fitter } from './fitter.ts'

lowerPriority()
serve(parentPort!, new Fitter(withSql(readDatabase(workerData.data))))
