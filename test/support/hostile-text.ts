/**
 * What a player may write to disturb its readers: markup, escape sequences of terminals, marks that turn the direction of
 * text, characters without a width, and more marks on a letter than any language has.
 */
export const hostileText = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"\'>&amp;</li></ol>',
  '\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J',
  'abc\u202edcba\u202c \u2066isolated\u2069 \u200e\u200f',
  'zero\u200bwidth\u200d\ufeff',
  `z${'\u0301'.repeat(40)}`,
].join('\n')

/** What nothing that others read may have in it: control characters but line feed and tab, and marks that turn direction. */
export const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
