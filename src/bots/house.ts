import { randomInt } from 'node:crypto'
import type { Account } from '../arena/account.ts'
import type { House } from '../arena/arena.ts'
import type { News, Player, Seated } from '../arena/player.ts'
import type { Terms } from '../arena/terms.ts'
import { Dice } from '../games/dice.ts'
import type { Game, Json, Seat } from '../games/game.ts'
import { isSearchable, type Question } from './best-move.ts'
import { randomMove } from './random-move.ts'

/** Seats house players, who know of every game no more than its contract. */
export const house =
  (
    account: (name: string) => Account,
    ask: (question: Question) => Promise<Json>,
    nodes = 5_000,
  ): House =>
  (game, strength) => {
    const name = strengthsOf(game).find(
      name => name === (strength === 'default' ? 'easy' : strength),
    )
    return name && new HousePlayer(account(`house-${name}`), minds[name](ask, nodes))
  }

/** What a game offers. Where luck decides all, as in Even/Odd, no strength is better than another. */
export const strengthsOf = (game: Game): readonly Strength[] =>
  isSearchable(game) ? ['easy', 'hard'] : ['easy', 'steady']

export type Strength = keyof typeof minds

/** Decides on a move in a position, at once or later. */
type Mind = (game: Game, state: unknown, seat: Seat) => Json | Promise<Json>

const thoughtful =
  (ask: (question: Question) => Promise<Json>, nodes: number): Mind =>
  (game, state, seat) =>
    ask({ game: game.id, state, seat, nodes, seed: freshSeed() })

const minds = {
  /** Plays any move. */
  easy: () => {
    const dice = freshDice()
    return (game, state, seat) => randomMove(game, state, seat, dice)
  },
  /** Looks ahead, which takes an idle core some tenths of a second at the standard number of nodes. */
  hard: thoughtful,
  /** Takes what is best at once, where nobody may look ahead. */
  steady: thoughtful,
} satisfies Record<string, typeof thoughtful>

const freshSeed = () => randomInt(2 ** 32)
const freshDice = () => Dice.fromSeed(freshSeed())

/** A house player cannot lose by the clock or by a refusal: it is there for the one who practises. */
const terms: Terms = {
  firstMove: 15_000,
  move: 15_000,
  illegal: 'retry',
  late: { strikes: Number.POSITIVE_INFINITY, otherwise: 'clock' },
  away: { grace: 0, clock: 'runs' },
}

class HousePlayer implements Player {
  readonly account: Account
  readonly terms = terms
  readonly #mind: Mind
  #place: Seated | null = null
  /** Grows whenever an answer that is still being thought about is no longer wanted. */
  #question = 0
  #isAnswering = false
  #stumbles = 0

  constructor(account: Account, mind: Mind) {
    this.account = account
    this.#mind = mind
  }

  tell(news: News): void {
    switch (news.kind) {
      case 'seated':
        this.#place = news
        break
      case 'shown':
        if (!news.yourTurn) this.#forget()
        else if (!this.#isAnswering) {
          this.#stumbles = 0
          void this.#answer(this.#mind)
        }
        break
      case 'strike':
        // Behind a long queue of other questions: whoever waits shall not wait for that.
        this.#stumble()
        break
      case 'refused':
        if (news.code === 'illegal-move') this.#stumble()
        // It was thinking of a board that another seat has changed meanwhile.
        if (news.code === 'stale-move') void this.#answer(this.#mind)
        break
      case 'ended':
      case 'aborted':
        this.#forget()
    }
  }

  #forget(): void {
    this.#question++
    this.#isAnswering = false
  }

  async #answer(mind: Mind): Promise<void> {
    const { chair, game, seat } = this.#place!
    const question = ++this.#question
    this.#isAnswering = true
    // Taken now, before others seal their moves of this round into it.
    const state = chair.position()
    // A table cannot be acted on while it tells the news, so the answer comes from a later turn.
    await new Promise(setImmediate)
    const move = await settle(() => mind(game, state, seat))
    if (question !== this.#question) return
    if (move === undefined) this.#stumble()
    else {
      this.#isAnswering = false
      chair.move(move)
    }
  }

  /** Any move will do now, and where none is taken there is none to be had. */
  #stumble(): void {
    if (++this.#stumbles <= mostStumbles) void this.#answer(minds.easy())
    else setImmediate(() => this.#place!.chair.resign())
  }
}

const mostStumbles = 5

/** Undefined when the mind fails: its thread, or the game it thinks about, has told whom it may concern. */
const settle = async (think: () => Json | Promise<Json>): Promise<Json | undefined> => {
  try {
    return await think()
  } catch {
    return undefined
  }
}
