import type { Account } from '../../arena/account.ts'
import type { Refusal } from '../../arena/codes.ts'
import type {
  Aborted,
  Ended,
  MovePlayed,
  News,
  Observation,
  Player,
  Seated,
  SeatHandle,
  Shown,
} from '../../arena/player.ts'
import { type Game, type Json, type Seat, seatRange } from '../../games/game.ts'
import { gameOf } from '../../games/index.ts'
import type { Leave, SeekRequest } from '../../matchmaking/matchmaking.ts'
import type { Audience, Spectator } from '../audience.ts'
import type { WireRefusal } from '../codes.ts'
import type { Close, Connection, Message, Session } from '../connection.ts'
import type { Gate } from '../gate.ts'
import { agentIdOf } from './agent-id.ts'
import { type Code, closeCodes, type MoveCode, moveRefusals, refusals } from './codes.ts'
import type { LiveGame, Seen } from './live-game.ts'
import type { Lobby } from './lobby.ts'
import { isFields, matchOf, parse, print, type Request } from './messages.ts'
import { lastWordsFor } from './refusals.ts'
import { wordsOf } from './words/index.ts'
import type { Told } from './words/words.ts'

/** This many frames in `window` milliseconds; those with accepted moves do not count. */
const mostFrames = 200
const window = 10_000
const mostSubscriptions = 100

/** The game that a session plays. */
interface Playing {
  readonly game: LiveGame
  readonly seat: Seat
  readonly handle: SeatHandle
  /** What was told since the last board. */
  told: Told[]
  /** The last board that was shown; null before the first. */
  observation: Observation | null
  /** Its number. */
  turn: number | null
  /** It owes no move, but may send one. */
  mayAct: boolean
  /** The session has come back to its seat, and has not been shown the board yet. */
  isBack: boolean
  /** The seat is out of the game by a fault, which goes on without it. */
  isOut: boolean
}

/** One WebSocket: watches games, and once it has authenticated, waits and plays one game after the other. */
export class AgentSession implements Session<Message>, Spectator {
  readonly #lobby: Lobby
  readonly #connection: Connection
  readonly #gate: Gate
  /** Null until the client has authenticated. */
  #player: Player | null = null
  #request: SeekRequest | null = null
  /** Ends the wait. */
  #leaveQueue: Leave | null = null
  #playing: Playing | null = null
  #isComingBack = false
  readonly #watched = new Set<Audience>()
  #frames = 0
  #windowEnd = 0
  #isOver = false

  constructor(lobby: Lobby, connection: Connection, gate: Gate) {
    this.#lobby = lobby
    this.#connection = connection
    this.#gate = gate
  }

