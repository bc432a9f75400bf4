import { describe, expect, it } from 'vitest'
import { simulatedEvent } from '../../test/support/simulated-event.ts'
import { checkEvent } from './check-event.ts'
import type { Numbered } from './entry.ts'
import type { Format } from './plan.ts'

const formats: readonly Format[] = [
  { kind: 'round-robin', cycles: 1 },
  { kind: 'swiss', rounds: 3 },
  { kind: 'knockout', bestOf: 1, thirdPlace: true },
  { kind: 'arena', lasts: 60 },
]

const logOf = (format: Format) => simulatedEvent(7, 6, { format }).entries

/** The log with one of its entries changed. */
const changed = <Kind extends Numbered['kind']>(
  log: readonly Numbered[],
  kind: Kind,
  change: (entry: Extract<Numbered, { kind: Kind }>) => Partial<Numbered>,
): readonly Numbered[] => {
  const index = log.findLastIndex(entry => entry.kind === kind)
  const entry = log[index] as Extract<Numbered, { kind: Kind }>
  return log.with(index, { ...entry, ...change(entry) } as Numbered)
}

describe('the check of an event', () => {
  it.each(formats)('finds nothing in the log of a $kind', format => {
    expect(checkEvent(logOf(format))).toBeNull()
    expect(checkEvent(logOf(format).slice(0, -1))).toBeNull()
  })

  it.each(formats)('finds a $kind that was drawn with seats exchanged', format => {
    const log = changed(logOf(format), 'drawn', ({ boards }) => ({
      boards: boards.map(board => ({ ...board, accounts: board.accounts.toReversed() })),
    }))
    expect(checkEvent(log)).toMatch(/^entry \d+ \(drawn\): round \d+ is .*, and drawn again /)
  })

  it.each(formats)('finds the end of a $kind that came too early', format => {
    const log = logOf(format).slice(0, 12)
    const end = { kind: 'finished', number: 13, at: 13 } as const
    expect(checkEvent([...log, end])).toBe('entry 13 (finished): the event was not at its end')
  })

  it('finds a round that was not to be drawn', () => {
    const log = logOf(formats[0]!)
    const drawn = log.find(entry => entry.kind === 'drawn')!
    const next = { ...drawn, round: 2, number: drawn.number + 1 } as Numbered
    expect(checkEvent([...log.slice(0, drawn.number), next])).toMatch('no round was to be drawn')
  })

  it('finds another seed, by what the lot has decided', () => {
    const plan = (log: readonly Numbered[]) =>
      changed(log, 'created', ({ plan }) => ({ plan: { ...plan, seed: 'f'.repeat(32) } }))
    expect(checkEvent(plan(logOf(formats[1]!)))).toMatch('drawn again')
  })

  it('finds entries that are missing, or in another place', () => {
    const log = logOf(formats[0]!)
    expect(checkEvent(log.slice(1))).toMatch('begins with entry 1')
    expect(checkEvent(log.toSpliced(9, 1))).toBe('entry 11 does not follow entry 9')
  })
})
