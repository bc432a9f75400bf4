import type { AccountId } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import type { ArenaEvent } from '../../arena/arena-event.ts'
import type { MatchId } from '../../arena/match-store.ts'
import type { Clock, Timer } from '../../clock.ts'
import type { Director } from '../../events/director.ts'
import type { Numbered } from '../../events/entry.ts'
import { type LeagueOptions, leagueOptionsOf } from '../../events/league-options.ts'
import type { BoardState, EventState, Round } from '../../events/state.ts'
import type { LeagueAgent } from './agents.ts'
import { type Calls, timesOfAllTries } from './calls.ts'
import { gameTypeOf, type LeaguePlace } from './match.ts'
import type { Members } from './members.ts'
import { envelope, type Message, newConversation } from './messages.ts'
import type { OwnReferee } from './referee.ts'
import type { LeagueSeat } from './seat.ts'
import { protocolId } from './seat.ts'
import { LeagueView, matchIdOf } from './standings.ts'

interface RoundsOptions {
  readonly arena: Arena
  readonly clock: Clock
  readonly director: Pick<Director, 'get' | 'list' | 'review' | 'settle' | 'watch' | 'use'>
  readonly members: Members
  readonly calls: Calls
  readonly referee: OwnReferee
  /** The URL of the host's own endpoint. */
  readonly endpoint: () => string
  readonly failed: (error: unknown) => void
}

/** The own referee, as one of those that hold the matches of a league. */
export const ownRefereeId = 'REF00'

/** The league manager: has players called for their boards, gives boards to referees, and tells all of them of the rounds. */
export class Rounds {
  readonly #options: RoundsOptions
  /** By league and round: who holds each board; null for the host. */
  readonly #referees = new Map<string, readonly (LeagueAgent | null)[]>()
  readonly #announced = new Set<string>()
  readonly #completed = new Set<string>()
  /** Boards that a player has lost by a fault. */
  readonly #technical = new Set<string>()
  /** By league and round: the players that have not heard of it, and are not called for their boards yet. */
  readonly #unheard = new Map<string, Set<string>>()
  /** Leagues that are over, but for matches that are live. */
  readonly #ending = new Map<string, { readonly live: Set<MatchId>; readonly tell: () => void }>()
  readonly #timers = new Set<Timer>()

  constructor(options: RoundsOptions) {
    this.#options = options
    const { arena, director } = options
    arena.watch(event => {
      this.#noteFaults(event)
      this.#noteEnd(event)
    })
    director.watch((state, entry) => {
      if (state.plan.protocol === protocolId) this.#follow(state, entry)
    })
    director.use({
      protocol: protocolId,
      playerFor: (state, round, board, account) => this.#playerFor(state, round, board, account),
      takes: (state, round, board) => this.#takes(state, round, board),
    })
  }

  view(state: EventState): LeagueView {
    return new LeagueView(state, this.#options.members.players(state.plan.id))
  }

  /** Null for the own referee. */
  refereeOf(state: EventState, { round, board }: BoardState): LeagueAgent | null {
    return this.#refereesOf(state, round)[board - 1] ?? null
  }

  /** Where the referee of a match is: of one that is not drawn yet, too. */
  refereeEndpoint({ state, pairings }: LeagueView, round: number, board: number): string {
    const boards = state.rounds[round - 1] ? undefined : pairings[round - 1]
    const referees = boards ? this.#assigned(state, boards) : this.#refereesOf(state, round)
    return referees[board - 1]?.endpoint ?? this.#options.endpoint()
  }

  /** A referee from elsewhere has reported that a player did not play. */
  noteTechnical(league: string, { round, board }: BoardState): void {
    this.#technical.add(keyOf(league, round, board))
  }

  envelope(options: LeagueOptions, sender: string, conversation = newConversation()) {
    const base = envelope(sender, this.#options.clock.date(), conversation)
    return options['throwaway-token'] ? { ...base, auth_token: newConversation('none') } : base
  }

  close(): void {
    for (const timer of this.#timers) timer.cancel()
  }

  #playerFor(
    state: EventState,
    round: number,
    board: number,
    account: AccountId,
  ): LeagueSeat | undefined {
    const { members, referee, director } = this.#options
    const { plan } = state
    const agent = members.player(plan.id, account)
    if (plan.protocol !== protocolId || agent?.account == null) return undefined
    if (this.#unheard.get(keyOf(plan.id, round))?.has(agent.id)) return undefined
    const leg = 1 + (state.rounds[round - 1]?.boards[board - 1]?.legs.length ?? 0)
    const name = `${matchIdOf(round, board)}${leg === 1 ? '' : `L${leg}`}`
    const options = leagueOptionsOf(plan)
    const view = () => this.view(director.get(plan.id) ?? state)
    const place: LeaguePlace = {
      ...{ agent, options, round },
      matchId: () => name,
      playerId: ({ id, parent }) => view().playerId(parent ?? id),
      standing: () => view().standing(account),
      envelope: conversation => this.envelope(options, `referee:${ownRefereeId}`, conversation),
    }
    return referee.seat(place, agent.account)
  }

  #takes(state: EventState, round: number, board: number): boolean {
    if (state.plan.protocol !== protocolId) return false
    const referee = this.#refereesOf(state, round)[board - 1]
    if (referee == null) return false
    // After a restart the referee may not know of it.
    this.#announce(state, round)
    return true
  }

  #refereesOf(state: EventState, round: number): readonly (LeagueAgent | null)[] {
    const key = keyOf(state.plan.id, round)
    const known = this.#referees.get(key)
    if (known !== undefined) return known
    const drawn = state.rounds[round - 1]
    if (drawn === undefined) return []
    const boards = drawn.boards.map(({ accounts }) => accounts)
    const referees = this.#assigned(state, boards)
    this.#referees.set(key, referees)
    return referees
  }

  /** In turn, the host first. Those from elsewhere can only call servers. */
  #assigned(
    { plan }: EventState,
    boards: readonly (readonly AccountId[])[],
  ): readonly (LeagueAgent | null)[] {
    const { members } = this.#options
    const referees = leagueOptionsOf(plan).referees ? members.referees(plan.id) : []
    const all = [null, ...referees]
    return boards.map((accounts, k) =>
      accounts.every(account => members.player(plan.id, account) !== undefined)
        ? all[k % all.length]!
        : null,
    )
  }

