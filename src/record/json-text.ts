/** JSON with control characters and invisible characters escaped. It parses to the same value. */
export const jsonText = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(unprintable, escaped)

// Includes the invisible characters that reverse or hide text. Line breaks come only from the indent.
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Escapes each half of a surrogate pair. */
const escaped = (character: string): string =>
  character.replace(/[\s\S]/g, half => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`)
