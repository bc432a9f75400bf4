import { InvalidArgumentError } from 'commander'

/** Reads a whole number from `least` on, or has the usage shown. */
export const number =
  (least: number) =>
  (value: string): number => {
    if (!/^\d{1,15}$/.test(value) || Number(value) < least)
      throw new InvalidArgumentError(`Give a whole number from ${least} on.`)
    return Number(value)
  }
