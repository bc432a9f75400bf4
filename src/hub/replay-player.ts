import type { Played } from '../arena/match-store.ts'
import { type ReplaySource, replay } from '../arena/replay.ts'
import type { Look } from '../games/game.ts'
import { moveLabel } from '../record/move-text.ts'
import { SlicedText } from '../scheduling/sliced-text.ts'
import type { Pieces, TextStream, TextStreamer } from '../scheduling/text-stream.ts'
import type { KeptMoves } from '../store/kept-moves.ts'

/** The positions of a past match, computed move by move in slices. */
export class ReplayPlayer {
  readonly frames: Look[] = []
  /** The moves between the frames, as labels: a whole move with an agent's thoughts may be a hundred times as long. */
  readonly moves: Played[] = []
  readonly #textStream: TextStream

  constructor(
    match: ReplaySource & { readonly moves: KeptMoves },
    textStreamer: TextStreamer,
    source: string,
    on: { readonly frame: () => void; readonly error: (error: unknown) => void },
  ) {
    const { game, seed, seats, setup, moves } = match
    const { frames, moves: made } = this
    frames.push(game.look(game.start(seed, seats, setup), 'replay'))
    const begin = function* (): Pieces {
      for (const { state, played } of replay(match)) {
        if (played !== null) {
          frames.push(game.look(state, 'replay'))
          made.push(withLabel(played))
          on.frame()
        }
        yield ''
      }
    }
    // Nothing is sent: the screen draws the frames that exist.
    const nowhere = { unsent: 0, write: () => {} }
    this.#textStream = textStreamer.stream(source, new SlicedText(moves.size, begin), nowhere)
    this.#textStream.done.catch(on.error)
  }

  close(): void {
    this.#textStream.gone()
  }
}

const withLabel = ([seat, move, ms, fault]: Played): Played =>
  fault === undefined ? [seat, moveLabel(move), ms] : [seat, null, ms, fault]
