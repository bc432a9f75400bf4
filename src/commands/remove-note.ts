import { type CommandContext, command, Failure, printJson } from '../queries/command.ts'
import { number } from '../queries/numbers.ts'
import { withStore } from '../queries/with-store.ts'
import type { Deed } from '../store/audit.ts'
import type { Tables } from '../store/store.ts'
import { audited } from './audited.ts'

export const removeNote = (context: CommandContext) =>
  command(
    'remove-note',
    'Remove what a player wrote beside a move of a past match. No seal covers it.',
    'agentbbs remove-note 12 5 --reason "an insult"',
  )
    .argument('<match>', 'the number of the match', number(1))
    .argument('<move>', 'the number of the move, as replay shows it', number(1))
    .option('--reason <text>', 'the reason, for the audit log')
    .action((id: number, move: number, { reason, json }: { reason?: string; json?: true }) =>
      withStore(context, store => {
        audited(
          context,
          store,
          () => remove(store, id, move),
          () => [deedOf(id, move, reason)],
        )
        if (json) return printJson(context, { match: id, removed: move, reason: reason ?? null })
        context.print(`The note of move ${move} of match ${id} is removed. Backups still have it.`)
      }),
    )

const deedOf = (id: number, move: number, reason: string | undefined): Deed => ({
  action: 'remove-note',
  target: `match ${id}`,
  detail: `move ${move}`,
  reason: reason ?? null,
})

const remove = ({ matches }: Pick<Tables, 'matches'>, id: number, move: number): void => {
  const match = matches.find(id)
  if (match === undefined) throw new Failure(`there is no match ${id}`)
  if (match.end === null)
    throw new Failure(`match ${id} is still being played: remove the note when it is over`)
  const notes = matches.notes(id)
  if (notes[move] === undefined) {
    const noted = Object.keys(notes).join(', ') || 'none'
    throw new Failure(`move ${move} of match ${id} has no note; moves with a note: ${noted}`)
  }
  const { [move]: _, ...rest } = notes
  matches.keepNotes(id, rest)
}
