/** A line of the log as people read it at a terminal: when, how bad, what, and what is known of it. */
export const pretty = (json: string, colours: boolean): string => {
  const { level, time, msg, err, ...fields } = JSON.parse(json)
  const [name, colour] = levels.get(level) ?? [String(level), dim]
  const paint = (code: string, text: string) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text)
  const known = Object.entries(fields).map(
    ([key, value]) => paint(dim, `${key}=`) + harmless(shown(value)),
  )
  const head = [paint(dim, timeOfDay(time)), paint(colour, name), harmless(msg), ...known]
  const stack: string[] = (err?.stack ?? err?.message)?.split('\n') ?? []
  return [head.join(' '), ...stack.map(line => `    ${harmless(line)}`), ''].join('\n')
}

const dim = '2'

const levels = new Map<number, readonly [name: string, colour: string]>([
  [10, ['TRACE', dim]],
  [20, ['DEBUG', dim]],
  [30, ['INFO ', '32']],
  [40, ['WARN ', '33']],
  [50, ['ERROR', '31']],
  [60, ['FATAL', '41']],
])

const timeOfDay = (at: number) =>
  new Date(at).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })

/** A word is shown as it is, and all else as JSON, so that it is seen where it ends. */
const shown = (value: unknown) =>
  typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value)

/** Without characters that act on a terminal, or are not seen there. */
const harmless = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '?')
