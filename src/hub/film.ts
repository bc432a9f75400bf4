import type { Played } from '../arena/keeper.ts'
import { replay } from '../arena/replay.ts'
import type { Game, Look, Seed, Setup } from '../games/game.ts'
import type { Pieces, Producer, Producing } from '../producer.ts'
import type { KeptMoves } from '../store/kept-moves.ts'
import { briefMove } from './words.ts'

export interface Reel {
  readonly game: Game
  readonly seed: Seed
  readonly setup: Setup | null
  readonly seats: number
  readonly moves: KeptMoves
}

/** How every position of a match looks. */
export class Film {
  readonly frames: Look[] = []
  /** What led to each frame but the first, without what an agent thinks and remembers: that may be a hundred times as long. */
  readonly moves: Played[] = []
  readonly #producing: Producing

  constructor(
    { game, seed, setup, seats, moves }: Reel,
    producer: Producer,
    source: string,
    told: { readonly grown: () => void; readonly failed: (error: unknown) => void },
  ) {
    this.frames.push(game.look(game.start(seed, seats, setup), 'replay'))
    const { frames, moves: made } = this
    const begin = function* (): Pieces {
      for (const { state, played } of replay(game, seed, setup, seats, moves)) {
        if (played !== null) {
          frames.push(game.look(state, 'replay'))
          made.push(briefMove(played))
          told.grown()
        }
        yield ''
      }
    }
    // Nothing is sent of it: the screen shows what there is.
    const nobody = { unsent: 0, write: () => {} }
    this.#producing = producer.produce(source, { holds: moves.size, begin }, nobody)
    this.#producing.done.catch(told.failed)
  }

  close(): void {
    this.#producing.gone()
  }
}
