import { randomUUID } from 'node:crypto'
import type { Account, AccountId } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import { isSpeed, type Speed } from '../../arena/pace.ts'
import type { Seated } from '../../arena/player.ts'
import { tableSetupOf } from '../../arena/table-setup.ts'
import type { Clock } from '../../clock.ts'
import { clawpoly } from '../../games/clawpoly.ts'
import { quoted } from '../../games/words.ts'
import { TokenBuckets } from '../../limits/token-bucket.ts'
import type { Matchmaking } from '../../matchmaking/matchmaking.ts'
import type { PartyTables } from '../../matchmaking/party-tables.ts'
import type { Gate } from '../gate.ts'

import { logCode } from './codes.ts'
import {
  inGame,
  inQueue,
  inRoom,
  notInQueue,
  noticeOf,
  refuse,
  type ToolAnswer,
} from './mcp-answers.ts'
import { atSquare, type Decision, readDecision } from './mcp-decisions.ts'
import { type ActionResult, McpSeat, type Place } from './mcp-seat.ts'
import { stateBody } from './mcp-state.ts'
import type { Notice } from './mcp-thread-calls.ts'
import type { Given, ToolName } from './mcp-tools.ts'
import { playerIdOf } from './room.ts'
import { termsOf } from './terms.ts'
import { tokens } from './tokens.ts'
import type { Person } from './words.ts'

/** What MCP needs of the lobby of Clawpoly. */
export interface McpLobby {
  /** Makes an agent, which logs in with the secret. */
  register(asked: {
    readonly agentId: string
    readonly name: string
    readonly description: string
    readonly source: string | undefined
    readonly code?: string
  }): Promise<
    | {
        readonly agent: { readonly id: string; readonly account: Account }
        readonly secret: string
      }
    | { readonly code: string; readonly error: string }
  >
  /** The room of this code; undefined where there is none. */
  room(code: string): { readonly people: readonly Person[] } | undefined
  /** Limits how many rooms an address makes: 0, or the seconds to wait. */
  readonly roomLimit: { take(source: string): number }
}

/** What MCP needs of the host. */
export interface McpGamesOptions {
  readonly arena: Pick<Arena, 'tables'>
  readonly matchmaking: Pick<Matchmaking, 'seek' | 'waiting'>
  readonly parties: Pick<PartyTables, 'create' | 'sit' | 'leave' | 'addHouse' | 'start' | 'table'>
  readonly lobby: McpLobby
  readonly clock: Clock
  readonly addresses: { readonly site: string }
  /** Calls a second of one agent that neither decide nor wait; the burst is five times as many. */
  readonly calls: number
  /** Tells the clients of an agent. */
  notify(agent: AccountId, notice: Notice): void
}

/** Who calls a tool. */
export interface ToolCaller {
  readonly account: Account
  readonly source: string | undefined
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
  readonly gate: Pick<Gate, 'keep'>
}

/** The tools of agents that have logged in. */
export type OwnTool = Exclude<ToolName, 'clawpoly_register'>

/** So long, in milliseconds, clawpoly_get_state waits for a decision. */
const longestWait = 15_000
/** So long a game that is over can be looked at. */
const keptFor = 600_000
const bots = 3
const botLevel = 'level-1'

/** The games of agents that play by MCP: one at a time for each. */
export class McpGames {
  readonly #options: McpGamesOptions
  readonly #seats = new Map<AccountId, McpSeat>()
  readonly #rate: TokenBuckets

  constructor(options: McpGamesOptions) {
    const { clock, calls } = options
    this.#options = options
    this.#rate = new TokenBuckets(clock, { perSecond: calls, burst: 5 * calls })
  }

  async register(
    { name, code }: Given<'clawpoly_register'>,
    source: string | undefined,
  ): Promise<ToolAnswer> {
    const { lobby, addresses } = this.#options
    const made = await lobby.register({
      ...{ agentId: randomUUID(), name, description: 'registered by MCP', source },
      ...(code !== undefined && { code }),
    })
    if ('error' in made) return refuse(logCode(made.code), made.error)
    const { agent, secret } = made
    return {
      body: {
        agentId: agent.id,
        agentToken: secret,
        claimLink: `${addresses.site}/agent/${encodeURIComponent(agent.account.name)}`,
        message: `Welcome, ${agent.account.name}. Keep agentToken: it is shown once, and every other tool takes it. claimLink is your public page; there is nothing to claim and no money here. Next: clawpoly_start_with_bots, or clawpoly_join_queue.`,
      },
    }
  }

  async call<T extends OwnTool>(tool: T, given: Given<T>, caller: ToolCaller): Promise<ToolAnswer> {
    const key = String(caller.account.id)
    const wait = this.#rate.wait(key, 1)
    if (wait > 0)
      return refuse(
        'too-fast',
        `your agent calls more than ${this.#options.calls} times a second without a decision to make: call clawpoly_get_state, which waits for the next one, in ${wait} s`,
      )
    const { clock } = this.#options
    const since = clock.elapsed()
    const answer = await calls[tool](this, given as never, caller)
    const hasWaited = clock.elapsed() - since >= 1000 / this.#options.calls
    if (!hasWaited && answer.decided !== true) this.#rate.spend(key, 1)
    return answer
  }

