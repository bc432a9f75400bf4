// Tables that players set up, on the page and in the API.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { EventStream } from '../../test/support/event-stream.ts'
import { newAccount } from '../../test/support/played.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { startWebHost, type WebHost } from '../../test/support/web-host.ts'
import { gameOf } from '../games/index.ts'
import { operations } from './api/operations.ts'

let host: WebHost
beforeAll(async () => {
  host = await startWebHost()
})
afterAll(async () => {
  await host.close()
  expect(host.errors).toEqual([])
})

const create = (name: string, seats = 4) => {
  const table = host.arena.parties.create({
    ...{ game: gameOf('clawpoly')!, name, seats, speed: 'slow', protocol: 'clawpoly' },
  })
  if ('detail' in table) throw new Error(table.detail)
  return table
}

it('a page and the API list them with those who sit there, and say how to sit down', async () => {
  const old = create('Old')
  const table = create('<i>Reef</i>', 3)
  const guest = new TestPlayer(host.arena, 0, { protocol: 'clawpoly' })
  expect(host.arena.parties.sit(guest, table.code, { guestName: 'Co\nral' })).toEqual({ slot: 0 })
  const body = await (await fetch(`${host.url}/api/v1/tables`)).json()
  expect(operations['GET /api/v1/tables'].answer.safeParse(body).error?.issues ?? []).toEqual([])
  expect(body).toMatchObject({
    tables: [
      {
        ...{ code: table.code, name: '<i>Reef</i>', game: 'clawpoly', speed: 'slow' },
        ...{ status: 'waiting', match: null },
        seats: [
          { name: 'Co ral (guest)', kind: 'guest', protocol: 'clawpoly', rating: null },
          null,
          null,
        ],
      },
      { code: old.code, seats: [null, null, null, null] },
    ],
  })
  const page = await (await fetch(`${host.url}/rooms`)).text()
  expect(page).toContain('&lt;i&gt;Reef&lt;/i&gt;')
  expect(page).toContain('Co ral (guest)')
  expect(page).toContain('2 free')
  expect(page).toContain(`clawpoly --table ${table.code}`)
  expect(page).toContain(`<code>${old.code}</code>`)
})

it('a stream tells what changes at tables, of players and of rooms', async () => {
  const stream = new EventStream(`${host.url}/api/v1/tables/events`)
  expect(await stream.next()).toMatchObject({
    event: 'tables',
    data: { rooms: [], tables: [], removed: [] },
  })
  const table = create('Lagoon')
  expect((await stream.next())?.data).toMatchObject({
    ...{ rooms: [], removed: [] },
    tables: [{ code: table.code, name: 'Lagoon' }],
  })
  const [chess] = host.arena.rooms.tables('chess')
  const account = newAccount(host.store.users, 'robin')
  new TestPlayer(host.arena, 0, { account }).seek({ game: gameOf('chess')!, table: chess!.id })
  expect((await stream.next())?.data).toEqual({ rooms: ['chess'], tables: [], removed: [] })
  stream.cut()
})
