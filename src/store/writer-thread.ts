// Runs in a worker thread, which is the only one of a server that writes.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../clock.ts'
import { StallWatch } from '../process/stall-watch.ts'
import { Caller, remote, serve } from '../threads/calls.ts'
import { openWriterService, type StoreEvents, type StoreOptions } from './writer-service.ts'

const { options, port } = workerData as { options: StoreOptions; port: MessagePort }
const caller = new Caller(port)
const events = remote<StoreEvents>((path, given) => caller.call(path, given))
const clock = new StallWatch(systemClock)
clock.watch(() => {})

const service = {
  open: async () => {
    const opened = await openWriterService(options, clock, events)
    Object.assign(service, opened)
    return opened.start
  },
}
serve(parentPort!, service)
