/** "1 match", "12 345 matches". */
export const countText = (n: number, unit: string): string =>
  `${numberText(n)} ${n === 1 ? unit : unit.endsWith('ch') ? `${unit}es` : `${unit}s`}`

/** Groups of three digits, separated by a narrow space. */
export const numberText = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f')
