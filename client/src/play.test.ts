import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import type { Seated } from '../../src/arena/player.ts'
import type { Game } from '../../src/games/game.ts'
import { ttt } from '../../src/games/ttt.ts'
import { type HttpHost, startHttpHost } from '../../test/support/http-host.ts'
import { AgentError, type Hello, type Move, type Observation, type Play, play } from './index.ts'

let host: HttpHost

beforeEach(async () => {
  host = await startHttpHost()
  for (const name of ['agent-alice', 'agent-bob']) host.register(name)
})

afterEach(() => host.close())

const url = () => `ws://${host.address}/play`

const first = ({ legal }: Observation) => legal![0]!

const agent = (name: string, options: Partial<Play> = {}) =>
  play({ url: url(), token: name, game: 'ttt', move: first, ...options })

/** An opponent that plays to the end. */
const opponent = (options: Partial<Play> = {}) => agent('agent-bob', options).catch(() => [])

const code = (code: string) => expect.objectContaining({ name: 'AgentError', code })

describe('a match', () => {
  it('is played by a function from an observation to a move', async () => {
    const hellos: Hello[] = []
    const turns: unknown[] = []
    const [mine, theirs] = await Promise.all([
      agent('agent-alice', {
        onHello: hello => hellos.push(hello),
        move: (observation, { hello, timeLeft }) => {
          turns.push([observation.toMove === hello.player, timeLeft! > 0])
          return first(observation)
        },
      }),
      agent('agent-bob'),
    ])
    expect(hellos).toMatchObject([{ game: 'ttt', opponent: 'agent-bob', moveTimeout: 5 }])
    expect(turns.length).toBeGreaterThan(2)
    expect(new Set(turns.map(turn => JSON.stringify(turn)))).toEqual(new Set(['[true,true]']))
    expect(mine).toMatchObject([{ detail: 'three in a row', rated: true }])
    expect(mine[0]!.change).toBe(-theirs[0]!.change)
    expect(mine[0]!.observation.toMove).toBe(-1)
  })

  it('is played at the speed and on the ladder that it asks for', async () => {
    const hellos: Hello[] = []
    const refusals: unknown[] = []
    const free = ({ board }: Observation<'ttt', 'blind'>) =>
      String(board.indexOf('.')) as Move<'ttt'>
    const both = { url: url(), game: 'ttt', speed: 'thinking', ladder: 'blind' } as const
    const [mine, theirs] = await Promise.all([
      play({
        ...{ ...both, token: 'agent-alice' },
        onHello: hello => hellos.push(hello),
        move: (seen, { refused, timeLeft }) => {
          if (refused === undefined && refusals.length < 2) {
            refusals.push('legal' in seen)
            return '9' as Move<'ttt'>
          }
          if (refused !== undefined) refusals.push([refused, timeLeft! > 600_000])
          return free(seen)
        },
      }),
      play({ ...both, token: 'agent-bob', move: free }),
    ])
    expect(hellos).toMatchObject([
      { speed: 'thinking', ladder: 'blind', moveTimeout: 20, bank: 600 },
    ])
    expect(refusals).toEqual([
      false,
      [expect.stringContaining('(strike 1 of 3: move again)'), true],
    ])
    expect(mine[0]!.change).toBe(-theirs[0]!.change)
    expect(mine).toMatchObject([{ detail: 'three in a row', rated: true }])
  })

  it('tells the times of a seat that has others, and waits for it', async () => {
    const { arena } = host
    let seated: Seated
    arena.seek(
      {
        account: { id: 99, name: 'slow', kind: 'player' },
        terms: { move: 90_000, illegal: 'retry', late: 'forfeit', away: 'ignored' },
        tell: news => {
          if (news.kind === 'seated') seated = news
          if (news.kind !== 'shown' || !news.yourTurn) return
          const [move] = news.observation.legal!
          setImmediate(() => seated.handle.move(move))
        },
      },
      { game: ttt as Game },
    )
    const hellos: Hello[] = []
    const clocks: unknown[] = []
    const [result] = await agent('agent-alice', {
      onHello: hello => hellos.push(hello),
      move: (observation, turn) => {
        clocks.push([turn.clocks![turn.hello.player] === turn.timeLeft, turn.clocks!.length])
        return first(observation)
      },
    })
    const mine = { first: 5, move: 5 }
    const theirs = { first: 90, move: 90 }
    const timeouts = hellos[0]!.player === 0 ? [mine, theirs] : [theirs, mine]
    expect(hellos).toMatchObject([{ moveTimeout: 5, timeouts }])
    expect(new Set(clocks.map(text => JSON.stringify(text)))).toEqual(new Set(['[true,2]']))
    expect(result!.detail).toBe('three in a row')
  })

  it('may be followed by more on the same connection', async () => {
    const seen: number[] = []
    const [mine] = await Promise.all([
      agent('agent-alice', { matches: 3, onResult: ({ match }) => seen.push(match) }),
      opponent({ matches: 3 }),
    ])
    expect(mine.map(({ match }) => match)).toEqual(seen)
    expect(seen).toHaveLength(3)
  })

  it('waits for a slow move', async () => {
    const slowly = async (observation: Observation) => {
      await new Promise(resolve => setTimeout(resolve, 5))
      return first(observation)
    }
    const [[result]] = await Promise.all([agent('agent-alice', { move: slowly }), opponent()])
    expect(result!.detail).toBe('three in a row')
  })

  it('can be against a named opponent', async () => {
    const [[result]] = await Promise.all([
      agent('agent-alice', { opponent: 'agent-bob' }),
      opponent({ opponent: 'agent-alice' }),
    ])
    expect(result).toMatchObject({ rated: false, unrated: 'a match by appointment' })
  })
})

