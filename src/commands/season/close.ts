import { Option } from 'commander'
import { restartRules } from '../../arena/season.ts'
import { type CommandContext, command, Failure, printJson } from '../../queries/command.ts'
import { ladderNamed } from '../../queries/ladder.ts'
import { timeOption } from '../../queries/since-time.ts'
import { withStore } from '../../queries/with-store.ts'
import { countText } from '../../record/count-text.ts'
import { restartText, type Season, seasonJson } from '../../record/season-record.ts'
import { isoTime, momentText } from '../../record/time-text.ts'
import { printable } from '../../text/printable.ts'
import { operatorOf } from '../audited.ts'

export const closeSeason = (context: CommandContext) =>
  command(
    'close',
    'Close the season of a ladder, now or at a date: keep and seal its table, and let its ratings start again.',
    'agentbbs season close ttt --title "Autumn 2026" --rule half',
    'agentbbs season close ttt --title "Winter 2026" --rule kept --at 2027-01-01T00:00',
  )
    .argument('<ladder>', 'a game, with +thinking, +blind or +people for its other ladders')
    .requiredOption('--title <title>', 'the name of the season, up to 60 characters')
    .addOption(
      new Option('--rule <rule>', 'ratings are kept, or go half way back to 1500')
        .choices(restartRules)
        .makeOptionMandatory(),
    )
    .option('--at <time>', 'a date in UTC, at which the host closes it')
    .action((id: string, { title, rule, at, json }: Options) =>
      withStore(context, ({ ladders, closing }) => {
        const ladder = ladderNamed(ladders, id.toLowerCase())
        const named = { title: titleOf(title), rule }
        const actor = operatorOf(context)
        if (at === undefined) {
          const season = closing.close(ladder, named, actor)
          if ('problem' in season) throw new Failure(season.problem)
          if (json) return printJson(context, seasonJson(season))
          context.print(
            `Season ${season.number} of ${ladder.id} is closed after ${countText(season.matches, 'match')}. ${restartText(rule)}`,
          )
          return
        }
        const date = timeOption('--at')(at)
        const problem = closing.closeAt(ladder, named, date, actor)
        if (problem !== null) throw new Failure(problem.problem)
        if (json) return printJson(context, { ladder: ladder.id, ...named, at: isoTime(date) })
        context.print(`The season of ${ladder.id} will close at ${momentText(date)}.`)
      }),
    )

interface Options extends Pick<Season, 'title' | 'rule'> {
  readonly at?: string
  readonly json?: true
}

const titleOf = (text: string): string => {
  const title = text.trim()
  if (title !== '' && title.length <= 60 && printable(title) === title && !title.includes('\n'))
    return title
  throw new Failure(
    `--title ${JSON.stringify(text.slice(0, 80))}: a title has 1 to 60 characters in one line`,
  )
}
