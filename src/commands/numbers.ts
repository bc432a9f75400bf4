import { InvalidArgumentError } from 'commander'

/** Reads a number above 0, or has the usage shown. */
export const aboveZero = (value: string): number => {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(value) || Number(value) === 0)
    throw new InvalidArgumentError('Give a number above 0.')
  return Number(value)
}

/** Reads a whole number from `least` on, or has the usage shown. */
export const number =
  (least: number) =>
  (value: string): number => {
    if (!/^\d{1,15}$/.test(value) || Number(value) < least)
      throw new InvalidArgumentError(`Give a whole number from ${least} on.`)
    return Number(value)
  }

/** The same for an argument that may be given several times. */
export const numbers =
  (least: number) =>
  (value: string, before: readonly number[] | undefined): readonly number[] => [
    ...(before ?? []),
    number(least)(value),
  ]
