import { type Account, agentOf } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import { type Code as ArenaCode, internalError, type Refusal, stopping } from '../../arena/codes.ts'
import { standard } from '../../arena/ladder.ts'
import { ladderTerms } from '../../arena/ladder-terms.ts'
import type { News, Player, SeatHandle } from '../../arena/player.ts'
import type { Terms } from '../../arena/terms.ts'
import { isPractice } from '../../arena/unrated.ts'
import type { Clock, Timer } from '../../clock.ts'
import { TokenBucket } from '../../limits/token-bucket.ts'
import type { Leave, Matchmaking } from '../../matchmaking/matchmaking.ts'
import type { WireRefusal } from '../codes.ts'
import type { Connection, Message, Session } from '../connection.ts'
import type { DeclaredVersion, Registrar, VersionRefusal } from '../credentials.ts'
import { type Events, noEvents } from '../no-events.ts'
import type { MessageLimits, Protocol, ProtocolModule } from '../protocol.ts'
import { type Code, codes } from './codes.ts'
import { enterPlay, refused, upgradeRequired } from './http.ts'
import { type Join, type Opening, readJoin, readOpening } from './join.ts'
import { type JoinWords, parse, print, type StateFields, timeoutsOf } from './messages.ts'

export const agentGamesModule: ProtocolModule = {
  id: 'agentgames',
  codes: Object.keys(codes),
  open: ({ arena, matchmaking, director, clock, moveTimeout, limits, registrar }) =>
    agentGames(
      ...([arena, matchmaking, clock, moveTimeout, limits] as const),
      (agent, declared) => registrar.declare(agent, declared),
      director,
    ),
}

interface AgentGames extends Protocol {
  /** Opens a session for a client that has logged in as this account. */
  open(connection: Connection, account: Account, opening: Opening): Session<Message>
}

/**
 * The AgentGames protocol: one JSON object per line. docs/protocol.md is its contract. Messages are not limited unless
 * limits are given, without `declare` all versions of an agent are one account, and without `events` there are none.
 */
export const agentGames = (
  arena: Pick<Arena, 'seatsOf' | 'leave'>,
  matchmaking: Pick<Matchmaking, 'seek' | 'waiting'>,
  clock: Clock,
  moveTimeout: number,
  messageLimits?: MessageLimits,
  declare: Registrar['declare'] = async agent => agent,
  events: Events = noEvents,
): AgentGames => {
  const open: AgentGames['open'] = (connection, account, opening) => {
    const session = new AgentSession(
      { arena, matchmaking, clock, moveTimeout, messageLimits, declare, events },
      connection,
      account,
    )
    session.begin(readOpening(opening))
    return session
  }
  return {
    id: 'agentgames',
    open,
    lastWords: refusal => (refusal.code === 'silent' ? null : { text: print.error(refusal) }),
    httpAnswer: refused,
    ssh: {
      user: 'game',
      open: (connection, account, text) => open(connection, account, { kind: 'command', text }),
    },
    webSockets: [
      {
        path: '/play',
        plain: upgradeRequired,
        enter: request => enterPlay(request, open),
      },
    ],
  }
}

/** What all sessions of a host share. */
interface Shared {
  readonly arena: Pick<Arena, 'seatsOf' | 'leave'>
  readonly matchmaking: Pick<Matchmaking, 'seek' | 'waiting'>
  readonly clock: Clock
  readonly moveTimeout: number
  readonly messageLimits: MessageLimits | undefined
  readonly declare: Registrar['declare']
  readonly events: Events
}

const burstSeconds = 5
const joinWithin = 30_000
const maxInvalidMessages = 20

/** One connection: joins, waits, plays, and joins again until its matches are played. */
class AgentSession implements Player, Session<Message> {
  readonly protocol = 'agentgames'
  readonly connection: string
  /** That which logged in; the one of the version that joined, once it has. */
  #account: Account
  readonly #shared: Shared
  readonly #connection: Connection
  #joinTimer: Timer | null = null
  #join: Join | null = null
  #terms: Terms
  #played = 0
  #isQueued = false
  /** Leaves the queue or the match. */
  #leaveMatch: Leave | null = null
  #handle: SeatHandle | null = null
  /** What the states of the match have besides the usual. */
  #stateFields: StateFields = { turn: false, clocks: false }
  /** A move is owed and has not been made. */
  #owes = false
  /** A note to send with the next state or result. */
  #note: string | null = null
  #invalidMessages = 0
  /** Made with the first message that is not an owed move. */
  #messageBucket: TokenBucket | null = null
  #overLimit = 0
  #ended = false

  constructor(shared: Shared, connection: Connection, account: Account) {
    this.#shared = shared
    this.#connection = connection
    this.#terms = ladderTerms(standard, shared.moveTimeout)
    this.#account = account
    this.connection = connection.id
  }

  get account(): Account {
    return this.#account
  }

  /** Asked for once it has joined. */
  get terms(): Terms {
    return this.#terms
  }