  receive(message: Message): Promise<void> | undefined {
    if (this.#isOver || this.#isTooFast()) return undefined
    if (typeof message !== 'string') {
      // After one that is too long the wire ends the connection.
      if (message.code === 'bad-message') this.#refuse('bad-message')
      return undefined
    }
    const request = parse(message)
    if (typeof request === 'string') this.#refuse(request)
    else if (request.type === 'authenticate') return this.#authenticate(request)
    else {
      const refusal = this.#answer(request)
      if (refusal !== undefined) this.#refuse(refusal)
    }
    return undefined
  }

  /** Returns why it refuses to, if it does. */
  #answer(request: Request): Code | undefined {
    const { type } = request
    if (type === 'subscribe_game') return this.#subscribe(request)
    if (type === 'ping') this.#sendPong()
    else if (this.#player === null) return 'not-authenticated'
    else if (type === 'join_queue') return this.#join(this.#player, request)
    else if (type === 'submit_move') return this.#submit(request)
    return undefined
  }

  /** With every keep-alive of the wire, which comes every 30 s, the client hears a sign of life that its library shows. */
  pinged(): void {
    if (!this.#isOver) this.#sendPong()
  }

  #sendPong(): void {
    this.#connection.send(print.pong(this.#lobby.clock.date()))
  }

  drained(): void {
    for (const audience of this.#watched) audience.drained(this)
  }

  /** The wire ends the connection, in the words of this protocol. */
  dismiss({ code }: WireRefusal): void {
    this.#leave(code)
  }

  closed(): void {
    this.#leave()
  }

  /** A newer connection of the same agent has authenticated. */
  replaced(): void {
    this.#end({ code: closeCodes.replaced, reason: 'Replaced by a newer connection.' })
  }

  /** Null until the client has authenticated. */
  get player(): Player | null {
    return this.#player
  }

  get unsent(): number {
    return this.#connection.unsent
  }

  /** Nothing waits for a batch: that would write to all spectators at once. */
  hear(lines: readonly string[]): void {
    for (const line of lines) this.#connection.send(line)
  }

  left(audience: Audience): void {
    this.#watched.delete(audience)
  }

  /** Counts a message. Ends the connection, and returns true, if it is one too many. */
  #isTooFast(): boolean {
    const now = this.#lobby.clock.elapsed()
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + window
      this.#frames = 0
    }
    if (++this.#frames <= mostFrames) return false
    this.#connection.refused('too-fast')
    const reason = `More than ${mostFrames} frames in ${window / 1000} s.`
    this.#end({ code: closeCodes.tooFast, reason })
    return true
  }

  async #authenticate({ token }: Request): Promise<void> {
    if (this.#player !== null) this.#refuse('already-authenticated')
    else if (typeof token !== 'string' || token === '') {
      this.#refuse('no-token')
      this.#end({ code: closeCodes.unauthorized, reason: refusals['no-token'] })
    } else {
      const login = await this.#gate.login(token, ['api-key', 'token'])
      if (this.#isOver) return
      if (!('code' in login)) this.#begin(login.account)
      else {
        // The gate has counted it.
        const { text, close } = lastWordsFor(login)
        if (text !== undefined) this.#connection.send(text)
        this.#end(close)
      }
    }
  }

  #begin(account: Account): void {
    const { sessions, terms } = this.#lobby
    const player: Player = {
      account,
      terms,
      connection: this.#connection.id,
      protocol: 'loa',
      followsMoves: true,
      tell: news => this.#hear(player, news),
    }
    this.#player = player
    this.#connection.send(print.authenticated(agentIdOf(account), account))
    const earlier = sessions.get(account.id)
    sessions.set(account.id, this)
    const seat = this.#lobby.seatOf(account)
    if (seat !== undefined) {
      this.#isComingBack = true
      seat.attach(player)
    }
    earlier?.replaced()
  }

  #join(player: Player, { gameType, practice, table }: Request): Code | undefined {
    if (gameType === undefined || gameType === null || gameType === '') return 'no-game-type'
    const game = typeof gameType === 'string' ? gameOf(gameType) : undefined
    if (game === undefined || !isPlayable(game)) return 'unknown-game'
    if (practice !== undefined && practice !== false && isPresent(table)) return 'practice-at-table'
    if (this.#lobby.isSeated(player.account)) return 'already-playing'
    const waits = this.#request
    const atTable = tableOf(table)
    const isSame = waits?.game === game && waits.table === atTable.table
    if (isSame && waits.practice === undefined && practice === undefined) {
      this.#tellPosition(player)
      return undefined
    }
    this.#stopWaiting()
    this.#request = { game, inOrder: true, ...practiceOf(practice), ...atTable }
    this.#seek(player)
    return undefined
  }

  #seek(player: Player): void {
    this.#leaveQueue = this.#lobby.matchmaking.seek(player, this.#request!)
  }

