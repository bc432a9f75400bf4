import { type ArenaEvent, hasLiveMoves } from '../../arena/arena-event.ts'
import type { Played } from '../../arena/match-store.ts'
import type { Notes } from '../../arena/note.ts'
import type { Table } from '../../arena/table.ts'
import { noteText } from '../../record/move-text.ts'
import { changeText, ratingsOf } from '../../record/rating-text.ts'
import { capital, outcomeText, ratedText, resultOfEvent } from '../../record/result-text.ts'
import { drawMatch, type MatchPosition } from '../draw-match.ts'
import { everySecond } from '../every-second.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { openReplay } from './replay.ts'

/** A live match, followed to its end. */
export class WatchScreen implements Screen {
  readonly title: string
  readonly about =
    'The board changes with every move. What the game keeps secret is shown when the match is over.'
  readonly #session: ScreenSession
  readonly #table: Table
  readonly #ratings: readonly (number | null)[]
  #flipped = false
  #end: readonly string[] | null = null
  #stop: (() => void) | null = null

  constructor(session: ScreenSession, table: Table) {
    this.#session = session
    this.#table = table
    this.#ratings = session.hub.ratings(table.deal)
    this.title = `${table.deal.game.title} · match ${table.id}`
  }

  get hints(): readonly Hint[] {
    return [
      ...(this.#canFlip ? [['f', 'flip'] as const] : []),
      ...(this.#end === null ? [] : [['r', 'replay'] as const]),
      ['Esc', 'back'],
    ]
  }

  get #canFlip(): boolean {
    return this.#table.look().board?.turns !== undefined
  }

  shown(): void {
    const unwatch = this.#session.watch(event => {
      if (event.table !== this.#table) return
      if (event.kind === 'ended' || event.kind === 'aborted') this.#end = endLines(event)
      this.#session.redraw()
    })
    const stopClock = everySecond(this.#session.clock, () => {
      if (this.#end === null) this.#session.redraw()
    })
    const removeSpectator = this.#session.hub.addSpectator()
    this.#stop = () => {
      removeSpectator()
      unwatch()
      stopClock()
    }
  }

  hidden(): void {
    this.#stop?.()
  }

  draw(canvas: Canvas): void {
    const { deal, moves, notes, clocks } = this.#table
    const names = deal.players.map(({ account }) => account.name)
    const position: MatchPosition = {
      look: this.#table.look(),
      seats: deal.players.map(({ account, protocol = null }, seat) => ({
        name: account.name,
        rating: this.#ratings[seat]!,
        protocol,
        toMove: this.#end === null && clocks[seat] !== null,
        clock: clocks[seat] ?? null,
      })),
      moves: hasLiveMoves(deal.game) || this.#end !== null ? moves : null,
      ply: moves.length,
      messages:
        this.#end ?? (deal.unrated === null ? [] : [capital(ratedText({ ...deal, voided: null }))]),
      note: newestNote(moves, notes, names),
    }
    drawMatch(canvas, position, { flipped: this.#flipped })
  }

  press(key: Key): boolean {
    if (key.kind !== 'char') return false
    if (key.char === 'f' && this.#canFlip) this.#flipped = !this.#flipped
    else if (key.char === 'r' && this.#end !== null) openReplay(this.#session, this.#table.id)
    else return false
    return true
  }
}

/** The note of the last move or of the one before: of a live match the last one is not told yet. */
const newestNote = (
  moves: readonly Played[],
  notes: Notes,
  names: readonly string[],
): string | null => {
  const ply = [moves.length, moves.length - 1].find(ply => notes[ply] !== undefined)
  return ply === undefined ? null : `${ply}. ${names[moves[ply - 1]![0]]}: ${noteText(notes[ply]!)}`
}

/** The result of a match that has just ended, and the changes of ratings. */
export const endLines = (
  event: Extract<ArenaEvent, { kind: 'ended' | 'aborted' }>,
): readonly string[] => {
  const result = resultOfEvent(event)
  const outcome = `${outcomeText(result)}.`
  if (event.kind === 'aborted') return [outcome]
  const { changes, unrated } = event
  const ratings =
    unrated === null
      ? result.players.map(({ name }, seat) => `${name} ${changeText(ratingsOf(changes[seat]!))}`)
      : [capital(ratedText({ unrated, voided: null }))]
  return [outcome, ratings.join(', ')]
}
