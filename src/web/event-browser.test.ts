import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, launchChromium } from '../../test/support/chromium.ts'
import { planOf } from '../../test/support/event-log.ts'
import { PlayedEvent } from '../../test/support/played-event.ts'
import { startWebHost, type WebHost } from '../../test/support/web-host.ts'
import type { News, Player, SeatHandle } from '../arena/player.ts'

const phone = { width: 390, height: 844 }

describe.skipIf(!hasChromium())('at a phone', () => {
  let host: WebHost
  let browser: Browser
  beforeAll(async () => {
    host = await startWebHost()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
    await host.close()
    expect(host.errors).toEqual([])
  })

  const open = async (path: string) => {
    const errors: string[] = []
    const page = await (await browser.newContext({ viewport: phone })).newPage()
    page.on('pageerror', error => errors.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await page.goto(host.url + path)
    return { page, errors }
  }

  /** By how many pixels the page is wider than the screen. */
  const overflow = (page: Page) =>
    page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

  /** A player whose seat the test holds. */
  const player = (name: string) => {
    const found = host.store.users.add(name)
    if ('problem' in found) throw new Error(found.problem)
    const seats: SeatHandle[] = []
    const terms = { move: 30_000, illegal: 'forfeit', late: 'forfeit', away: 'forfeit' } as const
    const made: Player = {
      account: found,
      terms,
      tell: (message: News) => {
        if (message.kind === 'seated') seats[message.seat] = message.handle
      },
    }
    return { made, seats }
  }

  it('a final is followed from its call to its champion, without a reload', async () => {
    const plan = planOf({
      id: 'final',
      title: 'Final',
      game: 'ttt',
      format: { kind: 'knockout', bestOf: 1, thirdPlace: false },
    })
    await host.director.create(plan)
    const both = [player('fay'), player('gil')]
    for (const { made } of both) expect(await host.director.enter(made.account, 'final')).toBe(null)
    const { page, errors } = await open('/events/final')
    expect(await page.locator('.entrants li').count()).toBe(2)
    await host.director.start('final')
    for (const { made } of both) host.director.attend(made, 'final')
    // The board of the match, and the bracket with a link to it.
    await page.locator('#cards .card svg.board').waitFor()
    await page.locator('#bracket rect.live').waitFor()
    // The only live match has the width of the screen.
    expect((await page.locator('#cards .card').boundingBox())!.width).toBeGreaterThan(320)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    const table = [...host.arena.tables.values()][0]!
    const seat = (at: number) => both.find(({ seats }) => seats[at] !== undefined)!.seats[at]!
    for (const [turn, move] of ['0', '3', '1'].entries()) seat(turn % 2).move(move)
    await page.locator('#cards .card .foot', { hasText: '3 moves' }).waitFor()
    seat(1).move('4')
    seat(0).move('2')
    const winner = table.deal.players[0]!.account.name
    await page.locator('#state', { hasText: `Champion: ${winner}` }).waitFor()
    await page.locator('#bracket text.won', { hasText: winner }).waitFor()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(errors).toEqual([])
    // A stream that is asked for again ends at once.
    expect((await fetch(`${host.url}/api/v1/events/final/events`)).status).toBe(204)
    expect((await fetch(`${host.url}/api/v1/events/nonsuch/events`)).status).toBe(404)
    await page.context().close()
  })

  it('no page of an event is wider than the screen, and wide parts scroll in themselves', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `agent-with-a-long-name-${i}`)
    const cup = await PlayedEvent.open(
      host.store,
      {
        id: 'cup',
        title: 'A cup with a title that takes more than a line',
        format: { kind: 'knockout', bestOf: 3, thirdPlace: true },
      },
      names,
    )
    await (await cup.start()).playRounds(2)
    const league = await PlayedEvent.open(host.store, { id: 'league', title: 'League' }, names)
    await (await league.start()).playRounds(3)
    for (const path of ['/events', '/events/cup', '/events/league', '/']) {
      const { page, errors } = await open(path)
      expect([path, await overflow(page)]).toEqual([path, 0])
      expect(errors).toEqual([])
      await page.context().close()
    }
    const { page } = await open('/events/cup')
    const scroll = page.locator('#bracket .scroll')
    expect(await scroll.evaluate(node => node.scrollWidth > node.clientWidth)).toBe(true)
    // Names are as large as other text, not shrunk to the screen.
    const height = await page
      .locator('#bracket text')
      .nth(5)
      .evaluate(node => node.getBoundingClientRect().height)
    expect(height).toBeGreaterThan(12)
    await page.context().close()
  })
})
