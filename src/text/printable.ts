/** Replaces everything that a terminal would act on, but line breaks. */
export const printable = (text: string): string =>
  text.replace(unprintable, char => (char === '\n' ? char : '?'))

// Control characters, and invisible characters that reverse or hide text.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
