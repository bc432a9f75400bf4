/** The day in UTC, counted from 1970. Daily caps start again at its midnight. */
export const dayOf = (at: number): number => Math.floor(at / 86_400_000)
