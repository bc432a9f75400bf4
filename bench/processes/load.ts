// The agents of a benchmark, and the spectators of a soak.

import type { ParsedKey } from 'ssh2'
import { Agent, type AgentConnection, type AgentOptions, type Dial, recordMatch } from '../agent.ts'
import { dialSsh } from '../dial-ssh.ts'
import { dialWebSocket } from '../dial-websocket.ts'
import { sleep } from '../measure.ts'
import type {
  Addresses,
  BenchAccount,
  Stretch,
  Target,
  Transport,
  Wait,
} from '../measured-server.ts'
import { newKey, publicKeyOf } from '../new-key.ts'
import { answerParent } from '../process.ts'
import type { SoakSeen } from '../soak.ts'
import { Spectators } from '../spectators.ts'
import { type Behaviour, type Seen, Tally } from '../tally.ts'

/** Of a hundred agents of a soak, so many misbehave; the others play. */
const misbehaviours = Object.entries({
  illegal: 4,
  late: 2,
  lost: 4,
  resigns: 4,
  leaves: 4,
}).flatMap(([behaviour, count]) => Array<Behaviour>(count).fill(behaviour as Behaviour))
/** Of a hundred, so many connect over SSH. */
const bySsh = 25
const mostAtOnce = 2_000

let keys: readonly ParsedKey[] = []
let tally = new Tally()
let spectators: Spectators
let soaked: Addresses
let [connected, stayedAway] = [0, 0]
let shuffled: number[] = []
let timer: NodeJS.Timeout | undefined
let stopping = false
const agents = new Set<Agent>()
const waiting = new Set<AgentConnection>()

interface Crew {
  readonly count: number
  readonly transport: Transport
  readonly prefix?: string
}

answerParent({
  accounts: ({ count, transport, prefix = 'bench' }: Crew) => {
    const names = Array.from({ length: count }, (_, i) => `${prefix}-${i + 1}`)
    if (transport === 'ssh') keys = names.map(newKey)
    return names.map((name, i): BenchAccount => {
      const key = keys[i]
      return key === undefined ? { name } : { name, publicKey: publicKeyOf(key) }
    })
  },
  record: (target: Target) => recordMatch([dialler(target, 0), dialler(target, 1)]),
  /** So many agents play the script, each match on a new connection, until they are stopped. */
  play: ({ target, count }: { target: Target; count: number }) => {
    restart()
    const options = { behaviour: 'plays', matches: 1, scripted: true } as const
    for (let i = 0; i < count; i++) playOn(() => [dialler(target, i), options])
  },
  watch: async (stretch: Stretch): Promise<Seen> => {
    tally.clear()
    if ('seconds' in stretch) await sleep(stretch.seconds * 1000)
    else
      await new Promise<void>(resolve => {
        tally.onFinished = matches => matches >= stretch.matches && resolve()
      })
    return tally.seen()
  },
  stop: async () => {
    await stopAgents()
    for (const fault of tally.faults.keys())
      throw new Error(`an agent was not served as it should be: ${fault}`)
  },
  /** Opens connections that wait, a few at a time. `stillWaiting` answers how many of them do. */
  wait: async ({ target, count, accounts, opponent }: Wait) => {
    let opened = 0
    const open = async () => {
      while (opened < count) await waitInQueue(dialler(target, opened++ % accounts, { opponent }))
    }
    await Promise.all(Array.from({ length: 8 }, open))
  },
  stillWaiting: () => waiting.size,
  stopWaiting: async () => {
    for (const connection of waiting) connection.close()
    while (waiting.size > 0) await sleep(50)
  },
  /** How many matches a second there are when as many agents connect as the host can take. */
  fullSpeed: async ({ addresses, pairs, seconds }: FullSpeed) => {
    soaked = addresses
    restart()
    spectators = new Spectators(soaked, tally)
    for (let i = 0; i < 2 * pairs; i++) playOn(() => soakAgent('plays'))
    await sleep((seconds * 1000) / 3)
    const [before, since] = [tally.results, performance.now()]
    await sleep((seconds * 2000) / 3)
    const speed = (tally.results - before) / 2 / ((performance.now() - since) / 1000)
    await stopAgents()
    spectators.stop()
    return speed
  },
  /** From now on so many matches a second begin, with every behaviour, while spectators watch. */
  soak: (matchesPerSecond: number) => {
    restart()
    connected = stayedAway = 0
    spectators = new Spectators(soaked, tally)
    let due = 0
    let last = performance.now()
    timer = setInterval(() => {
      const now = performance.now()
      due += ((now - last) / 1000) * 2 * matchesPerSecond
      last = now
      for (; due >= 1; due--) {
        // On a machine that is busy with other work for a while, no queue of agents may build up.
        if (agents.size < mostAtOnce) connect(...soakAgent(nextBehaviour()))
        else stayedAway++
      }
    }, 20)
  },
  /** No more agents connect; answers once all have left. */
  endSoak: async (): Promise<SoakSeen> => {
    clearInterval(timer)
    await stopAgents()
    spectators.stop()
    const { results, done, faults } = tally
    const watched = spectators.seen
    return { agents: connected, stayedAway, results, done, watched, faults: [...faults] }
  },
})

