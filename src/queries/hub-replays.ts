import type { MatchId, Played } from '../arena/match-store.ts'
import type { Notes } from '../arena/note.ts'
import { ReplayError, replay } from '../arena/replay.ts'
import { type Look, votesOf } from '../games/game.ts'
import { type MatchRecord, replaySourceOf } from '../record/match-record.ts'
import { moveLabel } from '../record/move-text.ts'
import { slice } from '../scheduling/text-stream.ts'
import type { KeptMoves } from '../store/kept-moves.ts'
import type { Tables } from '../store/store.ts'
import { knownGame } from './known-game.ts'

/** The next steps of a replay. */
export interface ReplaySlice {
  readonly steps: readonly ReplayStep[]
  readonly isLast: boolean
  /** Why the moves after these cannot be played; null where they can. */
  readonly problem: string | null
  /** Milliseconds that it took to make. */
  readonly ms: number
}

/**
 * A move as a label, since one with an agent's thoughts may be a hundred times as long; the look after it; and what was
 * written beside it.
 */
type ReplayStep = readonly [move: Played, look: Look, note: string | null]

/** Plays past matches again, for the screens of the hub. This is called from another thread, as the hub's commands are. */
export const hubReplaysOf = ({ matches }: Tables) => {
  const replays = new Map<number, Iterator<ReplayStep>>()
  let count = 0
  return {
    /** Begins the replay of a match, and answers with the number of the replay. */
    begin: (id: MatchId): number => {
      replays.set(++count, stepsOf(matches.find(id)!, matches.keptMoves(id), matches.notes(id)))
      return count
    },
    next: (id: number): ReplaySlice => {
      const began = performance.now()
      const ms = () => performance.now() - began
      const rest = replays.get(id)!
      replays.delete(id)
      const steps: ReplayStep[] = []
      try {
        while (ms() < slice) {
          const { done, value } = rest.next()
          if (done) return { steps, isLast: true, problem: null, ms: ms() }
          steps.push(value)
        }
      } catch (error) {
        if (!(error instanceof ReplayError)) throw error
        return { steps, isLast: true, problem: error.message, ms: ms() }
      }
      replays.set(id, rest)
      return { steps, isLast: false, problem: null, ms: ms() }
    },
    /** To be called for a replay whose last slice has not come. */
    stop: (id: number): void => {
      replays.get(id)?.return?.()
      replays.delete(id)
    },
  }
}

export type HubReplays = ReturnType<typeof hubReplaysOf>

function* stepsOf(match: MatchRecord, moves: KeptMoves, notes: Notes): Generator<ReplayStep, void> {
  const game = knownGame(match.game)
  let ply = 0
  for (const { state, played } of replay(replaySourceOf(game, match, moves)))
    if (played !== null) yield [withLabel(played), game.look(state, 'replay'), notes[++ply] ?? null]
}

/** A vote of the audience is of no seat, so that none is shown as the one to move before it. */
const withLabel = ([seat, move, ms, fault]: Played): Played => {
  if (fault !== undefined) return [seat, null, ms, fault]
  return [votesOf(move) === null ? seat : -1, moveLabel(move), ms]
}
