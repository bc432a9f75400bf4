/** A move with a note of at most 280 characters. Spectators read it one move late, and so may the opponent. */
export class Noted<M> {
  readonly move: M
  readonly note: string

  constructor(move: M, note: string) {
    this.move = move
    this.note = note
  }
}

/** A class, since a move may itself be an object with `move` and `note`. */
export const withNote = <M>(chosen: M | Noted<M>): { move: M; note?: string } =>
  chosen instanceof Noted ? { move: chosen.move, note: chosen.note } : { move: chosen }
