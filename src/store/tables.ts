import type { Clock } from '../clock.ts'
import { Audit } from './audit.ts'
import { Chains } from './chains.ts'
import { Codes } from './codes.ts'
import type { Database } from './database.ts'
import { Keys } from './keys.ts'
import { Ladders } from './ladders.ts'
import { Matches } from './matches.ts'
import { Profiles } from './profiles.ts'
import { Rankings } from './rankings.ts'
import { Ratings } from './ratings.ts'
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
  readonly rankings: Rankings
  readonly profiles: Profiles
}

export const tablesOf = (db: Database, clock: Clock): Tables => {
  const matches = new Matches(db)
  return {
    db,
    users: new Users(db, clock),
    keys: new Keys(db, clock),
    tokens: new Tokens(db, clock),
    codes: new Codes(db, clock),
    matches,
    chains: new Chains(db, matches),
    voids: new Voids(db, clock),
    audit: new Audit(db, clock),
    ladders: new Ladders(db),
    ratings: new Ratings(db),
    rankings: new Rankings(db),
    profiles: new Profiles(db),
  }
}
