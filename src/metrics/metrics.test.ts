import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EventStream } from '../../test/support/event-stream.ts'
import { type Family, readExposition } from '../../test/support/exposition.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { Host } from '../../test/support/host.ts'
import { SshAgent } from '../../test/support/ssh-agent.ts'
import { WebSocketAgent } from '../../test/support/websocket-agent.ts'
import { Soon } from '../clock.ts'
import { watchLoopDelay } from './loop-delay.ts'
import { openMetrics } from './metrics.ts'

describe('a scrape of a busy host', () => {
  let host: Host
  const agents: (SshAgent | WebSocketAgent)[] = []

  beforeAll(async () => {
    host = await Host.start({ AGENTBBS_METRICS: '127.0.0.1:0' })
  })
  afterAll(async () => {
    for (const agent of agents)
      if (agent instanceof SshAgent) agent.process.kill('SIGKILL')
      else agent.webSocket.terminate()
    await host.stop()
  })

  const scrape = async (): Promise<ReadonlyMap<string, Family>> => {
    const answer = await fetch(`http://127.0.0.1:${host.http}/metrics`)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    return readExposition(await answer.text())
  }

  /** The sum of all series that have these labels. */
  const value = async (name: string, labels: Record<string, string> = {}) => {
    const family = (await scrape()).get(name.replace(/_(count|bucket|sum)$/, ''))
    const found = family!.samples.filter(
      sample =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )
    expect(found, name).not.toEqual([])
    return found.reduce((sum, { value }) => sum + value, 0)
  }

  const webSocket = (token: string, query: string) => {
    const agent = new WebSocketAgent(host.playUrl(`${query}&token=${token}`))
    agents.push(agent)
    return agent
  }

  it('has connections, waits, matches, moves, commits, spectators and refusals', async () => {
    const [alice, bob, carl] = [
      await host.account('alice'),
      await host.account('bob'),
      await host.account('carl'),
    ]
    const first = new SshAgent(host.sshArgs(alice.key, 'ttt'))
    agents.push(first)
    await first.next('queued')
    expect(await value('agentbbs_queue_length', { game: 'ttt' })).toBe(1)
    expect(await value('agentbbs_queue_longest_wait_seconds', { game: 'ttt' })).toBeGreaterThan(0)

    const second = webSocket(bob.token, '?game=ttt')
    const waiting = webSocket(carl.token, '?game=c4')
    await Promise.all([first.next('hello'), second.next('hello'), waiting.next('queued')])
    const spectator = new EventStream(`http://127.0.0.1:${host.http}/api/v1/matches/1/events`)
    await expect
      .poll(() => value('agentbbs_watchers', { kind: 'event-stream' }), { timeout: 10_000 })
      .toBe(1)
    expect(await value('agentbbs_connections', { kind: 'ssh-agent' })).toBe(1)
    expect(await value('agentbbs_connections', { kind: 'websocket-agent' })).toBe(2)
    expect(await value('agentbbs_connections', { kind: 'event-stream' })).toBe(1)
    expect(await value('agentbbs_connections', { kind: 'arriving' })).toBe(0)
    expect(await value('agentbbs_accounts_present')).toBe(3)
    expect(await value('agentbbs_live_matches', { game: 'ttt' })).toBe(1)
    expect(await value('agentbbs_live_matches')).toBe(1)
    expect(await value('agentbbs_queue_wait_seconds_count', { game: 'ttt' })).toBe(2)

    waiting.say({ type: 'nonsense' })
    expect(await waiting.next('error')).toMatchObject({ code: 'bad-message' })
    await Promise.all([first.playFirstLegal(), second.playFirstLegal()])
    await expect
      .poll(() => value('agentbbs_matches_total', { game: 'ttt', ending: 'rules' }), {
        timeout: 10_000,
      })
      .toBe(1)
    expect(await value('agentbbs_matches_total')).toBe(1)
    expect(await value('agentbbs_live_matches')).toBe(0)
    expect(await value('agentbbs_move_duration_seconds_count', { game: 'ttt' })).toBe(7)
    expect(await value('agentbbs_result_duration_seconds_count', { game: 'ttt' })).toBe(1)
    expect(await value('agentbbs_refusals_total', { code: 'bad-message' })).toBe(1)
    // The thread that writes reports its commits together.
    await expect
      .poll(() => value('agentbbs_commit_duration_seconds_count'), { timeout: 10_000 })
      .toBeGreaterThanOrEqual(1)
    const commits = await value('agentbbs_commit_duration_seconds_count')
    expect(await value('agentbbs_commit_writes_sum')).toBeGreaterThanOrEqual(commits)
    expect(await value('agentbbs_commit_failures_total')).toBe(0)
    expect(await value('agentbbs_event_loop_delay_seconds_count')).toBeGreaterThan(0)
    spectator.cut()
  })

  it('has failed logins, by wire', async () => {
    const [error] = await once(webSocket('wrong', '?game=ttt').webSocket, 'error')
    expect(error.message).toContain('401')
    const stranger = new SshAgent(
      host.sshArgs(`${host.folder}/none`, 'ttt').filter(word => word !== '-i'),
    )
    agents.push(stranger)
    await stranger.closed
    expect(await value('agentbbs_login_failures_total', { wire: 'websocket' })).toBe(1)
    expect(await value('agentbbs_refusals_total', { code: 'bad-token' })).toBe(1)
  })

  it('has the version and the default metrics of the process', async () => {
    const families = await scrape()
    expect(families.get('agentbbs_build_info')!.samples).toEqual([
      {
        name: 'agentbbs_build_info',
        labels: { version: expect.stringMatching(/^\d+\.\d+\.\d+/), node: process.versions.node },
        value: 1,
      },
    ])
    expect([...families.keys()]).toEqual(
      expect.arrayContaining(['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes']),
    )
  })

  it('has no label for a code that is not on the list', async () => {
    const metrics = openMetrics(new FakeClock(), '1.2.3', new Set())
    for (let i = 0; i < 1000; i++) metrics.meter.refused(`code-${i}`)
    const { samples } = readExposition(await metrics.text()).get('agentbbs_refusals_total')!
    expect(samples.filter(({ value }) => value > 0)).toMatchObject([
      { labels: { code: 'other' }, value: 1000 },
    ])
  })
})

it('a halt of the event loop counts once for every 20 ms', () => {
  const late: number[] = []
  let now = 0
  let run: () => void = () => {}
  const clock = {
    now: () => now,
    elapsed: () => now,
    date: () => now,
    soon: new Soon(queueMicrotask),
    after: (_: number, what: () => void) => {
      run = what
      return { cancel: () => {} }
    },
  }
  watchLoopDelay(clock, ms => late.push(ms))
  now = 20
  run()
  now += 20 + 50
  run()
  expect(late).toEqual([0, 50, 30, 10])
})
