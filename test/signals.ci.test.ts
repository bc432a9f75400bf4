// The real process, and signals and failures of the operating system.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, renameSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from './support/data-folder.ts'
import { Host, program, type Running } from './support/host.ts'
import { agentOf, livePair } from './support/live-pair.ts'
import { hasTmux, Tmux } from './support/tmux.ts'
import type { WebSocketAgent } from './support/websocket-agent.ts'

const opened = async (env: NodeJS.ProcessEnv = {}, run: Running = {}) => {
  const host = await Host.start(env, run)
  onTestFinished(() => host.stop())
  return host
}

const exit = async (host: Host) => {
  const { process } = host
  if (process.exitCode === null && process.signalCode === null) await once(process, 'exit')
  return process.exitCode
}

const endings = async (host: Host) =>
  JSON.parse(await host.cli('matches', '--json')).map(({ ending }: { ending: string }) => ending)

/** Plays the match to its end, and expects both results. */
const finish = async ([mover, other]: readonly [WebSocketAgent, WebSocketAgent]) => {
  mover.say({ type: 'resign' })
  const results = await Promise.all([mover.next('result'), other.next('result')])
  expect(results.map(({ rating }) => rating)).toEqual([1484, 1504])
}

describe('SIGTERM', () => {
  it('refuses new agents, lets live matches end, and starts no new match', async () => {
    const host = await opened()
    const pair = await livePair(host, '?game=ttt&matches=20')
    const waiting = await agentOf(host, 'cat', '?game=c4')
    await waiting.next('queued')
    host.process.kill('SIGTERM')
    expect(await waiting.next('error')).toMatchObject({ code: 'shutting-down' })
    const refused = await fetch(`http://127.0.0.1:${host.http}/healthz`).catch(error => error.cause)
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
    await finish(pair)
    for (const agent of pair) {
      expect(await agent.next()).toMatchObject({ type: 'error', code: 'shutting-down' })
      expect(await agent.closed).toBe(1008)
    }
    expect(await exit(host)).toBe(0)
    expect(await endings(host)).toEqual(['resigned'])
  })

  it.skipIf(!hasTmux)('is announced in the hub', async () => {
    const host = await opened()
    const pair = await livePair(host)
    const { key } = await host.account('dan')
    const args = host.sshArgs(key).filter(arg => arg !== '-T')
    const person = new Tmux(['ssh', ...args].join(' ').replace('game@', 'dan@'))
    onTestFinished(() => person.close())
    await person.until('q quit')
    host.process.kill('SIGTERM')
    await person.until('The host is stopping. Matches may go on for 60 s')
    await finish(pair)
    await person.until('try again later')
    expect(await exit(host)).toBe(0)
  })

  it.each([
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGTERM'],
    ['SIGINT', 'SIGINT'],
  ] as const)(
    'after %s hurries: what is live is aborted, and all is kept (%s)',
    async (first, second) => {
      const host = await opened()
      await finish(await livePair(host, undefined, ['cat', 'dan']))
      const pair = await livePair(host)
      host.process.kill(first)
      // The repeated first signal, as npm sends it, and then a second signal.
      host.process.kill(second)
      await expect.poll(() => host.said).toContain('the host is stopping')
      await pause(600)
      expect(pair.map(({ heard }) => heard.at(-1)!.type)).toEqual(['state', 'state'])
      host.process.kill(second)
      for (const agent of pair)
        expect(await agent.next('error')).toMatchObject({ code: 'match-aborted' })
      expect(await exit(host)).toBe(0)
      expect(await endings(host)).toEqual(['aborted', 'resigned'])
      await host.cli('verify')
    },
  )
})

describe('the server keeps running', () => {
  it('after SIGHUP', async () => {
    const host = await opened()
    const pair = await livePair(host)
    host.process.kill('SIGHUP')
    await finish(pair)
    expect(await host.terminate()).toBe(0)
  })

  it('when the reader of its output closes', async () => {
    const host = await opened()
    const pair = await livePair(host)
    host.process.stdout!.destroy()
    host.process.stderr!.destroy()
    await finish(pair)
    await (await agentOf(host, 'cat', '?game=ttt')).next('queued')
    expect(await host.terminate()).toBe(0)
  })

  it('when its terminal closes', async () => {
    const host = Host.at()
    onTestFinished(() => host.stop())
    const line = `echo pid $$; exec ${process.execPath} ${program} serve`
    const terminal = spawn('script', ['-qfec', line, '/dev/null'], { env: host.env })
    let shown = ''
    terminal.stdout.on('data', text => {
      shown += text
    })
    await expect.poll(() => shown).toContain('Ctrl-C stops it')
    const pid = Number(/pid (\d+)/.exec(shown)![1])
    onTestFinished(() => {
      if (alive(pid)) process.kill(pid, 'SIGKILL')
    })
    host.http = Number(/ws:\/\/127\.0\.0\.1:(\d+)\/play/.exec(shown)![1])
    const pair = await livePair(host)
    terminal.kill('SIGKILL')
    await once(terminal, 'exit')
    await finish(pair)
    process.kill(pid, 'SIGTERM')
    await expect.poll(() => alive(pid)).toBe(false)
    expect(await endings(host)).toEqual(['resigned'])
  })

  it('when its log is rotated, by another name or by truncation', async () => {
    const log = join(dataFolder(), 'log')
    const file = openSync(log, 'a')
    const host = await opened({}, { stderr: file })
    closeSync(file)
    const visit = async (name: string) => {
      const agent = await agentOf(host, name, '?game=ttt')
      await agent.next('queued')
      agent.webSocket.close()
      await agent.closed
    }
    await visit('ann')
    renameSync(log, `${log}.1`)
    await visit('bob')
    await expect.poll(() => readFileSync(`${log}.1`, 'utf8')).toContain('"bob"')
    truncateSync(`${log}.1`)
    await visit('cat')
    await expect.poll(() => readFileSync(`${log}.1`, 'utf8')).toContain('"cat"')
    // The truncated part leaves no hole in the file.
    expect(readFileSync(`${log}.1`, 'utf8')).toMatch(/^\{/)
    expect(await host.terminate()).toBe(0)
  })

  it('when the disk of its log is full', async () => {
    const full = openSync('/dev/full', 'w')
    const host = await opened({}, { stderr: full })
    closeSync(full)
    await finish(await livePair(host))
    expect(await host.terminate()).toBe(0)
  })
})

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
