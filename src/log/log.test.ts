import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Host } from '../../test/support/host.ts'
import { SshAgent } from '../../test/support/ssh-agent.ts'
import { WebSocketAgent } from '../../test/support/websocket-agent.ts'

interface Line {
  readonly level: number
  readonly msg: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
  readonly [field: string]: any
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))

describe('the log of a host', () => {
  let host: Host
  beforeEach(async () => {
    host = await Host.start()
  })
  afterEach(() => host.stop())

  const lines = (msg: string) => linesOf(host.said).filter(line => line.msg === msg)
  const written = async (msg: string, count: number) => {
    await expect.poll(() => lines(msg), { timeout: 20_000 }).toHaveLength(count)
    return lines(msg)
  }

  const match = async () => {
    const [alice, bob] = [await host.account('alice'), await host.account('bob')]
    const first = new SshAgent(host.sshArgs(alice.key, 'ttt'))
    await first.next('queued')
    const second = new WebSocketAgent(host.playUrl(`?game=ttt&token=${bob.token}`))
    await Promise.all([first.playFirstLegal(), second.playFirstLegal()])
    await Promise.all([first.closed, second.closed])
    return { alice, bob }
  }

  it('has a line for each connection and each match, joined by connection ids', async () => {
    const { bob } = await match()
    const connections = await written('connection ended', 2)
    const [ssh, webSocket] = connections.toSorted((a, b) => (a.wire < b.wire ? -1 : 1))
    const counted = {
      address: '127.0.0.1',
      ms: expect.any(Number),
      bytesRead: expect.any(Number),
      bytesWritten: expect.any(Number),
      refused: 0,
      reason: 'done',
    }
    expect(ssh).toMatchObject({ wire: 'ssh', account: 'alice', ...counted })
    expect(webSocket).toMatchObject({ wire: 'websocket', account: 'bob', ...counted })
    expect(webSocket!.bytesRead).toBeGreaterThan(100)

    const [ended] = await written('match ended', 1)
    expect(ended).toMatchObject({ match: 1, game: 'ttt', ending: 'rules', moves: 7, unrated: null })
    expect(ended!.players.toSorted((a: Line, b: Line) => a.rating - b.rating)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ account: 'alice', connection: ssh!.connection }),
        expect.objectContaining({ account: 'bob', connection: webSocket!.connection }),
      ]),
    )
    expect(ended!.players.map((player: Line) => [player.place, player.rating])).toEqual([
      [1, 1516],
      [2, 1484],
    ])
    expect(host.said).not.toContain(bob.token)
  })

  it('has a line for each refusal, but at most 5 for one connection', async () => {
    const { token } = await host.account('carl')
    const agent = new WebSocketAgent(host.playUrl(`?token=${token}`))
    await agent.opened()
    for (let i = 0; i < 20; i++) agent.write('nonsense')
    await agent.closed
    const [ended] = await written('connection ended', 1)
    expect(ended).toMatchObject({ account: 'carl', refused: 20 })
    const refused = lines('refused')
    expect(refused).toHaveLength(5)
    for (const line of refused)
      expect(line).toMatchObject({
        code: 'bad-message',
        connection: ended!.connection,
        wire: 'websocket',
        address: '127.0.0.1',
        account: 'carl',
      })
  })

  it('never repeats a connection id, even after a restart, and ends with "host closed"', async () => {
    await match()
    const first = (await written('connection ended', 2)).map(({ connection }) => connection)
    expect(await host.terminate()).toBe(0)
    expect(linesOf(host.said).at(-1)).toMatchObject({ msg: 'host closed' })
    await host.serve()
    const { token } = await host.account('dora')
    const agent = new WebSocketAgent(host.playUrl(`?game=none&token=${token}`))
    await agent.closed
    const second = (await written('connection ended', 1)).map(({ connection }) => connection)
    expect(new Set([...first, ...second]).size).toBe(3)
  })
})

describe('the log of a process', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  /** A program that logs to standard error with openLog. */
  const run = (text: string, level = 'info', terminal = false) => {
    const module = JSON.stringify(new URL('../../dist/src/log/log.js', import.meta.url))
    const program = `
      import { logUntilExit, openLog } from ${module}
      const opened = openLog('${level}', ${terminal})
      const { log } = opened
      logUntilExit(opened)
      ${text}`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    return child
  }

  const outcome = async (child: ChildProcess) => {
    let text = ''
    child.stderr!.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
    const [code] = await once(child, 'close')
    return { code, text, lines: text.startsWith('{') ? linesOf(text) : [] }
  }

  const many = `for (let n = 0; n < 5000; n++) log.info({ n }, 'one of many')`

  it.each([
    ['an uncaught error', `${many}; throw new Error('alas')`, 1],
    ['an unhandled rejection', `${many}; Promise.reject(new Error('alas'))`, 1],
    [
      'an uncaught error in a timer',
      `setTimeout(() => { ${many}; throw new Error('alas') }, 150)`,
      1,
    ],
  ])('is complete when a process dies of %s', async (_, text, status) => {
    const { code, lines } = await outcome(run(text))
    expect(code).toBe(status)
    expect(lines.slice(0, 5000).map(({ n }) => n)).toEqual(
      Array.from({ length: 5000 }, (_, i) => i),
    )
    expect(lines.slice(5000)).toMatchObject([
      {
        level: 60,
        msg: 'host failed',
        err: { message: 'alas', stack: expect.stringMatching(/at /) },
      },
    ])
  })

  it('is complete when a process exits', async () => {
    const { code, lines } = await outcome(run(`${many}; process.exit(3)`))
    expect([code, lines.length]).toEqual([3, 5000])
  })

  it('blocks nothing if its reader does not read, and counts the dropped lines', async () => {
    const child = run(`
      const since = performance.now()
      for (let n = 0; n < 60_000; n++) log.info({ n }, 'x'.repeat(200))
      setTimeout(() => {
        process.stdout.write(JSON.stringify({ dropped: opened.dropped() }))
      }, 200)
      setInterval(() => {}, 1000)`)
    const [told] = await once(child.stdout!, 'data')
    expect(JSON.parse(told).dropped).toBeGreaterThan(1000)
  })

  it('does not end the process when its reader has closed', async () => {
    const child = run(`
      setInterval(() => {
        log.info('still here')
        process.stdout.write('.')
      }, 20)`)
    await once(child.stdout!, 'data')
    child.stderr!.destroy()
    for (let beats = 0; beats < 30; beats++) await once(child.stdout!, 'data')
    expect(child.exitCode).toBe(null)
  })

  it('is readable text on a terminal, without control characters', async () => {
    const { text } = await outcome(
      run(
        `const bad = '\\u001b[2Jgone\\u009b'
        log.info({ reason: bad, err: new Error(bad) }, 'connection ended')`,
        'info',
        true,
      ),
    )
    expect(text).toMatch(/INFO.*connection ended/s)
    expect(text).toContain('gone')
    expect(text).not.toContain('\u001b[2J')
    expect(text).not.toContain('\u009b')
  })
})