  /** The decision that an agent owes now. */
  pending(agent: AccountId): Notice | null {
    const prompt = this.#seats.get(agent)?.prompt ?? null
    return prompt === null ? null : noticeOf(prompt)
  }

  async startWithBots(
    { turnLimit, gameSpeed = 'normal' }: Given<'clawpoly_start_with_bots'>,
    caller: ToolCaller,
  ): Promise<ToolAnswer> {
    const { account, source } = caller
    const { lobby, parties } = this.#options
    const busy = this.#playing(account)
    if (busy !== null) return busy
    const wait = lobby.roomLimit.take(source ?? thisMachine)
    if (wait > 0)
      return refuse('too-many-tables', `your address has made many rooms: try again in ${wait} s`)
    this.#seats.get(account.id)?.leave()
    const table = parties.create({
      game: clawpoly,
      name: `${account.name} and three bots`,
      seats: 1 + bots,
      setup: turnLimit === undefined ? null : { turnLimit },
      speed: gameSpeed,
      protocol: 'clawpoly',
      // It is started below, and says there why not.
      autoStart: () => false,
    })
    if ('detail' in table) return refuse(table.code, table.detail)
    const seat = this.#newSeat(caller, gameSpeed)
    const { code } = table
    const started = await this.#sitDown(seat, code, async () => {
      const seated = await parties.addHouse(code, botLevel, bots)
      return 'detail' in seated ? seated : parties.start(code)
    })
    if (started !== null) return started
    return {
      body: {
        status: 'game_starting',
        roomCode: code,
        players: 1 + bots,
        message: `The game starts now, in room ${code}, against three house players. Call clawpoly_get_state in a loop: each decision has 30 seconds.`,
      },
    }
  }

  async joinQueue(
    { roomCode }: Given<'clawpoly_join_queue'>,
    caller: ToolCaller,
  ): Promise<ToolAnswer> {
    const { account } = caller
    const { matchmaking, parties } = this.#options
    const busy = this.#playing(account)
    if (busy !== null) return busy
    const earlier = this.#seats.get(account.id)
    if (earlier?.status === 'waiting') {
      if (roomCode === undefined) return this.queueStatus(account)
      earlier.leave()
    }
    if (roomCode !== undefined) {
      const table = parties.table(roomCode)
      if (table === undefined)
        return refuse('no-such-table', `there is no room ${quoted(roomCode)}`)
      const seat = this.#newSeat(caller, isSpeed(table.speed) ? table.speed : 'normal')
      return (await this.#sitDown(seat, table.code)) ?? this.queueStatus(account)
    }
    const seat = this.#newSeat(caller, 'instant')
    seat.leaveQueue = matchmaking.seek(seat, { game: clawpoly })
    await seat.queued()
    return seat.why === null ? this.queueStatus(account) : refuse('not-queued', seat.why)
  }

  queueStatus(account: Account): ToolAnswer {
    const { matchmaking, parties } = this.#options
    const seat = this.#seats.get(account.id)
    const roomCode = seat?.view?.roomCode ?? null
    switch (seat?.status) {
      case 'waiting': {
        const table = seat.table === null ? undefined : parties.table(seat.table)
        if (table !== undefined) return inRoom(table)
        const queue = matchmaking.waiting.filter(
          ({ game, table }) => game.id === clawpoly.id && table === null,
        )
        return inQueue(queue.findIndex(({ player }) => player === seat) + 1, queue.length)
      }
      case 'playing':
        return inGame(roomCode)
      default:
        return notInQueue(seat?.status === 'closed' ? seat.why : null)
    }
  }

  /** Makes a decision, and answers at once. */
  async decide(decision: Decision, { account }: ToolCaller): Promise<ToolAnswer> {
    const seat = this.#seats.get(account.id)
    if (seat?.view == null) return this.#notInGame(account, decision.text)
    const actionResult = await seat.decide(decision)
    return this.#stateOf(seat, actionResult, { ...actionResult })
  }

  async state({ action }: Given<'clawpoly_get_state'>, caller: ToolCaller): Promise<ToolAnswer> {
    const { account, signal } = caller
    const seat = this.#seats.get(account.id)
    if (seat === undefined) return this.#notInGame(account, action)
    let actionResult: ActionResult | null = null
    if (action !== undefined) {
      const decision = readDecision(action.trim())
      actionResult =
        typeof decision === 'string'
          ? { success: false, action, message: decision }
          : await seat.decide(decision)
    }
    if (actionResult?.success !== false) await seat.wait(longestWait, signal)
    if (seat.view === null) return this.#notInGame(account, action)
    return this.#stateOf(seat, actionResult)
  }

  #stateOf(seat: McpSeat, actionResult: ActionResult | null, also: object = {}): ToolAnswer {
    const { why } = seat
    const body = { ...also, actionResult, ...stateBody(seat.view!), ...(why !== null && { why }) }
    if (actionResult?.success === false) return { body, refused: 'bad-action' }
    return actionResult === null ? { body } : { body, decided: true }
  }

  #notInGame(account: Account, action: string | undefined): ToolAnswer {
    const { status, message } = this.queueStatus(account).body as {
      readonly status: string
      readonly message: string
    }
    const isQueued = status === 'queued'
    const body = {
      status: isQueued ? status : 'not_in_game',
      gamePhase: 'waiting',
      ...(action !== undefined && {
        actionResult: {
          ...{ success: false, action },
          message: `action is ${quoted(action)}, and you are in no game`,
        },
      }),
      pendingDecision: null,
      message,
    }
    return isQueued && action === undefined ? { body } : { body, refused: 'no-game' }
  }

  /** Why an agent that plays cannot begin another game. */
  #playing(account: Account): ToolAnswer | null {
    const seat = this.#seats.get(account.id)
    if (seat?.isPlaying !== true) return null
    const room = seat.view?.roomCode ?? null
    return refuse(
      'already-seated',
      `your agent ${account.name} plays already${room === null ? '' : ` in room ${room}`}: call clawpoly_get_state until gamePhase is finished`,
    )
  }

  #newSeat({ account, gate }: ToolCaller, speed: Speed): McpSeat {
    const { clock, notify } = this.#options
    let release = () => {}
    const seat: McpSeat = new McpSeat({
      account,
      terms: termsOf(speed),
      clock,
      placeOf: seated => placeOf(this.#options, seated),
      telling: {
        decision: (_, prompt) => notify(account.id, noticeOf(prompt)),
        over: () => {
          release()
          clock.after(keptFor, () => {
            if (this.#seats.get(account.id) === seat) this.#seats.delete(account.id)
          })
        },
      },
    })
    release = gate.keep(seat)
    this.#seats.set(account.id, seat)
    return seat
  }

  /** Sits down at a table, and goes on once it sits there. Why not, or null. */
  async #sitDown(
    seat: McpSeat,
    code: string,
    then: () => Promise<unknown> = async () => null,
  ): Promise<ToolAnswer | null> {
    const { parties } = this.#options
    seat.table = code
    seat.leaveQueue = cause => parties.leave(seat, cause)
    const sat = parties.sit(seat, code, { ready: true })
    if ('detail' in sat) {
      seat.tell({ kind: 'dismissed', ...sat })
      return refuse(sat.code, sat.detail)
    }
    await seat.queued()
    if (seat.status === 'closed') return refuse('not-queued', seat.why!)
    const done = await then()
    if (!isRefusal(done)) return null
    seat.leave()
    return refuse(done.code, done.detail)
  }
}

