// The agents of a bench, in a process of their own.

import type { ParsedKey } from 'ssh2'
import { absent, type BenchAccount, type Reach } from './account.ts'
import { dialSsh, visitSsh } from './dial-ssh.ts'
import { dialWebSocket } from './dial-websocket.ts'
import { type Dial, type Dialled, LoadAgent } from './load-agent.ts'
import { newKey, publicKeyOf } from './new-key.ts'
import { answerParent } from './question.ts'
import { type Seen, Tally } from './tally.ts'

export type Transport = 'ws' | 'ssh'

/** A server as these agents dial it. */
export interface Target extends Reach {
  readonly transport: Transport
}

/** How long to look: for a time, or until so many matches are over. */
export type Stretch = { readonly seconds: number } | { readonly matches: number }

interface Crew {
  readonly count: number
  readonly transport: Transport
  readonly prefix?: string
}

let keys: readonly ParsedKey[] = []
let tally = new Tally()
let agents: readonly LoadAgent[] = []
const inVain = new Set<Dialled>()
let loggingIn: NodeJS.Timeout | undefined

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
  /** Opens connections that wait: all of one account, which never meets itself. */
  wait: async ({ target, count }: { target: Target; count: number }) => {
    const dial = dialler(target, 0)
    for (let i = 0; i < count; i++)
      await new Promise<void>((resolve, reject) =>
        dial({
          heard: message => (message.includes('"queued"') ? resolve() : reject(message)),
          closed: () => reject(new Error('a waiting agent was sent away')),
        }),
      )
  },
  /**
   * Opens connections that wait for an opponent who never comes, in turn by all accounts, so many at a time. `stillWaiting`
   * answers how many of them do.
   */
  waitInVain: async ({ target, count }: { target: Target; count: number }) => {
    const accounts = target.tokens.length
    let opened = 0
    const open = async () => {
      while (opened < count) {
        const account = opened++ % accounts
        await new Promise<void>((resolve, reject) => {
          const line = dialler(
            target,
            account,
            absent,
          )({
            heard: message => {
              if (!message.includes('"queued"')) return reject(new Error(message))
              inVain.add(line)
              resolve()
            },
            closed: () => {
              inVain.delete(line)
              reject(new Error('a waiting agent was sent away'))
            },
          })
        })
      }
    }
    await Promise.all(Array.from({ length: 8 }, open))
  },
  stillWaiting: () => inVain.size,
  stopWaiting: async () => {
    for (const line of inVain) line.leave()
    while (inVain.size > 0) await new Promise(resolve => setTimeout(resolve, 50))
  },
  /** Has strangers log in by SSH and leave, so many a second; none from 0 on. */
  logIns: ({ port, perSecond }: { port: number; perSecond: number }) => {
    clearInterval(loggingIn)
    if (perSecond === 0) return
    loggingIn = setInterval(() => visitSsh(port, keys[0]!), 1000 / perSecond)
  },
})

const dialler =
  ({ transport, port, tokens }: Target, account: number, opponent?: string): Dial =>
  ear =>
    transport === 'ws'
      ? dialWebSocket(
          port,
          opponent === undefined ? '/play?game=ttt' : `/play?game=ttt&opponent=${opponent}`,
          tokens[account]!,
          ear,
        )
      : dialSsh(
          port,
          keys[account]!,
          opponent === undefined ? 'ttt' : `ttt --opponent ${opponent}`,
          ear,
        )
