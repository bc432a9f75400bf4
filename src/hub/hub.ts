import type { AccountId } from '../arena/account.ts'
import type { Refusal } from '../arena/codes.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { Connection } from '../protocols/connection.ts'
import type { HubSession, HubSessions, SessionRequest } from '../wire/hub-session.ts'
import { CommandLine } from './command-line.ts'
import { CountedConnection } from './counted-connection.ts'
import type { House } from './house.ts'
import { Prompt } from './prompt.ts'
import type { Caller, Screen } from './screen.ts'
import { JoinScreen } from './screens/join.ts'
import { MenuScreen } from './screens/menu.ts'
import { Session } from './session.ts'
import { isDumb } from './terminal/palette.ts'

export interface Hub extends HubSessions {
  /** How many look on at a match. */
  readonly watchers: number
  /** A word to everybody who sits at a screen. */
  tell(words: string): void
  /** Sends everybody away. */
  close(refusal: Refusal): void
}

/** The BBS: screens for people at a terminal, answers for those who come without one. */
export const hub = (given: Omit<House, 'guests' | 'lookOn'>): Hub => {
  const watchers = new Set<symbol>()
  const lookOn = () => {
    const watcher = Symbol()
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }
  const present = new Map<HubSession, SessionRequest>()
  const guests = () => [...present].filter(([session, visit]) => isGuest(session, visit)).length
  const house = { ...given, lookOn, guests }
  const limit = new ConcurrencyLimit<AccountId | string>({ perKey: house.visits })
  return {
    get watchers() {
      return watchers.size
    },
    open: (visit, connection) => {
      const key = visit.login?.account.id ?? visit.source
      if (limit.isFullFor(key)) {
        connection.refused('too-many-connections')
        const count = limit.of(key)
        const times = count === 1 ? 'once' : `${count} times`
        connection.note(`You are here ${times} already: close a session, or try again in 10 s.\r\n`)
        connection.end(1)
        return ended
      }
      let session: HubSession | null = null
      const counted = new CountedConnection(connection, () => {
        if (session !== null && present.delete(session)) limit.leave(key)
      })
      session = receive(house, visit, counted)
      // It may be over before it is known here, such as a command that was answered at once.
      if (!counted.isOver) {
        present.set(session, visit)
        limit.enter(key)
      }
      return session
    },
    tell: words => {
      for (const session of present.keys()) if (session instanceof Session) session.say(words)
    },
    close: refusal => {
      for (const session of [...present.keys()]) session.dismiss(refusal)
    },
  }
}

/** A guest who has joined is counted with the accounts from then on. */
const isGuest = (session: HubSession, { login }: SessionRequest): boolean =>
  session instanceof Session ? session.account === null : login === null

const ended: HubSession = { receive: () => {}, dismiss: () => {}, closed: () => {} }

const receive = (house: House, visit: SessionRequest, connection: Connection): HubSession => {
  const { screen, command, user } = visit
  if (command !== '' || screen === null) return new CommandLine(house, visit, connection)
  if (isDumb(screen.term)) return new Prompt(house, visit, connection)
  const first = (caller: Caller): Screen =>
    user === 'join' ? new JoinScreen(caller) : new MenuScreen(caller)
  return new Session(house, visit, connection, first)
}
