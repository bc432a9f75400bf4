import { type ArenaEvent, hasLiveMoves } from '../../arena/arena-event.ts'
import type { Table } from '../../arena/table.ts'
import { changeText, ratingsOf } from '../../record/rating-text.ts'
import { capital, outcomeText, ratedText, resultOfEvent } from '../../record/result-text.ts'
import { drawMatch, type Moment } from '../match-view.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { openReplay } from './replay.ts'

/** One live match, to its end. */
export class WatchScreen implements Screen {
  readonly title: string
  readonly about =
    'The board is redrawn with every move. What is secret in the game stays secret until it is over.'
  readonly #caller: Caller
  readonly #table: Table
  readonly #ratings: readonly number[]
  #flipped = false
  #end: readonly string[] | null = null
  #stop: (() => void) | null = null

  constructor(caller: Caller, table: Table) {
    this.#caller = caller
    this.#table = table
    const { game, players } = table.deal
    this.#ratings = players.map(({ account }) => caller.house.rating(account.id, game.id))
    this.title = `${game.title} · match ${table.id}`
  }

  get hints(): readonly Hint[] {
    return [
      ...(this.#isTurnable ? [['f', 'flip'] as const] : []),
      ...(this.#end === null ? [] : [['r', 'replay'] as const]),
      ['Esc', 'back'],
    ]
  }

  get #isTurnable(): boolean {
    return this.#table.look().board?.turns !== undefined
  }

  shown(): void {
    const unwatch = this.#caller.watch(event => {
      if (event.table !== this.#table) return
      if (event.kind === 'ended' || event.kind === 'aborted') this.#end = endLines(event)
      this.#caller.redraw()
    })
    const tick = () => {
      if (this.#end === null) this.#caller.redraw()
      timer = this.#caller.clock.after(1000, tick)
    }
    let timer = this.#caller.clock.after(1000, tick)
    const lookAway = this.#caller.house.lookOn()
    this.#stop = () => {
      lookAway()
      unwatch()
      timer.cancel()
    }
  }

  hidden(): void {
    this.#stop?.()
  }

  draw(canvas: Canvas): void {
    const { deal, moves, clocks } = this.#table
    const shown = hasLiveMoves(deal.game) || this.#end !== null ? moves : null
    const moment: Moment = {
      look: this.#table.look(),
      seats: deal.players.map(({ account }, seat) => ({
        name: account.name,
        rating: this.#ratings[seat]!,
        toMove: this.#end === null && clocks[seat] !== null,
        clock: clocks[seat] ?? null,
      })),
      moves: shown,
      ply: moves.length,
      words:
        this.#end ?? (deal.unrated === null ? [] : [capital(ratedText({ ...deal, voided: null }))]),
    }
    drawMatch(canvas, moment, { flipped: this.#flipped })
  }

  press(key: Key): boolean {
    if (key.kind !== 'char') return false
    if (key.char === 'f' && this.#isTurnable) this.#flipped = !this.#flipped
    else if (key.char === 'r' && this.#end !== null) openReplay(this.#caller, this.#table.id)
    else return false
    return true
  }
}

/** How a match has just ended: its result, and what it did to the ratings. */
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
