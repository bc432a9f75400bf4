import { command, type Desk, Failure, withStore } from './desk.ts'
import { number } from './numbers.ts'

export const exportMatches = (desk: Desk) =>
  command(
    'export',
    'Print every match that is over, ladder by ladder in the order of its seals, as NDJSON.',
    'agentbbs export > matches.ndjson',
    'agentbbs export --ladder ttt --after 1000',
  )
    .option('--ladder <name>', 'only this ladder: a game, or a game and +people')
    .option('--after <seal>', 'only what was sealed after this number of its ladder', number(0), 0)
    .action(({ ladder, after }: { ladder?: string; after: number }) =>
      withStore(desk, ({ chains }) => {
        const known = [...chains.ladders()]
        if (ladder !== undefined && !known.includes(ladder))
          throw new Failure(
            `no match on the ladder ${ladder} is over: there are ${known.join(', ') || 'none'}`,
          )
        for (const one of ladder === undefined ? known : [ladder])
          for (const lines of chains.lines(one, after))
            if (lines !== '') desk.print(lines.trimEnd())
      }),
    )
