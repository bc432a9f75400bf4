import { configureGlobal } from 'fast-check'

export { default as fc } from 'fast-check'

/**
 * Property tests draw the same inputs in every run, so that a run that passed passes again. PROPERTY_SEED=random draws
 * others, and a number those of an earlier run.
 */
const wanted = process.env.PROPERTY_SEED
if (wanted !== 'random') configureGlobal({ seed: wanted === undefined ? 1 : Number(wanted) })
