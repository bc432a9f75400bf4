/**
 * The id of the ladder for matches with people in them. It is separate from the ladder of the game, whose id is that of the
 * game, because results against people say little about agents.
 */
export const peopleLadder = (game: string): string => game + suffix

export const gameOfLadder = (ladder: string): string =>
  ladder.endsWith(suffix) ? ladder.slice(0, -suffix.length) : ladder

const suffix = '+people'
