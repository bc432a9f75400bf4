/** The unit alone, for so many of it. */
export const units = (n: number, unit: string): string =>
  n === 1 ? unit : unit.endsWith('ch') ? `${unit}es` : `${unit}s`
