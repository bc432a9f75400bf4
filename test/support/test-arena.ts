import { Arena, type ArenaOptions } from '../../src/arena/arena.ts'
import type { Player } from '../../src/arena/player.ts'
import {
  type Leave,
  Matchmaking,
  type MatchmakingOptions,
  type SeekRequest,
} from '../../src/matchmaking/matchmaking.ts'
import { PartyTables, type PartyTablesOptions } from '../../src/matchmaking/party-tables.ts'
import { type RoomSettings, Rooms, type RoomsOptions } from '../../src/matchmaking/rooms.ts'
import type { Waiting } from '../../src/matchmaking/waiting.ts'
import { FakeClock } from './fake-clock.ts'

export type TestArenaOptions = ArenaOptions &
  Omit<MatchmakingOptions, 'arena' | 'failed'> & {
    /** What the rooms have besides. */
    readonly rooms?: Partial<RoomsOptions>
    /** What the tables that players set up have besides. */
    readonly parties?: Partial<PartyTablesOptions>
  }

/** The times of the tables, as a host has them that sets none. */
const roomSettings: RoomSettings = {
  classical: 60_000,
  blitz: 15_000,
  go: 60_000,
  debate: 90_000,
  trade: 90_000,
  firstTurn: 120_000,
  countdown: 3_000,
  grace: 15_000,
}

/**
 * An arena together with its matchmaking, its rooms and its tables, which are built and closed together. It shows its tables and the waiting players once
 * all that was asked in this tick is done.
 */
export class TestArena extends Arena {
  readonly matchmaking: Matchmaking
  readonly rooms: Rooms
  readonly parties: PartyTables

  constructor(options: TestArenaOptions) {
    super(options)
    const failed = options.failed
    this.matchmaking = new Matchmaking({
      ...options,
      arena: this,
      failed: error => failed?.(error, 0),
    })
    this.rooms = new Rooms({
      ...{ arena: this, matchmaking: this.matchmaking, settings: roomSettings },
      ...{ clock: options.clock, matchStore: options.matchStore },
      failed: error => failed?.(error, 0),
      ...options.rooms,
    })
    this.parties = new PartyTables({
      ...{ arena: this, matchmaking: this.matchmaking, clock: options.clock },
      ...{ matchStore: options.matchStore, house: options.house },
      failed: error => failed?.(error, 0),
      ...options.parties,
    })
  }

  override get tables(): Arena['tables'] {
    FakeClock.finishTick()
    return super.tables
  }

  get waiting(): readonly Waiting[] {
    FakeClock.finishTick()
    return this.matchmaking.waiting
  }

  seek(player: Player, request: SeekRequest): Leave {
    return this.matchmaking.seek(player, request)
  }

  review(): void {
    this.matchmaking.review()
  }

  override async close(grace: number, hurried?: Promise<void>): Promise<void> {
    this.rooms.close()
    this.parties.close()
    this.matchmaking.close()
    await super.close(grace, hurried)
  }
}
