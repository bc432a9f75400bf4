import { expect, it, onTestFinished } from 'vitest'
import { EventStream } from '../../test/support/event-stream.ts'
import { strictTerms } from '../../test/support/played.ts'
import { startWebHost } from '../../test/support/web-host.ts'
import { guests } from '../arena/guests.ts'
import type { Player, SeatHandle } from '../arena/player.ts'
import { clawpoly } from '../games/clawpoly.ts'
import type { Game } from '../games/game.ts'

it('spectators of a match with a pace are told the clocks again when the board is shown', async () => {
  const host = await startWebHost()
  onTestFinished(() => host.close())
  const handles: SeatHandle[] = []
  const players = guests.slice(0, 2).map(
    (account, seat): Player => ({
      ...{ account, terms: strictTerms },
      tell: news => {
        if (news.kind === 'seated') handles[seat] = news.handle
      },
    }),
  )
  const pace = { event: 200, turn: 0 }
  const order = { game: clawpoly as Game, players, unrated: null, pace }
  const match = (await host.arena.open(order)) as number
  const stream = new EventStream(`${host.url}/api/v1/matches/${match}/events`)
  onTestFinished(() => stream.cut())
  while (stream.status === 0) await new Promise(resolve => setTimeout(resolve, 5))
  for (const handle of handles) handle.move({ action: 'roll_dice' })
  const moved = await stream.next()
  expect(moved).toMatchObject({ event: 'move', data: { ply: 1 } })
  // The clock that is to begin stands still until then.
  expect(moved!.data.clocks).toContain(15_000)
  expect(host.arena.tables.get(match)!.shownIn).toBeGreaterThan(0)
  const shown = await stream.next()
  expect(shown).toMatchObject({ event: 'clocks' })
  expect(host.arena.tables.get(match)!.shownIn).toBe(0)
  expect(Math.max(...shown!.data.clocks)).toBeGreaterThan(14_000)
  await host.arena.tables.get(match)!.abort('a test')
})
