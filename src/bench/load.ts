// The agents of a bench, in a process of their own.

import { dialWebSocket } from './dial-websocket.ts'
import { type Ear, LoadAgent } from './load-agent.ts'
import { answerParent } from './question.ts'
import { type Seen, Tally } from './tally.ts'

export type Transport = 'ws' | 'ssh'

/** A server as it is dialled. */
export interface Target {
  readonly transport: Transport
  readonly port: number
  readonly tokens: readonly string[]
}

/** How long to look: for a time, or until so many matches are over. */
export type Stretch = { readonly seconds: number } | { readonly matches: number }

let tally = new Tally()
let agents: readonly LoadAgent[] = []

answerParent({
  start: (target: Target) => {
    tally = new Tally()
    agents = target.tokens.map(
      (_, account) => new LoadAgent(tally, ear => dial(target, account, ear)),
    )
  },
  watch: async (stretch: Stretch): Promise<Seen> => {
    tally.clear()
    await new Promise<void>(resolve => {
      if ('seconds' in stretch) setTimeout(resolve, stretch.seconds * 1000)
      else tally.finished = matches => (matches >= stretch.matches ? resolve() : undefined)
    })
    return tally.seen()
  },
  stop: async () => {
    await Promise.all(agents.map(agent => agent.stop()))
    if (tally.faults.length > 0) throw new Error(tally.faults.join('\n'))
  },
  /** Opens this many connections that wait and are not seated, as they are all of one account. */
  idle: async ({ target, count }: { target: Target; count: number }) => {
    for (let i = 0; i < count; i++)
      await new Promise<void>((resolve, reject) =>
        dial(target, 0, {
          heard: message => (message.includes('"queued"') ? resolve() : reject(message)),
          closed: reject,
        }),
      )
  },
})

const dial = ({ port, tokens }: Target, account: number, ear: Ear) =>
  dialWebSocket(port, '/play?game=ttt', tokens[account]!, ear)
