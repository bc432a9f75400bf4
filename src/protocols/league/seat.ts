import type { Account } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import type { News, Player, Seated, SeatHandle, Shown } from '../../arena/player.ts'
import type { Terms } from '../../arena/terms.ts'
import type { Clock } from '../../clock.ts'
import type { Json } from '../../games/game.ts'
import { oneLine, quoted } from '../../games/words.ts'
import { CallFailure } from '../../outgoing/call-failure.ts'
import type { Calls } from './calls.ts'
import { type ErrorCode, errors } from './codes.ts'
import { gameTypeOf, type LeaguePlace } from './match.ts'
import {
  type Fields,
  type Message,
  type MessageType,
  newConversation,
  timestampOf,
} from './messages.ts'
import type { Room } from './referee.ts'
import type { RpcReply } from './rpc.ts'

export const protocolId = 'league.v2'

/** What a seat has of the own referee. */
export interface SeatHost {
  readonly arena: Arena
  readonly clock: Clock
  readonly calls: Calls
  failed(error: unknown): void
  /** The room of the match that this seat is in from now on. */
  seated(seat: LeagueSeat, seated: Seated): Room
}

/** How often an answer that cannot be taken is asked for again. */
const retries = 3
/** How long a server may take to hear of its mistake before it is asked again. */
const errorTime = 1_000

const termsOf = ({ join, choice }: LeaguePlace['options']): Terms => ({
  move: choice,
  illegal: { retries, counted: 'in a row', penalty: 'forfeit' },
  late: 'forfeit',
  // The invitation: from the start of the match until the player accepts it. A player that is there already may move.
  away: { stages: [{ time: join, play: 'stands' }], times: 1, together: true },
})

/** The match that a seat is in. */
interface Playing {
  readonly seated: Seated
  readonly room: Room
  readonly matchId: string
  readonly opponentId: string
  handle: SeatHandle
  /** The invitation waits for its answer; it was accepted; or it was declined. */
  stage: 'invited' | 'accepted' | 'declined'
  shown: Shown | null
  /** By `clock.now()`: until when the move may be made. */
  until: number
  /** The turn of the board that is asked about. */
  asked: number | null
  /** What the last answer was, if it is refused. */
  wrong: { readonly code: 'E003' | 'E004'; readonly detail?: string }
  /** It cannot be called, and loses at once. */
  isLost: boolean
}

/** A player of the arena whose server is asked over HTTP. One for each match. */
export class LeagueSeat implements Player {
  readonly account: Account
  readonly terms: Terms
  readonly protocol = protocolId
  readonly place: LeaguePlace
  readonly conversation: string
  readonly #host: SeatHost
  /** Hears of what is about no match, such as the end of a wait. */
  readonly #heard: (news: News) => void
  #playing: Playing | null = null

  constructor(host: SeatHost, place: LeaguePlace, account: Account, heard = (_: News) => {}) {
    this.#host = host
    this.place = place
    this.#heard = heard
    this.conversation = newConversation(`conv-${place.agent.id}`)
    this.account = account
    this.terms = termsOf(place.options)
  }

  tell(news: News): void {
    const playing = this.#playing
    if (news.kind === 'seated') this.#seated(news)
    else if (playing === null) this.#heard(news)
    else if (news.kind === 'shown') {
      playing.shown = news
      this.#timed(playing, news.timeLeft)
      this.ask()
    } else if (news.kind === 'clocks') {
      this.#timed(playing, news.timeLeft)
      if (news.play === 'runs') this.ask()
    } else if (news.kind === 'refused' && news.retries !== undefined)
      this.#tellOfMistake(playing, news.detail, news.retries)
  }

