import { Arena, type ArenaOptions } from '../../src/arena/arena.ts'
import type { Player } from '../../src/arena/player.ts'
import {
  type Leave,
  Matchmaking,
  type MatchmakingOptions,
  type SeekRequest,
} from '../../src/matchmaking/matchmaking.ts'
import type { Waiting } from '../../src/matchmaking/waiting.ts'
import { FakeClock } from './fake-clock.ts'

export type TestArenaOptions = ArenaOptions & Omit<MatchmakingOptions, 'arena' | 'failed'>

/**
 * An arena together with its matchmaking, which are built and closed together. It shows its tables and the waiting players once
 * all that was asked in this tick is done.
 */
export class TestArena extends Arena {
  readonly matchmaking: Matchmaking

  constructor(options: TestArenaOptions) {
    super(options)
    const failed = options.failed
    this.matchmaking = new Matchmaking({
      ...options,
      arena: this,
      failed: error => failed?.(error, 0),
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
    this.matchmaking.close()
    await super.close(grace, hurried)
  }
}
