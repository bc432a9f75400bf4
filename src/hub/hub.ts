import type { Refusal } from '../arena/codes.ts'
import type { People, Presence, Visit, Way } from '../wire/people.ts'
import { CommandLine } from './command-line.ts'
import type { House } from './house.ts'
import { Prompt } from './prompt.ts'
import type { Caller, Screen } from './screen.ts'
import { JoinScreen } from './screens/join.ts'
import { MenuScreen } from './screens/menu.ts'
import { Session } from './session.ts'
import { isDumb } from './terminal/palette.ts'

export interface Hub extends People {
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
  const present = new Map<Presence, Visit>()
  const guests = () => [...present].filter(([presence, visit]) => isGuest(presence, visit)).length
  const house = { ...given, lookOn, guests }
  return {
    get watchers() {
      return watchers.size
    },
    open: (visit, way) => {
      const fellows = [...present.values()].filter(other => areFellows(visit, other)).length
      if (fellows >= house.visits) {
        way.refused('too-many-connections')
        const times = fellows === 1 ? 'once' : `${fellows} times`
        way.note(`You are here ${times} already: close a session, or try again in 10 s.\r\n`)
        way.end(1)
        return nobody
      }
      // Its answer may be over before it is known here.
      let presence: Presence | undefined
      const leave = () => presence !== undefined && present.delete(presence)
      presence = receive(house, visit, ended(way, leave))
      const closed = presence.closed.bind(presence)
      presence.closed = () => {
        leave()
        closed()
      }
      present.set(presence, visit)
      return presence
    },
    tell: words => {
      for (const presence of present.keys()) if (presence instanceof Session) presence.say(words)
    },
    close: refusal => {
      for (const presence of [...present.keys()]) presence.dismiss(refusal)
    },
  }
}

/** A guest who has joined is counted with the accounts from then on. */
const isGuest = (presence: Presence, { login }: Visit): boolean =>
  presence instanceof Session ? presence.account === null : login === null

/** Whether both are of one account, or guests from one place. */
const areFellows = (one: Visit, other: Visit): boolean =>
  one.login === null || other.login === null
    ? one.login === other.login && one.source === other.source
    : one.login.account.id === other.login.account.id

const nobody: Presence = {
  data: () => {},
  resized: () => {},
  drained: () => {},
  ended: () => {},
  dismiss: () => {},
  closed: () => {},
}

const receive = (house: House, visit: Visit, way: Way): Presence => {
  const { screen, command, user } = visit
  if (command !== '' || screen === null) return new CommandLine(house, visit, way)
  if (isDumb(screen.term)) return new Prompt(house, visit, way)
  const first = (caller: Caller): Screen =>
    user === 'join' ? new JoinScreen(caller) : new MenuScreen(caller)
  return new Session(house, visit, way, first)
}

/** The same way, and a word when it is at its end. */
const ended = (way: Way, tell: () => void): Way => ({
  write: text => way.write(text),
  note: text => way.note(text),
  refused: code => way.refused(code),
  get unsent() {
    return way.unsent
  },
  end: status => {
    tell()
    way.end(status)
  },
  cut: () => {
    tell()
    way.cut()
  },
  failed: error => way.failed(error),
})
