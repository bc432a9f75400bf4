import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasChromium, launchChromium } from '../../test/support/chromium.ts'
import { hostileText } from '../../test/support/hostile-text.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { signIn } from '../../test/support/sign-in.ts'
import { play, startWebHost, type WebHost } from '../../test/support/web-host.ts'
import { gameOf } from '../games/index.ts'

describe.skipIf(!hasChromium())('in a browser', () => {
  let host: WebHost
  let browser: Browser
  const browserErrors: string[] = []

  beforeAll(async () => {
    host = await startWebHost(undefined, { voting: { time: 600_000, leaving: 0 } })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
    await host.close()
    expect(host.errors).toEqual([])
  })

  const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
    browserErrors.length = 0
    const context = await browser.newContext({ viewport: desktop, ...options })
    const page = await context.newPage()
    page.on('console', message => {
      if (message.type() === 'error') browserErrors.push(message.text())
    })
    page.on('pageerror', error => browserErrors.push(error.message))
    page.on('request', request => {
      if (!request.url().startsWith(host.url)) browserErrors.push(`asked for ${request.url()}`)
    })
    await page.goto(host.url + path)
    return page
  }

  const finish = async (game: string, moves: readonly unknown[]) => {
    const { id, agents } = await host.seat(game)
    for (const [i, move] of moves.entries()) await play(agents[i % 2], move)
    // A connection that is cut too early loses the last move.
    await vi.waitFor(
      () => expect(host.arena.tables.get(id)?.moves.length ?? moves.length).toBe(moves.length),
      20_000,
    )
    if (host.arena.tables.has(id)) agents[0]!.say({ type: 'resign' })
    if (host.arena.tables.has(id)) agents[1]!.webSocket.close()
    await agents[0]!.next('result')
    return id
  }

  const cookieFor = (cookie: string) => {
    const [name, value] = cookie.split('=') as [string, string]
    return { name, value, url: host.url }
  }

  const winningMoves = ['0', '3', '1', '4', '2']

  it('a match page follows a match from its first move to its replay', async () => {
    const { id, agents, names } = await host.seat('ttt')
    const page = await open(`/match/${id}`)
    for (const [i, move] of winningMoves.slice(0, 4).entries()) {
      await play(agents[i % 2], move)
      await page.locator(`#moves a[data-ply="${i + 1}"][aria-current]`).waitFor()
      expect(await page.locator('#where').textContent()).toBe(`${i + 1} / ${i + 1}`)
    }
    expect(await page.locator('#verdict').textContent()).toBe('live')
    expect(await page.locator('.clock').allTextContents()).toContainEqual(
      expect.stringMatching(/^\d+:\d\d$/),
    )
    await play(agents[0], '2')
    await page.locator('#verdict', { hasText: `${names[0]} won` }).waitFor()
    expect(await page.locator('#verdict').textContent()).toContain('three in a row')
    expect(await page.locator('.change').allTextContents()).toEqual(['+16', '−16'])
    expect(await page.locator('#board circle').count()).toBe(2)
    expect(await page.locator('.downloads').count()).toBe(1)
    await page.keyboard.press('Home')
    await page.locator('#where', { hasText: '0 / 5' }).waitFor()
    await page.locator('#board svg[aria-label*="No move yet"]').waitFor()
    expect(browserErrors).toEqual([])
    await page.context().close()
  })

  it('a stream that was cut continues without losing a move', async () => {
    const { id, agents } = await host.seat('ttt')
    const page = await open(`/match/${id}`)
    await play(agents[0], '0')
    await page.locator('#moves a[data-ply="1"]').waitFor()
    host.cutStreams()
    for (const [i, move] of ['3', '1', '4'].entries()) await play(agents[(i + 1) % 2], move)
    await page.locator('#moves a[data-ply="4"]').waitFor()
    expect(
      await page.locator('#moves a').evaluateAll(all => all.map(a => a.firstChild?.textContent)),
    ).toEqual(['0', '3', '1', '4'])
    host.cutStreams()
    await play(agents[0], '2')
    await page.locator('#verdict', { hasText: 'three in a row' }).waitFor()
    expect(await page.locator('#moves a').count()).toBe(5)
    await page.context().close()
  })

  it('a spectator who screens at an earlier position of a live match stays there', async () => {
    const { id, agents, names } = await host.seat('ttt')
    const page = await open(`/match/${id}`)
    // Two moves at once come as two events, of which only the second has the board.
    await play(agents[0], '0')
    await play(agents[1], '3')
    await page.locator('#moves a[data-ply="2"][aria-current]').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.locator('#where', { hasText: '1 / 2' }).waitFor()
    await play(agents[0], '1')
    await page.locator('#moves a[data-ply="3"]').waitFor()
    expect(await page.locator('#where').textContent()).toBe('1 / 3')
    agents[0]!.webSocket.close()
    await page.locator('#verdict', { hasText: `${names[1]} won` }).waitFor()
    expect(await page.locator('#where').textContent()).toBe('1 / 3')
    await page.context().close()
  })

  it('a replay is controlled by mouse and keyboard, and each position has a link', async () => {
    const id = await finish('chess', ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5'])
    const page = await open(`/match/${id}#ply=3`)
    const at = async (ply: number) => {
      await page.locator('#where', { hasText: `${ply} / 5` }).waitFor()
      await page
        .locator(
          `#board svg[aria-label*="${['No move yet', 'e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5'][ply]}"]`,
        )
        .waitFor()
    }
    await at(3)
    expect(
      await page.locator('#moves a').evaluateAll(all => all.map(a => a.firstChild?.textContent)),
    ).toEqual(['e4', 'e5', 'Nf3', 'Nc6', 'Bb5'])
    await page.locator('#moves a[data-ply="1"]').click()
    await at(1)
    expect(page.url()).toMatch(/#ply=1$/)
    for (const [key, ply] of [
      ['ArrowRight', 2],
      ['End', 5],
      ['ArrowLeft', 4],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key)
      await at(ply)
    }
    for (const [button, ply] of [
      ['To the end', 5],
      ['One move back', 4],
      ['To the start', 0],
      ['One move on', 1],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      await at(ply)
    }
    await page.locator('#pace select').selectOption('300')
    await page.locator('h1').click()
    await page.keyboard.press('Space')
    await at(5)
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    const corner = () => page.locator('#board text').first().getAttribute('x')
    const before = await corner()
    await page.locator('#flip').click()
    await expect.poll(corner).not.toBe(before)
    expect(browserErrors).toEqual([])
    await page.context().close()
  })

  it('the front page adds a new match, shows its result, and removes it 10 s later', async () => {
    const page = await open('/')
    await page.clock.install()
    await page.reload()
    await page.locator('#no-live').waitFor()
    const { id, agents, names } = await host.seat('c4')
    const card = page.locator(`[data-match="${id}"]`)
    await card.waitFor()
    await play(agents[0], '3')
    await card.locator('.foot', { hasText: '1 move' }).waitFor()
    const results = page.locator('#results tbody tr')
    const before = await results.count()
    agents[0]!.webSocket.close()
    await card.locator('.foot', { hasText: `${names[1]} won` }).waitFor()
    await results
      .first()
      .locator('td', { hasText: `${names[1]} won` })
      .waitFor()
    expect(await results.first().locator('td a').first().textContent()).toBe(`${id}`)
    expect(await results.count()).toBe(Math.min(12, before + 1))
    await page.clock.runFor(11_000)
    await card.waitFor({ state: 'detached' })
    expect(browserErrors).toEqual([])
    await page.context().close()
  })

  it('a live card keeps its board and its foot apart', async () => {
    const { agents } = await host.seat('bazaar')
    const page = await open('/')
    const card = page.locator('.card').first()
    expect(await card.locator('.mini p').count()).toBeGreaterThan(0)
    const writer = agents[(await agents[0]!.next('state')).yourTurn ? 0 : 1]!
    writer.move({ action: 'message', content: 'What do you need?' })
    await card.locator('.foot', { hasText: 'Bazaar · 1 move' }).waitFor()
    expect(await card.locator('.foot').count()).toBe(1)
    expect(await card.locator('.mini').textContent()).not.toContain('Bazaar · 1 move')
    agents[0]!.webSocket.close()
    await agents[1]!.next('result')
    expect(browserErrors).toEqual([])
    await page.context().close()
  })

  it.each([390, 1280])(
    'the winner is visible at a width of %i pixels, even with a long name',
    async width => {
      const long = 'M'.repeat(32)
      const names = [long, 'dora']
      const accounts = names.map(name =>
        newAccount(host.store.users, `${name.slice(0, 28)}${width}`),
      )
      const { matchStore } = host.store
      await matchStore.finish(
        matchStore.begin(tttMatch(...accounts)),
        outcomes.firstWins,
        ttt.firstWins,
      )
      const page = await open('/', { viewport: { width, height: 800 } })
      // A match of another test may end meanwhile, and then its result is the first.
      const winner = accounts[0]!.name
      const row = page.locator('#results tr', { hasText: winner })
      const result = row.locator('.result', { hasText: `${winner} won` })
      const box = (await result.boundingBox())!
      expect(box.x + box.width).toBeLessThanOrEqual(width)
      const wide = await page.evaluate('document.documentElement.scrollWidth')
      expect(wide).toBeLessThanOrEqual(width)
      await page.context().close()
    },
  )

  it('a long name makes no page wider than a phone, and hides no column', async () => {
    const names = ['m', 'n'].map(letter => letter.repeat(32))
    const accounts = names.map(name => newAccount(host.store.users, name))
    const { matchStore } = host.store
    for (let i = 0; i < 2; i++)
      await matchStore.finish(
        matchStore.begin(tttMatch(...accounts)),
        outcomes.firstWins,
        ttt.firstWins,
      )
    const page = await open('/', { viewport: { width: 390, height: 844 } })
    const both = names.map(name => host.dial(name, 'c4'))
    await Promise.all(both.map(agent => agent.next('hello')))
    const card = page.locator('.card', { hasText: names[0]! })
    await card.waitFor()
    both[0]!.webSocket.close()
    await card.locator('.foot', { hasText: 'won' }).waitFor()
    const foot = await card.locator('.foot').evaluate(it => it.scrollWidth - it.clientWidth)
    expect(foot).toBe(0)
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    for (const path of [`/agent/${'x'.repeat(80)}`, `/ladder/ttt?q=${'x'.repeat(80)}`]) {
      await page.goto(host.url + path)
      expect([path, await width()]).toEqual([path, 390])
    }
    await page.goto(`${host.url}/agent/${names[0]}`)
    const { x, width: rivals } = (await page.locator('.rivals').boundingBox())!
    expect(x + rivals).toBeLessThanOrEqual(390)
    await page.context().close()
  })

  it('every page works without scripts', async () => {
    const id = await finish('ttt', winningMoves)
    const page = await open(`/match/${id}`, { javaScriptEnabled: false })
    expect(await page.locator('#verdict').textContent()).toContain('three in a row')
    await page.getByRole('button', { name: 'One move back' }).click()
    expect(page.url()).toMatch(/\?ply=4$/)
    expect(await page.locator('#where').textContent()).toBe('4 / 5')
    expect(await page.locator('#play').isVisible()).toBe(false)
    await page.goto(`${host.url}/ladder/ttt`)
    await page.getByLabel('Find an agent').fill('bo')
    await page.getByRole('button', { name: 'Find' }).click()
    expect(await page.locator('tbody th').allTextContents()).toEqual(['bob'])
    await page.context().close()
  })

  it('a note appears below its move with the next one, as text', async () => {
    const { id, agents } = await host.seat('ttt')
    const page = await open(`/match/${id}`)
    const say = (seat: number, move: string, note: string) =>
      agents[seat]!.say({ type: 'move', move, note })
    await Promise.all(agents.map(agent => agent.next('state')))
    say(0, '4', '<b>one</b>')
    await page.locator('#moves a[data-ply="1"]').waitFor()
    expect(await page.locator('#moves q').count()).toBe(0)
    await agents[1]!.next('state')
    say(1, '0', 'two')
    await page.locator('#moves a[data-ply="1"] + q').waitFor()
    expect(await page.locator('#moves q').allTextContents()).toEqual(['<b>one</b>'])
    const later = await open(`/match/${id}`)
    expect(await later.locator('#moves q').allTextContents()).toEqual(['<b>one</b>'])
    agents[0]!.webSocket.close()
    await agents[1]!.next('result')
    for (const shown of [page, later]) {
      await shown.locator('#moves a[data-ply="2"] + q').waitFor()
      expect(await shown.locator('#moves q').allTextContents()).toEqual(['<b>one</b>', 'two'])
      await shown.context().close()
    }
    expect(browserErrors).toEqual([])
  })

  it('names and moves are escaped', async () => {
    const name = '<img src=x onerror=alert(1)>'
    const { lastInsertRowid } = host.store.db.file
      .prepare("insert into accounts (name, kind, created_at) values (?, 'player', 0)")
      .run(name)
    const account = Number(lastInsertRowid)
    const { matchStore } = host.store
    const accounts = [account, host.store.users.find('ada')!.id]
    const match = matchStore.begin({
      game: 'bazaar',
      seed: 1,
      accounts,
      unrated: null,
      startedAt: 0,
    })
    const evil = '</script><script>alert(1)</script>'
    const outcome = {
      ending: 'resigned',
      places: [1, 2],
      faults: [null, 'resigned'],
      detail: evil,
    } as const
    await matchStore.finish(match, outcome, [[0, { action: 'message', content: evil }, 5]])
    for (const path of [
      '/',
      '/ladder/bazaar',
      `/match/${match}`,
      `/match/${match}#ply=1`,
      `/agent/${encodeURIComponent(name)}`,
    ]) {
      const page = await open(path)
      await page.locator('h1').waitFor()
      if (path.includes('#')) await page.locator('#where', { hasText: '1 / 1' }).waitFor()
      expect(await page.locator('main img, main script').count()).toBe(0)
      expect(await page.content()).toContain('&lt;img')
      expect(browserErrors).toEqual([])
      await page.context().close()
    }
  })

  it('a debate is followed message by message, with reactions, and its vote counts down', async () => {
    const { id, agents, names } = await host.seat('debate')
    const page = await open(`/match/${id}`)
    expect(await page.locator('#vote').isVisible()).toBe(false)
    await play(agents[0], 'One <b>bold</b>\nclaim.')
    await page.locator('.talk li', { hasText: 'One <b>bold</b>' }).waitFor()
    expect(await page.locator('.talk b').allTextContents()).toEqual([names[0]])
    host.arena.react(id, '👏')
    await page.locator('#reactions', { hasText: '👏' }).waitFor()
    await play(agents[1], { action: 'leave', words: 'You have <i>won</i>.' })
    await page.locator('#vote').waitFor()
    await page.locator('#board', { hasText: 'You have <i>won</i>.' }).waitFor()
    const seconds = async () =>
      Number(/(\d+) s left, 0 votes/.exec((await page.locator('#vote-text').textContent())!)?.[1])
    const first = await seconds()
    await expect.poll(seconds).toBeLessThan(first)
    await page.context().addCookies([cookieFor(await signIn(host, 'voter'))])
    await page.reload()
    await page.getByRole('button', { name: `${names[0]} (For)` }).click()
    await page.locator('#vote-text', { hasText: '1 vote.' }).waitFor()
    expect(await page.locator('#vote [aria-pressed=true]').textContent()).toBe(`${names[0]} (For)`)
    expect(browserErrors).toEqual([])
    await page.context().close()
  })

  it('tokens on a track glide to where they go, and each move says what it caused', async () => {
    const { id, table, agents, names } = await host.seat('clawpoly')
    const page = await open(`/match/${id}`)
    expect(await page.locator('[data-key]').count()).toBe(2)
    const places = () =>
      page.locator('[data-key]').evaluateAll(all => all.map(node => node.getAttribute('data-at')))
    const before = await places()
    await page.evaluate(`
      globalThis.gliding = []
      const { animate } = Element.prototype
      Element.prototype.animate = function (...given) {
        gliding.push(this.dataset.key)
        return animate.apply(this, given)
      }`)
    type Seen = { current: number; players: { position: number }[] }
    const { current } = table.observation as unknown as Seen
    await play(agents[current], { action: 'roll_dice' })
    const told = page.locator('#moves li:first-child .told li:first-child')
    await told.waitFor()
    expect(await told.textContent()).toMatch(
      new RegExp(`^${names[current]} throws [1-6] \\+ [1-6]: to .+$`),
    )
    expect(await page.locator('.middle .told li').last().textContent()).toContain(names[current])
    // A card may have led it back to where it came from.
    const { players } = table.observation as unknown as Seen
    const hasMoved = players[current]!.position !== 0
    const gliding = (await page.evaluate('gliding')) as readonly string[]
    expect(gliding.includes(`token${current}`)).toBe(hasMoved)
    expect(JSON.stringify(await places()) !== JSON.stringify(before)).toBe(hasMoved)
    expect(await page.locator('.middle polyline').count()).toBe(2)
    await page.keyboard.press('Home')
    await page.locator('#where', { hasText: /^0 / }).waitFor()
    await expect.poll(places).toEqual(before)
    expect(browserErrors).toEqual([])
    await page.context().close()
  }, 60_000)

  it('the page of rooms follows the tables by itself', async () => {
    const page = await open('/rooms')
    const [table] = host.arena.rooms.tables('chess')
    const agent = host.dial('sitting-bull', `chess&table=${table!.id}`)
    await agent.next('queued')
    await page.locator('#rooms', { hasText: 'sitting-bull' }).waitFor({ timeout: 15_000 })
    host.arena.parties.create({
      ...{ game: gameOf('dance-battle')!, name: 'Reef', seats: 4, speed: 'normal', protocol: 'x' },
    })
    await page.locator('#rooms', { hasText: 'Reef' }).waitFor({ timeout: 15_000 })
    agent.webSocket.close()
    await page.locator('#rooms', { hasText: 'sitting-bull' }).waitFor({ state: 'detached' })
    expect(browserErrors).toEqual([])
    await page.context().close()
  }, 30_000)

  describe('every page', () => {
    let debate = ''
    const paths: string[] = [
      '/',
      '/ladder',
      '/ladder/ttt',
      '/ladder/go19',
      '/agent/ada',
      '/games',
      '/games/chess',
      '/docs',
      '/docs?q=move',
      '/docs/protocol',
      '/rooms',
      '/sign-in',
      '/nothing',
    ]

    beforeAll(async () => {
      const stones = Array.from(
        { length: 60 },
        (_, i) => `${'ABCDEFGHJ'[i % 9]}${Math.floor(i / 9) + 1}`,
      )
      for (const id of [
        await finish('ttt', winningMoves),
        await finish('go9', stones),
        await finish('othello', ['d3']),
        await finish('gomoku', ['H8', 'A1']),
      ])
        paths.push(`/match/${id}`, `/match/${id}/embed`)
      const track = await host.seat('clawpoly')
      const { current } = track.table.observation as unknown as { current: number }
      await play(track.agents[current], { action: 'roll_dice' })
      paths.push(`/match/${track.id}`, `/match/${track.id}/embed`)
      const { id } = await host.seat('echo')
      paths.push(`/match/${id}`)
      const { id: voting, agents } = await host.seat('debate')
      await play(agents[0], `${hostileText}\n${'long '.repeat(100)}${'x'.repeat(300)}`)
      await play(agents[1], { action: 'leave' })
      await vi.waitFor(() => expect(host.arena.tables.get(voting)?.vote).toBeTruthy(), 20_000)
      debate = `/match/${voting}`
      paths.push(debate)
    })

    it(
      'fits screens from 320 to 3840 pixels, light and dark, and axe finds no serious problem',
      async () => {
        const page = await open('/', { reducedMotion: 'reduce' })
        const check = async (path: string) => {
          await page.goto(host.url + path)
          for (const [width, colorScheme, runAxe] of screens) {
            await page.setViewportSize({ width, height: 900 })
            await page.emulateMedia({ colorScheme })
            const spare = await page.evaluate('innerWidth - document.documentElement.scrollWidth')
            expect([path, width, spare]).toEqual([path, width, 0])
            if (runAxe) expect([path, width, await seriousOn(page)]).toEqual([path, width, []])
          }
        }
        for (const path of paths) await check(path)
        await page.context().addCookies([cookieFor(await signIn(host, 'reader'))])
        for (const path of [debate, '/sign-in']) await check(path)
        expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(1)
        await page.context().close()
      },
      testTimeout,
    )
  })
})

const screens = [
  [3840, 'dark', false],
  [1280, 'light', true],
  [390, 'dark', true],
  [320, 'light', false],
] as const

const seriousOn = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
  })
}

/** For two dozen pages, even on a busy machine. */
const testTimeout = 120_000
const desktop = { width: 1280, height: 900 }
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  run(): Promise<{
    violations: readonly {
      id: string
      impact: string
      nodes: readonly { html: string; failureSummary: string }[]
    }[]
  }>
}
