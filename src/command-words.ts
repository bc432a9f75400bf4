/** The words of a command that came over SSH. Quotes hold words together, as in a shell: `--opponent "Dr. Deep Blue 2"`. */
export const commandWords = (text: string): string[] =>
  (text.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? []).map(word =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) =>
      String(double ?? single),
    ),
  )
