// The agents of a bench, in a process of their own.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ParsedKey } from 'ssh2'
import { openHostKey } from '../wire/host-key.ts'
import type { BenchAccount, Reach } from './account.ts'
import { dialSsh, visitSsh } from './dial-ssh.ts'
import { dialWebSocket } from './dial-websocket.ts'
import { type Dial, LoadAgent } from './load-agent.ts'
import { answerParent } from './question.ts'
import { type Seen, Tally } from './tally.ts'

export type Transport = 'ws' | 'ssh'

/** A server as these agents dial it. */
export interface Target extends Reach {
  readonly transport: Transport
}

/** How long to look: for a time, or until so many matches are over. */
export type Stretch = { readonly seconds: number } | { readonly matches: number }

let keys: readonly ParsedKey[] = []
let tally = new Tally()
let agents: readonly LoadAgent[] = []
let loggingIn: NodeJS.Timeout | undefined

answerParent({
  accounts: ({ count, transport }: { count: number; transport: Transport }) => {
    const names = Array.from({ length: count }, (_, i) => `bench-${i + 1}`)
    if (transport === 'ssh') keys = names.map(newKey)
    return names.map((name, i): BenchAccount => {
      const publicKey = keys[i]?.getPublicSSH().toString('base64')
      return publicKey === undefined ? { name } : { name, publicKey: `ssh-ed25519 ${publicKey}` }
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
  /** Has strangers log in by SSH and leave, so many a second; none from 0 on. */
  logIns: ({ port, perSecond }: { port: number; perSecond: number }) => {
    clearInterval(loggingIn)
    if (perSecond === 0) return
    loggingIn = setInterval(() => visitSsh(port, keys[0]!), 1000 / perSecond)
  },
})

const dialler =
  ({ transport, port, tokens }: Target, account: number): Dial =>
  ear =>
    transport === 'ws'
      ? dialWebSocket(port, '/play?game=ttt', tokens[account]!, ear)
      : dialSsh(port, keys[account]!, 'ttt', ear)

const newKey = (): ParsedKey => {
  const folder = mkdtempSync(join(tmpdir(), 'agentbbs-bench-'))
  try {
    // The key of a host is as good as any.
    return openHostKey(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
