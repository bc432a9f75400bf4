import type { Arena } from '../arena/arena.ts'
import type { Change, MatchId } from '../arena/match-store.ts'
import { changeText, ratingsOf } from '../record/rating-text.ts'

/** The latest results, newest first, for the line above the hints. */
export class Results {
  #all: readonly Result[] = []

  constructor(arena: Arena) {
    arena.watch(event => {
      if (event.kind !== 'ended') return
      const { id, deal, accounts } = event.table
      const result: Result = {
        match: id,
        game: deal.game.id,
        players: accounts.map(({ name, kind }, seat) => ({
          name,
          place: event.outcome.places[seat]!,
          change: event.unrated === null && kind === 'player' ? event.changes[seat]! : null,
        })),
      }
      this.#all = [result, ...this.#all].slice(0, 20)
    })
  }

  get all(): readonly Result[] {
    return this.#all
  }
}

export interface Result {
  readonly match: MatchId
  readonly game: string
  readonly players: readonly {
    readonly name: string
    readonly place: number
    /** The change of rating; null in an unrated match, and for a guest. */
    readonly change: Change | null
  }[]
}

/** "ttt: anna beat bob +16". */
export const resultText = ({ game, players }: Result): string => {
  const [best, ...others] = [...players].sort((a, b) => a.place - b.place)
  const drawn = others.some(({ place }) => place === best!.place)
  const change = best!.change === null || drawn ? '' : ` ${changeText(ratingsOf(best!.change))}`
  return `${game}: ${best!.name} ${drawn ? 'drew with' : 'beat'} ${others.map(({ name }) => name).join(', ')}${change}`
}
