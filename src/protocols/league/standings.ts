import type { AccountId } from '../../arena/account.ts'
import { schedule } from '../../events/formats/round-robin.ts'
import type { BoardState, EventState } from '../../events/state.ts'
import { table } from '../../events/table.ts'
import type { LeagueAgent } from './agents.ts'
import { playerIdsOf } from './members.ts'

/** A league in the words of the protocol. */
export class LeagueView {
  readonly state: EventState
  readonly #players: readonly LeagueAgent[]
  readonly #ids: ReadonlyMap<AccountId, string>

  constructor(state: EventState, players: readonly LeagueAgent[]) {
    this.state = state
    this.#players = players
    this.#ids = playerIdsOf(state, players)
  }

  playerId(account: AccountId): string {
    return this.#ids.get(account) ?? ''
  }

  account(playerId: string): AccountId | undefined {
    for (const [account, id] of this.#ids) if (id === playerId) return account
    return undefined
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#ids.values())
  }

  /** All who have entered, the best first. */
  get standings() {
    const names = new Map(this.#players.map(({ account, name }) => [account!.id, name]))
    return table(this.state).map(row => ({
      rank: row.rank,
      player_id: this.playerId(row.account),
      display_name: names.get(row.account) ?? row.name,
      played: row.played,
      wins: row.wins,
      draws: row.draws,
      losses: row.losses,
      points: row.points,
    }))
  }

  standing(account: AccountId) {
    const id = this.playerId(account)
    const row = this.standings.find(({ player_id }) => player_id === id)
    return { wins: row?.wins ?? 0, draws: row?.draws ?? 0, losses: row?.losses ?? 0 }
  }

  get totalRounds(): number {
    const { status, rounds } = this.state
    return status === 'open' ? 0 : Math.max(this.pairings.length, rounds.length)
  }

  /** The accounts of all matches, by round: those that were drawn, and those that will be. */
  get pairings(): readonly (readonly (readonly AccountId[])[])[] {
    const { status, rounds } = this.state
    if (status === 'open') return []
    const drawn = rounds.map(({ boards }) => boards.map(({ accounts }) => accounts))
    const all = schedule(this.state).map(({ boards }) => boards)
    return [...drawn, ...all.slice(drawn.length)]
  }

  board(matchId: unknown): BoardState | undefined {
    const [, round, board] = /^R(\d{1,4})M(\d{1,4})$/.exec(String(matchId)) ?? []
    return this.state.rounds[Number(round) - 1]?.boards[Number(board) - 1]
  }

  get schedule() {
    const { rounds } = this.state
    return this.pairings.map((boards, i) => ({
      round_id: i + 1,
      matches: boards.map(([a, b], k) => ({
        match_id: matchIdOf(i + 1, k + 1),
        player_A_id: this.playerId(a!),
        player_B_id: this.playerId(b!),
        status: statusOf(rounds[i]?.boards[k]),
      })),
    }))
  }
}

export const matchIdOf = (round: number, board: number): string => `R${round}M${board}`

const statusOf = (board: BoardState | undefined) =>
  board === undefined
    ? 'scheduled'
    : !board.isOver
      ? 'in_progress'
      : board.places === null
        ? 'void'
        : 'completed'