describe('an agent that fails', () => {
  it('resigns, and play throws its error', async () => {
    const fault = new Error('no idea')
    const other = agent('agent-bob')
    const thrower = () => {
      throw fault
    }
    await expect(agent('agent-alice', { move: thrower })).rejects.toBe(fault)
    expect(await other).toMatchObject([{ outcome: 'win', reason: 'resignation' }])
  })

  it('resigns when its promise is rejected', async () => {
    const other = agent('agent-bob')
    const rejecting = () => Promise.reject(new Error('no idea'))
    await expect(agent('agent-alice', { move: rejecting })).rejects.toThrow('no idea')
    expect(await other).toMatchObject([{ outcome: 'win', reason: 'resignation' }])
  })

  it('resigns when it fails at the start of a match', async () => {
    const other = agent('agent-bob')
    const onHello = () => {
      throw new Error('not them again')
    }
    await expect(agent('agent-alice', { onHello })).rejects.toThrow('not them again')
    expect(await other).toMatchObject([{ outcome: 'win', reason: 'resignation' }])
  })
})

describe('aborting', () => {
  it('resigns a live match', async () => {
    const controller = new AbortController()
    const other = agent('agent-bob')
    const never = () => {
      controller.abort(new Error('enough'))
      return new Promise<string>(() => {})
    }
    const mine = agent('agent-alice', { move: never, signal: controller.signal })
    await expect(mine).rejects.toThrow('enough')
    expect(await other).toMatchObject([{ outcome: 'win', reason: 'resignation' }])
  })

  it('leaves the queue', async () => {
    const mine = agent('agent-alice', { signal: AbortSignal.timeout(50) })
    await expect(mine).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect.poll(() => host.arena.waiting).toEqual([])
  })

  it('before the start opens no connection', async () => {
    const mine = agent('agent-alice', { signal: AbortSignal.abort() })
    await expect(mine).rejects.toMatchObject({ name: 'AbortError' })
    expect(host.roster.size).toBe(0)
  })
})

