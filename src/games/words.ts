// Agents may write mottos, thoughts and messages. Terminals and boards must survive what they write.

/** Without control characters and halves of characters, which could not be stored as UTF-8. */
export const printable = (text: string): string => text.replace(/\p{Cc}|\p{Cs}/gu, '')

/**
 * What a player has written to others, without what would disturb its readers: control characters other than line feed and
 * tab, marks that turn the direction of text, and halves of characters.
 */
export const cleaned = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}|\p{Cs}/gu, '')

/** The first so many characters; none is cut in half. */
export const cut = (text: string, characters: number): string =>
  text.length <= characters ? text : [...text].slice(0, characters).join('')

/** A reason as it goes into results, records, logs and terminals: one line of at most 200 characters. */
export const oneLine = (text: string): string => cut(unbroken(text), 200)

/** The text in one line, without characters that control a terminal, turn the direction of text, or cannot be seen. */
export const unbroken = (text: string): string =>
  text.replace(/[^\S ]+/gu, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')

/** Exactly what came, in quotes, cut after so many characters. What cannot be seen is written by its number. */
export const quoted = (text: string, characters = 40): string => {
  const shown = cut(text, characters)
  const written = shown.replace(/[^\P{C}\p{Cn}]|[^\P{Z} ]/gu, nameOf)
  return `"${written}"${shown.length < text.length ? '…' : ''}`
}

const nameOf = (character: string): string =>
  `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`

/** One line of at most so many columns. What may be wide counts as two, so the line may end early. */
export const clip = (text: string, columns: number): string =>
  cropped(text.replace(/\s+/gu, ' '), columns)

/** The same with every blank kept. */
export const cropped = (text: string, columns: number): string => {
  let line = ''
  let width = 0
  for (const character of text) {
    if (/[\p{Cc}\p{Cf}\p{Cs}\p{M}]/u.test(character)) continue
    width += character < '\u1100' ? 1 : 2
    if (width > columns) return line
    line += character
  }
  return line
}

/** The same over several lines, broken at blanks; a word that is longer than a line is broken as well. */
export const wrap = (text: string, columns: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of clip(text, Number.POSITIVE_INFINITY).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (clip(longer, columns) === longer) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    for (let head = clip(line, columns); head !== line && head !== ''; head = clip(line, columns)) {
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  return [...lines, line]
}
