import type { Played } from '../arena/match-store.ts'
import { startOf } from '../arena/opening.ts'
import type { Look } from '../games/game.ts'
import { gameOf } from '../games/index.ts'
import type { HubReplays } from '../queries/hub-replays.ts'
import type { TextSource, TextStream, TextStreamer } from '../scheduling/text-stream.ts'
import type { Recorded } from '../store/questions.ts'
import type { Remote } from '../threads/calls.ts'

/** The positions of a past match, which another thread computes in slices. */
export class ReplayPlayer {
  readonly frames: Look[] = []
  /** The moves between the frames, as labels. */
  readonly moves: Played[] = []
  /** What was written beside each of them. */
  readonly notes: (string | null)[] = []
  readonly #textStream: TextStream

  constructor(
    { match, size }: Recorded,
    { replays, textStreamer }: { replays: Remote<HubReplays>; textStreamer: TextStreamer },
    source: string,
    on: {
      readonly frames: () => void
      /** The rules refuse the moves after the last frame. */
      readonly problem: (why: string) => void
      readonly error: (error: unknown) => void
    },
  ) {
    const game = gameOf(match.game)!
    const start = startOf(game, match.seed, match.players.length, match.setup)
    this.frames.push(game.look(start, 'replay'))
    let replay: Promise<number> | undefined
    const text: TextSource = {
      holds: size,
      next: async () => {
        replay ??= replays.begin(match.id)
        const { steps, isLast, problem, ms } = await replays.next(await replay)
        if (!this.#textStream.over) {
          for (const [move, look, note] of steps) {
            this.moves.push(move)
            this.notes.push(note)
            this.frames.push(look)
          }
          on.frames()
          if (problem !== null) on.problem(problem)
        }
        return { text: '', isLast, ms }
      },
      // This can only fail with its thread, which is logged, and leaves nothing to stop.
      stop: () => void replay?.then(id => replays.stop(id)).catch(() => {}),
    }
    // Nothing is sent: the screen draws the frames that exist.
    const nowhere = { unsent: 0, write: () => {} }
    this.#textStream = textStreamer.stream(source, text, nowhere)
    this.#textStream.done.catch(on.error)
  }

  close(): void {
    this.#textStream.gone()
  }
}
