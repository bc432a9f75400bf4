/**
 * Whether a text has one of these words or phrases in it, given one a line. Whole words count, whatever their case and what
 * stands between them. Forms of characters that look alike are the same (NFKC), and what cannot be seen is left out.
 */
export const wordList = (lines: string): ((text: string) => boolean) => {
  const phrases = new Map<string, (readonly string[])[]>()
  for (const line of lines.split('\n')) {
    const [first, ...rest] = wordsOf(line)
    if (first === undefined) continue
    const known = phrases.get(first)
    if (known === undefined) phrases.set(first, [rest])
    else known.push(rest)
  }
  return text => {
    if (phrases.size === 0) return false
    const words = wordsOf(text)
    return words.some((word, at) =>
      phrases.get(word)?.some(rest => rest.every((next, i) => words[at + 1 + i] === next)),
    )
  }
}

/** In scripts that are written without blanks every character counts as a word. */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    // Upper case, because it knows no two forms of one letter, as ß and ss are, or the two small sigmas.
    .toUpperCase()
    .match(
      /[\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}*|(?:(?![\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu,
    ) ?? []
