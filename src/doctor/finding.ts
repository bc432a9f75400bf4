/** The result of one check. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warn' | 'fail'
  readonly says: string
  /** What to do; null if the check passed. */
  readonly cure: string | null
}

/** The three results of a check. */
export const about = (check: string) => ({
  ok: (says: string): Finding => ({ check, level: 'ok', says, cure: null }),
  warn: (says: string, cure: string): Finding => ({ check, level: 'warn', says, cure }),
  fail: (says: string, cure: string): Finding => ({ check, level: 'fail', says, cure }),
})

export const mebibytes = (bytes: number): string => {
  const mib = bytes / 2 ** 20
  return mib < 10_000 ? `${mib.toFixed(mib < 10 ? 1 : 0)} MiB` : `${(mib / 1024).toFixed(0)} GiB`
}
