import type { Account } from '../arena/account.ts'
import type { ArenaListener } from '../arena/arena-event.ts'
import type { Clock } from '../clock.ts'
import type { EventState } from '../events/state.ts'
import type { PartyEvent } from '../matchmaking/party-tables.ts'
import type { RoomEvent } from '../matchmaking/rooms.ts'
import type { WireCode } from '../protocols/codes.ts'
import type { SessionRequest } from '../wire/hub-session.ts'
import type { HubContext } from './context.ts'
import type { Canvas } from './terminal/canvas.ts'
import type { Key } from './terminal/keys.ts'
import type { Role, ThemeName } from './terminal/palette.ts'

/** What fills the terminal between the top bar and the bottom lines, and the keys that work there. */
export interface Screen {
  readonly title: string
  /** Keys and what they do, for the bottom line. */
  readonly hints: readonly Hint[]
  /** An explanation, shown by `?` above the keys. */
  readonly about?: string
  /** Whether letters go into a text input, so that they are no shortcuts. */
  readonly takesText?: boolean
  draw(canvas: Canvas): void
  /** Handles a key. Answers false for a key that does nothing here. */
  press(key: Key): boolean
  /** The screen is on top, for the first time or again. */
  shown?(): void
  /** The screen is no longer on top: it stops what it started in `shown`. */
  hidden?(): void
  /** The screen is closed for good. */
  closed?(): void
  /** A question to ask before the screen is left, because leaving loses something. */
  readonly leaveQuestion?: string | null
  /** The answer to that question was yes. The screen stays open, to show the result. */
  abandon?(): void
}

export type Hint = readonly [keys: string, action: string]

/** The session at a terminal, as its screens see it. An exception in a callback ends this session alone. */
export interface ScreenSession {
  readonly hub: HubContext
  readonly request: SessionRequest
  readonly clock: Clock
  /** Null for a guest. */
  readonly account: Account | null
  /** Why the host ended the session, if it did. */
  readonly dismissedFor: WireCode | undefined
  readonly theme: ThemeName
  setTheme(theme: ThemeName): void
  /** The guest has registered this account. */
  setAccount(account: Account): void
  show(screen: Screen): void
  back(): void
  /** Closes the screen on top and shows another. */
  replace(screen: Screen): void
  redraw(): void
  /** Shows a message above the hints until the next key. */
  showMessage(text: string, role?: Role): void
  leave(message?: string): void
  /** Watches all matches. The function that it returns stops that. */
  watch(listener: ArenaListener): () => void
  /** Calls the listener with what each new entry of an event has led to. The function that it returns stops that. */
  watchEvents(listener: (state: EventState) => void): () => void
  /** Watches the tables of the rooms. The function that it returns stops that. */
  watchRooms(listener: (event: RoomEvent) => void): () => void
  /** Watches the tables that players set up. The function that it returns stops that. */
  watchParties(listener: (event: PartyEvent) => void): () => void
  /** Calls `then` when the work is done. Keys typed until then wait. */
  whenDone<T>(work: Promise<T>, then: (result: T) => void): void
  /** Calls `then` with the answer to a question. Keys typed until then wait, but Esc drops the question. */
  ask<T>(question: Promise<T>, then: (answer: T) => void): void
  /**
   * Calls `then` with the answer to a question about what this screen shows. Keys typed until then work on what it shows
   * now. The answer is dropped if the screen is closed by then, or if it has asked something newer.
   */
  refresh<T>(screen: Screen, question: () => Promise<T>, then: (answer: T) => void): void
  /** Ends the session because of an internal error. */
  failed(error: unknown): void
}
