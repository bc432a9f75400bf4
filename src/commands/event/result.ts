import { settle } from '../../events/taking-part.ts'
import { type CommandContext, command, Failure, printJson } from '../../queries/command.ts'
import { userNamed } from '../../queries/known-user.ts'
import { withStore } from '../../queries/with-store.ts'
import { boardNames, namesOf } from '../../record/event-text.ts'
import { changeEvent } from './change.ts'

export const resultEvent = (context: CommandContext) =>
  command(
    'result',
    'Decide a pairing or a group of an event, in place of its matches.',
    'agentbbs event result spring-cup 2.1 1-0 --reason "the other one cheated"',
    'agentbbs event result spring-cup 2.1 none --reason "the network was down"',
    'agentbbs event result dance-cup 1.1 1,3,2,4 --reason "by the referee"',
  )
    .argument('<event>', 'the name of the event')
    .argument('<number>', 'the round and the pairing in it, as 2.1: event show has them')
    .argument(
      '<result>',
      '1-0, 0-1, 1/2-1/2, 0-0 where both lose, places such as 1,3,2,4, or none where it does not count',
    )
    .requiredOption('--reason <text>', 'the reason, which is public')
    .option('--absent <names>', 'who did not come, separated by commas: twice, and it is withdrawn')
    .action((id: string, number: string, result: string, { reason, absent, json }: Options) =>
      withStore(context, store => {
        const [round, board] = numberOf(number)
        const places = placesOf(result)
        const missing = (absent?.split(',') ?? []).map(name => userNamed(store, name.trim()).id)
        const { state } = changeEvent(
          context,
          store,
          id,
          state => {
            const accounts = state.rounds[round - 1]?.boards[board - 1]?.accounts
            const most = accounts?.length ?? 0
            if (accounts !== undefined && places !== null && !fits(places, most))
              throw new Failure(
                `${number} is between ${most}: give ${most} places from 1 to ${most}, not ${result}`,
              )
            const stranger = missing.findIndex(account => !accounts?.includes(account))
            if (accounts !== undefined && stranger >= 0)
              throw new Failure(`${absent!.split(',')[stranger]!.trim()} is not in ${number}`)
            return settle(state, { round, board, places, absent: missing, reason })
          },
          { action: 'set-result', detail: `${number} ${result}`, reason },
        )
        if (json) return printJson(context, { id: state.plan.id, number, places, reason })
        const decided = state.rounds[round - 1]!.boards[board - 1]!
        context.print(`${boardNames(decided, namesOf(state))} is decided: ${result}.`)
      }),
    )

interface Options {
  readonly reason: string
  readonly absent?: string
  readonly json?: true
}

const numberOf = (text: string): readonly [number, number] => {
  const [, round, board] = /^(\d{1,4})\.(\d{1,4})$/.exec(text) ?? []
  if (round === undefined) throw new Failure(`${text} is no pairing: write it like 2.1`)
  return [Number(round), Number(board)]
}

const results: Readonly<Record<string, readonly number[] | null>> = {
  '1-0': [1, 2],
  '0-1': [2, 1],
  '1/2-1/2': [1, 1],
  '½-½': [1, 1],
  '0-0': [2, 2],
  none: null,
}

const placesOf = (text: string): readonly number[] | null => {
  const known = results[text]
  if (known !== undefined) return known
  if (/^\d{1,2}(,\d{1,2})+$/.test(text)) return text.split(',').map(Number)
  throw new Failure(
    `${text} is no result: give ${Object.keys(results).join(', ')}, or places such as 1,3,2,4`,
  )
}

const fits = (places: readonly number[], most: number): boolean =>
  places.length === most && places.every(place => place >= 1 && place <= most)
