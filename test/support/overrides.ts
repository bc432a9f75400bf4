import type { Constants } from '../../src/constants.ts'

/** Other values for constants that are no settings. */
export type Overrides = Partial<Omit<Constants, 'limits'>> & {
  readonly limits?: Partial<Constants['limits']>
}

const preload = new URL('./constants.mjs', import.meta.url).href

/** Arguments of node with which the built program has these values from its start. */
export const overriding = (overrides: Overrides): readonly string[] => [
  '--import',
  `${preload}?${encodeURIComponent(JSON.stringify(overrides))}`,
]
