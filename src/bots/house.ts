import { randomInt } from 'node:crypto'
import type { Account, AccountId } from '../arena/account.ts'
import type { House } from '../arena/arena.ts'
import type { News, Player, Seated } from '../arena/player.ts'
import type { Terms } from '../arena/terms.ts'
import { Dice } from '../games/dice.ts'
import type { Json } from '../games/game.ts'
import type { Question } from './best-move.ts'
import { levelNamed } from './levels.ts'
import { randomMove } from './random-move.ts'

/** Thinks about a question on behalf of an account, until it is no longer wanted. */
type Ask = (question: Question, account: AccountId, unwanted: AbortSignal) => Promise<Json>

/** Seats house players, who know of every game no more than its contract. */
export const house =
  (account: (name: string) => Account, ask: Ask): House =>
  (game, name) => {
    const level = levelNamed(game, name)
    return level && new HousePlayer(account(`house-${level.name}`), level.nodes, ask)
  }

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
  readonly #nodes: number
  readonly #ask: Ask
  readonly #dice = Dice.fromSeed(freshSeed())
  #place: Seated | null = null
  /** Cut short when the answer that is being thought about is no longer wanted; null while there is none. */
  #thought: AbortController | null = null
  #stumbles = 0

  constructor(account: Account, nodes: number, ask: Ask) {
    this.account = account
    this.#nodes = nodes
    this.#ask = ask
  }

  tell(news: News): void {
    switch (news.kind) {
      case 'seated':
        this.#place = news
        break
      case 'shown':
        if (!news.yourTurn) this.#forget()
        else if (this.#thought === null) {
          this.#stumbles = 0
          void this.#answer(this.#think)
        }
        break
      case 'strike':
        this.#stumble()
        break
      case 'refused':
        if (news.code === 'illegal-move') this.#stumble()
        // It was thinking of a board that another seat has changed meanwhile.
        if (news.code === 'stale-move') void this.#answer(this.#think)
        break
      case 'ended':
      case 'aborted':
        this.#forget()
    }
  }

  #forget(): void {
    this.#thought?.abort()
    this.#thought = null
  }

  async #answer(choose: Choose): Promise<void> {
    const { chair, game, seat } = this.#place!
    this.#forget()
    const thought = new AbortController()
    this.#thought = thought
    // Taken now, before others seal their moves of this round into it.
    const state = chair.position()
    // A table cannot be acted on while it tells the news, so the answer comes from a later turn.
    await new Promise(setImmediate)
    if (thought.signal.aborted) return
    const question = { game: game.id, state, seat, nodes: this.#nodes, seed: freshSeed() }
    const move = await settle(() => choose(question, thought.signal))
    if (thought.signal.aborted) return
    this.#thought = null
    if (move === undefined) this.#stumble()
    else chair.move(move)
  }

  /** On behalf of the account that practises, which has its share of all the thinking. */
  readonly #think: Choose = (question, unwanted) => {
    const { accounts } = this.#place!
    const { id } = accounts.find(({ kind }) => kind !== 'house') ?? this.account
    return this.#ask(question, id, unwanted)
  }

  /** Any move will do now, and where none is taken there is none to be had. All are told that it was not chosen. */
  #stumble(): void {
    const { chair, game } = this.#place!
    if (++this.#stumbles <= mostStumbles)
      void this.#answer(({ state, seat }) => {
        chair.atRandom()
        return randomMove(game, state, seat, this.#dice)
      })
    else setImmediate(() => chair.resign())
  }
}

type Choose = (question: Question, unwanted: AbortSignal) => Json | Promise<Json>

const mostStumbles = 5

const freshSeed = () => randomInt(2 ** 32)

/** Undefined when nothing comes of it: the thread is too busy or has ended, or the game has a fault that was told. */
const settle = async (think: () => Json | Promise<Json>): Promise<Json | undefined> => {
  try {
    return await think()
  } catch {
    return undefined
  }
}
