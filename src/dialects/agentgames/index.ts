import type { Account } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import type { Code, Refusal } from '../../arena/codes.ts'
import type { Chair, News, Player } from '../../arena/player.ts'
import type { Terms } from '../../arena/terms.ts'
import type { Clock, Timer } from '../../clock.ts'
import { TokenBucket } from '../../limits/token-bucket.ts'
import type { Connection, Message, Session } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { type Join, readJoin, readOpening } from './join.ts'
import { type JoinWords, parse, print } from './messages.ts'

/** How much an agent may say; as much as it likes unless given. */
export interface Talk {
  /** Messages a second beside the moves that are owed, and five times as many in a burst. */
  readonly messages: number
  /** How many beyond that are answered before the connection is cut. */
  readonly tooFast: number
}

/** The protocol of the house: one JSON object a line. docs/protocol.md is its contract. */
export const agentGames = (
  arena: Arena,
  clock: Clock,
  moveTimeout: number,
  talk?: Talk,
): Dialect => {
  const terms: Terms = {
    firstMove: moveTimeout,
    move: moveTimeout,
    illegal: 'forfeit',
    late: { strikes: 1, otherwise: 'clock' },
    away: { grace: 0, clock: 'runs' },
  }
  return {
    id: 'agentgames',
    open: (connection, account, opening) => {
      const session = new AgentSession({ arena, clock, terms, talk }, connection, account)
      session.begin(readOpening(opening))
      return session
    },
    refuse: refusal => print.error(refusal),
  }
}

/** What all sessions share. */
interface Shared {
  readonly arena: Arena
  readonly clock: Clock
  readonly terms: Terms
  readonly talk: Talk | undefined
}

const burstSeconds = 5
const joinWithin = 30_000
const badMessagesAllowed = 20

/** One connection: joins, waits, plays, and joins again until its matches are played. */
class AgentSession implements Player, Session<Message> {
  readonly account: Account
  readonly terms: Terms
  readonly connection: string
  readonly #shared: Shared
  readonly #connection: Connection
  #joinTimer: Timer | null = null
  #join: Join | null = null
  #played = 0
  #stopWaiting: (() => void) | null = null
  #chair: Chair | null = null
  /** A move is owed and has not been made. */
  #owes = false
  /** What is to be said with the next state or result. */
  #note: string | null = null
  #badMessages = 0
  /** Only for those who say more than they owe. */
  #messages: TokenBucket | null = null
  #tooFast = 0
  #ended = false

  constructor(shared: Shared, connection: Connection, account: Account) {
    this.#shared = shared
    this.#connection = connection
    this.terms = shared.terms
    this.account = account
    this.connection = connection.id
  }

