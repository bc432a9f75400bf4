/** A log line as text for a terminal: time, level, message and fields. */
export const pretty = (json: string, colours: boolean): string => {
  const { level, time, msg, err, ...fields } = JSON.parse(json)
  const [name, colour] = levels.get(level) ?? [String(level), dim]
  const paint = (code: string, text: string) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text)
  const shownFields = Object.entries(fields).map(
    ([key, value]) => paint(dim, `${key}=`) + withoutControls(fieldText(value)),
  )
  const head = [
    paint(dim, timeOfDay(time)),
    paint(colour, name),
    withoutControls(msg),
    ...shownFields,
  ]
  const stack: string[] = (err?.stack ?? err?.message)?.split('\n') ?? []
  return [head.join(' '), ...stack.map(line => `    ${withoutControls(line)}`), ''].join('\n')
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

/** A single word is shown as it is. Other values are shown as JSON, so that their end is visible. */
const fieldText = (value: unknown) =>
  typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value)

/** Replaces control characters and invisible characters. */
const withoutControls = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '?')
