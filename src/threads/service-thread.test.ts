import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { ServiceThread } from './service-thread.ts'

/** Counts its calls; `end` ends the thread. */
const start = () =>
  new Worker(
    `const { parentPort } = require('node:worker_threads')
     let calls = 0
     parentPort.on('message', questions => {
       for (const { call, path } of questions) {
         if (path === 'end') throw new Error('a bug')
         parentPort.postMessage([{ call, value: ++calls }])
       }
     })`,
    { eval: true },
  )

it('a thread that ends fails its open calls, and the next call starts another one', async () => {
  const failures: Error[] = []
  const thread = new ServiceThread<{ count(): number; end(): void }>(start, error =>
    failures.push(error),
  )
  expect([await thread.service.count(), await thread.service.count()]).toEqual([1, 2])
  const open = [thread.service.end(), thread.service.count()]
  for (const call of open) await expect(call).rejects.toThrow('a bug')
  expect(failures).toHaveLength(1)
  expect(await thread.service.count()).toBe(1)
  await thread.close()
  expect(failures).toHaveLength(1)
  await expect(thread.service.count()).rejects.toThrow('the thread is closed')
})
