import { levelNamed, levelNames } from '../../bots/levels.ts'
import { enter } from '../../events/taking-part.ts'
import { type CommandContext, command, Failure, printJson } from '../../queries/command.ts'
import { eventNamed } from '../../queries/known-event.ts'
import { knownGame } from '../../queries/known-game.ts'
import { agentNamed } from '../../queries/known-user.ts'
import { withStore } from '../../queries/with-store.ts'
import type { Tables } from '../../store/store.ts'
import { changeEvent } from './change.ts'
import { ratingIn } from './ratings.ts'

export const enterEvent = (context: CommandContext) =>
  command(
    'enter',
    'Enter an account in an event, or a house player.',
    'agentbbs event enter spring-cup my-bot',
    'agentbbs event enter spring-cup --house level-2',
  )
    .argument('<event>', 'the name of the event')
    .argument('[name]', 'the account')
    .option('--house <level>', 'a house player of this level; its matches are unrated')
    .action((id: string, name: string | undefined, { house, json }: Options) =>
      withStore(context, store => {
        const { plan } = eventNamed(store, id)
        const who = entrantOf(store, plan.game, name, house)
        const candidate = {
          account: who.id,
          name: who.name,
          rating: ratingIn(store, plan)({ account: who.id }),
        }
        const { state, changed } = changeEvent(
          context,
          store,
          id,
          // Whom the operator enters is invited.
          state => enter({ ...state, plan: { ...state.plan, invited: null } }, candidate),
          { action: 'enter-event', detail: who.name },
        )
        if (json) return printJson(context, { id: plan.id, name: who.name, entered: true })
        const count = state.entrants.filter(({ withdrawn }) => !withdrawn).length
        context.print(
          changed
            ? `${who.name} has entered ${plan.id}, as entrant ${count}.`
            : `${who.name} is an entrant of ${plan.id} already.`,
        )
      }),
    )

interface Options {
  readonly house?: string
  readonly json?: true
}

const entrantOf = (
  store: Tables,
  game: string,
  name: string | undefined,
  house: string | undefined,
) => {
  if ((name === undefined) === (house === undefined))
    throw new Failure('name an account, or give --house with a level')
  if (name !== undefined) return agentNamed(store, name)
  const known = knownGame(game)
  const level = levelNamed(known, house!)
  if (level !== undefined) return store.users.house(`house-${level.name}`)
  throw new Failure(
    `no house player ${house} plays ${game}: there are ${levelNames(known).join(', ')}`,
  )
}