describe('a refusal', () => {
  it('of the token has the code and the sentence of the host', async () => {
    const error = await agent('agent-eve').catch(error => error)
    expect(error).toBeInstanceOf(AgentError)
    expect(error).toMatchObject({ code: 'bad-token', message: expect.stringContaining('Bearer') })
  })

  it('says how long to wait, if waiting helps', async () => {
    const crowded = await startHttpHost({ limits: { connectionsPerAccount: 1 } })
    crowded.register('agent-alice')
    const first = await crowded.dial('agent-alice', '').opened()
    const url = `ws://${crowded.address}/play`
    const error = await agent('agent-alice', { url, patience: 0 }).catch(error => error)
    expect(error).toMatchObject({ code: 'too-many-connections', retryAfter: 10 })
    first.webSocket.close()
    await crowded.close()
  })

  it('names a banned account', async () => {
    host.accounts.ban(host.register('agent-mallory').account)
    await expect(agent('agent-mallory')).rejects.toEqual(code('banned'))
  })

  it('names an unknown game', async () => {
    await expect(agent('agent-alice', { game: 'tto' })).rejects.toEqual(code('unknown-game'))
  })

  it('names wrong options', async () => {
    await expect(agent('agent-alice', { matches: 0 })).rejects.toEqual(code('bad-join'))
    await expect(agent('agent-alice', { practice: 'godlike' })).rejects.toEqual(code('bad-join'))
  })

  it('during a match ends the match', async () => {
    const { account } = host.register('agent-mallory')
    const other = agent('agent-bob')
    const move = (observation: Observation) => {
      host.accounts.ban(account)
      void host.roster.review()
      return first(observation)
    }
    await expect(agent('agent-mallory', { move })).rejects.toEqual(code('banned'))
    expect(await other).toMatchObject([{ reason: 'forfeit: connection closed' }])
  })

  it('at another address has its status', async () => {
    const elsewhere = url().replace('/play', '/elsewhere')
    await expect(agent('agent-alice', { url: elsewhere })).rejects.toEqual(code('http-404'))
  })

  it('by a server without WebSocket has its status', async () => {
    const server = createServer((_, response) => response.writeHead(426).end('Upgrade!'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/play`
    await expect(agent('agent-alice', { url })).rejects.toMatchObject({
      code: 'http-426',
      message: 'Upgrade!',
    })
    server.close()
  })

  it('without any server is a failed connection', async () => {
    const url = 'ws://127.0.0.1:9/play'
    await expect(agent('agent-alice', { url })).rejects.toEqual(code('connection-failed'))
  })
})

describe('a host that sends a new state before the answer to the last one', () => {
  /** Sends these states, each after the agent was called for the one before, and returns the agent's messages. */
  const scripted = async (states: object[], options: Partial<Play>) => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    const heard: unknown[] = []
    server.on('connection', socket => {
      const say = (message: object) => socket.send(JSON.stringify(message))
      socket.on('message', data => {
        heard.push(JSON.parse(String(data)).move)
        say({ type: 'result' })
        socket.close(1000)
      })
      say({ type: 'hello', player: 0 })
      for (const state of states) say({ type: 'state', ...state })
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await agent('agent-alice', { url: `ws://127.0.0.1:${port}/play`, ...options })
    server.close()
    return heard
  }

  it('gets the answer to the newest state only', async () => {
    const states = ['a', 'b'].map(board => ({ observation: { board }, yourTurn: true }))
    const move = async ({ board }: Observation) => {
      await new Promise(setImmediate)
      return board as string
    }
    expect(await scripted(states, { move })).toEqual(['b'])
  })

  it('gets no message if an optional move is not wanted', async () => {
    const states = ['a', 'b'].map(board => ({
      observation: { board },
      yourTurn: false,
      mayAct: true,
    }))
    const act = ({ board }: Observation) => (board === 'b' ? 'accept' : undefined)
    expect(await scripted(states, { act })).toEqual(['accept'])
  })
})

describe('a token', () => {
  it('may come with the line break of its file', async () => {
    const [[result]] = await Promise.all([agent('agent-alice\n'), opponent()])
    expect(result!.detail).toBe('three in a row')
  })

  it.each(['', 'se\ncret', 'se cret', 'sécret'])(
    'with characters that no token has is refused and not shown: %j',
    async token => {
      const error = await agent(token).catch(error => error)
      expect(error).toMatchObject({ name: 'AgentError', code: 'bad-token' })
      expect(error.message).not.toContain('cret')
      expect(error.message).toContain('line break')
    },
  )
})

it('the token is in no URL', async () => {
  const server = createServer((request, response) =>
    response.writeHead(401).end(`${request.url} ${request.headers.authorization}`),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/play?game=c4&token=secret`
  await expect(agent('agent-alice', { url, practice: 'hard', matches: 2 })).rejects.toThrow(
    '/play?game=ttt&matches=2&practice=hard Bearer agent-alice',
  )
  server.close()
})