  /** A message that its server has sent by itself, in place of a reply. */
  pushed(type: MessageType, message: Fields): void {
    if (this.#playing === null) return
    if (type === 'GAME_JOIN_ACK') this.#acked(this.#playing, message)
    else this.#answered(this.#playing, message)
  }

  /** Asks for the move that is owed, once all players of the match have accepted. */
  ask(): void {
    const playing = this.#playing
    if (playing === null) return
    const { shown, stage, room, asked } = playing
    if (shown === null || !shown.yourTurn || stage !== 'accepted' || asked === shown.turn) return
    if (room.accepted < room.seats.length) return
    playing.asked = shown.turn
    this.#choose(playing).catch(this.#host.failed)
  }

  /** The match is over. */
  over(): void {
    this.#playing = null
  }

  /** A message whose reply says nothing, after those that were sent before. */
  post(message: Message): void {
    const { agent, options } = this.place
    void this.#host.calls.post(agent, this.#full(message), { within: options.join })
  }

  errorOf(code: ErrorCode, action: MessageType, matchId: string): Message {
    return {
      message_type: 'GAME_ERROR',
      match_id: matchId,
      error_code: code,
      error_description: errors[code].name,
      affected_player: this.place.agent.id,
      action_required: action,
    }
  }

  #full(message: Message) {
    return { ...this.place.envelope(this.conversation), ...message }
  }

