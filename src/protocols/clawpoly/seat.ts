import type { Account } from '../../arena/account.ts'
import type { Refusal } from '../../arena/codes.ts'
import type { MatchId } from '../../arena/match-store.ts'
import type {
  Aborted,
  Ended,
  Fell,
  MovePlayed,
  News,
  Player,
  Seated,
  SeatHandle,
  Shown,
} from '../../arena/player.ts'
import type { Table } from '../../arena/table.ts'
import type { Terms } from '../../arena/terms.ts'
import type { ClawpolyEvent } from '../../games/clawpoly-events.ts'
import type { Seat } from '../../games/game.ts'
import { isRecord } from '../../games/json.ts'
import type { WireRefusal } from '../codes.ts'
import { actionRefusal, moveFor } from './actions.ts'
import { autopilot } from './autopilot.ts'
import { invalidAction, type Refused } from './codes.ts'
import { legacyBuild, legacyMove } from './legacy.ts'
import type { LiveMatch } from './live-match.ts'
import type { Action } from './messages.ts'
import { decisionTime, mostTimeouts, warnedAt } from './terms.ts'
import type { Token } from './tokens.ts'
import { boardWords, type Prompt, promptFor, tradeIdOf, yourTurn } from './words.ts'

/** What plays in a seat: a socket of an agent, or what stands for one. */
export interface SeatClient {
  /**
   * It speaks as clients of the public implementation do: the server rolls, ends turns, raises money and refuses trades, and such
   * a client is asked for nothing else.
   */
  readonly isLegacy: boolean
  /** A message of the protocol. */
  send(type: string, data: object): void
  refuse(refused: Refused): void
  /** Another client has taken the seat. */
  replaced(): void
  /** The seat is no more, and nothing follows: its match is over, or it was away for too long. */
  over(): void
}

/** What a seat asks of its room. */
export interface SeatRoom {
  readonly id: string
  readonly config: object
  readonly isPaused: boolean
}

/** What a seat asks of the lobby. */
export interface SeatHost {
  /** The match in which this seat plays, as it is followed. */
  begun(seat: ClawpolySeat, match: MatchId): LiveMatch
  /** The table of a live match. */
  table(match: MatchId): Table | undefined
  /** The host has ended it. */
  dismissed(seat: ClawpolySeat): void
  /** A client has come, or is gone. */
  connected(seat: ClawpolySeat): void
  disconnected(seat: ClawpolySeat): void
  /** Something has happened to other players of the room that agents are not told of. */
  followed(seat: ClawpolySeat): void
}

/** Who sits down. */
export interface Sitting {
  /** With which it sits down; of a guest any of those that guests share. */
  readonly account: Account
  readonly terms: Terms
  /** By which its client names it. */
  readonly agentToken: string
  /** What it would like to be on the board. */
  readonly wanted: unknown
}

/** The most events that one `agent:your_turn` has. */
const mostEvents = 100

/** A seat in a room, from a join to the end of the match. Its clients come and go; at most one is attached. */
export class ClawpolySeat implements Player {
  readonly followsMoves = true
  readonly protocol = 'clawpoly'
  readonly account: Account
  readonly terms: Terms
  readonly agentToken: string
  readonly wanted: unknown
  readonly room: SeatRoom
  /** Resolves once it sits, with null, or with why it may not. */
  readonly admitted: Promise<Refusal | null>
  /** In the room. Set once it sits down. */
  slot = -1
  /** Called once the seat is no more: its login is kept until then. */
  release: () => void = () => {}
  readonly #host: SeatHost
  #admit: (refusal: Refusal | null) => void = () => {}
  #client: SeatClient | null = null
  #live: LiveMatch | null = null
  #handle: SeatHandle | null = null
  #seat: Seat = -1
  #prompt: Prompt | null = null
  /** A client has been told that the game has started. */
  #hasHeardStart = false
  /** The next board is for a client that has come back. */
  #isBack = false
  /** How many events of the log there were with the last `agent:your_turn`. */
  #heard = 0
  /** Late moves in a row of which the client has not been told yet. */
  #strikes: number | null = null
  #isOver = false

  constructor(host: SeatHost, room: SeatRoom, { account, terms, agentToken, wanted }: Sitting) {
    this.#host = host
    this.room = room
    this.account = account
    this.terms = terms
    this.agentToken = agentToken
    this.wanted = wanted
    this.admitted = new Promise(resolve => {
      this.#admit = resolve
    })
  }

