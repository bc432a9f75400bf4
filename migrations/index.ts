import type { Migration } from 'kysely'
import * as start from './0001-start.ts'
import * as pages from './0002-pages.ts'
import * as codes from './0003-codes.ts'
import * as fair from './0004-fair.ts'
import * as setup from './0005-setup.ts'
import * as seals from './0006-seals.ts'
import * as gains from './0007-gains.ts'
import * as appendOnly from './0008-append-only.ts'
import * as ladders from './0009-ladders.ts'
import * as credentials from './0010-credentials.ts'
import * as protocols from './0011-protocols.ts'
import * as spaces from './0012-spaces.ts'
import * as versions from './0013-versions.ts'
import * as notes from './0014-notes.ts'
import * as events from './0015-events.ts'
import * as strengths from './0016-strengths.ts'
import * as seasons from './0017-seasons.ts'
import * as leagueAgents from './0018-league-agents.ts'
import * as recurringEvents from './0019-recurring-events.ts'
import * as points from './0020-points.ts'
import * as roomElo from './0021-room-elo.ts'
import * as guests from './0022-guests.ts'
import * as clawpolyAgents from './0023-clawpoly-agents.ts'

/** Every migration in its order. Forward only: what a release has once applied is never changed again. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-start': start,
  '0002-pages': pages,
  '0003-codes': codes,
  '0004-fair': fair,
  '0005-setup': setup,
  '0006-seals': seals,
  '0007-gains': gains,
  '0008-append-only': appendOnly,
  '0009-ladders': ladders,
  '0010-credentials': credentials,
  '0011-protocols': protocols,
  '0012-spaces': spaces,
  '0013-versions': versions,
  '0014-notes': notes,
  '0015-events': events,
  '0016-strengths': strengths,
  '0017-seasons': seasons,
  '0018-league-agents': leagueAgents,
  '0019-recurring-events': recurringEvents,
  '0020-points': points,
  '0021-room-elo': roomElo,
  '0022-guests': guests,
  '0023-clawpoly-agents': clawpolyAgents,
}
