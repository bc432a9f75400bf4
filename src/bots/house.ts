import { randomInt } from 'node:crypto'
import type { Account, AccountId } from '../arena/account.ts'
import type { News, Player, Seated } from '../arena/player.ts'
import type { Terms } from '../arena/terms.ts'
import { Dice } from '../games/dice.ts'
import type { Json } from '../games/game.ts'
import type { House } from '../matchmaking/practice.ts'
import type { Question } from './best-move.ts'
import { levelNamed } from './levels.ts'
import { randomMove } from './random-move.ts'

/** Searches for a move on behalf of an account, until the signal cancels it. */
type Ask = (question: Question, account: AccountId, cancelled: AbortSignal) => Promise<Json>

/**
 * Makes house players. They work for every game. `account` makes an account when it is first needed; `roll`: a whole number
 * from 0 to n − 1, for the seeds of their luck.
 */
export const house =
  (
    account: (name: string) => Account | Promise<Account>,
    ask: Ask,
    roll: (n: number) => number = n => randomInt(n),
  ): House =>
  (game, name) => {
    const level = levelNamed(game, name)
    if (level === undefined) return undefined
    const found = account(`house-${level.name}`)
    const make = (account: Account) => () => new HousePlayer(account, level.nodes, ask, roll)
    return found instanceof Promise ? found.then(make) : make(found)
  }

/** A house player never loses by the clock or by an illegal move: it is there for practice. */
const terms: Terms = {
  move: 15_000,
  illegal: 'retry',
  late: { strikes: Number.POSITIVE_INFINITY, counted: 'in a row', next: { clock: 15_000 } },
  away: 'forfeit',
}

class HousePlayer implements Player {
  readonly account: Account
  readonly terms = terms
  readonly #nodes: number
  readonly #ask: Ask
  readonly #roll: (n: number) => number
  readonly #dice: Dice
  #seated: Seated | null = null
  /** Cancels the current search; null while there is none. */
  #search: AbortController | null = null
  #randomMoves = 0

  constructor(account: Account, nodes: number, ask: Ask, roll: (n: number) => number) {
    this.account = account
    this.#nodes = nodes
    this.#ask = ask
    this.#roll = roll
    this.#dice = Dice.fromSeed(roll(2 ** 32))
  }

  tell(message: News): void {
    switch (message.kind) {
      case 'seated':
        this.#seated = message
        break
      case 'shown':
        if (!message.yourTurn) this.#cancelSearch()
        else if (this.#search === null) {
          this.#randomMoves = 0
          void this.#chooseMove(this.#searchMove)
        }
        break
      case 'strike':
        this.#moveAtRandom()
        break
      case 'refused':
        if (message.code === 'illegal-move') this.#moveAtRandom()
        // Another seat has changed the board during the search.
        if (message.code === 'stale-move') void this.#chooseMove(this.#searchMove)
        break
      case 'ended':
      case 'aborted':
        this.#cancelSearch()
    }
  }

  #cancelSearch(): void {
    this.#search?.abort()
    this.#search = null
  }

  async #chooseMove(choose: Choose): Promise<void> {
    const { handle, game, seat } = this.#seated!
    this.#cancelSearch()
    const search = new AbortController()
    this.#search = search
    // Taken now: later it would contain the moves that other seats seal in this round.
    const state = handle.position()
    const question = { game: game.id, state, seat, nodes: this.#nodes, seed: this.#roll(2 ** 32) }
    const move = await moveOrUndefined(() => choose(question, search.signal))
    if (search.signal.aborted) return
    this.#search = null
    if (move === undefined) this.#moveAtRandom()
    else handle.move(move)
  }

  /** The search counts for the account that practises. */
  readonly #searchMove: Choose = (question, cancelled) => {
    const { accounts } = this.#seated!
    const { id } = accounts.find(({ kind }) => kind === 'player') ?? this.account
    return this.#ask(question, id, cancelled)
  }

  /** Makes a random move, which all players are told; resigns when several in a row were refused. */
  #moveAtRandom(): void {
    const { handle, game } = this.#seated!
    if (++this.#randomMoves <= maxRandomMoves)
      void this.#chooseMove(({ state, seat }) => {
        handle.announceRandomMove()
        return randomMove(game, state, seat, this.#dice)
      })
    else handle.resign()
  }
}

type Choose = (question: Question, cancelled: AbortSignal) => Json | Promise<Json>

const maxRandomMoves = 5

/** Undefined when there is no move: the worker is busy or has died, or the game has a bug, which was logged. */
const moveOrUndefined = async (choose: () => Json | Promise<Json>): Promise<Json | undefined> => {
  try {
    return await choose()
  } catch {
    return undefined
  }
}
