import type { Clock } from '../../clock.ts'
import type { Director } from '../../events/director.ts'
import { leagueDefaults, leagueOptionsOf, queueId } from '../../events/league-options.ts'
import type { BoardState, EventState } from '../../events/state.ts'
import type { LeagueAgent } from './agents.ts'
import { checkBase, isPresent, leagueError, missingField, senderId } from './checks.ts'
import { type ErrorCode, rpcCodes } from './codes.ts'
import { isTokenOf, type Members } from './members.ts'
import type { MessageLog } from './message-log.ts'
import { type Fields, isFields, type MessageType, typeOfMethod } from './messages.ts'
import type { OwnReferee } from './referee.ts'
import { type Applicant, Registration } from './registration.ts'
import { type Rounds, senderOf } from './rounds.ts'
import { errorText, RpcError, readRequest, resultText } from './rpc.ts'
import { protocolId } from './seat.ts'
import type { LeagueView } from './standings.ts'

interface ManagerOptions {
  readonly clock: Clock
  readonly director: Pick<Director, 'get' | 'list' | 'report'>
  readonly members: Members
  readonly rounds: Rounds
  readonly registration: Registration
  readonly referee: OwnReferee
  readonly log: MessageLog
  readonly failed: (error: unknown) => void
}

/** A request over HTTP. */
export interface LeagueRequest extends Omit<Applicant, 'params'> {
  readonly text: string | undefined
  /** The league that the path names; undefined where it names none. */
  readonly league: string | undefined
}

/** A request that has been checked up to its token. */
interface Asked extends Applicant {
  readonly type: string
  /** The league that it is of; null for the queue, undefined where it is of none. */
  readonly state: EventState | null | undefined
  readonly isLenient: boolean
  refuse(code: ErrorCode, field?: string): RpcError
}

/** Answers requests, of players and referees alike. */
export class Manager {
  readonly #options: ManagerOptions

  constructor(options: ManagerOptions) {
    this.#options = options
  }

  /** The answer, as JSON. */
  async answer({ text, league, gate, source }: LeagueRequest): Promise<string> {
    const request = readRequest(text)
    if ('error' in request) return errorText(request.id, request.error)
    const { id, method, params } = request
    const { message_type } = params
    const type = typeof message_type === 'string' ? message_type : (typeOfMethod(method) ?? '')
    const state = this.#leagueOf(type, params, league)
    this.#write('in', state, type, params)
    let answer: object
    try {
      answer = await this.#handle(type, state, { params, gate, source })
    } catch (error) {
      this.#options.failed(error)
      answer = new RpcError(rpcCodes.internal, 'Internal error; it has been logged')
    }
    if (answer instanceof RpcError) {
      gate.refused(`rpc${answer.code}`)
      this.#write('out', state, 'LEAGUE_ERROR', params, answer)
      return errorText(id, answer)
    }
    this.#write('out', state, String((answer as Fields).message_type), params, answer)
    return resultText(id, answer)
  }

