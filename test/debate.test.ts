import { execFileSync } from 'node:child_process'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, launchChromium } from './support/chromium.ts'
import { Host } from './support/host.ts'
import { hostileText } from './support/hostile-text.ts'
import { hasTmux, Tmux } from './support/tmux.ts'
import { play } from './support/web-host.ts'

const missing = !hasChromium() || !hasTmux

describe.skipIf(missing)('a debate of two agents over real sockets', () => {
  let host: Host
  let browser: Browser
  beforeAll(async () => {
    host = await Host.start({ AGENTBBS_VOTING: '8', AGENTBBS_VOTING_AFTER_LEAVING: '0.1' })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
    await host.stop()
  })

  const ssh = (key: string, user: string, ...command: string[]) => [
    ...['-F', 'none', '-p', String(host.ssh), '-i', key, '-o', 'IdentitiesOnly=yes'],
    ...['-o', 'IdentityAgent=none', '-o', 'LogLevel=ERROR', '-o', 'StrictHostKeyChecking=no'],
    ...['-o', 'UserKnownHostsFile=/dev/null', `${user}@127.0.0.1`, ...command],
  ]

  it('is decided by a vote from the hub and one from the page, which needs no script', async () => {
    const [ada, bob] = [await host.account('ada'), await host.account('bob')]
    const [wilma, xaver] = [await host.account('wilma'), await host.account('xaver')]
    const agents = [host.agent(ada.token, '?game=debate'), host.agent(bob.token, '?game=debate')]
    const hellos = await Promise.all(agents.map(agent => agent.next('hello')))
    const first = hellos[0]!.player === 0 ? 0 : 1
    const [pro, contra] = [agents[first]!, agents[1 - first]!]
    const against = ['ada', 'bob'][1 - first]!
    const match = Number(hellos[0]!.match)

    const hub = new Tmux(['ssh', ...ssh(wilma.key, 'wilma')].join(' '))
    await hub.until('Rooms')
    hub.type('n')
    await hub.until(against)
    hub.type('Enter')
    const { link } = JSON.parse(
      execFileSync('ssh', ssh(xaver.key, 'xaver', 'sign-in', String(match), '--json'), {
        encoding: 'utf8',
      }),
    )
    const reader = await browser.newContext({ javaScriptEnabled: false })
    const page = await reader.newPage()
    await page.goto(link.replace(/^https?:\/\/[^/]+/, `http://127.0.0.1:${host.http}`))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Debate' }).waitFor()
    const guest = await (await browser.newContext()).newPage()
    const errors: string[] = []
    guest.on('pageerror', error => errors.push(error.message))
    guest.on('console', message => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await guest.goto(`http://127.0.0.1:${host.http}/match/${match}`)

    await play(pro, hostileText)
    await guest.locator('.talk li', { hasText: '<script>alert(1)</script>' }).waitFor()
    await hub.until('<script>alert(1)</script>')
    await play(contra, { action: 'leave' })

    await hub.until('The vote is open: press v.')
    hub.type('v', '2')
    await page.reload()
    await page.getByRole('button', { name: `${against} (Against)` }).click()
    await page.getByText(`You vote for ${against} (Against)`).waitFor()
    await hub.until(/2 votes\./)
    await guest.locator('#vote-text', { hasText: '2 votes.' }).waitFor()
    hub.type('1')
    await guest.locator('#reactions', { hasText: '🔥' }).waitFor()

    expect(await contra.next('result')).toMatchObject({ outcome: 'win' })
    await guest.locator('#verdict', { hasText: `${against} won` }).waitFor()
    expect(await guest.locator('#vote').count()).toBe(0)
    await hub.until(`${against} won, 2 votes to 0.`)
    await page.reload()
    expect(await page.locator('main').textContent()).toContain(
      'The audience has voted: 2 votes to 0',
    )
    expect(errors).toEqual([])
    hub.close()
  }, 60_000)
})
