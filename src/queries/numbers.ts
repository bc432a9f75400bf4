import { InvalidArgumentError } from 'commander'

/** Reads a number above 0; otherwise commander shows the usage. */
export const aboveZero = (value: string): number => {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(value) || Number(value) === 0)
    throw new InvalidArgumentError('Give a number above 0.')
  return Number(value)
}

/** Reads a whole number from `least` to `most`; otherwise commander shows the usage. */
export const number =
  (least: number, most?: number) =>
  (value: string): number => {
    const isWhole = /^\d{1,15}$/.test(value)
    if (!isWhole || Number(value) < least || (most !== undefined && Number(value) > most))
      throw new InvalidArgumentError(
        `Give a whole number from ${least} ${most === undefined ? 'on' : `to ${most}`}.`,
      )
    return Number(value)
  }

/** The same for an argument that may be given several times. */
export const numbers =
  (least: number) =>
  (value: string, before: readonly number[] | undefined): readonly number[] => [
    ...(before ?? []),
    number(least)(value),
  ]
