import { type Game, type Illegal, illegal, isIllegal, type Json, type Seat } from '../games/game.ts'

interface LegalMove {
  /** The move in its canonical form. */
  readonly move: Json
  /** The next state, with its events where there are any. */
  readonly next: unknown
}

/** What the game says of a move as it came. */
export const judge = (
  game: Game,
  state: unknown,
  seat: Seat,
  raw: Json | undefined,
): LegalMove | Illegal => {
  if (raw === undefined) return illegal('move is missing')
  // A deeply nested move overflows the stack when it is written to the record, so that a lost match could not be saved.
  if (!isWithin(raw, maxDepth)) return illegal(`a move may be nested ${maxDepth} deep`)
  const move = game.read === undefined ? raw : game.read(state, seat, raw)
  if (game.moves !== undefined && typeof move !== 'string')
    return illegal(`move must be a string, got ${kindOf(move)}`)
  const next = game.play(state, seat, move)
  if (isIllegal(next)) return next
  const { moveBytes } = game.facts
  const bytes = moveBytes === undefined ? 0 : Buffer.byteLength(JSON.stringify(move))
  if (bytes > (moveBytes ?? 0))
    return illegal(`a move takes at most ${moveBytes} bytes, got ${bytes}`)
  return { move, next }
}

const maxDepth = 128

/** Whether a move is nested no deeper than a move may be, so that it can be written as text. */
export const isShallow = (move: Json): boolean => isWithin(move, maxDepth)

const isWithin = (value: Json | undefined, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every(inner => isWithin(inner, depth - 1)))

const kindOf = (value: Json) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
