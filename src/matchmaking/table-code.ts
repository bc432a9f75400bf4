// The codes of tables that players set up, such as REEF42: easy to read out, and never the id of a table of a room.

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 6
const form = new RegExp(`^[${letters}]{${length}}$`)

/** `roll`: a whole number from 0 to n − 1. */
export const newTableCode = (roll: (n: number) => number): string =>
  Array.from({ length }, () => letters[roll(letters.length)]).join('')

/** The code as it is written, from one in any case; null for what has not its form. */
export const tableCodeOf = (text: string): string | null => {
  const code = text.toUpperCase()
  return form.test(code) ? code : null
}
