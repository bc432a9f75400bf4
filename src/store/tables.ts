import type { Clock } from '../clock.ts'
import { Audit } from './audit.ts'
import { Chains } from './chains.ts'
import { ClawpolyAgents } from './clawpoly-agents.ts'
import { Codes } from './codes.ts'
import type { Database } from './database.ts'
import { EventStates } from './event-states.ts'
import { EventLog } from './events.ts'
import { Keys } from './keys.ts'
import { Ladders } from './ladders.ts'
import { LeagueAgents } from './league-agents.ts'
import { Matches } from './matches.ts'
import { PointTable } from './point-table.ts'
import { Profiles } from './profiles.ts'
import { Rankings } from './rankings.ts'
import { Ratings } from './ratings.ts'
import { RecurringEvents } from './recurring-events.ts'
import { RoomEloTable } from './room-elo-table.ts'
import { SeasonClosing } from './season-closing.ts'
import { Seasons } from './seasons.ts'
import { Strengths } from './strengths.ts'
import { Tokens } from './tokens.ts'
import { Users } from './users.ts'
import { Voids } from './voids.ts'

/** The tables, which commands may read and change beside a running server. */
export interface Tables {
  readonly db: Database
  readonly users: Users
  readonly keys: Keys
  readonly tokens: Tokens
  readonly codes: Codes
  readonly matches: Matches
  readonly voids: Voids
  readonly chains: Chains
  readonly audit: Audit
  readonly ladders: Ladders
  readonly ratings: Ratings
  readonly strengths: Strengths
  readonly seasons: Seasons
  readonly closing: SeasonClosing
  readonly rankings: Rankings
  readonly profiles: Profiles
  readonly points: PointTable
  readonly elo: RoomEloTable
  readonly events: EventLog
  readonly recurring: RecurringEvents
  readonly eventStates: EventStates
  readonly leagueAgents: LeagueAgents
  readonly clawpolyAgents: ClawpolyAgents
}

export const tablesOf = (db: Database, clock: Clock): Tables => {
  const matches = new Matches(db)
  const seasons = new Seasons(db)
  const events = new EventLog(db, clock)
  return {
    db,
    users: new Users(db, clock),
    keys: new Keys(db, clock),
    tokens: new Tokens(db, clock),
    codes: new Codes(db, clock),
    matches,
    chains: new Chains(db, matches, seasons),
    voids: new Voids(db, clock),
    audit: new Audit(db, clock),
    ladders: new Ladders(db),
    ratings: new Ratings(db),
    strengths: new Strengths(db),
    seasons,
    closing: new SeasonClosing(db, clock),
    rankings: new Rankings(db),
    profiles: new Profiles(db),
    points: new PointTable(db),
    elo: new RoomEloTable(db),
    recurring: new RecurringEvents(db, clock),
    events,
    eventStates: new EventStates(events),
    leagueAgents: new LeagueAgents(db),
    clawpolyAgents: new ClawpolyAgents(db),
  }
}
