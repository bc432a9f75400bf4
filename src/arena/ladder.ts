/**
 * The ladder of matches with people in them, beside that of the game: what a person does to a rating says little
 * about agents. A ladder is written as the game's id, or as this.
 */
export const peopleLadder = (game: string): string => game + mark

export const gameOfLadder = (ladder: string): string =>
  ladder.endsWith(mark) ? ladder.slice(0, -mark.length) : ladder

const mark = '+people'