  async #handle(
    type: string,
    state: EventState | null | undefined,
    applicant: Applicant,
  ): Promise<object> {
    const { params } = applicant
    const isLenient = state ? leagueOptionsOf(state.plan).lenient : false
    const refuse = (code: ErrorCode, field?: string) =>
      leagueError(code, params, this.#envelope(state, params), {
        action: type,
        ...(field !== undefined && { field }),
      })
    const asked: Asked = { ...applicant, type, state, isLenient, refuse }
    const problem = checkBase(params, isLenient, refuse)
    if (problem !== null) return problem
    switch (type) {
      case 'LEAGUE_REGISTER_REQUEST':
        return this.#register('player', asked)
      case 'REFEREE_REGISTER_REQUEST':
        return this.#register('referee', asked)
      case 'LEAGUE_QUERY':
        return this.#query(asked)
      case 'MATCH_RESULT_REPORT':
        return this.#report(asked)
      case 'GAME_JOIN_ACK':
      case 'CHOOSE_PARITY_RESPONSE':
      case 'CHOOSE_MOVE_RESPONSE':
        return this.#pushed(type, asked)
      default:
        return new RpcError(rpcCodes.method, 'Method not found: this message is not known here')
    }
  }

  async #register(kind: 'player' | 'referee', asked: Asked): Promise<object> {
    const { params, state, refuse } = asked
    const missing = Registration.missing(kind, params)
    if (missing !== undefined) return refuse('E003', missing)
    const idField = kind === 'player' ? 'player_id' : 'referee_id'
    const type = kind === 'player' ? 'LEAGUE_REGISTER_RESPONSE' : 'REFEREE_REGISTER_RESPONSE'
    const registered =
      state === undefined
        ? { reason: this.#noLeague(params) }
        : await this.#options.registration.register(kind, state, asked)
    const answer = { ...this.#envelope(state, params), message_type: type }
    if ('reason' in registered)
      return { ...answer, status: 'REJECTED', [idField]: '', reason: registered.reason }
    const { agent, token } = registered
    return {
      ...answer,
      ...{ status: 'ACCEPTED', [idField]: agent.id, auth_token: token },
      ...{ league_id: agent.league, reason: null },
    }
  }

  #noLeague({ league_id }: Fields): string {
    const open = this.#leagues().filter(({ status }) => status === 'open')
    return open.length > 1 && !isPresent(league_id)
      ? `several leagues are open: name one of ${open.map(({ plan }) => plan.id).join(', ')} in league_id`
      : 'no league is open'
  }

  async #query(asked: Asked): Promise<object> {
    const { params, state, refuse } = asked
    const sender = await this.#authenticate(asked)
    if (sender instanceof RpcError) return sender
    const { query_type, query_params } = params
    if (!isPresent(query_type)) return refuse('E003', 'query_type')
    if (state == null) return refuse('E005')
    const kind = queryTypes.get(String(query_type).toUpperCase())
    if (kind === undefined)
      return new RpcError(
        rpcCodes.params,
        `Invalid params: query_type is one of ${[...new Set(queryTypes.values())].join(', ')}`,
      )
    const view = this.#options.rounds.view(state)
    const given = isFields(query_params) ? query_params.player_id : undefined
    const player = typeof given === 'string' ? given : senderId(params)
    const account = view.account(player)
    const isOfPlayer = kind === 'GET_NEXT_MATCH' || kind === 'GET_PLAYER_STATS'
    if (account === undefined && (isOfPlayer || given !== undefined)) return refuse('E005')
    return {
      ...this.#envelope(state, params),
      ...{ message_type: 'LEAGUE_QUERY_RESPONSE', query_type: kind, success: true },
      data: this.#data(kind, view, player),
    }
  }

  #data(kind: QueryType, view: LeagueView, player: string): object {
    switch (kind) {
      case 'GET_STANDINGS':
        return { standings: view.standings }
      case 'GET_SCHEDULE':
        return {
          total_rounds: view.totalRounds,
          current_round: view.state.rounds.length,
          schedule: view.schedule,
        }
      case 'GET_NEXT_MATCH':
        return { next_match: this.#nextMatch(view, player) }
      case 'GET_PLAYER_STATS':
        return { stats: view.standings.find(({ player_id }) => player_id === player) ?? null }
    }
  }

  #nextMatch(view: LeagueView, player: string) {
    for (const { round_id, matches } of view.schedule)
      for (const [k, { match_id, player_A_id, player_B_id, status }] of matches.entries()) {
        if (status === 'completed' || status === 'void') continue
        if (player_A_id !== player && player_B_id !== player) continue
        const opponent_id = player_A_id === player ? player_B_id : player_A_id
        const referee_endpoint = this.#options.rounds.refereeEndpoint(view, round_id, k + 1)
        return { match_id, round_id, opponent_id, referee_endpoint }
      }
    return null
  }

  async #report(asked: Asked): Promise<object> {
    const { params, state, refuse } = asked
    const sender = await this.#authenticate(asked)
    if (sender instanceof RpcError) return sender
    const missing = missingField(params, {
      ...{ round_id: isPresent, match_id: isPresent },
      result: isFields,
    })
    if (missing !== undefined) return refuse('E003', missing)
    if (state == null) return refuse('E005')
    const { rounds, director } = this.#options
    const view = rounds.view(state)
    const { match_id, round_id } = params
    const invalid = (why: string) => new RpcError(rpcCodes.params, `Invalid params: ${why}`)
    const board = view.board(match_id)
    if (board === undefined || board.round !== Number(round_id))
      return invalid('there is no such match in that round')
    const holder = rounds.refereeOf(state, board)
    if (holder === null || holder.id !== senderId(params))
      return invalid('this match is not held by this referee')
    const result = resultOf(params.result as Fields, view, board)
    if (typeof result === 'string')
      return result === 'E005' ? refuse('E005', 'result.winner') : invalid(result)
    const ack = {
      ...this.#envelope(state, params),
      ...{ message_type: 'MATCH_RESULT_ACK', match_id, status: 'recorded' },
    }
    const [leg] = board.legs
    if (leg !== undefined)
      return leg.places.every((place, i) => place === result.places[i])
        ? ack
        : invalid('another result of this match was reported before, and stands')
    if (board.isOver) return invalid('this match does not count any more')
    if (board.round !== state.rounds.length) return invalid('the match is not of the running round')
    if (result.isTechnical) rounds.noteTechnical(state.plan.id, board)
    const refusal = await director.report(state.plan.id, {
      ...{ round: board.round, board: board.board, leg: 1, accounts: board.accounts },
      places: result.places,
      scores: board.accounts.map(() => null),
    })
    return refusal === null ? ack : invalid(refusal.detail)
  }

  #pushed(type: MessageType, { params, state }: Asked): object {
    const seat = this.#options.referee.pushed(type, params)
    if (seat === null)
      return new RpcError(
        rpcCodes.params,
        'Invalid params: no match waits for a message of this conversation_id',
      )
    return { ...this.#envelope(state, params), message_type: type, status: 'received' }
  }

  /** The sender, whose token is its own; null in a lenient league where none is asked for. */
  async #authenticate({
    params,
    state,
    gate,
    isLenient,
    refuse,
  }: Asked): Promise<LeagueAgent | null | RpcError> {
    const { auth_token: token } = params
    if (isLenient) return null
    if (!isPresent(token) || token === '') return refuse('E011')
    if (state === undefined) return refuse('E012')
    const agent = this.#options.members.find(state?.plan.id ?? queueId, senderId(params))
    if (!isTokenOf(agent, token)) return refuse('E012')
    if (agent!.account !== null) {
      // Bans and revoked tokens.
      const login = await gate.login(token, ['session'])
      if ('code' in login) return refuse('E012')
    }
    return agent!
  }

  #leagues(): readonly EventState[] {
    return this.#options.director.list().filter(({ plan }) => plan.protocol === protocolId)
  }

  /** The league that the path or the message names, or the only one that it can be of. */
  #leagueOf(type: string, params: Fields, path: string | undefined): EventState | null | undefined {
    const named = path ?? (isPresent(params.league_id) ? String(params.league_id) : undefined)
    const leagues = this.#leagues()
    if (named === queueId) return null
    if (named !== undefined) return leagues.find(({ plan }) => plan.id === named)
    if (type.endsWith('_REGISTER_REQUEST')) {
      const open = leagues.filter(({ status }) => status === 'open')
      const some = open.length > 0 ? open : leagues
      return some.length === 1 ? some[0] : undefined
    }
    const own = leagues.find(({ plan }) =>
      isTokenOf(this.#options.members.find(plan.id, senderId(params)), params.auth_token),
    )
    return own ?? (leagues.length === 1 ? leagues[0] : undefined)
  }

  #envelope(state: EventState | null | undefined, { conversation_id }: Fields) {
    const options = state ? leagueOptionsOf(state.plan) : leagueDefaults
    const conversation =
      typeof conversation_id === 'string' ? conversation_id.slice(0, 200) : undefined
    return this.#options.rounds.envelope(options, senderOf(options), conversation)
  }

  #write(
    direction: 'in' | 'out',
    state: EventState | null | undefined,
    type: string,
    params: Fields,
    message: object = params,
  ): void {
    if (state === undefined) return
    this.#options.log.write({
      at: this.#options.clock.date(),
      ...{ direction, type: type.slice(0, 64), message },
      league: state?.plan.id ?? queueId,
      agent: senderId(params),
      conversation: String(params.conversation_id ?? '').slice(0, 200),
    })
  }
}

