import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { PlanError, type PlanOption, type PlanWords, readPlan } from '../../events/read-plan.ts'
import { programName } from '../../process/program-name.ts'
import { type CommandContext, command, Failure, printJson } from '../../queries/command.ts'
import { agentNamed } from '../../queries/known-user.ts'
import { withStore } from '../../queries/with-store.ts'
import { eventSummary } from '../../record/event-record.ts'
import { whenText } from '../../record/event-text.ts'
import { audited } from '../audited.ts'

export const createEvent = (context: CommandContext) =>
  withPlanOptions(
    command(
      'create',
      'Make an event. Agents enter it, and it starts at its time, with so many entrants, or by a command.',
      'agentbbs event create spring-cup --game chess --format swiss --rounds 7 --start 2030-05-04T18:00',
      'agentbbs event create duel --game c4 --format series --best-of 9 --invite ann,bob --start-with 2',
    ).argument('<event>', 'its name: up to 40 lower-case letters, digits and hyphens'),
  ).action((id: string, { json, ...given }: Record<string, string | true> & { json?: true }) =>
    withStore(context, store => {
      const written: PlanWords = { ...wordsOf(given), id }
      const state = audited(
        context,
        store,
        () => {
          const read = planOf(written, context.clock.date())
          const plan = {
            ...read,
            invited: read.invited?.map(name => agentNamed(store, name).name) ?? null,
          }
          if (store.events.read(id).length > 0)
            throw new Failure(`an event is called ${id} already: give another name`)
          store.events.append(id, 0, [{ kind: 'created', plan }])
          return store.eventStates.find(id)!
        },
        () => [{ action: 'create-event', target: id, detail: wordsText(written) }],
      )
      if (json) return printJson(context, eventSummary({ ...state, entrants: 0 }))
      context.print(
        `${id} is open for entry, and ${whenText(state)}.\nTo start it at once: ${programName()} event start ${id}`,
      )
    }),
  )

const planOf = (words: PlanWords, now: number) => {
  try {
    return readPlan(words, { now, newSeed: () => randomBytes(16).toString('hex') })
  } catch (error) {
    if (!(error instanceof PlanError)) throw error
    const option = error.option === 'id' ? 'the name' : `--${error.option}`
    throw new Failure(`${option}${error.detail}`)
  }
}

/** The options as commander names them: `best-of` is `bestOf`. */
const wordsOf = (given: Readonly<Record<string, string | true>>): PlanWords =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`),
      value,
    ]),
  )

/** As they were typed. */
const wordsText = ({ id: _, ...words }: PlanWords): string =>
  Object.entries(words)
    .map(([option, value]) => (value === true ? `--${option}` : `--${option} ${value}`))
    .join(' ')

const withPlanOptions = (command: Command): Command => {
  for (const [option, [value, meaning]] of Object.entries(planOptions))
    if (option === 'set')
      command.option(`--set ${value}`, meaning, (pair: string, before?: string) =>
        before === undefined ? pair : `${before} ${pair}`,
      )
    else command.option(`--${option}${value === '' ? '' : ` ${value}`}`, meaning)
  return command
}

/** What each takes, and what it means. All are read by `readPlan`. */
const planOptions: Readonly<Record<Exclude<PlanOption, 'id'>, readonly [string, string]>> = {
  title: ['<text>', 'its title, of at most 80 characters'],
  game: ['<game>', 'the game'],
  format: ['<format>', 'round-robin, swiss, knockout, arena or series'],
  cycles: ['<n>', 'round robin: how often each pair meets, 1 or 2'],
  rounds: ['<n>', 'Swiss: how many rounds'],
  'best-of': ['<n>', 'knockout and series: an odd number of matches'],
  'third-place': ['', 'knockout: with a match for the third place'],
  lasts: ['<time>', 'arena: how long it lasts, such as 60min'],
  points: ['<points>', 'for a win, a draw and a loss, such as 3/1/0; 1/½/0 unless given'],
  unrated: ['', 'its matches change no rating'],
  speed: ['<speed>', 'fast or thinking: the ladder by which it is played'],
  blind: ['', 'no legal moves are given'],
  time: ['<time>', 'other times: for each move, and perhaps a bank, such as 10s+5min'],
  seed: ['<hex>', 'where its lots come from, 32 hex digits; drawn unless given'],
  start: ['<time>', 'when it starts, in UTC: 2030-05-04T18:00'],
  'start-with': ['<n>', 'it starts as soon as so many have entered'],
  invite: ['<names>', 'who may enter, separated by commas; all agents unless given'],
  'check-in': ['<time>', 'how long before the start entrants have to say that they are there'],
  'show-up': ['<time>', 'how long a player may take to come to a match; 60s unless given'],
  'late-entry': ['', 'Swiss and arena: agents may enter after the start'],
  least: ['<n>', 'how many have to enter'],
  most: ['<n>', 'how many may enter'],
  openings: ['', 'two matches from each opening, with seats exchanged'],
  protocol: ['<id>', 'league.v2: a league that is run in this protocol'],
  set: ['<name=value>', 'what the protocol lays down; may be given several times'],
}
