/**
 * Where the folders report events that metrics count. Gauges, such as the number of connections, are read from them instead
 * (src/metrics).
 */
export interface Meter {
  /** A client was refused or disconnected with this code. */
  refused(code: string): void
  /** A login failed. */
  loginFailed(wire: 'ssh' | 'websocket'): void
  /** A player was seated after a wait of `ms` milliseconds. */
  seated(game: string, ms: number): void
  /** A legal move was handled, and its messages were handed to the wire, in `ms` milliseconds. */
  moved(game: string, ms: number): void
  /** A result was saved and handed to the wire, `ms` milliseconds after the end of the match. */
  resulted(game: string, ms: number): void
  /** A commit of `writes` writes took `ms` milliseconds, and succeeded or failed. */
  committed(ms: number, writes: number, ok: boolean): void
  /** A call to another server took `ms` milliseconds, with its retries, and was `ok` or failed by this cause. */
  called(outcome: string, ms: number): void
}

export const unmetered: Meter = {
  refused: () => {},
  loginFailed: () => {},
  seated: () => {},
  moved: () => {},
  resulted: () => {},
  committed: () => {},
  called: () => {},
}
