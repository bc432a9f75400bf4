/** How many columns of a terminal one line takes: marks that combine take none, emoji and East Asian letters two. */
export const displayWidth = (line: string): number =>
  ascii.test(line)
    ? line.length
    : [...graphemes.segment(line)].reduce(
        (sum, { segment }) => sum + (wide.test(segment) ? 2 : 1),
        0,
      )

const ascii = /^[ -~]*$/

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const wide =
  /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u
