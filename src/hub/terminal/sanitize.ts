import { isNarrow } from './width.ts'

/**
 * Makes a text safe to show on one line: no control characters, no change of direction, no invisible characters. All text
 * on a screen passes through here, because others may have written it.
 */
export const sanitized = (text: string): string =>
  isNarrow(text)
    ? text
    : text
        .slice(0, longest)
        .normalize('NFC')
        .replace(spaces, ' ')
        .replace(invisible, '')
        .replace(stacked, '$1')

/** The same for a text of several lines. */
export const sanitizedLines = (text: string): string[] => text.split(/\r\n|\n|\r/).map(sanitized)

const longest = 4096

const spaces = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
// Controls, direction marks, joiners, lone surrogates, private and unassigned characters; and the selectors and skin
// colours about whose width terminals disagree.
const invisible =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}/gu
/** A letter keeps at most two combining marks. */
const stacked = /(\p{M}{2})\p{M}+/gu