  #follow(state: EventState, entry: Numbered): void {
    if (entry.kind === 'drawn') this.#announce(state, entry.round)
    else if (entry.kind === 'played' || entry.kind === 'settled')
      this.#completeRound(state, entry.round)
    else if (entry.kind === 'finished') this.#end(state, null)
    else if (entry.kind === 'cancelled') this.#end(state, `cancelled: ${entry.reason}`)
  }

  #announce(state: EventState, round: number): void {
    const { plan } = state
    const key = keyOf(plan.id, round)
    if (this.#announced.has(key)) return
    this.#announced.add(key)
    const { members } = this.#options
    const view = this.view(state)
    const drawn = state.rounds[round - 1]!
    const referees = this.#refereesOf(state, round)
    const matches = drawn.boards.flatMap(({ board, accounts, isOver }, k) => {
      if (isOver) return []
      const referee = referees[k]
      return [
        {
          match_id: matchIdOf(round, board),
          game_type: gameTypeOf(plan.game),
          player_A_id: view.playerId(accounts[0]!),
          player_B_id: view.playerId(accounts[1]!),
          referee_id: referee?.id ?? ownRefereeId,
          referee_endpoint: referee?.endpoint ?? this.#options.endpoint(),
        },
      ]
    })
    const message = {
      message_type: 'ROUND_ANNOUNCEMENT',
      ...{ league_id: plan.id, round_id: round, total_rounds: view.totalRounds },
    } as const
    const endpointOf = (player: string) => members.find(plan.id, player)?.endpoint
    const players = members.players(plan.id)
    this.#awaitHeard(state, key, players, this.#send(state, players, { ...message, matches }))
    this.#send(state, members.referees(plan.id), {
      ...message,
      matches: matches.map(match => ({
        ...match,
        player_A_endpoint: endpointOf(match.player_A_id),
        player_B_endpoint: endpointOf(match.player_B_id),
      })),
    })
    this.#awaitReports(state, drawn, referees)
  }

  /** Players are invited once they have heard of the round, and of all before it. One that takes long is not waited for. */
  #awaitHeard(
    { plan }: EventState,
    key: string,
    players: readonly LeagueAgent[],
    sent: readonly Promise<void>[],
  ): void {
    const { director } = this.#options
    const unheard = new Set(players.map(({ id }) => id))
    this.#unheard.set(key, unheard)
    const heard = (ids: readonly string[]) => {
      for (const id of ids) unheard.delete(id)
      if (unheard.size === 0) {
        timer.cancel()
        this.#timers.delete(timer)
        this.#unheard.delete(key)
      }
      director.review()
    }
    // They are absent as long as they are not called.
    const longest = Math.min(leagueOptionsOf(plan).reply, plan.showUp / 2)
    const timer = this.#options.clock.after(longest, () => heard([...unheard]))
    this.#timers.add(timer)
    for (const [k, { id }] of players.entries())
      sent[k]!.then(() => {
        if (unheard.has(id)) heard([id])
      })
  }

  /** A match whose referee does not report in time does not count. */
  #awaitReports(
    state: EventState,
    { round, boards }: Round,
    referees: readonly (LeagueAgent | null)[],
  ): void {
    const { clock, director, failed } = this.#options
    const { report, queued } = leagueOptionsOf(state.plan)
    const given = new Map<LeagueAgent, number>()
    for (const [k, { board, isOver }] of boards.entries()) {
      const referee = referees[k]
      if (referee == null || isOver) continue
      const before = given.get(referee) ?? 0
      given.set(referee, before + 1)
      const ahead = Math.max(0, before - referee.concurrent + 1)
      const timer = clock.after(report + queued * ahead, () => {
        this.#timers.delete(timer)
        const now = director.get(state.plan.id)?.rounds[round - 1]?.boards[board - 1]
        if (now === undefined || now.isOver) return
        const reason = `${referee.id} has not reported its result in time`
        director
          .settle(state.plan.id, { ...{ round, board, absent: [] }, places: null, reason })
          .catch(failed)
      })
      this.#timers.add(timer)
    }
  }

  #completeRound(state: EventState, round: number): void {
    const { plan, rounds } = state
    const { boards } = rounds[round - 1]!
    const key = keyOf(plan.id, round)
    if (!boards.every(({ isOver }) => isOver) || this.#completed.has(key)) return
    this.#completed.add(key)
    const view = this.view(state)
    const counted = boards.filter(({ places }) => places !== null)
    const isTechnical = ({ board, settled, places }: BoardState) =>
      this.#technical.has(keyOf(plan.id, round, board)) ||
      (settled?.absent.length ?? 0) > 0 ||
      places?.includes(1) === false
    const technical = counted.filter(isTechnical).length
    const draws = counted.filter(
      board => !isTechnical(board) && board.places!.every(place => place === 1),
    ).length
    const players = this.#options.members.players(plan.id)
    this.#send(state, players, {
      message_type: 'ROUND_COMPLETED',
      ...{ league_id: plan.id, round_id: round, matches_completed: counted.length },
      next_round_id: round < view.totalRounds ? round + 1 : null,
      summary: {
        total_matches: boards.length,
        wins: counted.length - draws - technical,
        ...{ draws, technical_losses: technical },
      },
    })
    this.#send(state, players, {
      message_type: 'LEAGUE_STANDINGS_UPDATE',
      ...{ league_id: plan.id, round_id: round, standings: view.standings },
    })
  }

  /** A league may be cancelled, or decided by its operator, while matches are live: then their ends are told first. */
  #end(state: EventState, reason: string | null): void {
    const { id } = state.plan
    const live = new Set<MatchId>()
    for (const { id: match, deal } of this.#options.arena.tables.values())
      if (deal.event?.id === id) live.add(match)
    if (live.size === 0) this.#tellEnd(state, reason)
    else this.#ending.set(id, { live, tell: () => this.#tellEnd(state, reason) })
  }

  #tellEnd(state: EventState, reason: string | null): void {
    const { members } = this.#options
    const { id } = state.plan
    const view = this.view(state)
    const { standings } = view
    const [first] = standings
    this.#send(state, members.of(id), {
      message_type: 'LEAGUE_COMPLETED',
      ...{ league_id: id, total_rounds: view.totalRounds },
      total_matches: state.rounds.flatMap(({ boards }) =>
        boards.filter(({ places }) => places !== null),
      ).length,
      champion: reason === null && first !== undefined ? championOf(first) : noChampion,
      final_standings: standings,
      ...(reason !== null && { reason }),
    })
    members.forget(id)
    for (const known of [this.#announced, this.#completed, this.#technical])
      for (const key of known) if (key.startsWith(`${id}:`)) known.delete(key)
    for (const key of this.#referees.keys())
      if (key.startsWith(`${id}:`)) this.#referees.delete(key)
  }

  #noteEnd({ kind, table: { id, deal } }: ArenaEvent): void {
    const ending = this.#ending.get(deal.event?.id ?? '')
    if (ending === undefined || (kind !== 'ended' && kind !== 'aborted')) return
    ending.live.delete(id)
    if (ending.live.size > 0) return
    this.#ending.delete(deal.event!.id)
    ending.tell()
  }

  /** Also of boards between players of other protocols. */
  #noteFaults({ kind, table, ...event }: ArenaEvent): void {
    const named = table.deal.event ?? null
    if (kind !== 'ended' || named === null || !('outcome' in event)) return
    if (this.#options.director.get(named.id)?.plan.protocol !== protocolId) return
    if (event.outcome.faults.every(fault => fault === null)) return
    const [round, board] = named.board.split('.').map(Number)
    this.#technical.add(keyOf(named.id, round!, board))
  }

  #send(
    { plan }: EventState,
    to: readonly LeagueAgent[],
    message: Message,
  ): readonly Promise<void>[] {
    const options = leagueOptionsOf(plan)
    const times = timesOfAllTries(options.reply)
    return to.map(agent => {
      const envelope = this.envelope(options, senderOf(options))
      return this.#options.calls.post(agent, { ...envelope, ...message }, times)
    })
  }
}

/** As one strict client wants it, or as all others do. */
export const senderOf = ({ 'strict-sender': isStrict }: LeagueOptions): string =>
  isStrict ? 'league_manager:LM01' : 'league_manager'

const championOf = ({ player_id, display_name, points }: LeagueView['standings'][number]) => ({
  player_id,
  display_name,
  points,
})

/** Of a league that was cancelled. Clients look into it, so it has the fields of one. */
const noChampion = { player_id: '', display_name: '', points: 0 }

const keyOf = (...parts: readonly (string | number | undefined)[]) => `${parts.join(':')}`
