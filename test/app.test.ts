// Two agents of other authors against the real host: OpenSSH on one side, ws on the other.

import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Host, program, type Running } from './support/host.ts'
import type { ScriptedAgent } from './support/scripted-agent.ts'
import { SshAgent } from './support/ssh-agent.ts'
import { WebSocketAgent } from './support/websocket-agent.ts'

let host: Host
const agents: ScriptedAgent[] = []

const open = async (env: NodeJS.ProcessEnv = {}, run: Running = {}) => {
  host = await Host.start(env, run)
}

afterEach(async () => {
  for (const agent of agents.splice(0))
    if (agent instanceof SshAgent) agent.process.kill('SIGKILL')
    else (agent as WebSocketAgent).webSocket.terminate()
  await host.stop()
})

const ssh = (key: string, ...command: string[]): SshAgent => {
  const agent = new SshAgent(host.sshArgs(key, ...command))
  agents.push(agent)
  return agent
}

const webSocket = (token: string, query: string): WebSocketAgent => {
  const agent = new WebSocketAgent(host.playUrl(query), {
    headers: { Authorization: `Bearer ${token}` },
  })
  agents.push(agent)
  return agent
}

/** Alice on SSH and Bob on WebSocket in one match, and which of them is to move. */
const pair = async (game = 'ttt') => {
  const [alice, bob] = await Promise.all([host.account('alice'), host.account('bob')])
  const first = ssh(alice.key, game)
  await first.next('queued')
  const second = webSocket(bob.token, `?game=${game}`)
  const [a, b] = await Promise.all([first.next('hello'), second.next('hello')])
  await Promise.all([first.next('state'), second.next('state')])
  return { first, second, hellos: [a, b] as const, aliceMoves: a.player === 0 }
}

