import { countTokens } from 'gpt-tokenizer'

/** How many tokens a model reads or writes for this, by the encoding o200k. Those of other models differ by some percent. */
export const tokensOf = (value: unknown): number =>
  countTokens(typeof value === 'string' ? value : JSON.stringify(value))
