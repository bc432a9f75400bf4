/** Where the scale has its middle. */
export const middle = 1500

/** So many points of strength are odds of e to one: 400 points are odds of ten to one. */
export const pointsPerUnit = 400 / Math.LN10

export const pointsOf = (unit: number): number => middle + unit * pointsPerUnit

export const unitOf = (points: number): number => (points - middle) / pointsPerUnit
