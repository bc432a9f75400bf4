import { type Account, type AccountId, agentOf } from '../arena/account.ts'
import type { Arena, MatchOrder } from '../arena/arena.ts'
import { internalError } from '../arena/codes.ts'
import type { MatchStore } from '../arena/match-store.ts'
import { type News, type Player, rankedAccounts } from '../arena/player.ts'
import type { Clock, Timer } from '../clock.ts'
import { type Game, seatRange } from '../games/game.ts'
import { type NextLeg, nextLeg } from './board.ts'
import { type LegName, legText } from './leg-name.ts'
import type { BoardState, EventState } from './state.ts'
import { entrantOf, type Settlement } from './taking-part.ts'

/** A player that is there for a seat. */
export interface Present {
  readonly player: Player
  /** Whether it is there still. */
  isHere(): boolean
  /** It gets the seat, and waits no more. */
  take(): void
}

/** What calls of boards ask of their event. */
export interface CallHost {
  readonly arena: Pick<Arena, 'open'>
  readonly clock: Clock
  readonly matchStore: Pick<MatchStore, 'hold' | 'release'>
  readonly game: Game
  readonly state: EventState
  present(account: AccountId, round: number, board: number): Present | undefined
  /** Whether a referee from elsewhere holds this board. */
  isElsewhere(round: number, board: number): boolean
  /** The terms of a match between these players. */
  order(
    players: readonly Player[],
    leg: NextLeg,
  ): Pick<MatchOrder, 'unrated' | 'ladder' | 'opening'>
  settle(settlement: Settlement): void
  failed(error: unknown): void
}

/**
 * Calls the open boards of one event: it waits until all players of the next match are there, and has the arena open it. Those
 * who do not come in time lose the board.
 */
export class BoardCalls {
  readonly #host: CallHost
  readonly #calls = new Map<string, Call>()
  /** All rounds before this one are over, counted from 0. */
  #firstOpen = 0

  constructor(host: CallHost) {
    this.#host = host
  }

