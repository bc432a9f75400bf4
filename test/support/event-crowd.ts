import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../src/clock.ts'
import type { Entry, Numbered } from '../../src/events/entry.ts'
import type { BoardMatch } from '../../src/events/log.ts'
import type { EventPlan } from '../../src/events/plan.ts'
import { type Tables, visitStore } from '../../src/store/store.ts'
import { eventPlan } from './event-plan.ts'
import type { Host } from './host.ts'
import { McpAgent } from './mcp-agent.ts'
import { PlayAgent } from './play-agent.ts'
import type { ScriptedAgent } from './scripted-agent.ts'
import { SshAgent } from './ssh-agent.ts'

/** How an agent takes part. Each comes back until the event is over, and resolves with the words that it ends with. */
export type Way = (host: Host, credentials: Credentials, event: string) => Promise<string>
export type Credentials = { readonly key: string; readonly token: string }

const stream =
  (connect: (host: Host, credentials: Credentials, event: string) => ScriptedAgent): Way =>
  async (host, credentials, event) => {
    for (;;) {
      const agent = connect(host, credentials, event)
      try {
        for (;;) {
          const message = await agent.next()
          if (message.type === 'state' && message.yourTurn)
            agent.move(message.observation.legal?.[0] ?? moveOfEcho)
          if (message.type === 'error' && message.code === 'event-over') {
            await agent.closed
            return message.error
          }
          if (message.type === 'error' && !mayComeBack.includes(message.code))
            throw new Fatal(JSON.stringify(message))
        }
      } catch (error) {
        // The host has died.
        if (error instanceof Fatal) throw error
        await pause(50)
      }
    }
  }

const moveOfEcho = { number: 5 }

class Fatal extends Error {}

const mayComeBack = ['match-aborted', 'shutting-down', 'not-your-turn']

export const byWebSocket = stream((host, { token }, event) => host.agent(token, `?event=${event}`))

export const bySsh = stream(
  (host, { key }, event) => new SshAgent(host.sshArgs(key, 'ttt', '--event', event)),
)

const byCalls =
  (connect: (host: Host, credentials: Credentials) => PlayAgent): Way =>
  async (host, credentials, event) => {
    const agent = connect(host, credentials)
    /** A host under load may cut a request. What is repeated is done once. */
    const again = async <T>(ask: () => Promise<T>, tries = 5): Promise<T> => {
      try {
        return await ask()
      } catch (error) {
        if (tries === 1) throw error
        await pause(200)
        return again(ask, tries - 1)
      }
    }
    for (;;) {
      let [, answer] = await again(() => agent.ask('join', { event, speed: 'fast' }))
      agent.seat = answer.seat ?? ''
      while (answer.status !== 'over') {
        if (answer.code === 'event-over') return answer.error
        if (answer.status === 'refused' && answer.code !== 'wrong-ply')
          throw new Error(JSON.stringify(answer))
        answer =
          answer.status === 'your_turn'
            ? await again(() => agent.move(answer.ply, answer.legal[0]))
            : await again(() => agent.wait())
      }
    }
  }

export const byHttp = byCalls((host, { token }) => new PlayAgent(host.http, token))
export const byMcp = byCalls((host, { token }) => new McpAgent(host.http, token))

/** Looks into the data folder of a host that runs. */
export const inStore = <T>(host: Host, look: (store: Tables) => T): T => {
  const store = visitStore(host.data, systemClock)
  try {
    return look(store)
  } finally {
    store.db.file.close()
  }
}

export const logOf = (host: Host, event: string): readonly Numbered[] =>
  inStore(host, store => store.events.read(event))

/** Writes into the log of an event as another process does, after whatever it has by then. */
export const write = (host: Host, event: string, ...entries: readonly Entry[]): void =>
  inStore(host, ({ db, events }) =>
    db.file
      .transaction(() => {
        const { length } = events.read(event)
        if (!events.append(event, length, entries).appended) throw new Error('the log has moved on')
      })
      .immediate(),
  )

/** Resolves once the host has heard of it: it looks once a second. */
export const newEvent = async (host: Host, given: Partial<EventPlan>): Promise<EventPlan> => {
  const plan = eventPlan(given)
  write(host, plan.id, { kind: 'created', plan })
  await heard()
  return plan
}

export const heard = () => pause(1_500)

/** What is wrong with the results in the log: each match that has one is there once, with the players and places of its row. */
export const wrongResults = (host: Host, event: string): readonly string[] => {
  const rows = new Map<number, BoardMatch>(
    inStore(host, ({ events }) => events.boardMatches(event)).map(row => [row.match, row]),
  )
  const seen = new Set<string>()
  return logOf(host, event).flatMap(entry => {
    if (entry.kind !== 'played') return []
    const name = `${entry.round}.${entry.board}.${entry.leg}`
    const row = rows.get(entry.match!)
    const wrong: string[] = []
    if (seen.has(name)) wrong.push(`${name} is counted twice`)
    seen.add(name)
    if (row?.board !== name || row.status !== 'done')
      wrong.push(`${name} is match ${entry.match}, which is ${row?.status} as ${row?.board}`)
    else if (`${row.accounts} ${row.places}` !== `${entry.accounts} ${entry.places}`)
      wrong.push(`${name} has other players or places than match ${entry.match}`)
    return wrong
  })
}