  begin(words: JoinWords | Refusal | undefined): void {
    if (words === undefined) {
      this.#connection.note('Waiting for a join line, such as {"type":"join","game":"ttt"}')
      this.#joinTimer = this.#shared.clock.after(joinWithin, () =>
        this.#fail({ code: 'join-timeout', detail: `no join within ${joinWithin / 1000} s` }),
      )
    } else if ('code' in words) this.#fail(words as Refusal)
    else this.#enter(words)
  }

  receive(message: Message): void {
    if (this.#ended) return
    if (typeof message === 'string') this.#receiveText(message)
    else if (message.code !== 'bad-message') this.#fail(message)
    else if (this.#mayTalk()) this.#bad(message)
  }

  #receiveText(text: string): void {
    // A move that is owed costs nothing, so nobody can play too fast.
    if (!this.#owes && !this.#mayTalk()) return
    const request = parse(text)
    const isOwed = this.#owes && !('code' in request) && request.type === 'move'
    if (this.#owes && !isOwed && !this.#mayTalk()) return
    if ('code' in request) {
      this.#bad(request)
      return
    }
    switch (request.type) {
      case 'move':
        if (this.#chair === null) this.#refuseEarly()
        else {
          this.#owes = false
          this.#chair.move(request.move, request.turn)
        }
        break
      case 'resign':
        if (this.#chair === null) this.#refuseEarly()
        else this.#chair.resign()
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
        else this.#enter(request.join)
        break
    }
  }

  dismiss(refusal: Refusal): void {
    if (!this.#ended) this.#fail(refusal)
  }

  closed(): void {
    this.#ended = true
    this.#leave()
  }

  tell(news: News): void {
    switch (news.kind) {
      case 'shown':
        this.#owes = news.yourTurn
        this.#connection.send(
          print.state(news, this.#join?.game.facts.outOfTurn === true, this.#takeNote()),
          !news.yourTurn && !news.mayAct,
        )
        break
      case 'seated':
        this.#stopWaiting = null
        this.#chair = news.chair
        this.#badMessages = 0
        this.#connection.send(print.hello(news, this.terms.move))
        break
      case 'refused':
        this.#refuse(news)
        break
      case 'ended':
        this.#chair = null
        this.#owes = false
        this.#played++
        if (this.#ended) break
        this.#connection.send(print.result(news, this.#takeNote()))
        if (this.#played < this.#join!.matches) this.#seek()
        else this.#end(true)
        break
      case 'at-random':
        this.#note = news.detail
        break
      case 'aborted':
        this.#chair = null
        if (this.#ended) break
        this.#connection.refused('match-aborted')
        this.#connection.send(
          print.error({ code: 'match-aborted', detail: news.detail }, news.match),
        )
        this.#end(false)
        break
      case 'unmatched':
        this.#stopWaiting = null
        this.#fail({
          code: 'no-opponent',
          detail: news.onlyOwn
            ? 'no opponent found — only agents of your own owner were waiting'
            : 'no opponent found — try again later',
        })
        break
      case 'dismissed':
        this.#stopWaiting = null
        this.#fail(news)
        break
      case 'closing':
        this.#stopWaiting = null
        this.#fail({ code: 'shutting-down', detail: 'the host is stopping; try again later' })
        break
      case 'strike':
        // No seat of this dialect is ever late and stays.
        break
    }
  }

  #enter(words: JoinWords): void {
    this.#joinTimer?.cancel()
    this.#joinTimer = null
    const join = readJoin(words)
    if ('code' in join) {
      this.#fail(join)
      return
    }
    this.#join = join
    this.#seek()
  }

  #seek(): void {
    const { game, practice, opponent } = this.#join!
    const wish = {
      game,
      ...(practice === undefined ? {} : { practice }),
      ...(opponent === undefined ? {} : { opponent }),
    }
    const waiting = this.#shared.arena.seek(this, wish, () =>
      this.#connection.send(print.queued(game.id)),
    )
    if (typeof waiting !== 'function') this.#fail(waiting)
    else if (this.#chair === null && !this.#ended) this.#stopWaiting = waiting
  }

  #takeNote(): string | null {
    const note = this.#note
    this.#note = null
    return note
  }

  #refuseEarly(): void {
    this.#refuse({ code: 'not-your-turn', detail: 'there is no match yet, or no more' })
  }

  /** Whether a message is taken that nobody waits for. */
  #mayTalk(): boolean {
    const { clock, talk } = this.#shared
    if (talk === undefined) return true
    const { messages: perSecond } = talk
    this.#messages ??= new TokenBucket(clock, { perSecond, burst: burstSeconds * perSecond })
    if (this.#messages.isFull) this.#tooFast = 0
    const retryAfter = this.#messages.take()
    if (retryAfter === 0) return true
    const detail = `more than ${talk.messages} messages a second: wait ${retryAfter} s`
    const refusal: Refusal = { code: 'too-fast', detail, retryAfter }
    if (++this.#tooFast > talk.tooFast) this.#fail(refusal)
    else this.#refuse(refusal)
    return false
  }

  #refuse(refusal: Refusal): void {
    if (this.#ended) return
    this.#connection.refused(refusal.code)
    this.#connection.send(print.error(refusal))
  }

  #bad(refusal: Refusal): void {
    this.#badMessages++
    if (this.#badMessages < badMessagesAllowed) this.#refuse(refusal)
    else
      this.#fail({
        code: 'too-many-errors',
        detail: `${badMessagesAllowed} messages that are no messages; the last: ${refusal.detail}`,
      })
  }

  #fail(refusal: Refusal): void {
    this.#refuse(refusal)
    this.#end(false, refusal.code)
  }

  #end(ok: boolean, cause?: Code): void {
    if (this.#ended) return
    this.#ended = true
    this.#leave(cause)
    this.#connection.end(ok ? 0 : 1)
  }

  /** Gives up whatever is under way: the wait, or the match. */
  #leave(cause?: Code): void {
    this.#joinTimer?.cancel()
    this.#stopWaiting?.()
    this.#stopWaiting = null
    const chair = this.#chair
    this.#chair = null
    chair?.lost(cause)
  }
}
