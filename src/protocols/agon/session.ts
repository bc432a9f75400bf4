import type { Account } from '../../arena/account.ts'
import type { Refusal } from '../../arena/codes.ts'
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
import { isReaction } from '../../arena/reactions.ts'
import type { RoomId } from '../../arena/room-setup.ts'
import type { Table } from '../../arena/table.ts'
import type { Timer } from '../../clock.ts'
import { type GameEvent, isFinal, type Json, type Seat } from '../../games/game.ts'
import { isRecord } from '../../games/json.ts'
import type { RoomTable } from '../../matchmaking/rooms.ts'
import type { Spectator } from '../audience.ts'
import type { WireRefusal } from '../codes.ts'
import type { Close, Connection, Message, Session } from '../connection.ts'
import { ActionLimit } from './action-limit.ts'
import { moveOf } from './arenas.ts'
import { closeCodes, logCode, missing, type Refused, refusals, tooLong } from './codes.ts'
import { matchOf } from './ids.ts'
import type { Lobby } from './lobby.ts'
import { type Fields, parse, printed, type Request } from './messages.ts'
import { configOf } from './prompt-words.ts'
import { fared } from './result.ts'
import type { RoomMatch } from './room-match.ts'
import { roomNamed } from './room-names.ts'
import { type TradeAction, tradeProposed, tradeRefusal, tradeState, tradeView } from './trades.ts'
import { currency } from './wagers.ts'

/** The match that a session plays. */
interface Playing {
  readonly live: RoomMatch
  readonly table: Table
  readonly seat: Seat
  readonly handle: SeatHandle
  /** The session has come back to its seat, and has not been told how the match stands. */
  isBack: boolean
  /** The goods of the Bazaar have not been told yet. */
  areGoodsDue: boolean
  /** The seat is to be told of its time with the next board on which it is to move. */
  isTimerDue: boolean
  /** How many messages of the match it has heard. */
  heard: number
}

/** A message that was sent, until the referee has ruled. */
interface Sent {
  readonly content: string
  /** It is one action too many, unless it is accepted. */
  readonly isTooMuch: boolean
}

/** One WebSocket of an agent that has logged in: in no room, or in one, where it watches, sits at a table, or plays. */
export class AgentSession implements Session<Message>, Spectator {
  readonly account: Account
  readonly #lobby: Lobby
  readonly #connection: Connection
  readonly #limit: ActionLimit
  #room: RoomId | null = null
  /** With what it sits at a table and plays. */
  #player: Player | null = null
  #playing: Playing | null = null
  /** It takes back a seat of a match that has begun. */
  #isComingBack = false
  #sent: Sent | null = null
  #lastReaction = Number.NEGATIVE_INFINITY
  /** When the client has last shown a sign of life. */
  #heardAt: number
  #silenceTimer: Timer | null = null
  #isOver = false

  constructor(lobby: Lobby, connection: Connection, account: Account) {
    this.#lobby = lobby
    this.#connection = connection
    this.account = account
    this.#limit = new ActionLimit(lobby.clock, lobby.actions)
    this.#heardAt = lobby.clock.elapsed()
    const earlier = lobby.sessions.get(account.id)
    lobby.sessions.set(account.id, this)
    this.#tell('welcome', { rooms: lobby.summaries })
    earlier?.replaced()
    this.#watchSilence()
  }