const isRefusal = (value: unknown): value is { readonly code: string; readonly detail: string } =>
  typeof value === 'object' && value !== null && 'detail' in value

const placeOf = ({ arena, lobby }: McpGamesOptions, { match, accounts }: Seated): Place => {
  const table = tableSetupOf(arena.tables.get(match)?.deal.setup ?? null)
  const room = table === null ? undefined : lobby.room(table.code)
  return {
    people:
      room?.people ??
      accounts.map(({ name }, seat) => ({ id: playerIdOf(seat), name, token: tokens[seat]! })),
    roomCode: table?.code ?? null,
    gameSpeed: table?.speed ?? 'instant',
  }
}

/** How each tool is answered. */
const calls: {
  readonly [T in OwnTool]: (
    games: McpGames,
    given: Given<T>,
    caller: ToolCaller,
  ) => Promise<ToolAnswer>
} = {
  clawpoly_start_with_bots: (games, given, caller) => games.startWithBots(given, caller),
  clawpoly_join_queue: (games, given, caller) => games.joinQueue(given, caller),
  clawpoly_queue_status: async (games, _, { account }) => games.queueStatus(account),
  clawpoly_get_state: (games, given, caller) => games.state(given, caller),
  clawpoly_buy_property: (games, _, caller) => games.decide(named('buy'), caller),
  clawpoly_pass_property: (games, _, caller) => games.decide(named('pass'), caller),
  clawpoly_build_outpost: (games, { propertyIndex }, caller) =>
    games.decide(atSquare('build', propertyIndex), caller),
  clawpoly_upgrade_fortress: (games, { propertyIndex }, caller) =>
    games.decide(atSquare('upgrade', propertyIndex), caller),
  clawpoly_skip_build: (games, _, caller) => games.decide(named('skip_build'), caller),
  clawpoly_escape_pay: (games, _, caller) => games.decide(named('escape_pay'), caller),
  clawpoly_escape_card: (games, _, caller) => games.decide(named('escape_card'), caller),
  clawpoly_escape_roll: (games, _, caller) => games.decide(named('escape_roll'), caller),
}

const named = (text: string): Decision => readDecision(text) as Decision

/** As the registrar calls it. */
const thisMachine = '127.0.0.1'
