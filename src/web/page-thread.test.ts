import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { play, startWebHost, type WebHost } from '../../test/support/web-host.ts'
import type { Remote } from '../threads/calls.ts'
import type { PageService } from './page-service.ts'

let host: WebHost
afterEach(() => host.close())

const status = async (path: string) => (await fetch(host.url + path)).status

it('while a page is made, moves and health checks are answered, and the next page waits', async () => {
  const asked: string[] = []
  let finish = () => {}
  const slow = new Promise<void>(resolve => {
    finish = resolve
  })
  host = await startWebHost(undefined, {
    between: pages => ({
      answer: async request => {
        asked.push(request.url)
        if (request.url === '/ladder') await slow
        return pages.answer(request)
      },
      ...{ texts: pages.texts, changes: pages.changes, event: pages.event },
      ...{ log: pages.log, logPage: pages.logPage },
    }),
  })
  const pages = ['/ladder', '/games'].map(status)
  await expect.poll(() => asked).toEqual(['/ladder'])
  expect(await status('/healthz')).toBe(200)
  const { agents } = await host.seat('ttt')
  for (const [turn, move] of ['0', '3', '1', '4', '2'].entries()) await play(agents[turn % 2], move)
  expect(await agents[0].next('result')).toMatchObject({ outcome: 'win' })
  expect(asked).toEqual(['/ladder'])
  finish()
  expect(await Promise.all(pages)).toEqual([200, 200])
  expect(host.errors).toEqual([])
})

it('a page fails if the thread ends, and the next one is made', async () => {
  let fails = 1
  host = await startWebHost(undefined, {
    between: pages => ({
      ...{ texts: pages.texts, changes: pages.changes, event: pages.event },
      ...{ log: pages.log, logPage: pages.logPage },
      answer: request =>
        fails-- > 0 ? Promise.reject(new Error('the thread ended')) : pages.answer(request),
    }),
  })
  expect([await status('/'), await status('/')]).toEqual([500, 200])
  expect(host.errors.splice(0)).toMatchObject([
    { msg: 'page failed', path: '/', err: { message: 'the thread ended' } },
  ])
})

/** A host with a match whose export has 30 MB, more than sockets hold. `texts` counts what the host asks of its text. */
const withLongMatch = async (next: (asked: number) => void = () => {}) => {
  const texts = { bytes: 0, asked: 0, stopped: [] as string[], pages: null as Pages | null }
  host = await startWebHost(undefined, {
    between: pages => {
      texts.pages = pages
      return {
        ...{ answer: pages.answer, changes: pages.changes, event: pages.event },
        ...{ log: pages.log, logPage: pages.logPage },
        texts: {
          next: async id => {
            next(++texts.asked)
            const slice = await pages.texts.next(id)
            texts.bytes += slice.text.length
            return slice
          },
          stop: async id => {
            await pages.texts.stop(id)
            texts.stopped.push(id)
          },
        },
      }
    },
  })
  const { users, matchStore } = host.store
  for (const name of ['ann', 'ben']) users.add(name)
  const accounts = ['ann', 'ben'].map(name => users.find(name)!.id)
  const id = matchStore.begin({ game: 'ttt', seed: 1, accounts, unrated: null, startedAt: 0 })
  await matchStore.finish(
    id,
    { ending: 'rules', places: [1, 2], faults: [null, null], detail: 'so' },
    Array.from({ length: 600 }, (_, ply) => [ply % 2, 'x'.repeat(50_000), 1] as const),
  )
  return { texts, path: `/api/v1/matches/${id}/ndjson` }
}
type Pages = Remote<PageService>

it('a long export is made no faster than its client reads, and stopped when that has left', async () => {
  const { texts, path } = await withLongMatch()
  const socket = connect(host.port, '127.0.0.1')
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`)
  let before = -1
  const hasStopped = () => {
    const isSame = texts.bytes > 0 && texts.bytes === before
    before = texts.bytes
    return isSame
  }
  await expect.poll(hasStopped, { interval: 200 }).toBe(true)
  expect(texts.bytes).toBeLessThan(20_000_000)
  // Other pages are made meanwhile.
  expect(await status('/games')).toBe(200)
  expect(texts.stopped).toEqual([])
  socket.destroy()
  await expect.poll(() => texts.stopped).toHaveLength(1)
  await expect(texts.pages!.texts.next(texts.stopped[0]!)).rejects.toThrow('has ended')
  expect(host.errors).toEqual([])
})

it('a long export is cut if the thread ends while it is made', async () => {
  const { path } = await withLongMatch(asked => {
    if (asked === 3) throw new Error('the thread ended')
  })
  const socket = connect(host.port, '127.0.0.1')
  let answer = ''
  socket.on('data', data => {
    answer += data
  })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`)
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1.1 200 /)
  expect(answer.endsWith('0\r\n\r\n')).toBe(false)
  expect(host.errors.splice(0)).toMatchObject([
    { msg: 'answer failed', path, err: { message: 'the thread ended' } },
  ])
})
