import { type MatchRecord, statusOf } from './matches.ts'

/**
 * The public record of a match: what commands, the hub, the API and exports tell of it. While the match is live its seed
 * is left out: whoever knows it knows what luck will bring.
 */
export const recordOf = (match: MatchRecord) => ({
  id: match.id,
  game: match.game,
  ladder: match.ladder,
  status: statusOf(match),
  seed: match.end === null ? null : match.seed,
  setup: match.setup,
  unrated: match.unrated,
  voided: match.voided && { at: isoTime(match.voided.at), reason: match.voided.reason },
  startedAt: isoTime(match.startedAt),
  endedAt: match.end === null ? null : isoTime(match.end.at),
  ending: match.end?.ending ?? null,
  detail: match.end?.detail ?? null,
  order: match.order,
  moveCount: match.moveCount,
  players: match.players.map(({ rating, ...player }) => ({
    seat: player.seat,
    account: player.account,
    name: player.name,
    kind: player.kind,
    place: player.place,
    fault: player.fault,
    quick: player.quick,
    score: player.score,
    ratingBefore: rating?.before ?? null,
    ratingAfter: rating?.after ?? null,
  })),
  seal: match.seal && {
    number: match.seal.number,
    previous: match.seal.previous,
    hash: match.seal.hash,
    ratings:
      match.seal.ratings?.map(rating => [rating?.before ?? null, rating?.after ?? null]) ?? null,
  },
})

const isoTime = (at: number): string => new Date(at).toISOString()
