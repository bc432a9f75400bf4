/** JSON without anything that a terminal would act on: what parses it reads the same. */
export const jsonText = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(unprintable, escaped)

// Control characters, and the invisible ones that turn text around or hide it. Line breaks are those of the indent.
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Each half by itself, where one character is two. */
const escaped = (character: string): string =>
  character.replace(/[\s\S]/g, half => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`)
