import { didYouMean } from '../nearest.ts'
import { type CommandContext, command, Failure } from '../queries/command.ts'
import { number } from '../queries/numbers.ts'
import { withStore } from '../queries/with-store.ts'
import type { Pieces } from '../scheduling/text-stream.ts'
import type { Chains } from '../store/chains.ts'
import { ratingLines } from './export-ratings.ts'

export const exportMatches = (context: CommandContext) =>
  command(
    'export',
    'Print every finished match as NDJSON, ladder by ladder, in the order of the seals.',
    'agentbbs export > matches.ndjson',
    'agentbbs export --ladder ttt --after 1000',
    'agentbbs export --ratings | python3 board.py',
  )
    .option(
      '--ladder <name>',
      'only this ladder: a game, or a game and +thinking, +blind, +people or +event:NAME',
    )
    .option(
      '--after <seal>',
      'only matches with a higher seal number on their ladder',
      number(0),
      0,
    )
    .option(
      '--ratings',
      'what strengths follow from: the terms of each fit, and the matches that count',
    )
    .action(({ ladder, after, ratings }: Options) =>
      withStore(context, async store => {
        const { chains } = store
        const known = [...chains.ladders()]
        if (ladder !== undefined && !known.includes(ladder))
          throw new Failure(
            `no finished match on the ladder ${ladder}${didYouMean(ladder, known)}: there are ${known.join(', ') || 'none'}`,
          )
        await context.stream(() => {
          const ladders = ladder === undefined ? known : [ladder]
          return ratings ? ratingLines(store, ladders) : pieces(chains, ladders, after)
        }, 0)
      }),
    )

interface Options {
  readonly ladder?: string
  readonly after: number
  readonly ratings?: true
}

function* pieces(chains: Chains, ladders: readonly string[], after: number): Pieces {
  for (const ladder of ladders) yield* chains.lines(ladder, after)
}
