import type { Account } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import type { Refusal } from '../../arena/codes.ts'
import type { Chair, News, Player } from '../../arena/player.ts'
import type { Terms } from '../../arena/terms.ts'
import type { Clock, Timer } from '../../clock.ts'
import type { Dialect, Line, Listener } from '../dialect.ts'
import { type Join, readJoin, readOpening } from './join.ts'
import { type JoinWords, parse, print } from './messages.ts'

/** The protocol of the house: one JSON object a line. docs/protocol.md is its contract. */
export const agentGames = (arena: Arena, clock: Clock, moveTimeout: number): Dialect => {
  const terms: Terms = {
    firstMove: moveTimeout,
    move: moveTimeout,
    illegal: 'forfeit',
    late: { strikes: 1, otherwise: 'clock' },
    away: { grace: 0, clock: 'runs' },
  }
  return {
    id: 'agentgames',
    open: (line, account, opening) => {
      const session = new Session(arena, terms, line, account)
      session.begin(readOpening(opening), clock)
      return session
    },
    refuse: refusal => print.error(refusal),
  }
}

const joinWithin = 30_000
const badMessagesAllowed = 20

/** One connection: joins, waits, plays, and joins again until its matches are played. */
class Session implements Player, Listener {
  readonly account: Account
  readonly terms: Terms
  readonly #arena: Arena
  readonly #line: Line
  #joinTimer: Timer | null = null
  #join: Join | null = null
  #played = 0
  #stopWaiting: (() => void) | null = null
  #chair: Chair | null = null
  #badMessages = 0
  #ended = false

  constructor(arena: Arena, terms: Terms, line: Line, account: Account) {
    this.#arena = arena
    this.#line = line
    this.terms = terms
    this.account = account
  }

  begin(words: JoinWords | Refusal | undefined, clock: Clock): void {
    if (words === undefined) {
      this.#line.note('Waiting for a join line, such as {"type":"join","game":"ttt"}')
      this.#joinTimer = clock.after(joinWithin, () =>
        this.#fail({ code: 'join-timeout', detail: `no join within ${joinWithin / 1000} s` }),
      )
    } else if ('code' in words) this.#fail(words as Refusal)
    else this.#enter(words)
  }

  line(text: string): void {
    if (this.#ended) return
    const request = parse(text)
    if ('code' in request) {
      this.#bad(request)
      return
    }
    switch (request.type) {
      case 'move':
        if (this.#chair === null) this.#refuseEarly()
        else this.#chair.move(request.move)
        break
      case 'resign':
        if (this.#chair === null) this.#refuseEarly()
        else this.#chair.resign()
        break
      case 'ping':
        this.#line.send(print.pong)
        break
      case 'join':
        if (this.#join !== null) this.#refuse({ code: 'already-joined', detail: 'you have joined' })
        else this.#enter(request.join)
        break
    }
  }

  unreadable(refusal: Refusal): void {
    if (this.#ended) return
    if (refusal.code === 'bad-message') this.#bad(refusal)
    else this.#fail(refusal)
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
        this.#line.send(print.state(news), !news.yourTurn && !news.mayAct)
        break
      case 'seated':
        this.#stopWaiting = null
        this.#chair = news.chair
        this.#badMessages = 0
        this.#line.send(print.hello(news, this.terms.move))
        break
      case 'refused':
        this.#refuse(news)
        break
      case 'ended':
        this.#chair = null
        this.#played++
        if (this.#ended) break
        this.#line.send(print.result(news))
        if (this.#played < this.#join!.matches) this.#seek()
        else this.#end(true)
        break
      case 'aborted':
        this.#chair = null
        if (this.#ended) break
        this.#line.send(print.error({ code: 'match-aborted', detail: news.detail }, news.match))
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
    const waiting = this.#arena.seek(this, wish, () => this.#line.send(print.queued(game.id)))
    if (typeof waiting !== 'function') this.#fail(waiting)
    else if (this.#chair === null && !this.#ended) this.#stopWaiting = waiting
  }

  #refuseEarly(): void {
    this.#refuse({ code: 'not-your-turn', detail: 'there is no match yet, or no more' })
  }

  #refuse(refusal: Refusal): void {
    if (!this.#ended) this.#line.send(print.error(refusal))
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
    this.#end(false)
  }

  #end(ok: boolean): void {
    if (this.#ended) return
    this.#ended = true
    this.#leave()
    this.#line.end(ok)
  }

  /** Gives up whatever is under way: the wait, or the match. */
  #leave(): void {
    this.#joinTimer?.cancel()
    this.#stopWaiting?.()
    this.#stopWaiting = null
    const chair = this.#chair
    this.#chair = null
    chair?.lost()
  }
}
