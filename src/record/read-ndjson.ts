import type { Played } from '../arena/match-store.ts'
import type { Notes } from '../arena/note.ts'
import type { MatchRecord, PlayerRecord, publicRecord } from './match-record.ts'

/** Reads what `ndjsonLines` has written. Throws where the text is something else; what the lines say is not checked. */
export const readNdjson = (
  text: string,
): { match: MatchRecord; moves: readonly Played[]; notes: Notes } => {
  const [first, ...lines] = text.trimEnd().split('\n').map(parseLine)
  const end = lines.pop()
  if (first?.type !== 'match' || end?.type !== 'end')
    throw new Error('it does not begin with a match and finish with its end')
  return {
    match: recordOf(first as MatchLine, end.at),
    moves: lines.map(({ seat, move, ms, fault }) =>
      fault === undefined ? [seat, move, ms] : [seat, move, ms, fault],
    ),
    notes: Object.fromEntries(
      lines.flatMap(({ note }, i) => (note === undefined ? [] : [[i + 1, note]])),
    ),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a line is what ndjsonLines makes
type Line = Record<string, any>

const parseLine = (line: string, at: number): Line => {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`line ${at + 1} is not JSON`)
  }
}

type MatchLine = ReturnType<typeof publicRecord> & { readonly type: 'match' }

const recordOf = (
  { type, status, endedAt, ending, detail, voided, startedAt, players, seal, ...rest }: MatchLine,
  at: number,
): MatchRecord => ({
  ...rest,
  // Older exports have none.
  event: rest.event ?? null,
  seed: rest.seed!,
  voided: voided && { at: Date.parse(voided.at), reason: voided.reason },
  startedAt: Date.parse(startedAt),
  end: { at, ending: ending!, detail: detail! },
  seal: seal && { ...seal, ratings: seal.ratings?.map(ratingOf) ?? null },
  players: players.map(({ ratingBefore, ratingAfter, shown, ...player }) => ({
    ...player,
    name: shown ?? player.name,
    rating: ratingOf([ratingBefore, ratingAfter]),
  })),
})

const ratingOf = ([before, after]: readonly (number | null)[]): PlayerRecord['rating'] =>
  before == null || after == null ? null : { before, after }
