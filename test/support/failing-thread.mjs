// Loaded before the code of each thread: ends the one that writes, or the one that reads, once the file of its name is there.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, workerData } from 'node:worker_threads'

const name = workerData?.options ? 'writer' : 'reader'
if (!isMainThread && workerData !== null)
  setInterval(() => {
    if (existsSync(join(process.env.HOME, name))) throw new Error(`the ${name} was made to fail`)
  }, 20).unref()
