import { didYouMean } from '../nearest.ts'
import { type CommandContext, command, Failure } from '../queries/command.ts'
import { number } from '../queries/numbers.ts'
import { withStore } from '../queries/with-store.ts'
import type { Pieces } from '../scheduling/text-stream.ts'
import type { Chains } from '../store/chains.ts'

export const exportMatches = (context: CommandContext) =>
  command(
    'export',
    'Print every finished match as NDJSON, ladder by ladder, in the order of the seals.',
    'agentbbs export > matches.ndjson',
    'agentbbs export --ladder ttt --after 1000',
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
    .action(({ ladder, after }: { ladder?: string; after: number }) =>
      withStore(context, async ({ chains }) => {
        const known = [...chains.ladders()]
        if (ladder !== undefined && !known.includes(ladder))
          throw new Failure(
            `no finished match on the ladder ${ladder}${didYouMean(ladder, known)}: there are ${known.join(', ') || 'none'}`,
          )
        await context.stream(
          () => pieces(chains, ladder === undefined ? known : [ladder], after),
          0,
        )
      }),
    )

function* pieces(chains: Chains, ladders: readonly string[], after: number): Pieces {
  for (const ladder of ladders) yield* chains.lines(ladder, after)
}
