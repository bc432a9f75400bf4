import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'

/** Thrown when a scenario cannot go on; the failure is in the report already. */
export class Stop extends Error {}

interface Check {
  runs: number
  readonly failures: string[]
}

/** The checks that ran, by name. A check may run in many matches: it passes if it never failed. */
export class Report {
  private readonly checks = new Map<string, Check>()
  private readonly scenario = new AsyncLocalStorage<string>()
  readonly notes: string[] = []

  within<T>(scenario: string, run: () => Promise<T>): Promise<T> {
    return this.scenario.run(scenario, run)
  }

  ok(name: string, holds: boolean, expected: string, got: unknown): boolean {
    const check = this.checks.get(name) ?? { runs: 0, failures: [] }
    this.checks.set(name, check)
    check.runs++
    if (!holds)
      check.failures.push(
        `[${this.scenario.getStore() ?? 'run'}] expected ${expected}; got ${show(got)}`,
      )
    return holds
  }

  equal(name: string, got: unknown, expected: unknown): boolean {
    return this.ok(name, isDeepStrictEqual(got, expected), show(expected), got)
  }

  stop(name: string, expected: string, got: unknown): never {
    this.ok(name, false, expected, got)
    throw new Stop(name)
  }

  note(text: string): void {
    this.notes.push(text)
  }

  /** Prints one line a failed check, then the totals. Returns the exit code. */
  print(verbose: boolean): number {
    const all = [...this.checks].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    const failed = all.filter(([, check]) => check.failures.length > 0)
    if (verbose)
      for (const [name, { runs, failures }] of all)
        if (failures.length === 0) console.log(`pass ${name} (${runs})`)
    for (const note of this.notes) console.log(`note ${note}`)
    for (const [name, { runs, failures }] of failed) {
      const times = failures.length > 1 ? ` (${failures.length} of ${runs} times)` : ''
      console.log(`FAIL ${name}: ${failures[0]}${times}`)
      if (verbose)
        for (const other of [...new Set(failures)].slice(1, 6)) console.log(`     also ${other}`)
    }
    console.log(`${all.length - failed.length} checks passed, ${failed.length} failed`)
    return failed.length === 0 ? 0 : 1
  }
}

/** A value on one line, cut to a length that can be read. */
export function show(value: unknown): string {
  const text =
    typeof value === 'string'
      ? JSON.stringify(value)
      : value instanceof Error
        ? String(value)
        : JSON.stringify(value)
  if (text === undefined) return String(value)
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text
}
