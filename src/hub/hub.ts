import type { Account, AccountId } from '../arena/account.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import { TokenBuckets } from '../limits/token-bucket.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Connection } from '../protocols/connection.ts'
import { callText } from '../record/event-text.ts'
import type { HubSession, HubSessions, SessionRequest } from '../wire/hub-session.ts'
import { CommandSession } from './command-session.ts'
import type { HubContext, HubOptions } from './context.ts'
import { CountedConnection } from './counted-connection.ts'
import { PromptSession } from './prompt-session.ts'
import { JoinScreen } from './screens/join.ts'
import { MenuScreen } from './screens/menu.ts'
import { isDumb } from './terminal/palette.ts'
import { TerminalSession } from './terminal-session.ts'

export interface Hub extends HubSessions {
  /** How many sessions watch a live match. */
  readonly spectators: number
  /** Shows a message on every screen. */
  broadcast(message: string): void
  /** Ends all sessions. */
  close(refusal: WireRefusal): void
}

/** The hub: screens for people at a terminal, and answers to single commands. */
export const openHub = (options: HubOptions): Hub => {
  const spectators = new Set<symbol>()
  const addSpectator = () => {
    const spectator = Symbol()
    spectators.add(spectator)
    return () => void spectators.delete(spectator)
  }
  const sessions = new Map<HubSession, SessionRequest>()
  const guestCount = () =>
    [...sessions].filter(([session, { login }]) => isGuest(session, login)).length
  const reactionRate = new TokenBuckets(options.clock, { burst: 1, perSecond: 1 / 2 })
  const reactionWait = ({ id }: Account) => reactionRate.take(String(id))
  const hub: HubContext = { ...options, addSpectator, guestCount, reactionWait }
  const unwatch = options.events.watch((state, entry) => {
    if (entry.kind !== 'drawn') return
    for (const session of sessions.keys())
      if (session instanceof TerminalSession && session.account !== null) {
        const call = callText(state, session.account.id)
        if (call !== null) session.showMessage(call)
      }
  })
  const limit = new ConcurrencyLimit<AccountId | string>({ perKey: hub.sessionsPerClient })
  return {
    get spectators() {
      return spectators.size
    },
    open: (request, connection) => {
      const key = request.login?.account.id ?? request.source
      if (limit.isFullFor(key)) {
        connection.refused('too-many-connections')
        const count = limit.of(key)
        connection.note(
          `You have ${count} hub session${count === 1 ? '' : 's'} already: close one, or try again in 10 s.\r\n`,
        )
        connection.end(1)
        return refusedSession
      }
      let session: HubSession | null = null
      const counted = new CountedConnection(connection, () => {
        if (session !== null && sessions.delete(session)) limit.leave(key)
      })
      session = openSession(hub, request, counted)
      // A command that was answered at once is over already.
      if (!counted.isOver) {
        sessions.set(session, request)
        limit.enter(key)
      }
      return session
    },
    broadcast: message => {
      for (const session of sessions.keys())
        if (session instanceof TerminalSession) session.showMessage(message)
    },
    close: refusal => {
      unwatch()
      for (const session of [...sessions.keys()]) session.dismiss(refusal)
    },
  }
}

/** A guest who registers counts as an account from then on. */
const isGuest = (session: HubSession, login: SessionRequest['login']): boolean =>
  session instanceof TerminalSession ? session.account === null : login === null

const refusedSession: HubSession = { receive: () => {}, dismiss: () => {}, closed: () => {} }

const openSession = (
  hub: HubContext,
  request: SessionRequest,
  connection: Connection,
): HubSession => {
  const { screen, command, user } = request
  if (command !== '' || screen === null) return new CommandSession(hub, request, connection)
  if (isDumb(screen.term)) return new PromptSession(hub, request, connection)
  return new TerminalSession(hub, request, connection, session =>
    user === 'join' ? new JoinScreen(session) : new MenuScreen(session),
  )
}