  #call(message: Message, within: number): Promise<RpcReply | CallFailure> {
    return this.#host.calls.call(this.place.agent, this.#full(message), { within })
  }

  #timed(playing: Playing, timeLeft: number | null): void {
    if (timeLeft !== null) playing.until = this.#host.clock.now() + timeLeft
  }

  #seated(seated: Seated): void {
    const { handle, match, accounts, seat } = seated
    if (this.#playing !== null) {
      this.#playing.handle = handle
      if (this.#playing.isLost) handle.lost()
      return
    }
    const [opponent] = accounts.filter((_, other) => other !== seat)
    const playing: Playing = {
      ...{ seated, handle, stage: 'invited', shown: null, until: 0, asked: null },
      ...{ wrong: { code: 'E003' }, isLost: false, room: this.#host.seated(this, seated) },
      matchId: this.place.matchId(match),
      opponentId: this.place.playerId(opponent!),
    }
    this.#playing = playing
    handle.lost()
    this.#invite(playing).catch(this.#host.failed)
  }

  async #invite(playing: Playing): Promise<void> {
    const { seated, matchId, opponentId } = playing
    const { agent, options, round } = this.place
    const reply = await this.#call(
      {
        message_type: 'GAME_INVITATION',
        ...{ league_id: agent.league, round_id: round, match_id: matchId },
        game_type: gameTypeOf(seated.game.id),
        role_in_match: seated.seat === 0 ? 'PLAYER_A' : 'PLAYER_B',
        opponent_id: opponentId,
      },
      options.join,
    )
    if (this.#playing !== playing) return
    if (reply instanceof CallFailure) this.#failedBy(playing, reply)
    else if ('message' in reply) this.#acked(playing, reply.message)
  }

  #acked(playing: Playing, message: Fields): void {
    if (playing.stage !== 'invited' || isOfAnother(message, playing)) return
    const { accept = null, status = null, message_type } = message
    // Without these it is a receipt, and the answer is pushed later.
    if (message_type !== 'GAME_JOIN_ACK' && typeof accept !== 'boolean' && status !== 'ACCEPTED')
      return
    const accepts = accept === null ? status === null || status === 'ACCEPTED' : accept === true
    playing.stage = accepts ? 'accepted' : 'declined'
    const { room, seated } = playing
    if (!accepts) {
      room.failures.set(seated.seat, { code: 'E001', detail: 'it declined the invitation' })
      return
    }
    room.accepted++
    this.#attach(playing)
    settle(room)
  }

  /** Whether its invitation may still be accepted. */
  get isInvited(): boolean {
    return this.#playing?.stage === 'invited' && !this.#playing.isLost
  }

  /** It loses at once if it cannot be called. Where others had no answer yet, they would lose with it. */
  loseIfLost(): void {
    const playing = this.#playing
    if (playing?.stage === 'invited' && playing.isLost) this.#attach(playing)
  }

  /** Ends the absence that the invitation is. */
  #attach({ seated }: Playing): void {
    this.#host.arena
      .seatsOf(this.account.id)
      .find(({ match, seat }) => match === seated.match && seat === seated.seat)
      ?.attach(this)
  }

  async #choose(playing: Playing): Promise<void> {
    const { seated, matchId, opponentId, asked, shown, until } = playing
    const { clock } = this.#host
    const left = Math.max(0, until - clock.now())
    const isParity = seated.game.id === 'even-odd'
    const reply = await this.#call(
      {
        message_type: isParity ? 'CHOOSE_PARITY_CALL' : 'CHOOSE_MOVE_CALL',
        ...{ match_id: matchId, player_id: this.place.agent.id },
        game_type: gameTypeOf(seated.game.id),
        ...(!isParity && { turn: asked, observation: shown!.observation as Json }),
        context: {
          opponent_id: opponentId,
          round_id: this.place.round,
          your_standings: { ...this.place.standing() },
        },
        deadline: timestampOf(clock.date() + left),
      },
      left,
    )
    if (this.#playing !== playing || playing.asked !== asked) return
    if (reply instanceof CallFailure) this.#failedBy(playing, reply)
    else if ('message' in reply) this.#answered(playing, reply.message)
  }

  #answered(playing: Playing, message: Fields): void {
    if (playing.asked === null || isOfAnother(message, playing)) return
    const { agent, options } = this.place
    const { lenient } = options
    const isParity = playing.seated.game.id === 'even-odd'
    const { type, field } = isParity ? parityAnswer : moveAnswer
    const choice = message[field] ?? (lenient && isParity ? message.choice : null) ?? null
    // Without these it is a receipt, and the answer is pushed later.
    if (message.message_type !== type && choice === null && !(field in message)) return
    const { player_id: player = agent.id } = message
    if (player !== agent.id && !lenient) {
      this.post(this.errorOf('E005', type, playing.matchId))
      return
    }
    const isUnread = choice === null || (isParity && choice !== 'even' && choice !== 'odd')
    playing.wrong =
      choice === null
        ? { code: 'E003', detail: `${field} is missing` }
        : {
            code: 'E004',
            ...(isUnread && {
              detail: `${field} is ${quoted(typeof choice === 'string' ? choice : JSON.stringify(choice))}, not "even" or "odd"`,
            }),
          }
    playing.room.failures.set(playing.seated.seat, {
      detail: 'what it answered is against the rules',
      ...playing.wrong,
    })
    // The referee alone says what an answer costs that cannot be read.
    playing.handle.move(isUnread ? undefined : (choice as Json))
  }

  #tellOfMistake(
    playing: Playing,
    refusal: string,
    { made, left }: { readonly made: number; readonly left: number | null },
  ): void {
    const { wrong, seated, asked, until, matchId } = playing
    if (asked === null) return
    const { clock } = this.#host
    const { type } = seated.game.id === 'even-odd' ? parityAnswer : moveAnswer
    const { code, detail = oneLine(refusal) } = wrong
    const window = until - clock.now()
    const error = this.#call(
      {
        ...this.errorOf(code, type, matchId),
        reason: detail,
        retry_info: {
          ...{ retry_count: made, max_retries: made - 1 + (left ?? 1) },
          next_retry_at: timestampOf(clock.date()),
        },
        consequence: `technical loss at ${timestampOf(clock.date() + window)}`,
      },
      Math.max(0, Math.min(errorTime, window)),
    )
    error
      .then(() =>
        this.#playing === playing && playing.asked === asked ? this.#choose(playing) : undefined,
      )
      .catch(this.#host.failed)
  }

  /** A server that is not there loses when its window is over: its answer may still be pushed. */
  #failedBy(playing: Playing, { cause }: CallFailure): void {
    const { room, seated } = playing
    const isReached = cause === 'timeout' || cause === 'not-json' || cause === 'status'
    room.failures.set(
      seated.seat,
      isReached
        ? { code: 'E001', detail: 'no answer in time' }
        : { code: 'E009', detail: `its server cannot be called (${cause})` },
    )
    if (cause !== 'circuit-open') return
    playing.isLost = true
    if (playing.stage === 'invited') settle(room)
    else playing.handle.lost()
  }
}

/** Once all invitations are answered, those who cannot be called lose, or the first boards are asked about. */
const settle = ({ seats, accepted }: Room): void => {
  if (seats.some(({ isInvited }) => isInvited)) return
  for (const seat of seats) seat.loseIfLost()
  // The boards of those who had accepted before were shown then.
  if (accepted === seats.length) for (const seat of seats) seat.ask()
}

const parityAnswer = { type: 'CHOOSE_PARITY_RESPONSE', field: 'parity_choice' } as const
const moveAnswer = { type: 'CHOOSE_MOVE_RESPONSE', field: 'move' } as const

/** An answer that names another match is none. */
const isOfAnother = ({ match_id }: Fields, { matchId }: Playing) =>
  match_id !== undefined && match_id !== null && match_id !== matchId
