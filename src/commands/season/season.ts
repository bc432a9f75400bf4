import { Command } from 'commander'
import type { CommandContext } from '../../queries/command.ts'
import { season as showSeason } from '../../queries/season.ts'
import { seasons as listSeasons } from '../../queries/seasons.ts'
import { cancelSeason } from './cancel.ts'
import { closeSeason } from './close.ts'
import { verifySeasons } from './verify.ts'

/** The commands of seasons, each a file of this folder. */
export const season = (context: CommandContext): Command => {
  const all = new Command('season')
    .summary('Close the season of a ladder, and show closed ones')
    .description(
      'Close the season of a ladder: its table is kept, and its ratings start again. docs/seasons.md explains seasons.',
    )
  for (const made of [
    closeSeason(context),
    cancelSeason(context),
    listSeasons(context, 'list', 'agentbbs season list'),
    showSeason(context, 'show', 'agentbbs season show ttt 1'),
    verifySeasons(context),
  ])
    all.addCommand(made)
  return all
}
