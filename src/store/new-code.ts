import { randomInt } from 'node:crypto'

/** A code to be typed by hand, such as `vx69-y4qa-6hnv`. */
export const newCode = (): string => Array.from({ length: 3 }, group).join('-')

/** A code as it was made, from what was typed. */
export const normalCode = (code: string): string => code.trim().toLowerCase()

/** Without characters that look alike; twelve of them are 59 bits. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
