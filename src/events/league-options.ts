import type { EventPlan } from './plan.ts'

/**
 * What a league of league.v2 lays down beside its plan, as `EventPlan.options` has it. What is left out is as here. Times
 * are in milliseconds.
 */
export const leagueDefaults = {
  /** How long a player may take to accept an invitation. */
  join: 5_000,
  /** How long it may take for a choice or a move. */
  choice: 30_000,
  /** How long a server may take for all that is not of a match. */
  reply: 10_000,
  /** How long a referee from elsewhere may take for the result of a match, counted from the announcement. */
  report: 120_000,
  /** So much longer for each match that waits before it at the same referee. */
  queued: 60_000,
  /** Takes requests without tokens and without some base fields, and some mistakes in replies. */
  lenient: false,
  /** Whether referees from elsewhere may register, and are given matches. */
  referees: true,
  /** Whether the sender is `league_manager:LM01`, as one strict client wants it, and not `league_manager`. */
  'strict-sender': false,
  /** Whether what is sent has some `auth_token`, as one strict client wants it. It grants nothing. */
  'throwaway-token': false,
}

export type LeagueOptions = Readonly<typeof leagueDefaults>

/** As league.v2 names the ordinary queue, where it names a league. No event has this id. */
export const queueId = 'queue'

/** The options of a plan. */
export const leagueOptionsOf = ({ options }: Pick<EventPlan, 'options'>): LeagueOptions => ({
  ...leagueDefaults,
  ...options,
})

/** The first option that is none, or whose value is of another kind; undefined where there is none. */
export const wrongLeagueOption = (options: EventPlan['options']): string | undefined =>
  Object.keys(options).find(
    name => typeof options[name] !== typeof leagueDefaults[name as keyof typeof leagueDefaults],
  )
