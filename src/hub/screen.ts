import type { Account } from '../arena/account.ts'
import type { ArenaListener } from '../arena/arena-event.ts'
import type { Code } from '../arena/codes.ts'
import type { Clock } from '../clock.ts'
import type { SessionRequest } from '../wire/hub-session.ts'
import type { House } from './house.ts'
import type { Canvas } from './terminal/canvas.ts'
import type { Key } from './terminal/keys.ts'
import type { Role, ThemeName } from './terminal/palette.ts'

/** One thing that is shown, and what can be done with it. */
export interface Screen {
  readonly title: string
  /** What stands on the bottom line. */
  readonly hints: readonly Hint[]
  /** What `?` shows beside the keys. */
  readonly about?: string
  /** Whether letters are typed into something here: the keys that are letters elsewhere are none. */
  readonly types?: boolean
  /** Draws between the top line and the bottom. */
  draw(canvas: Canvas): void
  /** Whether the key meant something here. */
  press(key: Key): boolean
  /** It is on top, for the first time or again. */
  shown?(): void
  /** It is on top no more: what was started in `shown` is to be stopped. */
  hidden?(): void
  /** It will not come back. */
  closed?(): void
  /** Whether leaving would cost something: what would be lost, as a question. Who says yes gives it up, and stays to see the result. */
  readonly holds?: string | null
  givenUp?(): void
}

export type Hint = readonly [keys: string, what: string]

/** A person at a terminal, as screens know them. Whatever is called back from here is safe to fail. */
export interface Caller {
  readonly house: House
  readonly visit: SessionRequest
  readonly clock: Clock
  /** Null for a guest. */
  readonly account: Account | null
  /** Why the house has sent the caller away, if it did. */
  readonly sentAwayFor: Code | undefined
  readonly theme: ThemeName
  setTheme(theme: ThemeName): void
  /** A guest has joined. */
  setAccount(account: Account): void
  show(screen: Screen): void
  back(): void
  /** Instead of the screen on top. */
  replace(screen: Screen): void
  redraw(): void
  /** A word on the bottom line, until the next key. */
  say(text: string, role?: Role): void
  leave(words?: string): void
  watch(listener: ArenaListener): () => void
  /** Calls back when the work is done. */
  await<T>(work: Promise<T>, then: (result: T) => void): void
  /** A fault of ours: it ends the session. */
  failed(error: unknown): void
}