describe('an SSH agent and a WebSocket agent', () => {
  beforeEach(() => open())

  it('finish a match with each other, and get the messages of the protocol', async () => {
    const [alice, bob] = await Promise.all([host.account('alice'), host.account('bob')])
    const first = ssh(alice.key, 'ttt')
    const second = webSocket(bob.token, '?game=ttt')
    const results = await Promise.all([first.playFirstLegal(), second.playFirstLegal()])
    expect([await first.closed, await second.closed]).toEqual([0, 1000])

    const [x, o] = first.heard[1]!.player === 0 ? [first, second] : [second, first]
    // Both take the first free cell: X gets 0 2 4 6, and with that the diagonal.
    const boards = [
      '.........',
      'X........',
      'XO.......',
      'XOX......',
      'XOXO.....',
      'XOXOX....',
      'XOXOXO...',
    ]
    for (const [seat, agent] of [x, o].entries()) {
      const opponent = agent === first ? 'bob' : 'alice'
      expect(agent.heard).toEqual([
        { type: 'queued', game: 'ttt' },
        {
          type: 'hello',
          player: seat,
          game: 'ttt',
          opponent,
          match: 1,
          moveTimeout: 15,
          rated: true,
        },
        ...boards.map((board, turn) => ({
          type: 'state',
          observation: {
            board: [...board],
            toMove: turn % 2,
            legal: [...board].flatMap((mark, cell) => (mark === '.' ? [String(cell)] : [])),
          },
          yourTurn: turn % 2 === seat,
          ...(turn % 2 === seat ? { timeLeft: expect.any(Number) } : {}),
        })),
        {
          type: 'result',
          winner: 0,
          outcome: seat === 0 ? 'win' : 'loss',
          rating: seat === 0 ? 1516 : 1484,
          match: 1,
          change: seat === 0 ? 16 : -16,
          detail: 'three in a row',
          rated: true,
          observation: { board: [...'XOXOXOX..'], toMove: -1, legal: [] },
        },
      ])
    }

    // The announced result is on disk, and can be replayed.
    const ladder = JSON.parse(await host.cli('ladder', 'ttt', '--json'))
    expect(JSON.stringify(ladder)).toContain('1516')
    expect(results.map(result => result.rating).sort()).toEqual([1484, 1516])
    expect(await host.cli('replay', '1')).toContain('three in a row')
    await host.cli('verify')
  })

  it.each(['ssh', 'websocket'] as const)('an illegal move by %s loses at once', async loser => {
    const { first, second, aliceMoves } = await pair()
    const [bad, good] = loser === 'ssh' ? [first, second] : [second, first]
    if (aliceMoves !== (loser === 'ssh')) {
      good.move('4')
      await bad.next('state')
    }
    bad.move('9')
    const [lost, won] = await Promise.all([bad.next('result'), good.next('result')])
    expect(lost).toMatchObject({ outcome: 'loss', reason: 'forfeit: illegal move' })
    expect(won).toMatchObject({ outcome: 'win', reason: 'forfeit: illegal move' })
    expect([await first.closed, await second.closed]).toEqual([0, 1000])
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'a client that gets %s loses, also out of turn',
    async signal => {
      const { first, second } = await pair()
      first.process.kill(signal)
      expect(await second.next('result')).toMatchObject({
        outcome: 'win',
        reason: 'forfeit: connection closed',
      })
    },
  )

  it('a cut WebSocket loses, also out of turn', async () => {
    const { first, second } = await pair()
    second.webSocket.terminate()
    expect(await first.next('result')).toMatchObject({ reason: 'forfeit: connection closed' })
  })

  it('a client that closes its stdin while playing loses', async () => {
    const { first, second } = await pair()
    first.process.stdin.end()
    expect(await second.next('result')).toMatchObject({ reason: 'forfeit: connection closed' })
  })

  it('a move that is nested too deep to be stored loses the match', async () => {
    const { first, second, hellos } = await pair('echo')
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    second.write(`{"type":"move","move":{"number":1,"more":${nested}}}`)
    second.write('{"type":"resign"}')
    expect(await first.next('result')).toMatchObject({
      reason: 'forfeit: illegal move',
      outcome: 'win',
      match: hellos[0].match,
    })
    await host.cli('verify')
  })

  it('a move sent early is refused and not used for a later turn', async () => {
    const { first, second, aliceMoves } = await pair()
    const [mover, waiter] = aliceMoves ? [first, second] : [second, first]
    waiter.move('8')
    expect(await waiter.next()).toMatchObject({ code: 'not-your-turn' })
    mover.move('0')
    expect(await waiter.next('state')).toMatchObject({
      yourTurn: true,
      observation: { board: [...'X........'] },
    })
  })
})

describe('time', () => {
  it.each(['ssh', 'websocket'] as const)('runs out for a silent agent by %s', async silent => {
    await open({ AGENTBBS_GAME_MOVE_TIMEOUT: '0.5' })
    const { first, second, aliceMoves } = await pair()
    const [mute, other] = silent === 'ssh' ? [first, second] : [second, first]
    if (aliceMoves !== (silent === 'ssh')) other.move('4')
    const asked = performance.now()
    const result = await other.next('result')
    expect(result).toMatchObject({
      outcome: 'win',
      reason: 'forfeit: move timeout',
      detail: 'no move within 0.5 s',
    })
    expect(performance.now() - asked).toBeGreaterThan(400)
    expect(await mute.next('result')).toMatchObject({ outcome: 'loss' })
  })

  it.each(['ssh', 'websocket'] as const)('a frozen client by %s is noticed', async frozen => {
    await open({ AGENTBBS_GAME_MOVE_TIMEOUT: '60' }, { constants: { keepAlive: 300 } })
    const { first, second } = await pair()
    if (frozen === 'ssh') first.process.kill('SIGSTOP')
    else second.webSocket.pause()
    const other = frozen === 'ssh' ? second : first
    expect(await other.next('result')).toMatchObject({ reason: 'forfeit: connection closed' })
    first.process.kill('SIGCONT')
  })
})

describe('an operator', () => {
  it.each([
    ['bans an account', () => ['ban', 'bob'], 'banned', 'banned by the operator'],
    [
      'revokes a token',
      (id: string) => ['revoke-token', id],
      'revoked',
      'its key or token was revoked',
    ],
  ] as const)(
    '%s, and its live connection ends, and the opponent is told',
    async (_, command, code, detail) => {
      await open()
      const { first, second } = await pair()
      const [token] = JSON.parse(await host.cli('tokens', 'bob', '--json'))
      await host.cli(...command(String(token.id)))
      expect(await second.next('error')).toMatchObject({ code })
      expect(await second.closed).toBe(1008)
      const reason = 'forfeit: connection closed'
      expect(await first.next('result')).toMatchObject({ outcome: 'win', reason, detail })
      await host.cli('verify')
    },
  )

  it('mints a token that logs in at once, and revokes it: within 2 s it does so no more', async () => {
    await open()
    const { token } = await host.account('bob')
    const bob = webSocket(token, '?game=ttt')
    await bob.next('queued')
    const [{ id }] = JSON.parse(await host.cli('tokens', 'bob', '--json'))
    await host.cli('revoke-token', String(id))
    const since = performance.now()
    expect(await bob.next('error')).toMatchObject({ code: 'revoked' })
    await expect(webSocket(token, '?game=ttt').closed).resolves.toBe(1006)
    expect(performance.now() - since).toBeLessThan(2_000)
    const { token: next } = JSON.parse(await host.cli('mint-token', 'bob', '--json'))
    await webSocket(next, '?game=ttt').next('queued')
  })

  it('stops the host: waiting agents are told, live matches finish', async () => {
    await open()
    const { first, second } = await pair()
    const carol = webSocket((await host.account('carol')).token, '?game=c4')
    await carol.next('queued')
    const stopped = host.terminate()
    expect(await carol.next('error')).toMatchObject({ code: 'shutting-down' })
    const late = await fetch(`http://127.0.0.1:${host.http}/`).catch(error => error.cause)
    expect(late).toMatchObject({ code: 'ECONNREFUSED' })
    first.say({ type: 'resign' })
    expect(await second.next('result')).toMatchObject({ outcome: 'win', rating: 1504, quick: true })
    expect(await stopped).toBe(0)
  })

  it('who hurries the stop aborts live matches, and no rating changes', async () => {
    await open({ AGENTBBS_DRAIN: '0.2' })
    const { first, second } = await pair()
    const stopped = host.terminate()
    for (const agent of [first, second])
      expect(await agent.next('error')).toMatchObject({ code: 'match-aborted' })
    expect([await first.closed, await second.closed, await stopped]).toEqual([1, 1008, 0])
    expect(JSON.parse(await host.cli('matches', '--json'))).toMatchObject([{ ending: 'aborted' }])
  })

  it('gets a data folder that is closed to others, with one host key', async () => {
    await open()
    const data = host.env.AGENTBBS_DATA!
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect(mode(data)).toBe('700')
    for (const file of ['agentbbs.db', 'host_key']) expect(mode(join(data, file))).toBe('600')
    const before = statSync(join(data, 'host_key')).mtimeMs
    await host.kill()
    await host.serve()
    expect(statSync(join(data, 'host_key')).mtimeMs).toBe(before)
  })

  it('is told which setting is wrong', async () => {
    await open()
    for (const [variable, value] of [
      ['AGENTBBS_GAME_MOVE_TIMEOUT', 'abc'],
      ['AGENTBBS_GAME_MOVE_TIMEOUT', '0'],
      ['AGENTBBS_GAME_QUEUE_WAIT', '-3'],
      ['AGENTBBS_ADDR', 'nowhere'],
      ['AGENTBBS_GAME_WS_ADDR', '127.0.0.1:99999'],
      ['AGENTBBS_BLOCKED_WORDS', '/nowhere/words.txt'],
    ] as const) {
      const { status, stderr } = spawnSync(process.execPath, [program, 'serve'], {
        env: { ...host.env, [variable]: value },
        encoding: 'utf8',
        timeout: 20_000,
      })
      expect(status).toBe(1)
      expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(variable)])
    }
  })

  it('is told which port is taken', async () => {
    await open()
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    for (const variable of ['AGENTBBS_ADDR', 'AGENTBBS_GAME_WS_ADDR']) {
      const { status, stderr } = spawnSync(process.execPath, [program, 'serve'], {
        env: {
          ...host.env,
          AGENTBBS_DATA: join(host.folder, 'other'),
          LOG_LEVEL: 'silent',
          [variable]: `127.0.0.1:${port}`,
        },
        encoding: 'utf8',
        timeout: 20_000,
      })
      expect(status).toBe(1)
      expect(stderr).toContain(variable)
      expect(stderr).toContain(`${port}`)
    }
    taken.close()
  })
})

