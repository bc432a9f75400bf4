import { Command } from 'commander'
import type { Clock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { programName } from '../process/program-name.ts'
import { jsonText } from '../record/json-text.ts'
import type { Pieces } from '../scheduling/text-stream.ts'
import type { Tables } from '../store/store.ts'
import { crossesThreads } from '../threads/calls.ts'

/** What a command gets: its environment, its output, and the database if it is open. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  /** Prints to standard output, with a line break. */
  readonly print: (text: string) => void
  /** Prints a long text in pieces, made no faster than they are read. `holds`: bytes in memory meanwhile. */
  readonly stream: (pieces: () => Pieces, holds: number) => Promise<void>
  /** The columns of the terminal; undefined if the output is not a terminal. */
  readonly width: number | undefined
  /** The open database, when the command runs within the server. */
  readonly store?: Tables
}

/** Why a command failed, in one line for standard error. */
export class Failure extends Error {}
crossesThreads(Failure)

/** A command with --json, and with examples below its help. */
export const command = (
  name: string,
  description: string,
  ...examples: readonly string[]
): Command =>
  new Command(name)
    .summary(description.split('. ')[0]!.replace(/\.$/, ''))
    .description(description)
    .option('--json', 'print JSON in the shape that docs/cli.md gives')
    .addHelpText(
      'after',
      `\nExample${examples.length > 1 ? 's' : ''}:\n${examples.map(asTyped).join('\n')}`,
    )

const asTyped = (example: string) =>
  `  $ ${example.replace(/(?<=^| )agentbbs /, `${programName()} `)}`

export const configOf = (context: CommandContext): Config => readConfig(context.env)

export const printJson = (context: CommandContext, value: unknown): void =>
  context.print(jsonText(value, 2))
