import type { Account } from '../../src/arena/account.ts'
import type { Ended, News, Player, Seated, SeatHandle } from '../../src/arena/player.ts'
import type { Terms } from '../../src/arena/terms.ts'
import { ttt } from '../../src/games/ttt.ts'
import type { Leave, SeekRequest } from '../../src/matchmaking/matchmaking.ts'
import { FakeClock } from './fake-clock.ts'
import { strictTerms } from './played.ts'
import type { TestArena } from './test-arena.ts'

/** A player that collects its news, apart from `queued`, and acts only when the test does. */
export class TestPlayer implements Player {
  readonly account: Account
  readonly terms: Terms
  readonly protocol?: string
  readonly #arena: TestArena
  readonly #messages: News[] = []
  leave: Leave = () => {}

  constructor(
    arena: TestArena,
    id: number,
    {
      terms = strictTerms,
      protocol,
      account = { id, name: `Agent-${id}`, kind: 'player' },
    }: Partial<Pick<Player, 'terms' | 'protocol' | 'account'>> = {},
  ) {
    this.#arena = arena
    this.terms = terms
    if (protocol !== undefined) this.protocol = protocol
    this.account = account
  }

  /** Forgets earlier news, and asks for a match. */
  seek(request: Partial<SeekRequest> = {}): this {
    this.#messages.length = 0
    this.leave = this.#arena.seek(this, { game: ttt, ...request })
    FakeClock.finishTick()
    return this
  }

  tell(message: News): void {
    if (message.kind !== 'queued') this.#messages.push(message)
  }

  get messages(): News[] {
    FakeClock.finishTick()
    return this.#messages
  }

  get seated(): Seated | undefined {
    return this.messages.findLast(message => message.kind === 'seated')
  }

  get handle(): SeatHandle {
    return this.seated!.handle
  }

  get opponent(): string | undefined {
    return this.seated?.accounts.find(account => account.id !== this.account.id)?.name
  }

  get ended(): Ended | undefined {
    return this.messages.findLast(message => message.kind === 'ended')
  }

  get kinds(): string[] {
    return this.messages.map(message => message.kind)
  }
}
