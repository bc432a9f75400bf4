import type { Rating } from './rating-recalculation.ts'

export const differs = (kept: Rating, again: Rating): boolean =>
  isOther(kept.rating, again.rating) ||
  (['games', 'wins', 'losses', 'draws', 'lead'] as const).some(key => kept[key] !== again[key])

/** Another version of Node may round the last bits of a power differently. */
export const isOther = (kept: number | undefined, again: number | undefined): boolean =>
  kept === undefined || again === undefined ? kept !== again : Math.abs(kept - again) > 1e-6

export const ratingText = ({ rating, games, wins, draws, losses, lead }: Rating): string =>
  `${rating} after ${games} (+${wins} =${draws} -${losses}, lead ${lead})`
