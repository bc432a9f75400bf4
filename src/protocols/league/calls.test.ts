import { expect, it } from 'vitest'
import { retryWaits } from '../../outgoing/http-client.ts'
import { timesOfAllTries } from './calls.ts'

it.each([500, 1_000, 10_000])(
  'a server that answers nothing gets all four tries, of %d ms each',
  perTry => {
    const { within } = timesOfAllTries(perTry)
    const starts = [
      0,
      ...retryWaits.map((_, i) => sum(retryWaits.slice(0, i + 1)) + (i + 1) * perTry),
    ]
    expect(starts).toHaveLength(4)
    expect(within).toBe(starts.at(-1)! + perTry)
  },
)

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
