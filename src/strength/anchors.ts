import { type LadderId, parseLadderId } from '../arena/ladder.ts'

/**
 * The strengths of house players by game, the weakest level first, as far as they were measured: they hold the scale of a ladder
 * where agents have met them in rated events. Their average in a game is 1500.
 */
const anchors: Readonly<Record<string, readonly number[]>> = {
  // `npx tsx scripts/measure-anchors.ts ttt 400 3`: ± 18, 15 and 15.
  ttt: [1306, 1537, 1658],
}

/** The strengths of the house players on a ladder, by name. */
export const anchorsOf = (ladder: LadderId): Readonly<Record<string, number>> => {
  const levels = anchors[parseLadderId(ladder)?.game ?? ladder] ?? []
  return Object.fromEntries(levels.map((strength, i) => [`house-level-${i + 1}`, strength]))
}
