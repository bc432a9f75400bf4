/** Which day it is, counted from 1970 in UTC: what is allowed so often a day begins anew at its midnight. */
export const dayOf = (at: number): number => Math.floor(at / 86_400_000)