interface FullSpeed {
  readonly addresses: Addresses
  readonly pairs: number
  readonly seconds: number
}

const restart = (): void => {
  tally = new Tally()
  stopping = false
}

const connect = (dial: Dial, options: AgentOptions, onClosed = () => {}): void => {
  const agent: Agent = new Agent(tally, dial, options, () => {
    agents.delete(agent)
    onClosed()
  })
  agents.add(agent)
}

/** Connects an agent, and the next one when it has closed. */
const playOn = (next: () => readonly [Dial, AgentOptions]): void =>
  connect(...next(), () => setImmediate(() => stopping || playOn(next)))

const stopAgents = async (): Promise<void> => {
  stopping = true
  for (const agent of agents) agent.stop()
  while (agents.size > 0) await sleep(20)
}

const soakAgent = (behaviour: Behaviour): readonly [Dial, AgentOptions] => {
  connected++
  const plays = behaviour === 'plays'
  const matches = plays && connected % 20 === 0 ? 3 : 1
  // Agents that leave the queue play a game of their own: their opponents can have a move refused.
  const game = behaviour === 'leaves' ? 'othello' : connected % 10 === 0 ? 'c4' : 'ttt'
  const practice = plays && connected % 50 === 0 ? 'easy' : undefined
  const transport = Math.random() * 100 < bySsh ? 'ssh' : 'ws'
  const target = { transport, ...soaked[transport] } as const
  const account = Math.floor(Math.random() * keys.length)
  const dial = dialler(target, account, { game, matches, practice })
  return [dial, { behaviour, matches, scripted: false }]
}

/** Like cards drawn from a pack: of each hundred agents exactly so many misbehave. */
const nextBehaviour = (): Behaviour => {
  if (shuffled.length === 0) shuffled = Array.from({ length: 100 }, (_, i) => i)
  const card = shuffled.splice(Math.floor(Math.random() * shuffled.length), 1)[0]!
  return misbehaviours[card] ?? 'plays'
}

const waitInQueue = (dial: Dial): Promise<void> =>
  new Promise((resolve, reject) => {
    const connection = dial({
      received: message => {
        if (!message.includes('"queued"')) return reject(new Error(message))
        waiting.add(connection)
        resolve()
      },
      closed: () => {
        waiting.delete(connection)
        reject(new Error('a waiting agent was disconnected'))
      },
    })
  })

interface Joining {
  readonly game?: string
  readonly matches?: number
  readonly practice?: string | undefined
  readonly opponent?: string | undefined
}

const dialler = (
  { transport, port, tokens }: Target,
  account: number,
  { game = 'ttt', ...options }: Joining = {},
): Dial => {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  if (transport === 'ws') {
    const path = `/play?game=${game}${given.map(([name, value]) => `&${name}=${value}`).join('')}`
    return listener => dialWebSocket(port, path, tokens[account]!, listener)
  }
  const command = `${game}${given.map(([name, value]) => ` --${name} ${value}`).join('')}`
  return listener => dialSsh(port, keys[account]!, command, listener)
}