  begin(words: JoinWords | Refusal<Code> | undefined): void {
    if (words === undefined) {
      this.#connection.note('Waiting for a join line, such as {"type":"join","game":"ttt"}')
      this.#joinTimer = this.#shared.clock.after(joinWithin, () =>
        this.#fail({ code: 'join-timeout', detail: `no join within ${joinWithin / 1000} s` }),
      )
    } else if ('code' in words) this.#fail(words as Refusal<Code>)
    else void this.#startJoin(words)
  }

  receive(message: Message): Promise<void> | undefined {
    if (this.#ended) return undefined
    if (typeof message === 'string') return this.#receiveText(message)
    if (message.code !== 'bad-message') this.#fail(message)
    else if (this.#mayReceive()) this.#refuseInvalid(message)
    return undefined
  }

  #receiveText(text: string): Promise<void> | undefined {
    // A move that is owed is not counted: an agent may play as fast as it can.
    if (!this.#owes && !this.#mayReceive()) return undefined
    const request = parse(text)
    const isOwed = this.#owes && !('code' in request) && request.type === 'move'
    if (this.#owes && !isOwed && !this.#mayReceive()) return undefined
    if ('code' in request) {
      this.#refuseInvalid(request)
      return undefined
    }
    switch (request.type) {
      case 'move':
        if (this.#handle === null) this.#refuseEarly()
        else {
          this.#owes = false
          this.#handle.move(request.move, request.turn, request.note)
        }
        break
      case 'resign':
        if (this.#handle === null) this.#refuseEarly()
        else this.#handle.resign()
        break
      case 'ping':
        this.#connection.send(print.pong)
        break
      case 'join':
        if (this.#join !== null)
          this.#refuse({
            code: 'already-joined',
            detail: 'you have joined already; for another game open another connection',
          })
        else return this.#startJoin(request.join)
        break
    }
    return undefined
  }

  dismiss(refusal: WireRefusal): void {
    if (!this.#ended) this.#fail(refusal)
  }

  closed(): void {
    this.#ended = true
    this.#leave()
  }

  tell(message: News): void {
    if (this.#ended) return
    switch (message.kind) {
      case 'shown':
        this.#owes = message.yourTurn
        this.#connection.send(
          print.state(message, this.#stateFields, this.#takeNote()),
          !message.yourTurn && !message.mayAct,
        )
        break
      case 'queued':
        this.#isQueued = true
        this.#connection.send(print.queued(message.game.id, this.#join!.event))
        break
      case 'seated': {
        const timeouts = timeoutsOf(message)
        this.#connection.plays?.(message.match)
        this.#handle = message.handle
        this.#stateFields = {
          turn: message.game.facts.outOfTurn === true,
          clocks: timeouts !== undefined,
        }
        this.#invalidMessages = 0
        this.#connection.send(print.hello(message, timeouts))
        break
      }
      case 'refused':
        if (message.retries === undefined) this.#refuse(worded(message))
        else {
          // The move is still owed.
          this.#owes = true
          this.#connection.refused('illegal-move')
          this.#connection.send(print.strike(message.detail, message.retries, message.match))
        }
        break
      case 'ended':
        this.#handle = null
        this.#owes = false
        this.#played++
        this.#connection.send(print.result(message, this.#takeNote()))
        this.#connection.plays?.(null)
        if (this.#played < this.#join!.matches) this.#seek()
        else this.#end(true)
        break
      case 'at-random':
        this.#note = message.detail
        break
      case 'aborted':
        this.#handle = null
        this.#connection.refused('match-aborted')
        this.#connection.send(
          print.error({ code: 'match-aborted', detail: message.detail }, message.match),
        )
        this.#end(false)
        break
      case 'unmatched':
        this.#fail({
          code: 'no-opponent',
          detail: message.onlyOwn
            ? 'no opponent found — only agents of your own owner were waiting'
            : 'no opponent found — try again later',
        })
        break
      case 'dismissed':
        // Who has taken part has done what it came for.
        if (message.code === 'event-over' && this.#isQueued) {
          this.#refuse(worded(message))
          this.#end(true)
        } else this.#fail(worded(message))
        break
      case 'closing':
        this.#fail(stopping)
        break
      case 'strike':
        // By the terms of this protocol the first late move loses, so there are no strikes.
        break
      case 'away':
      case 'back':
      case 'clocks':
        // This protocol has no words for absences and for clocks that stand. After a pause the board comes again.
        break
      case 'replaced':
        this.#fail({
          code: 'replaced',
          detail: 'another connection of this account has come back to the seat',
        })
        break
    }
  }

  #startJoin(words: JoinWords): Promise<void> | undefined {
    this.#joinTimer?.cancel()
    this.#joinTimer = null
    const join = readJoin(words, event => this.#shared.events.find(event))
    if ('code' in join) {
      this.#fail(worded(join))
      return undefined
    }
    this.#join = join
    this.#terms = ladderTerms(join.ladder.variant, this.#shared.moveTimeout)
    if (join.version !== null) return this.#joinAs(join.version)
    if (!this.#comeBack()) this.#seek()
    return undefined
  }

  async #joinAs(version: DeclaredVersion): Promise<void> {
    try {
      const account = await this.#shared.declare(this.#account, version)
      if (this.#ended) return
      if ('detail' in account) this.#fail({ code: 'bad-join', ...agentRefused(account) })
      else {
        this.#account = account
        if (!this.#comeBack()) this.#seek()
      }
    } catch (error) {
      this.#connection.failed(error)
      this.#fail(internalError)
    }
  }

  /** Takes the place of a lost connection of the account in a match such as the join asks for; false if there is none. */
  #comeBack(): boolean {
    const { ladder, practice } = this.#join!
    const { arena } = this.#shared
    const absent = arena.seatsOf(this.#account.id).find(
      seat =>
        seat.account.id === this.#account.id &&
        seat.protocol === this.protocol &&
        // A match with a person may count on the people's ladder, whichever ladder the agent waited for.
        (seat.ladder.id === ladder.id || seat.ladder.crowd === 'people') &&
        seat.ladder.game === ladder.game &&
        isPractice(seat.unrated) === (practice !== undefined) &&
        seat.isIn &&
        !seat.isAttached,
    )
    if (absent === undefined) return false
    this.#leaveMatch?.()
    this.#leaveMatch = cause => arena.leave(this, cause)
    absent.attach(this)
    return true
  }

  /** A client may come back before its old connection is known to be lost. By then its new one waits for an opponent. */
  #handOver(): void {
    const { clock, matchmaking, events } = this.#shared
    clock.soon.do(() => {
      const waiting = [
        ...matchmaking.waiting.map(({ player }) => player),
        ...events.waitingOf(agentOf(this.#account)),
      ]
      for (const player of waiting)
        if (player instanceof AgentSession && player.account.id === this.#account.id)
          if (player.#comeBack()) return
    })
  }

  #seek(): void {
    const { game, practice, opponent, ladder, openings, table, event } = this.#join!
    if (event !== null) {
      this.#leaveMatch = this.#shared.events.attend(this, event)
      return
    }
    const request = {
      game,
      ladder: ladder.variant,
      ...(practice === undefined ? {} : { practice }),
      ...(opponent === undefined ? {} : { opponent }),
      ...(openings ? { openings } : {}),
      ...(table === undefined ? {} : { table }),
    }
    this.#leaveMatch = this.#shared.matchmaking.seek(this, request)
  }

  #takeNote(): string | null {
    const note = this.#note
    this.#note = null
    return note
  }

  #refuseEarly(): void {
    this.#refuse({ code: 'not-your-turn', detail: 'there is no match yet, or no more' })
  }

  /** Counts a message that is not an owed move. Returns false, and refuses it, if it is over the limit. */
  #mayReceive(): boolean {
    const { clock, messageLimits } = this.#shared
    if (messageLimits === undefined) return true
    const { messages: perSecond } = messageLimits
    this.#messageBucket ??= new TokenBucket(clock, { perSecond, burst: burstSeconds * perSecond })
    if (this.#messageBucket.isFull) this.#overLimit = 0
    const retryAfter = this.#messageBucket.take()
    if (retryAfter === 0) return true
    const detail = `more than ${messageLimits.messages} messages a second: wait ${retryAfter} s`
    const refusal: Refusal<Code> = { code: 'too-fast', detail, retryAfter }
    if (++this.#overLimit > messageLimits.tooFast) this.#fail(refusal)
    else this.#refuse(refusal)
    return false
  }

  #refuse(refusal: Refusal<Code>): void {
    if (this.#ended) return
    this.#connection.refused(refusal.code)
    this.#connection.send(print.error(refusal))
  }

  #refuseInvalid(refusal: Refusal<Code>): void {
    this.#invalidMessages++
    if (this.#invalidMessages < maxInvalidMessages) this.#refuse(refusal)
    else
      this.#fail({
        code: 'too-many-errors',
        detail: `too many invalid messages (${maxInvalidMessages}); the last: ${refusal.detail}`,
      })
  }

  #fail(refusal: Refusal<Code>): void {
    this.#refuse(refusal)
    this.#end(false, refusal.code)
  }

  #end(ok: boolean, cause?: Code): void {
    if (this.#ended) return
    this.#ended = true
    this.#leave(cause)
    this.#connection.end(ok ? 0 : 1)
  }

  /** Leaves the queue or the match. */
  #leave(cause?: Code): void {
    this.#joinTimer?.cancel()
    const wasSeated = this.#handle !== null
    this.#handle = null
    this.#leaveMatch?.(cause)
    this.#leaveMatch = null
    if (wasSeated && this.#terms.away !== 'forfeit') this.#handOver()
  }
}

const agentRefused = ({ detail, ...rest }: VersionRefusal) => ({
  detail: `agent: ${detail}`,
  ...rest,
})

/** A refusal of the matchmaking in the words of this protocol: it names the option of the join that was wrong. */
const worded = ({ code, ...rest }: Refusal<Code | ArenaCode>): Refusal<Code> => {
  if (code === 'no-such-level') return { code: 'bad-join', detail: `practice: ${rest.detail}` }
  if (code === 'no-such-opponent') return { code: 'bad-join', detail: `opponent: ${rest.detail}` }
  return { code, ...rest }
}