  /** To be called whenever the event has changed, or a player has come. */
  review(): void {
    const { state } = this.#host
    while (state.rounds[this.#firstOpen]?.boards.every(({ isOver }) => isOver)) this.#firstOpen++
    for (const { boards } of state.rounds.slice(this.#firstOpen))
      for (const board of boards) this.#reviewBoard(board)
    for (const [key, call] of this.#calls) {
      const board = state.rounds[call.round - 1]?.boards[call.board - 1]
      if (board?.isOver !== false && call.phase !== 'live') this.#drop(key, call)
    }
  }

  /** Whether an account has a board that is not over. */
  isCalled(account: AccountId): boolean {
    return this.#host.state.rounds
      .slice(this.#firstOpen)
      .some(({ boards }) =>
        boards.some(({ isOver, accounts }) => !isOver && accounts.includes(account)),
      )
  }

  /** The match of this leg has its result, which is being written. Answers with who did not come to it. */
  ended(name: LegName): readonly AccountId[] {
    const call = this.#calls.get(keyOf(name))
    if (call?.leg !== name.leg) return []
    call.phase = 'ended'
    return call.absent
  }

  /** The match of this leg has no result: it is played again, with the time to come anew. */
  aborted(name: LegName): void {
    const call = this.#calls.get(keyOf(name))
    if (call?.leg !== name.leg) return
    if (++call.aborts < mostAborts) this.#callAgain(call)
    else
      this.#host.settle({
        ...{ round: call.round, board: call.board, places: null, absent: [] },
        reason: `its match was aborted ${mostAborts} times`,
      })
  }

  close(): void {
    for (const [key, call] of this.#calls) this.#drop(key, call)
  }

  #reviewBoard(board: BoardState): void {
    const leg = nextLeg(this.#host.state.plan, board)
    if (leg === null) return
    const key = keyOf(board)
    let call = this.#calls.get(key)
    if (call === undefined || call.leg < leg.leg) {
      call?.timer?.cancel()
      call = {
        ...{ round: board.round, board: board.board, leg: leg.leg, phase: 'called', timer: null },
        ...{ since: this.#host.clock.now(), aborts: 0, absent: [] },
      }
      this.#calls.set(key, call)
    }
    if (call.phase === 'called') this.#tryToOpen(call, board, leg)
  }

  #tryToOpen(call: Call, board: BoardState, leg: NextLeg): void {
    const { state, clock } = this.#host
    if (state.status !== 'running') {
      // The time to show up stands still in a pause.
      call.timer?.cancel()
      call.timer = null
      call.since = clock.now()
      return
    }
    if (this.#host.isElsewhere(call.round, call.board)) return
    const there = new Map(
      leg.accounts.flatMap(account => {
        const present = this.#host.present(account, call.round, call.board)
        return present === undefined ? [] : [[account, present] as const]
      }),
    )
    const isGone = (account: AccountId) => entrantOf(state, account)?.withdrawn !== false
    const isAwaited = leg.accounts.some(account => !there.has(account) && !isGone(account))
    const left = call.since + state.plan.showUp - clock.now()
    if (isAwaited && left > 0) {
      call.timer ??= clock.after(left, () => {
        call.timer = null
        this.review()
      })
      return
    }
    call.timer?.cancel()
    call.timer = null
    const missing = leg.accounts.filter(account => !there.has(account))
    const absent = missing.filter(account => !isGone(account))
    if (there.size >= Math.max(2, seatRange(this.#host.game).min)) {
      call.absent = absent
      this.#open(call, { ...leg, accounts: [...there.keys()] }, [...there.values()])
      return
    }
    const names = missing.map(account => entrantOf(state, account)?.name ?? `account ${account}`)
    call.phase = 'ended'
    this.#host.settle({
      ...{ round: call.round, board: call.board, absent },
      places: board.accounts.map(account =>
        there.has(account) ? 1 : missing.length === board.accounts.length ? 2 : there.size + 1,
      ),
      reason: `${names.join(' and ')} ${absent.length > 0 ? 'did not come' : 'had withdrawn'}`,
    })
  }

  #open(call: Call, leg: NextLeg, presents: readonly Present[]): void {
    const { arena, matchStore, clock, game, state } = this.#host
    call.phase = 'opening'
    const players = presents.map(({ player }) => player)
    const accounts = rankedAccounts(players)
    const failed = (error: unknown) => {
      this.#host.failed(error)
      for (const player of players) this.#tell(player, { kind: 'dismissed', ...internalError })
      this.aborted(call)
    }
    const open = () => {
      // A player has left meanwhile.
      if (!presents.every(present => present.isHere())) {
        matchStore.release(accounts)
        this.#callAgain(call)
        return
      }
      for (const present of presents) present.take()
      try {
        const { id, time } = state.plan
        const order: MatchOrder = {
          ...{ game, players, ...this.#host.order(players, leg) },
          event: { id, board: legText(call) },
          ...(time !== null && { time }),
        }
        call.phase = 'live'
        arena.open(order).then(answer => {
          if (typeof answer === 'number') return
          for (const player of players) this.#tell(player, { kind: 'dismissed', ...answer })
        }, failed)
      } catch (error) {
        failed(error)
      }
      // The match holds them itself.
      matchStore.release(accounts)
    }
    const held = matchStore.hold(accounts, game.id)
    if (held === null) open()
    else
      held.then(
        () => clock.soon.do(open),
        error => {
          this.#host.failed(error)
          this.#callAgain(call)
        },
      )
  }

  /** Not at once: what has just failed may fail again. */
  #callAgain(call: Call): void {
    call.phase = 'called'
    call.absent = []
    call.since = this.#host.clock.now()
    call.timer?.cancel()
    call.timer = this.#host.clock.after(again, () => {
      call.timer = null
      this.review()
    })
  }

  #drop(key: string, call: Call): void {
    call.timer?.cancel()
    this.#calls.delete(key)
  }

  #tell(player: Player, news: News): void {
    try {
      player.tell(news)
    } catch (error) {
      this.#host.failed(error)
    }
  }
}

interface Call extends LegName {
  /** `ended`: until the event has an entry for it. */
  phase: 'called' | 'opening' | 'live' | 'ended'
  /** Since when its players are expected. */
  since: number
  timer: Timer | null
  aborts: number
  /** Those who did not come to its match. */
  absent: readonly AccountId[]
}

/** A board is called again after so many milliseconds. */
const again = 1_000
/** A match that is aborted so often is not played again. */
const mostAborts = 3

const keyOf = ({ round, board }: Pick<LegName, 'round' | 'board'>) => `${round}.${board}`

/** By seat. Agents enter, in whatever versions they play. */
export const agentsOf = (players: readonly { readonly account: Account }[]): readonly AccountId[] =>
  players.map(({ account }) => agentOf(account))
