// The agents of a bench, in a process of their own.

import type { ParsedKey } from 'ssh2'
import { dialSsh } from '../dial-ssh.ts'
import { dialWebSocket } from '../dial-websocket.ts'
import { type Dial, type Dialled, LoadAgent } from '../load-agent.ts'
import { newKey, publicKeyOf } from '../new-key.ts'
import { answerParent } from '../question.ts'
import type { BenchAccount, Stretch, Target, Transport, Wait } from '../server.ts'
import { type Seen, Tally } from '../tally.ts'

interface Crew {
  readonly count: number
  readonly transport: Transport
  readonly prefix?: string
}

let keys: readonly ParsedKey[] = []
let tally = new Tally()
let agents: readonly LoadAgent[] = []
const waiting = new Set<Dialled>()

answerParent({
  accounts: ({ count, transport, prefix = 'bench' }: Crew) => {
    const names = Array.from({ length: count }, (_, i) => `${prefix}-${i + 1}`)
    if (transport === 'ssh') keys = names.map(newKey)
    return names.map((name, i): BenchAccount => {
      const key = keys[i]
      return key === undefined ? { name } : { name, publicKey: publicKeyOf(key) }
    })
  },
  start: ({ target, count }: { target: Target; count: number }) => {
    tally = new Tally()
    agents = Array.from({ length: count }, (_, i) => new LoadAgent(tally, dialler(target, i)))
  },
  watch: async (stretch: Stretch): Promise<Seen> => {
    tally.clear()
    await new Promise<void>(resolve => {
      if ('seconds' in stretch) setTimeout(resolve, stretch.seconds * 1000)
      else tally.finished = matches => matches >= stretch.matches && resolve()
    })
    return tally.seen()
  },
  stop: async () => {
    await Promise.all(agents.map(agent => agent.stop()))
    for (const fault of tally.faults)
      throw new Error(`an agent was not served as it should be: ${fault}`)
  },
  /** Opens connections that wait, a few at a time. `stillWaiting` answers how many of them do. */
  wait: async ({ target, count, accounts, opponent }: Wait) => {
    let opened = 0
    const open = async () => {
      while (opened < count) {
        const dial = dialler(target, opened++ % accounts, opponent)
        await new Promise<void>((resolve, reject) => {
          const line = dial({
            heard: message => {
              if (!message.includes('"queued"')) return reject(new Error(message))
              waiting.add(line)
              resolve()
            },
            closed: () => {
              waiting.delete(line)
              reject(new Error('a waiting agent was sent away'))
            },
          })
        })
      }
    }
    await Promise.all(Array.from({ length: 8 }, open))
  },
  stillWaiting: () => waiting.size,
  stopWaiting: async () => {
    for (const line of waiting) line.leave()
    while (waiting.size > 0) await new Promise(resolve => setTimeout(resolve, 50))
  },
})

const dialler =
  ({ transport, port, tokens }: Target, account: number, opponent?: string): Dial =>
  ear => {
    if (transport === 'ssh') {
      const command = opponent === undefined ? 'ttt' : `ttt --opponent ${opponent}`
      return dialSsh(port, keys[account]!, command, ear)
    }
    const query = opponent === undefined ? '' : `&opponent=${opponent}`
    return dialWebSocket(port, `/play?game=ttt${query}`, tokens[account]!, ear)
  }