  #stopWaiting(): void {
    this.#leaveQueue?.()
    this.#leaveQueue = null
    this.#request = null
  }

  #submit({ gameId, move }: Request): Code | undefined {
    if (!isPresent(gameId)) return 'no-game-id'
    if (!isFields(move)) return 'no-move'
    const playing = this.#playing
    const match = typeof gameId === 'string' ? matchOf(gameId) : Number.NaN
    if (!this.#lobby.isActive(match)) this.#refuseMove('not-active')
    else if (playing?.game.match !== match) this.#refuseMove('not-a-player')
    else playing.handle.move(playing.game.words.move(move))
    return undefined
  }

  #subscribe({ gameId }: Request): Code | undefined {
    if (!isPresent(gameId)) return 'no-game-id'
    const match = typeof gameId === 'string' ? matchOf(gameId) : Number.NaN
    const playing = this.#playing
    if (playing?.game.match === match) {
      this.#showAgain(playing)
      return undefined
    }
    if (this.#watched.size >= mostSubscriptions && this.#lobby.isLive(match))
      return 'too-many-subscriptions'
    const audience = this.#lobby.watch(match, this)
    if (audience !== undefined) {
      this.#watched.add(audience)
      return undefined
    }
    const lines = this.#lobby.finished.of(match)
    if (lines === undefined) return 'game-not-found'
    this.hear(lines)
    return undefined
  }

  #hear(player: Player, news: News): void {
    if (this.#isOver) return
    switch (news.kind) {
      case 'queued':
        // The agent that completes a table is not told of the queue: the match has been made once this is done.
        this.#lobby.clock.soon.do(() => this.#tellPosition(player))
        break
      case 'seated':
        this.#seat(news)
        break
      case 'accepted':
        if (this.#frames > 0) this.#frames--
        this.#connection.send(print.accepted, true)
        if (this.#playing !== null) this.#playing.mayAct = false
        break
      case 'played':
        if (this.#playing === null) break
        this.#playing.told.push(toldOf(news))
        this.#connection.send(this.#playing.game.thinking[news.seat]!, true)
        break
      case 'fell':
        if (this.#playing === null) break
        this.#playing.told.push({ ...news, move: null, isFall: true })
        if (news.seat === this.#playing.seat) this.#playing.isOut = news.fault !== null
        break
      case 'shown':
        if (this.#playing !== null) this.#show(this.#playing, news)
        break
      case 'refused':
        if (this.#playing !== null) this.#refuseMoveFor(this.#playing, news)
        break
      case 'ended':
      case 'aborted':
        if (this.#playing !== null) this.#finish(this.#playing, news)
        break
      case 'dismissed':
        this.#leaveQueue = null
        this.#request = null
        this.#connection.refused(news.code)
        this.#connection.send(print.error(news.detail))
        break
      case 'closing':
        // The connection is ended by the wire.
        break
      case 'replaced':
        // So is this session, by the one that took its place.
        break
      case 'unmatched':
        // By this protocol a wait has no end.
        break
      case 'at-random':
      case 'strike':
      case 'away':
      case 'back':
      case 'clocks':
        // The reference has no words for these. After a pause the board comes again.
        break
    }
  }

  #tellPosition(player: Player): void {
    const { game, table = null } = this.#request ?? {}
    if (game === undefined || this.#isOver) return
    // Agents of this protocol meet those that wait for the standard ladder, or at the table.
    const waiting = this.#lobby.matchmaking.waiting.filter(
      waiting => waiting.ladder.id === game.id && waiting.table === table,
    )
    const position = 1 + waiting.findIndex(waiting => waiting.player === player)
    if (position === 0) return
    this.#connection.send(print.queued(position, game.id))
  }

  #seat(news: Seated): void {
    const game = this.#lobby.gameOf(news)
    const isBack = this.#isComingBack
    this.#isComingBack = false
    // It may have watched the match before it logged in.
    if (this.#watched.delete(game.audience)) game.audience.remove(this)
    this.#leaveQueue = null
    this.#request = null
    const { handle, seat, terms } = news
    this.#connection.plays?.(news.match)
    this.#playing = {
      game,
      seat,
      handle,
      told: [],
      observation: null,
      turn: null,
      mayAct: false,
      isBack,
      isOut: false,
    }
    if (!isBack) this.#connection.send(print.matched(game, terms))
  }

  #show(playing: Playing, shown: Shown): void {
    const { game, isBack, told } = playing
    const isNew = shown.turn !== playing.turn
    playing.turn = shown.turn
    playing.isBack = false
    playing.observation = shown.observation
    playing.mayAct = shown.mayAct
    if (!isNew || isBack) {
      this.#showBoard(playing, shown, shown.yourTurn)
      return
    }
    playing.told = []
    const { updates, state, round } = game.newBoard(shown, told)
    for (const line of updates) this.#connection.send(line, true)
    this.#connection.send(state, !shown.yourTurn)
    this.#askForMove(playing, round, shown.yourTurn)
  }

  /** Shows the board as it stands. */
  #showAgain(playing: Playing): void {
    const seen = this.#lobby.seen(playing.game.match, playing.seat)
    if (seen === undefined) return
    playing.observation = seen.observation
    this.#showBoard(playing, seen, seen.clocks[playing.seat] !== null)
  }

  #showBoard(playing: Playing, seen: Seen, isDue: boolean): void {
    const { state, round } = playing.game.board(seen)
    this.#connection.send(state)
    this.#askForMove(playing, round, isDue)
  }

  #askForMove({ game, mayAct, isOut }: Playing, round: number, isDue: boolean): void {
    // Agents that are out of a dance may still send plans, for their mottos.
    if (isDue || (mayAct && !isOut && game.words.maxRounds !== null))
      this.#connection.send(print.yourTurn(game.gameId, round))
  }

  #finish(playing: Playing, news: Ended | Aborted): void {
    this.#playing = null
    const { game, told } = playing
    const observation = news.kind === 'ended' ? news.observation : playing.observation
    if (observation === null) {
      // It came back in that moment: what is kept for all has to do.
      this.#lobby.clock.soon.do(() => {
        this.hear(this.#lobby.finished.of(game.match) ?? [])
        this.#connection.plays?.(null)
      })
      return
    }
    const lines = game.lastLines(observation, told, news, this.#lobby.clock.date())
    for (const line of lines) this.#connection.send(line)
    this.#connection.plays?.(null)
  }

  #refuse(code: Code): void {
    this.#connection.refused(code)
    this.#connection.send(print.error(refusals[code]))
  }

  #refuseMoveFor(playing: Playing, refusal: Refusal): void {
    const code = moveCodeFor(playing, refusal)
    this.#refuseMove(code, code === 'invalid-move' ? refusal.detail : undefined)
  }

  #refuseMove(code: MoveCode, detail?: string): void {
    this.#connection.refused(code)
    this.#connection.send(print.refused(moveRefusals[code], detail))
  }

  #end(close: Close): void {
    this.#leave()
    this.#connection.end(1, close)
  }

  /** Nothing is heard or answered any more. A seat that is held outlives the session. */
  #leave(cause?: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopWaiting()
    this.#playing?.handle.lost(cause)
    this.#playing = null
    for (const audience of this.#watched) audience.remove(this)
    this.#watched.clear()
    this.#lobby.left(this, this.#player)
  }
}

const toldOf = ({ seat, move, label, events }: MovePlayed): Told => ({
  seat,
  move,
  label,
  isFall: false,
  events,
})

const isPresent = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && value !== ''

/** The games of the reference, and all others for two. */
const isPlayable = (game: Game): boolean => {
  const { min, max } = seatRange(game)
  return wordsOf(game).maxRounds !== null || (min === 2 && max === 2)
}

/** `practice` is no option of the reference: `true`, or the level of a house player. */
const practiceOf = (practice: Json | undefined): Pick<SeekRequest, 'practice'> =>
  practice === true ? { practice: 'default' } : typeof practice === 'string' ? { practice } : {}

/** `table` is no option of the reference, either: the id or the code of a table. */
const tableOf = (table: Json | undefined): Pick<SeekRequest, 'table'> =>
  table === undefined || table === null
    ? {}
    : { table: typeof table === 'string' ? table : JSON.stringify(table) }

const moveCodeFor = ({ game, isOut }: Playing, { code }: Refusal): MoveCode => {
  if (code !== 'not-your-turn') return 'invalid-move'
  if (isOut) return 'not-active'
  return game.game.facts.turns === 'together' ? 'already-moved' : 'invalid-move'
}