  get playerId(): string {
    return `agent-${this.slot}`
  }

  get isConnected(): boolean {
    return this.#client !== null
  }

  /** What it is asked now; null while it is asked nothing. */
  get prompt(): Prompt | null {
    return this.#prompt
  }

  /** Its match, once that has begun. */
  get live(): LiveMatch | null {
    return this.#live
  }

  /** In the match; −1 before it. */
  get seat(): Seat {
    return this.#seat
  }

  /** The match is over, or the seat was lost: its token is worth nothing any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** A client comes, or comes back, in place of any other. */
  attach(client: SeatClient): void {
    const earlier = this.#client
    const isBack = this.#hasHeardStart
    this.#client = client
    earlier?.replaced()
    const { id: roomId, config: gameConfig } = this.room
    client.send('agent:welcome', {
      ...{ playerId: this.playerId, roomId, gameConfig },
      ...(isBack && { reconnected: true }),
    })
    if (earlier === null) this.#host.connected(this)
    const table = this.#live === null ? undefined : this.#host.table(this.#live.match)
    if (this.#live === null || table === undefined) return
    if (!isBack) this.#tellStart(this.#live)
    this.#isBack = true
    this.#prompt = null
    table.attach(this.#seat, this)
  }

  /** This client is gone. `cause`: the code of why the host ended its connection, if it did. */
  detach(client: SeatClient, cause?: string): void {
    if (client !== this.#client) return
    this.#client = null
    this.#prompt = null
    this.#handle?.lost(cause)
    this.#handle = null
    if (!this.#isOver) this.#host.disconnected(this)
  }

  /** The host ends it: its account is banned, or its secret was revoked. */
  dismiss({ code }: WireRefusal): void {
    if (code !== 'banned' && code !== 'revoked') return
    this.#handle?.lost(code)
    this.#host.dismissed(this)
  }

  /** Answers what it is asked, or says why not. What follows is told to the client. */
  act(action: Action): Refused | null {
    const { live } = this
    if (live !== null && this.room.isPaused)
      return invalidAction('the game is paused, because an agent is away: wait until it goes on')
    const prompt = this.#prompt
    if (prompt === null || live === null || this.#handle === null) return notYourTurn
    this.#host.followed(this)
    const isLegacy = this.#client?.isLegacy === true
    const read = isLegacy
      ? legacyMove(live.state, action)
      : moveFor(live, this.#seat, prompt, action)
    if ('code' in read) return read
    const refusal = actionRefusal(live.state, this.#seat, read.move, action)
    if (refusal !== null) return refusal
    this.#handle.move(read.move)
    return null
  }

  /** The seat is lost, or its room is gone. */
  end(): void {
    this.#isOver = true
    const { release } = this
    this.release = () => {}
    release()
    this.#prompt = null
    this.#handle = null
    const client = this.#client
    this.#client = null
    client?.over()
  }

  tell(news: News): void {
    switch (news.kind) {
      case 'queued':
        this.#admit(null)
        break
      case 'dismissed':
        this.#admit(news)
        this.#client?.refuse({ code: 'INVALID_TOKEN', message: news.detail })
        this.end()
        break
      case 'closing':
      case 'unmatched':
        this.end()
        break
      case 'seated':
        this.#sitDown(news)
        break
      case 'shown':
        this.#show(news)
        break
      case 'accepted':
        this.#prompt = null
        break
      case 'played':
        this.#played(news)
        break
      case 'fell':
        this.#fell(news)
        break
      case 'strike':
        this.#strikes = news.strikes
        break
      case 'refused':
        this.#client?.refuse(
          news.code === 'not-your-turn' ? notYourTurn : invalidAction(news.detail),
        )
        break
      case 'ended':
      case 'aborted':
        this.#finish(news)
        break
      case 'replaced':
      case 'clocks':
      case 'away':
      case 'back':
      case 'voting':
      case 'at-random':
        // Agents are not told of these: it is this seat that has replaced itself, and spectators are told of absences.
        break
    }
  }

  #sitDown({ handle, match, seat }: Seated): void {
    this.#live ??= this.#host.begun(this, match)
    this.#seat = seat
    if (this.#client === null) {
      handle.lost()
      return
    }
    this.#handle = handle
    if (!this.#hasHeardStart) this.#tellStart(this.#live)
  }

  #tellStart({ turnOrder, people, state }: LiveMatch): void {
    this.#hasHeardStart = true
    this.#send('agent:game_started', {
      turnOrder,
      players: people.map(({ id, name, token }: { id: string; name: string; token: Token }) => ({
        ...{ id, name, token },
      })),
      board: boardWords(state, people),
    })
  }

  #show({ yourTurn: isDue }: Shown): void {
    const live = this.#live
    if (live === null) return
    this.#host.followed(this)
    const isBack = this.#isBack
    this.#isBack = false
    this.#prompt = null
    if (!isDue) return
    if (this.#client?.isLegacy === true) this.#askLegacy(live)
    else this.#ask(live, isBack)
  }

  #ask(live: LiveMatch, isBack: boolean): void {
    const { state, people, log } = live
    const prompt = promptFor(state, people, this.#seat, log.since(this.#heard, mostEvents))
    this.#prompt = prompt
    if (prompt === null) return
    const isOwnTurn = state.current === this.#seat
    if (isBack && isOwnTurn && prompt.type !== 'agent:your_turn') {
      const lastEvents = log.since(this.#heard, mostEvents)
      const { availableActions } = prompt
      const turn = yourTurn(state, people, this.#seat, lastEvents, availableActions)
      this.#heard = log.length
      this.#send(turn.type, turn.data)
    }
    if (prompt.type === 'agent:your_turn') this.#heard = log.length
    this.#send(prompt.type, prompt.data)
  }

  #askLegacy({ state, people }: LiveMatch): void {
    const move = autopilot(state, this.#seat)
    if (move !== null) {
      this.#handle?.move(move)
      return
    }
    const prompt = promptFor(state, people, this.#seat)
    this.#prompt = prompt
    if (prompt === null) return
    const isBuild = prompt.type === 'agent:build_decision'
    this.#send(prompt.type, isBuild ? { ...prompt.data, ...legacyBuild(state) } : prompt.data)
  }

  #played({ seat, move, isFallback, events }: MovePlayed): void {
    const strikes = this.#strikes
    if (seat === this.#seat) {
      this.#prompt = null
      this.#strikes = null
      if (isFallback && strikes !== null)
        this.#timedOut(strikes, isRecord(move ?? null) ? String(Object(move).action) : 'none')
    }
    this.#tellTrades(events as readonly ClawpolyEvent[], isFallback)
  }

  #fell({ seat, fault, events }: Fell): void {
    if (seat === this.#seat) {
      this.#prompt = null
      if (fault === 'late') this.#timedOut(mostTimeouts, 'bankrupt')
    }
    this.#tellTrades(events as readonly ClawpolyEvent[], false)
  }

  #timedOut(consecutiveTimeouts: number, fallback: string): void {
    const isWarning = consecutiveTimeouts >= warnedAt
    this.#client?.refuse({
      code: 'AGENT_TIMEOUT',
      message: `No action within ${decisionTime / 1000} s: ${fallback} was done for you. ${mostTimeouts} timeouts in a row make you bankrupt.`,
      context: { consecutiveTimeouts, fallback, ...(isWarning && { warning: true }) },
    })
  }

  /** What has become of its own offers. */
  #tellTrades(events: readonly ClawpolyEvent[], isFallback: boolean): void {
    for (const event of events) {
      if (event.seat !== this.#seat) continue
      if (event.kind === 'trade_accepted')
        this.#send('agent:trade_result', { tradeId: tradeIdOf(event.id), accepted: true })
      else if (event.kind === 'trade_rejected') {
        const reason = isFallback && event.why === 'refused' ? 'no answer' : event.why
        this.#send('agent:trade_result', { tradeId: tradeIdOf(event.id), accepted: false, reason })
      }
    }
  }

  #finish(news: Ended | Aborted): void {
    this.#host.followed(this)
    const over = this.#live?.ended(news.kind === 'ended' ? news.outcome : null)
    if (over !== undefined) this.#send('agent:game_over', over)
    this.end()
  }

  #send(type: string, data: object): void {
    this.#client?.send(type, data)
  }
}

const notYourTurn: Refused = {
  code: 'NOT_YOUR_TURN',
  message: 'you are asked nothing now: wait for the next prompt',
}
