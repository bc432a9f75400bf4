import { type CommandContext, command, Failure, printJson } from '../../queries/command.ts'
import { withStore } from '../../queries/with-store.ts'
import { countText } from '../../record/count-text.ts'
import { checkSeals } from '../../store/seal-check.ts'
import { checkSeasons } from '../../store/season-check.ts'

export const verifySeasons = (context: CommandContext) =>
  command(
    'verify',
    'Compute the seals of all matches and seasons again, and recalculate the tables of all seasons. No match is replayed.',
    'agentbbs season verify',
  ).action(({ json }: { json?: true }) => {
    const { seasons, seals, differences } = withStore(context, store =>
      // One transaction reads everything, because a server may write at the same time.
      store.db.file.transaction(() => {
        const sealed = checkSeals(store)
        return {
          seasons: store.seasons.all().length,
          seals: sealed.seals,
          differences: [...sealed.differences, ...checkSeasons(store)],
        }
      })(),
    )
    if (json) printJson(context, { seasons, seals, differences })
    else for (const difference of differences) context.print(difference)
    if (differences.length > 0)
      throw new Failure(
        `${countText(differences.length, 'difference')} in ${countText(seasons, 'season')}`,
      )
    if (!json)
      context.print(
        `${countText(seasons, 'season')} and ${countText(seals, 'seal')} are as they should be.`,
      )
  })
