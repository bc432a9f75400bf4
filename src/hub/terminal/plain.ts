import { isNarrow } from './width.ts'

/**
 * Text that others wrote, made fit for a screen: one line, in which nothing moves the cursor, changes the direction
 * of writing or takes no room of its own. Everything that is shown passes through here.
 */
export const plain = (text: string): string =>
  isNarrow(text)
    ? text
    : text
        .slice(0, longest)
        .normalize('NFC')
        .replace(spaces, ' ')
        .replace(unseen, '')
        .replace(stacked, '$1')

/** The same for text of several lines. */
export const plainLines = (text: string): string[] => text.split(/\r\n|\n|\r/).map(plain)

const longest = 4096

const spaces = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
// Controls, marks of direction and joiners, halves of pairs, private and unassigned characters; and the selectors
// and skin colours about whose width terminals disagree.
const unseen =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}/gu
/** A letter keeps two marks, not a tower of them. */
const stacked = /(\p{M}{2})\p{M}+/gu