describe('fair play', () => {
  it.runIf(process.env.CI === 'true')(
    'voids the first of a thousand matches while the host goes on',
    async () => {
      await open({ AGENTBBS_PAIR_CAP: '1000000' }, { constants: { copyCap: 0 } })
      const tokens: string[] = []
      for (let i = 0; i < 8; i++) tokens.push((await host.account(`bot-${i}`)).token)
      let results = 0
      let reached: () => void = () => {}
      const atLeast = (matches: number) =>
        new Promise<void>(resolve => {
          reached = () => {
            if (results >= 2 * matches) resolve()
          }
          reached()
        })
      const playing = Array.from({ length: 16 }, async (_, i) => {
        const agent = webSocket(tokens[i % 8]!, '?game=ttt&matches=1000')
        // It ends when the test closes its stdin.
        while ((await agent.playFirstLegal().catch(() => ({ type: 'over' }))).type === 'result') {
          results++
          reached()
        }
      })
      await atLeast(1000)
      const before = results
      const told = await host.cli('void', '1', '--reason', 'one person ran both', '--json')
      const { reckoned } = JSON.parse(told)
      expect(reckoned.matches).toBeGreaterThan(900)
      expect(reckoned.ratings).toBe(8)
      await atLeast(before / 2 + 200)
      expect(await host.cli('verify')).toContain('all ratings and points are as they should be')
      for (const agent of agents) (agent as WebSocketAgent).webSocket.terminate()
      await Promise.all(playing)
      expect(await host.terminate()).toBe(0)
      expect(await host.cli('verify')).toContain('all ratings and points are as they should be')
      expect(JSON.parse(await host.cli('replay', '1', '--json'))).toMatchObject({
        ending: 'rules',
        unrated: 'voided',
        voided: { reason: 'one person ran both' },
      })
    },
    120_000,
  )

  it('pauses an agent that keeps failing, tells it how to play again, and its owner can unpause it', async () => {
    await open()
    const bot = await host.account('bot')
    const others = await Promise.all(['ann', 'bob', 'cat'].map(name => host.account(name)))
    for (let i = 0; i < 5; i++) {
      const faulty = webSocket(bot.token, '?game=ttt')
      const other = webSocket(others[i % 3]!.token, '?game=ttt')
      const [mine] = await Promise.all([faulty.next('hello'), other.next('hello')])
      if (mine.player === 1) {
        await other.next('state')
        other.move('4')
        await faulty.next('state')
      }
      await faulty.next('state')
      faulty.move('nonsense')
      expect(await faulty.next('result')).toMatchObject({ reason: 'forfeit: illegal move' })
      await Promise.all([faulty.closed, other.closed])
    }
    const refused = webSocket(bot.token, '?game=c4')
    const { code, error } = await refused.next('error')
    expect(code).toBe('paused')
    expect(await refused.closed).toBe(1008)
    const way = `ssh -p ${host.ssh} bot@localhost unpause bot`
    expect(error).toMatch(/5 matches in a row .*match 5\. Practice against the house stays open/)
    expect(error).toContain(way)
    expect(await host.cli('users')).toMatch(/^bot .*5 matches in a row/m)
    const practice = webSocket(bot.token, '?game=ttt&practice=1')
    expect(await practice.playFirstLegal()).toMatchObject({ type: 'result', rated: false })

    // With another account's key, and with the key of the agent.
    const dial = (key: string) =>
      host.sshArgs(key, 'unpause', 'bot').map(arg => arg.replace(/^game@/, 'bot@'))
    expect(spawnSync('ssh', dial(others[0]!.key), { encoding: 'utf8' })).toMatchObject({
      status: 1,
      stderr: 'bot is no agent of ann\n',
    })
    expect(spawnSync('ssh', dial(bot.key), { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: 'bot may play again.\n',
    })
    expect(await webSocket(bot.token, '?game=c4').next()).toMatchObject({ type: 'queued' })
    // It waits, and the operator bans it.
    const waiting = agents.at(-1)! as WebSocketAgent
    await host.cli('pause', 'bot', '--reason', 'it is to rest')
    expect((await waiting.next('error')).error).toMatch(
      /bot is paused: it is to rest\. .*The operator alone lets it play others again/,
    )
    expect(spawnSync('ssh', dial(bot.key), { encoding: 'utf8' })).toMatchObject({
      status: 1,
      stderr: 'bot was paused by the operator, who alone can unpause it\n',
    })
    expect(await host.cli('unpause', 'bot')).toContain('bot may play again.')
  })

  it('refuses an opponent that does not exist or is banned at once, on every transport', async () => {
    await open()
    const [ann] = [await host.account('agent-ann'), await host.account('agent-bob')]
    await host.account('agent-out')
    await host.cli('ban', 'agent-out')
    const refusal = {
      code: 'bad-join',
      error: 'opponent: no account is called "agent-bbo" (did you mean agent-bob?)',
    }
    const byAddress = webSocket(ann.token, '?game=ttt&opponent=agent-bbo')
    expect(await byAddress.next('error')).toMatchObject(refusal)
    const byMessage = await webSocket(ann.token, '').opened()
    byMessage.say({ type: 'join', game: 'ttt', opponent: 'agent-bbo' })
    expect(await byMessage.next('error')).toMatchObject(refusal)
    const byCommand = ssh(ann.key, 'ttt', '--opponent', 'agent-bbo')
    expect(await byCommand.next('error')).toMatchObject(refusal)
    const banned = webSocket(ann.token, '?game=ttt&opponent=Agent-Out')
    expect((await banned.next('error')).error).toBe('opponent: the account "Agent-Out" is banned')
  })

  it('lets agents of one owner wait for other opponents, and tells them so', async () => {
    await open({ AGENTBBS_GAME_QUEUE_WAIT: '4' })
    const [ann, bob] = [await host.account('ann'), await host.account('bob')]
    await host.cli('set-owner', 'bob', 'ann')
    const both = [ann, bob].map(({ token }) => webSocket(token, '?game=ttt'))
    for (const agent of both)
      expect(await agent.next('error')).toMatchObject({
        code: 'no-opponent',
        error: 'no opponent found — only agents of your own owner were waiting',
      })
  })
})

describe('kill -9 in the middle of a match', () => {
  it('keeps the notes of the moves that were saved', async () => {
    await open()
    const tokens = [await host.account('ann'), await host.account('bob')]
    const agents = tokens.map(({ token }) => webSocket(token, '?game=ttt'))
    const hellos = await Promise.all(agents.map(agent => agent.next('hello')))
    const [first, second] = hellos[0]!.player === 0 ? agents : agents.toReversed()
    first!.say({ type: 'move', move: '4', note: 'the centre' })
    await second!.next('state')
    // Moves are saved with the first one after 2 s.
    await new Promise(resolve => setTimeout(resolve, 2_100))
    second!.say({ type: 'move', move: '0', note: 'the corner' })
    await first!.next('state')
    await expect
      .poll(async () => JSON.parse(await host.cli('matches', '--json'))[0].moveCount)
      .toBe(2)
    await host.kill()

    await host.serve()
    const { ending, steps } = JSON.parse(await host.cli('replay', '1', '--json'))
    expect(ending).toBe('aborted')
    expect(steps.map(({ note }: { note: string | null }) => note)).toEqual([
      ...[null, 'the centre', 'the corner'],
    ])
    await host.cli('verify')
  })
})

describe('kill -9 in the middle of a hundred matches', () => {
  it('leaves no half result, and lists live matches as aborted', async () => {
    await open()
    const accounts: string[] = []
    for (let i = 0; i < 20; i++) accounts.push((await host.account(`bot-${i}`)).token)
    const crowd = Array.from({ length: 200 }, (_, i) => webSocket(accounts[i % 20]!, '?game=ttt'))
    await Promise.all(crowd.map(agent => agent.next('hello')))
    // Half of them keep playing, and the process dies meanwhile.
    const told: { match: number; rating: number }[] = []
    const playing = crowd.slice(0, 100).map(async agent => {
      const result = await agent.playFirstLegal().catch(() => undefined)
      if (result?.type === 'result') told.push({ match: result.match, rating: result.rating })
    })
    await Promise.race(playing)
    await host.kill()
    await Promise.all(playing)

    await host.serve()
    const matches = JSON.parse(await host.cli('matches', '--limit', '1000', '--json'))
    expect(matches).toHaveLength(100)
    expect(matches.filter((match: { ending: string }) => match.ending === null)).toEqual([])
    const aborted = matches.filter((match: { ending: string }) => match.ending === 'aborted')
    expect(aborted.length).toBeGreaterThanOrEqual(50)
    // Every announced result is stored.
    for (const { match } of told)
      expect(matches.find((one: { match: number }) => one.match === match).ending).not.toBe(
        'aborted',
      )
    await host.cli('verify')
    expect(existsSync(join(host.env.AGENTBBS_DATA!, 'agentbbs.db'))).toBe(true)
  })
})