  receive(message: Message): Promise<void> | undefined {
    if (this.#isOver) return undefined
    this.alive()
    const count = this.#limit.count()
    if (count === 'flood') {
      this.#connection.refused('too-fast')
      this.#end({ code: closeCodes.flooding, reason: 'Too many actions' })
      return undefined
    }
    // After one that is too long the wire ends the connection.
    if (typeof message !== 'string' && message.code === 'line-too-long') return undefined
    const isTooMuch = count === 'too many'
    const request = typeof message === 'string' ? parse(message) : 'bad JSON'
    const isMessage = typeof request === 'object' && request.action === 'send_message'
    if (isTooMuch && !isMessage) this.#refuse(refusals.tooMany)
    else if (request === 'bad JSON') this.#refuse(refusals.badJson)
    else if (request === 'unknown action') this.#refuse(refusals.unknownAction)
    else if (isMessage) {
      const refusal = this.#send(request, isTooMuch)
      if (refusal !== null) this.#refuse(isTooMuch ? refusals.tooMany : refusal)
    } else {
      const refusal = this.#answer(request)
      if (refusal instanceof Promise) return refusal.then(late => this.#refuseLate(late))
      if (refusal !== null) this.#refuse(refusal)
    }
    return undefined
  }

  #refuseLate(refusal: Refused | null): void {
    if (refusal !== null && !this.#isOver) this.#refuse(refusal)
  }

  /** Returns why it refuses to, if it does. */
  #answer(request: Request): Refused | null | Promise<Refused | null> {
    switch (request.action) {
      case 'enter_room':
        return this.#enter(request)
      case 'sit_table':
        return this.#sit(request)
      case 'send_message':
        return null
      case 'propose_trade':
      case 'accept_trade':
      case 'reject_trade':
        return this.#trade(request.action, request)
      case 'leave_match':
        return this.#leaveMatch(request)
      case 'vote':
        return this.#vote(request)
      case 'react':
        return this.#react(request)
      case 'heartbeat':
        return null
      case 'propose_wager':
      case 'accept_wager':
      case 'decline_wager':
      case 'cancel_wager':
        return this.#wager(request)
    }
  }

  /** Any frame or pong of the client. */
  alive(): void {
    this.#heardAt = this.#lobby.clock.elapsed()
  }

  drained(): void {
    if (this.#room !== null) this.#lobby.drained(this.#room, this)
  }

  /** The wire ends the connection, in the words of this protocol. */
  dismiss({ code }: WireRefusal): void {
    this.#leave(code)
  }

  closed(): void {
    this.#leave()
  }

  /** A newer connection of the same agent has logged in. */
  replaced(): void {
    this.#end({ code: closeCodes.replaced, reason: 'Replaced by a newer connection.' })
  }

  get unsent(): number {
    return this.#connection.unsent
  }

  /** Nothing waits for a batch: that would write to all spectators at once. */
  hear(lines: readonly string[]): void {
    for (const line of lines) this.#connection.send(line)
  }

  /** Audiences of rooms never end. */
  left(): void {}

  /** It sits at a table, or sits on after the other one has left in the countdown. */
  satDown(player: Player, { id, room, prompt }: RoomTable): void {
    if (player !== this.#player || this.#isOver) return
    this.#lobby.unspectate(room, this)
    const { title, body } = prompt
    this.#tell('seated', { table_id: id, prompt_title: title, prompt_body: body })
  }

  /** A message about the table at which it sits. */
  told(player: Player, text: string): void {
    if (player === this.#player && !this.#isOver) this.#connection.send(text)
  }

  /** A message about the match that it plays. */
  tellOf(live: RoomMatch, text: string): void {
    if (this.#playing?.live === live && !this.#isOver) this.#connection.send(text)
  }

  /** A match has begun in which a seat of this agent is empty, because its earlier connection was lost before. */
  takeSeat(table: Table, seat: Seat): void {
    const live = this.#lobby.matchOf(table)
    if (this.#player !== null || this.#room === null || live?.room.id !== this.#room) return
    this.#attach(listener => table.attach(seat, listener), table.deal.players[seat]!.terms)
  }

  #enter({ room: name }: Request): Refused | null {
    if (typeof name !== 'string') return missing('room')
    const room = roomNamed(name)
    if (room === undefined) return refusals.unknownRoom
    if (room === this.#room) return refusals.inRoom
    const seat = this.#lobby.seatOf(this.account)
    const isElsewhere = seat !== undefined && this.#lobby.live(seat.match)?.live.room.id !== room
    if (this.#playing !== null || isElsewhere) return refusals.inMatch
    this.#leaveRoom()
    this.#room = room
    this.#lobby.enter(room, this)
    if (seat === undefined) {
      this.#lobby.spectate(room, this)
      if (this.#lobby.takeExpired(this.account, room)) this.#refuse(refusals.expired)
    }
    this.#connection.send(this.#lobby.roomState(room))
    if (seat !== undefined) this.#attach(listener => seat.attach(listener), seat.terms)
    return null
  }

  #attach(attach: (player: Player) => void, terms: Player['terms']): void {
    const player = this.#playerBy(terms)
    this.#player = player
    this.#isComingBack = true
    attach(player)
  }

  #playerBy(terms: Player['terms']): Player {
    const player: Player = {
      ...{ account: this.account, terms, connection: this.#connection.id, protocol: 'agon' },
      followsMoves: true,
      tell: news => {
        if (player === this.#player && !this.#isOver) this.#hear(news)
      },
    }
    return player
  }

  #leaveRoom(): void {
    const player = this.#player
    this.#player = null
    if (player !== null) this.#lobby.rooms.leave(player)
    if (this.#room !== null) this.#lobby.leave(this.#room, this)
    this.#room = null
  }

  /** Its seat is free, and it stays in the room. */
  #standUp(): void {
    this.#player = null
    if (this.#room !== null) this.#lobby.spectate(this.#room, this)
  }

  #sit({ room: name, table_id: id }: Request): Refused | null {
    if (typeof name !== 'string') return missing('room')
    if (typeof id !== 'string') return missing('table_id')
    const room = roomNamed(name)
    if (room === undefined) return refusals.unknownRoom
    if (room !== this.#room) return refusals.notInRoom
    const table = this.#lobby.rooms.table(id)
    if (table?.room !== room) return refusals.noTable
    if (this.#player !== null && table.seats.some(sitter => sitter?.player === this.#player))
      return refusals.seated
    if (table.status !== 'waiting' || !table.seats.includes(null)) return refusals.seatTaken
    if (this.#player !== null) return refusals.seated
    const player = this.#playerBy(table.prompt.terms)
    this.#player = player
    const refusal = this.#lobby.rooms.sit(player, id)
    if (refusal === null) return null
    this.#player = null
    return sitRefusal(refusal)
  }

  #send({ match_id, content }: Request, isTooMuch: boolean): Refused | null {
    if (typeof match_id !== 'string') return missing('match_id')
    if (typeof content !== 'string') return missing('content')
    if (content.trim() === '') return refusals.empty
    const playing = this.#playingIn(match_id)
    if (playing === undefined) return refusals.noMatch
    const { live, table, seat, handle } = playing
    if (table.clocks[seat] === null) return refusals.notYourTurn
    const limit = this.#lobby.rooms.table(live.room.table)!.prompt.maxChars
    const { length } = [...content]
    if (length > (live.words.isBoard ? limit : 2 * limit)) return tooLong(length, limit)
    if (/[^\P{Cc}\n\t]|\p{Cs}/u.test(content)) return refusals.blocked
    const sent: Sent = { content, isTooMuch }
    this.#sent = sent
    handle.move(moveOf(live.words, content))
    this.#lobby.clock.soon.do(() => {
      // The time was up in that moment: that is a strike, or the end.
      if (this.#sent !== sent) return
      this.#sent = null
      if (!table.isOver && !this.#isOver) this.#refuse(refusals.late)
    })
    return null
  }

  #trade(action: TradeAction, { match_id, offer, request }: Request): Refused | null {
    if (typeof match_id !== 'string') return missing('match_id')
    const isProposal = action === 'propose_trade'
    if (isProposal && !isRecord(offer)) return missing('offer')
    if (isProposal && !isRecord(request)) return missing('request')
    const playing = this.#playingIn(match_id)
    if (playing === undefined) return refusals.noMatch
    const { live, table, seat, handle } = playing
    if (live.room.id !== 'trade_deal') return refusals.noTrades
    live.follow(table.moves)
    const view = tradeView(live.game, live.state, seat)
    const refusal = tradeRefusal(view, seat, action, { offer, request })
    if (refusal === null) handle.move(isProposal ? { action, offer, request } : { action })
    return refusal
  }

  #leaveMatch({ match_id, parting_shot: words }: Request): Refused | null {
    if (typeof match_id !== 'string') return missing('match_id')
    const playing = this.#playingIn(match_id)
    if (playing === undefined) return refusals.noMatch
    const said = typeof words === 'string' && words.trim() !== '' ? words : undefined
    const { live, handle } = playing
    if (isDebate(live.room.id)) handle.move({ action: 'leave', words: said })
    else handle.resign(said)
    return null
  }

  #vote({ match_id, participant_id }: Request): Refused | null | Promise<Refused | null> {
    if (typeof match_id !== 'string') return missing('match_id')
    if (typeof participant_id !== 'string') return missing('participant_id')
    const found = this.#lobby.live(matchOf(match_id))
    if (found === undefined) return refusals.noMatch
    const { live, table } = found
    if (live.room.id !== this.#room) return refusals.notInRoom
    if (table.vote?.opensIn !== 0) return refusals.noVote
    if (live.accounts.some(({ id }) => id === this.account.id)) return refusals.ownVote
    const seat = live.seatOf(participant_id)
    if (seat === undefined) return refusals.unknownParticipant
    return this.#lobby.arena.vote(table.id, this.account, seat).then(refusal => {
      if (refusal === null) return null
      return refusal.code === 'no-vote' ? refusals.noVote : refusals.ownVote
    })
  }

  #react({ match_id, reaction }: Request): Refused | null {
    if (typeof match_id !== 'string') return missing('match_id')
    if (typeof reaction !== 'string') return missing('reaction')
    const found = this.#lobby.live(matchOf(match_id))
    if (found === undefined) return refusals.noMatch
    if (found.live.room.id !== this.#room) return refusals.notInRoom
    if (!isReaction(reaction)) return refusals.unknownReaction
    const now = this.#lobby.clock.elapsed()
    if (now - this.#lastReaction < reactionEvery) return refusals.tooMany
    this.#lastReaction = now
    return this.#lobby.arena.react(found.table.id, reaction) ? null : refusals.noMatch
  }

  #wager(request: Request): Refused | null | Promise<Refused | null> {
    const { action, match_id, amount } = request
    if (!this.#lobby.hasWagers) return refusals.noWagers
    if (typeof match_id !== 'string') return missing('match_id')
    if (action === 'propose_wager' && typeof amount !== 'number') return missing('amount')
    const playing = this.#playingIn(match_id)
    if (playing === undefined) return refusals.noMatch
    const { live, seat } = playing
    if (!live.words.isBoard) return refusals.wagersElsewhere
    const wager = this.#lobby.wagerOf(live)
    if (action === 'propose_wager') return wager.propose(seat, amount, live.said.length)
    if (action === 'accept_wager') return wager.accept(seat, live.said.length)
    return action === 'decline_wager' ? wager.decline(seat) : wager.cancel(seat)
  }

  /** The match of this id that it plays; undefined if it does not, or the match is over. */
  #playingIn(matchId: string): Playing | undefined {
    const playing = this.#playing
    return playing?.live.id === matchId && !playing.table.isOver ? playing : undefined
  }

  #hear(news: News): void {
    const playing = this.#playing
    if (news.kind === 'seated') this.#begin(news)
    else if (news.kind === 'dismissed') this.#dismissed(news)
    else if (playing !== null) this.#hearOf(playing, news)
  }

  #begin(news: Seated): void {
    const table = this.#lobby.arena.tables.get(news.match)
    const live = table === undefined ? null : this.#lobby.matchOf(table)
    if (table === undefined || live === null) return
    const { seat, handle } = news
    live.follow(table.moves)
    const isBack = this.#isComingBack
    this.#isComingBack = false
    this.#connection.plays?.(news.match)
    this.#playing = {
      ...{ live, table, seat, handle, isBack },
      areGoodsDue: live.room.id === 'trade_deal',
      isTimerDue: true,
      heard: live.said.length,
    }
    if (!isBack) this.#start(this.#playing)
  }

  #start({ live, table, seat }: Playing): void {
    const { room, game } = live
    const { prompt } = this.#lobby.rooms.table(room.table)!
    const status = game.status(live.state)
    this.#tell('match_start', {
      match_id: live.id,
      opponent: this.#lobby.opponent(live, table, 1 - seat),
      prompt_title: prompt.title,
      prompt_body: isDebate(room.id) ? sides[seat] : prompt.body,
      you_go_first: !isFinal(status) && status.toMove[0] === seat,
      config: configOf(room.id, prompt),
      your_elo: this.#lobby.elo(live, seat),
      h2h_summary: this.#lobby.versus(live, seat),
    })
  }

  #hearOf(playing: Playing, news: News): void {
    const { live, seat } = playing
    const match_id = live.id
    switch (news.kind) {
      case 'accepted':
        if (this.#sent !== null) this.#limit.forgive()
        this.#sent = null
        break
      case 'refused':
        this.#refused(playing, news)
        break
      case 'played':
        this.#played(playing, news)
        break
      case 'fell':
        this.#fell(playing, news)
        break
      case 'shown':
        this.#show(playing, news)
        break
      case 'strike':
        playing.isTimerDue = true
        break
      case 'clocks':
        // One that has just come back is told with the board.
        if (news.play === 'runs' && news.timeLeft !== null && !playing.isBack)
          this.#tellTime(playing, news.timeLeft)
        break
      case 'away':
        if (news.seat !== seat)
          this.#tell('opponent_disconnected', {
            match_id,
            grace_seconds: Math.round(news.grace / 1000),
          })
        break
      case 'back':
        if (news.seat !== seat) this.#tell('opponent_reconnected', { match_id })
        break
      case 'voting':
        playing.isBack = false
        if (news.opensIn === 0)
          this.#tell('voting_open', {
            match_id,
            duration_seconds: Math.round(news.closesIn / 1000),
          })
        break
      case 'ended':
      case 'aborted':
        this.#finish(playing, news)
        break
      default:
        // The reference has no words for the rest.
        break
    }
  }

  #played(playing: Playing, { events }: MovePlayed): void {
    const { live, table, seat } = playing
    live.follow(table.moves)
    for (const said of live.said.slice(playing.heard))
      if (said.seat !== seat) {
        this.#connection.send(said.toOpponent)
        playing.isTimerDue = true
      }
    playing.heard = live.said.length
    for (const event of events) this.#tellEvent(playing, event)
  }

  #tellEvent({ live, table, seat }: Playing, event: GameEvent): void {
    const match_id = live.id
    const nameOf = (seat: Json | undefined) => live.people[Number(seat)]!.name
    switch (event.kind) {
      case 'proposed':
        this.#connection.send(
          tradeProposed(match_id, nameOf(event.seat), {
            offer: event.offer,
            request: event.request,
          }),
        )
        break
      case 'accepted': {
        const { resources } = tradeView(live.game, live.state, seat)
        this.#tell('trade_executed', { match_id, your_resources: resources })
        break
      }
      case 'rejected':
        this.#tell('trade_rejected', { match_id, rejector_name: nameOf(event.by) })
        break
      case 'withdrawn':
        this.#tell('trade_rejected', { match_id, rejector_name: nameOf(event.seat) })
        break
      case 'left':
        if (event.seat !== seat)
          this.#tell('opponent_leaving', {
            match_id,
            parting_shot: event.words ?? null,
            voting_in_seconds: Math.round((table.vote?.opensIn ?? 0) / 1000),
          })
        break
    }
  }

  #fell({ live, seat }: Playing, { seat: leaver, fault, words }: Fell): void {
    if (leaver !== seat && fault === 'resigned')
      this.#tell('opponent_leaving', { match_id: live.id, parting_shot: words ?? null })
  }

  #show(playing: Playing, { yourTurn, timeLeft }: Shown): void {
    const { live, table, seat } = playing
    if (playing.isBack) {
      playing.isBack = false
      // In a vote it is told of that instead.
      if (table.vote !== null) return
      this.#tellStanding(playing, yourTurn, timeLeft)
    }
    if (playing.areGoodsDue) {
      playing.areGoodsDue = false
      const view = tradeView(live.game, live.state, seat)
      this.#connection.send(tradeState(live.id, view))
      if (view.pending !== null)
        this.#connection.send(
          tradeProposed(live.id, live.people[view.pending.seat]!.name, view.pending),
        )
    }
    if (playing.isTimerDue && yourTurn && timeLeft !== null) this.#tellTime(playing, timeLeft)
  }

  #tellTime(playing: Playing, timeLeft: number): void {
    playing.isTimerDue = false
    const seconds_remaining = Math.round(timeLeft / 1000)
    this.#tell('turn_timer', { match_id: playing.live.id, seconds_remaining })
  }

  #tellStanding({ live, table, seat }: Playing, your_turn: boolean, timeLeft: number | null): void {
    const left = timeLeft ?? table.clocks[1 - seat] ?? 0
    this.#tell('reconnect_state', {
      match_id: live.id,
      status: 'active',
      your_turn,
      turn_timer_remaining: Math.round(left / 1000),
      total_messages: live.said.length,
      recent_messages: live.history,
      opponent: this.#lobby.opponent(live, table, 1 - seat),
      spectator_count: this.#lobby.spectators(live.room.id),
      match_duration_seconds: live.duration,
    })
  }

  #finish(playing: Playing, news: Ended | Aborted): void {
    const { live, table, seat } = playing
    this.#playing = null
    live.follow(table.moves)
    const ended = news.kind === 'ended' ? news : null
    const result = this.#lobby.finish(live, ended)
    const [first] = live.room.participants
    const scores = [result.participant_1_score, result.participant_2_score] as const
    const [mine, theirs] = seat === first ? scores : [scores[1], scores[0]]
    const match_id = live.id
    this.#tell('match_end', {
      ...{ match_id, result, your_role: seat === first ? 'participant_1' : 'participant_2' },
      ...{ your_score: mine, opponent_score: theirs },
    })
    const me = live.people[seat]!
    const change = result.elo_changes[me.id]!
    const new_rating = ended?.elo?.[seat]?.rating ?? this.#lobby.elo(live, seat)
    this.#tell('elo_update', { room: live.room.id, new_rating, change })
    this.#tell('points_update', {
      points_earned: result.points_awarded?.[me.id] ?? 0,
      reason: fared(result, me),
    })
    const points = ended?.points?.[seat]
    if (points?.wager != null) {
      const { amount, outcome } = points.wager
      this.#tell('wager_settled', { match_id, amount, currency, outcome, balance: points.balance })
    }
    this.#connection.plays?.(null)
    this.#player = null
    // Once the rooms have freed its seat, and the spectators have been told of the end, of which it has heard.
    this.#lobby.clock.soon.do(() => {
      if (this.#isOver || this.#room === null) return
      this.#connection.send(this.#lobby.roomState(this.#room))
      if (this.#player === null) this.#lobby.spectate(this.#room, this)
    })
  }

  /** The table has no seat for it after all. */
  #dismissed(refusal: Refusal): void {
    this.#standUp()
    this.#refuse(sitRefusal(refusal))
  }

  #refused({ live, seat }: Playing, news: Extract<News, { kind: 'refused' }>): void {
    const sent = this.#sent
    this.#sent = null
    if (sent?.isTooMuch === true) this.#refuse(refusals.tooMany)
    else if (news.code === 'not-your-turn') this.#refuse(refusals.notYourTurn)
    else if (news.code === 'content-blocked') this.#refuse(refusals.blocked)
    else if (news.code === 'illegal-move' && sent !== null) {
      const { content } = sent
      const { game, state, words } = live
      this.#refuse(words.illegal({ content, game, state, seat, made: news.retries?.made ?? 1 }))
    } else this.#refuse({ code: 'VALIDATION_FAILED', message: news.detail })
  }

  #tell(event: string, fields: Fields): void {
    this.#connection.send(printed(event, fields))
  }

  #refuse(refusal: Refused): void {
    this.#connection.refused(logCode(refusal.code))
    this.#tell('error', { ...refusal })
  }

  /** Looks after 90 s whether the client has shown a sign of life, as often as it has. */
  #watchSilence(): void {
    const { clock } = this.#lobby
    const left = this.#heardAt + silence - clock.elapsed()
    this.#silenceTimer = clock.after(left, () => {
      if (clock.elapsed() - this.#heardAt < silence) this.#watchSilence()
      else {
        this.#connection.refused('silent')
        this.#end({ code: closeCodes.silent, reason: 'No sign of life for 90 s.' })
      }
    })
  }

  #end(close: Close): void {
    this.#leave()
    this.#connection.end(1, close)
  }

  /** Nothing is heard or answered any more. A seat in a match outlives the session; one at a table is free. */
  #leave(cause?: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#silenceTimer?.cancel()
    const player = this.#player
    this.#player = null
    this.#playing = null
    if (player !== null) this.#lobby.rooms.leave(player, cause)
    if (this.#room !== null) this.#lobby.leave(this.#room, this)
    this.#lobby.left(this)
  }
}

const silence = 90_000
const reactionEvery = 2_000

/** By seat. */
const sides = [
  'Side: FOR. You argue for the topic, and write the first message.',
  'Side: AGAINST. You argue against the topic, and write the second message.',
] as const

const isDebate = (room: RoomId): boolean => room === 'regular_debate' || room === 'spicy_debate'

const sitRefusal = ({ code, detail }: Refusal): Refused => {
  if (code === 'no-such-table') return refusals.noTable
  if (code === 'seat-taken') return refusals.seatTaken
  if (code === 'already-seated') return refusals.seated
  // The reference has no text for what its host does not do.
  return { code: 'VALIDATION_FAILED', message: detail }
}
