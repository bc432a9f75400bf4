/** Without anything that a terminal would act on. Line breaks stay. */
export const printable = (text: string): string =>
  text.replace(unprintable, char => (char === '\n' ? char : '?'))

// Control characters, and the invisible ones that turn text around or hide it.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
