import { z } from 'zod'
import { oneLine } from '../games/words.ts'
import type { DeclaredVersion } from './credentials.ts'

const mostCharacters = 60
const version = '1 to 16 letters, digits, ".", "_" or "-"'
const words = `a text of at most ${mostCharacters} characters`

const text = z
  .string(words)
  .refine(given => [...given].length <= mostCharacters, words)
  .optional()

/** What an agent may say of itself in a join. */
export const versionSchema = z.strictObject(
  {
    version: z
      .string(version)
      // Not `regex`: a model would read it in each list of tools.
      .refine(given => /^[A-Za-z0-9._-]{1,16}$/.test(given), version)
      .describe(`${version}; each version of an agent has ratings of its own`),
    model: text.describe(`${words}, shown as declared`),
    harness: text.describe(`${words}, shown as declared`),
  },
  'an object with version, and model and harness or not',
)

/** Without what would act on a terminal or turn the direction of text. */
export const declaredVersion = ({
  version,
  model = '',
  harness = '',
}: z.output<typeof versionSchema>): DeclaredVersion => ({
  version,
  model: oneLine(model).trim() || null,
  harness: oneLine(harness).trim() || null,
})