const kinds = ['GET_STANDINGS', 'GET_SCHEDULE', 'GET_NEXT_MATCH', 'GET_PLAYER_STATS'] as const
type QueryType = (typeof kinds)[number]

/** The short forms of some clients, too. */
const queryTypes: ReadonlyMap<string, QueryType> = new Map(
  kinds.flatMap(kind => [
    [kind, kind],
    [kind.slice('GET_'.length), kind],
  ]),
)

/** What a referee reports, by places; or why it cannot be taken. Points are the league's to give. */
const resultOf = (
  { winner, status }: Fields,
  view: LeagueView,
  { accounts }: BoardState,
): { readonly places: readonly number[]; readonly isTechnical: boolean } | string => {
  const isTechnical = status === 'TECHNICAL_LOSS'
  if (isPresent(status) && !['WIN', 'DRAW', 'TECHNICAL_LOSS'].includes(String(status)))
    return 'result.status is WIN, DRAW or TECHNICAL_LOSS'
  if (!isPresent(winner) || winner === 'DRAW' || status === 'DRAW') {
    if (status === 'WIN') return 'result.winner is missing'
    if (status === 'DRAW' && isPresent(winner) && winner !== 'DRAW')
      return 'result.winner has to be null in a draw'
    return { places: accounts.map(() => (isTechnical ? 2 : 1)), isTechnical }
  }
  const account = typeof winner === 'string' ? view.account(winner) : undefined
  if (account === undefined) return 'E005'
  if (!accounts.includes(account)) return 'result.winner is no player of this match'
  return { places: accounts.map(other => (other === account ? 1 : 2)), isTechnical }
}
