import type { Played } from '../arena/match-store.ts'
import { type ReplaySource, replay } from '../arena/replay.ts'
import type { Look } from '../games/game.ts'
import { moveLabel } from '../record/move-text.ts'
import { SlicedText } from '../scheduling/sliced-text.ts'
import type { Pieces, TextSource, TextStream, TextStreamer } from '../scheduling/text-stream.ts'
import { KeptMoves } from '../store/kept-moves.ts'

/** The positions of a past match, computed move by move in slices. */
export class ReplayPlayer {
  readonly frames: Look[] = []
  /** The moves between the frames, as labels: a whole move with an agent's thoughts may be a hundred times as long. */
  readonly moves: Played[] = []
  readonly #textStream: TextStream

  /** `moves` gets the moves as JSON, of which there are `size` bytes. */
  constructor(
    match: Omit<ReplaySource, 'moves'>,
    { moves, length, size }: { moves: () => Promise<string>; length: number; size: number },
    textStreamer: TextStreamer,
    source: string,
    on: { readonly frame: () => void; readonly error: (error: unknown) => void },
  ) {
    const { game, seed, seats, setup } = match
    const { frames, moves: made } = this
    frames.push(game.look(game.start(seed, seats, setup), 'replay'))
    const framesOf = function* (moves: KeptMoves): Pieces {
      for (const { state, played } of replay({ ...match, moves })) {
        if (played !== null) {
          frames.push(game.look(state, 'replay'))
          made.push(withLabel(played))
          on.frame()
        }
        yield ''
      }
    }
    let slices: SlicedText | undefined
    // Nothing is sent: the screen draws the frames that exist.
    const nowhere = { unsent: 0, write: () => {} }
    const text: TextSource = {
      holds: size,
      next: async () => {
        if (slices === undefined) {
          const kept = await moves()
          slices = new SlicedText(size, () => framesOf(new KeptMoves(() => kept, { length, size })))
        }
        return slices.next()
      },
      stop: () => slices?.stop(),
    }
    this.#textStream = textStreamer.stream(source, text, nowhere)
    this.#textStream.done.catch(on.error)
  }

  close(): void {
    this.#textStream.gone()
  }
}

const withLabel = ([seat, move, ms, fault]: Played): Played =>
  fault === undefined ? [seat, moveLabel(move), ms] : [seat, null, ms, fault]
