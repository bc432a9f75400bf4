/**
 * What the rooms tell of themselves while they work, in passing: nothing of it is awaited, and nobody answers. What is
 * asked of them instead, such as how many are connected, is not here.
 */
export interface Meter {
  /** Somebody was refused something, or cut, by this code. */
  refused(code: string): void
  /** Somebody could not prove who they are. */
  loginFailed(wire: 'ssh' | 'websocket'): void
  /** Somebody was seated who had waited so many milliseconds. */
  seated(game: string, ms: number): void
  /** A move was taken, and all that it led to was handed to the wires, in so many milliseconds. */
  moved(game: string, ms: number): void
  /** A result was kept and handed to the wires, so many milliseconds after it was clear. */
  resulted(game: string, ms: number): void
  /** So many writes went to the disk together, in so many milliseconds; or they failed to. */
  committed(ms: number, writes: number, ok: boolean): void
}

export const unmetered: Meter = {
  refused: () => {},
  loginFailed: () => {},
  seated: () => {},
  moved: () => {},
  resulted: () => {},
  committed: () => {},
}
