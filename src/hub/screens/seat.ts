import type { SeekRequest } from '../../arena/arena.ts'
import { hasLiveMoves } from '../../arena/arena-event.ts'
import type { Table } from '../../arena/table.ts'
import type { Timer } from '../../clock.ts'
import type { Look, Seat } from '../../games/game.ts'
import type { Board } from '../../games/look.ts'
import { ratingChangeText, ratingsOf } from '../../record/rating-text.ts'
import { capital, endingText, ratedText } from '../../record/result-text.ts'
import { drawMatch, type Moment } from '../match-view.ts'
import { exampleOf, MoveEntry, type Stand } from '../move-entry.ts'
import { Person, type Playing } from '../person.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { openReplay } from './replay.ts'

/** A person's own seat: waiting for somebody, at the board, and after the match. */
export class SeatScreen implements Screen {
  readonly about =
    'Point with the arrows and press Enter, or type the move and press Enter. Esc resigns, and asks first.'
  readonly #caller: Caller
  readonly #request: SeekRequest
  readonly #person: Person
  readonly #entry = new MoveEntry()
  /** How a move is written, where that is not plain. */
  #example: string | null = null
  readonly #since: number
  #deadline: number | null = null
  #turn = -1
  #overSince = 0
  #timer: Timer | null = null
  /** Kept, because it is cleared away when the match is over. */
  #table: Table | undefined

  constructor(caller: Caller, request: SeekRequest) {
    this.#caller = caller
    this.#request = request
    this.#since = caller.clock.now()
    this.#person = new Person(
      caller.account!,
      caller.visit.connection,
      caller.house.personTimeout,
      () => this.#changed(),
    )
    this.#person.seek(caller.house.arena, request)
  }

  get title(): string {
    return `${this.#request.game.title} · your seat`
  }

  get holds(): string | null {
    const { state } = this.#person
    if (state.kind === 'playing') return 'Leave the match? That loses it.'
    return null
  }

  get types(): boolean {
    return this.#person.state.kind === 'playing'
  }

  get hints(): readonly Hint[] {
    const { state } = this.#person
    if (state.kind === 'over')
      return [
        ['Enter', 'again'],
        ['r', 'replay'],
        ['Esc', 'back'],
      ]
    if (state.kind !== 'playing') return [['Esc', state.kind === 'waiting' ? 'give up' : 'back']]
    return [
      ...(pointable(this.#look()) !== null ? [['←↑↓→', 'point'] as const] : []),
      ['Enter', 'move'],
      ['a–z 0–9', 'or type it'],
      ['Esc', 'resign'],
    ]
  }

  shown(): void {
    const tick = () => {
      this.#caller.redraw()
      this.#timer = this.#caller.clock.after(1000, tick)
    }
    this.#timer = this.#caller.clock.after(1000, tick)
  }

  hidden(): void {
    this.#timer?.cancel()
  }

  givenUp(): void {
    this.#person.handle?.resign()
  }

  closed(): void {
    this.#person.leave(this.#caller.sentAwayFor)
  }

  draw(canvas: Canvas): void {
    const { state } = this.#person
    if (state.kind === 'waiting') this.#drawWait(canvas)
    else if (state.kind === 'nothing') canvas.text(1, 1, state.why, 'warning')
    else this.#drawTable(canvas)
  }

  press(key: Key): boolean {
    const { state } = this.#person
    if (state.kind === 'over') return this.#after(key)
    if (state.kind !== 'playing') return false
    if (key.kind === 'named' && key.name === 'enter') {
      this.#move()
      return true
    }
    const look = this.#look()
    return this.#entry.press(key, pointable(look), isTurned(look, state.seated.seat))
  }

  #after(key: Key): boolean {
    const { state } = this.#person
    if (state.kind !== 'over') return false
    // What was on its way when the match ended was meant for the board.
    if (this.#caller.clock.now() - this.#overSince < meantForTheBoard) return true
    if (key.kind === 'named' && key.name === 'enter')
      this.#caller.replace(new SeatScreen(this.#caller, this.#request))
    else if (key.kind === 'char' && key.char === 'r') openReplay(this.#caller, state.ended.match)
    else return false
    return true
  }

  #move(): void {
    const { state } = this.#person
    if (state.kind !== 'playing') return
    const { handle } = state.seated
    if (!state.yourTurn && !state.mayAct) {
      this.#caller.say('It is not your turn.')
      return
    }
    const move = this.#entry.take(this.#stand(state), pointable(this.#look()))
    if (move === null) this.#caller.say('That is no move here: type one, or point at one.')
    else if (move !== undefined) handle.move(move)
  }

  #stand({ seated, legal }: Playing): Stand {
    const { handle, game, seat } = seated
    return { game, state: handle.position(), seat, legal }
  }

  #changed(): void {
    const { state, timeLeft, refusal } = this.#person
    if (state.kind === 'playing' && state.turn !== this.#turn) {
      this.#turn = state.turn
      this.#entry.forget()
      this.#example = state.yourTurn ? exampleOf(this.#stand(state)) : null
      this.#deadline = timeLeft === null ? null : this.#caller.clock.now() + timeLeft
    }
    if (state.kind === 'over') this.#overSince = this.#caller.clock.now()
    if (refusal !== null) this.#caller.say(refusal, 'bad')
    this.#person.refusal = null
    this.#caller.redraw()
  }

  #look(): Look {
    const { state } = this.#person
    if (state.kind !== 'playing' && state.kind !== 'over') return {}
    const { handle, game, seat } = state.seated
    return game.look(handle.position(), seat)
  }

  #drawWait(canvas: Canvas): void {
    const seconds = Math.floor((this.#caller.clock.now() - this.#since) / 1000)
    canvas.text(1, 1, `Waiting for somebody to play ${this.#request.game.title} with`, 'bright')
    canvas.text(1, 3, `${['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'][seconds % 6]} ${seconds} s`, 'title')
    canvas.text(1, 5, 'Whoever joins the queue next sits down opposite you.', 'dim')
  }

  #drawTable(canvas: Canvas): void {
    const { state } = this.#person
    if (state.kind !== 'playing' && state.kind !== 'over') return
    const { seated } = state
    this.#table ??= this.#caller.house.arena.tables.get(seated.match)
    const table = this.#table
    const left =
      this.#deadline === null ? null : Math.max(0, this.#deadline - this.#caller.clock.now())
    const playing = state.kind === 'playing'
    const look = this.#look()
    const moment: Moment = {
      look,
      seats: seated.accounts.map(({ name }, seat) => ({
        name: seat === seated.seat ? `${name} (you)` : name,
        rating: null,
        toMove:
          playing &&
          (seat === seated.seat ? state.yourTurn : (table?.clocks[seat] ?? null) !== null),
        clock: playing && seat === seated.seat && state.yourTurn ? left : null,
      })),
      moves: playing && !hasLiveMoves(seated.game) ? null : (table?.moves ?? []),
      ply: table?.moves.length ?? 0,
      words: this.#words(),
    }
    const flipped = isTurned(look, seated.seat)
    const view = playing ? { ...this.#entry.view(pointable(look)), flipped } : {}
    drawMatch(
      canvas,
      moment,
      view,
      playing ? foot => this.#entry.draw(foot, state.yourTurn ? state.legal : null) : null,
    )
  }

  #words(): readonly string[] {
    const { state } = this.#person
    if (state.kind === 'over') {
      const { outcome, seat, change, unrated } = state.ended
      const best = outcome.places.filter(place => place === 1).length
      const result = outcome.places[seat] !== 1 ? 'You lost' : best > 1 ? 'Draw' : 'You won'
      return [
        `${result}, ${endingText({ end: outcome })}.`,
        unrated === null
          ? `Your rating: ${ratingChangeText(ratingsOf(change))}`
          : capital(ratedText({ unrated, voided: null })),
      ]
    }
    if (state.kind !== 'playing') return []
    if (state.yourTurn)
      return [
        ...(this.#person.note === null ? [] : [`${this.#person.note}.`]),
        'Your move.',
        ...(this.#example === null ? [] : [`It is JSON, such as ${this.#example}`]),
      ]
    return state.mayAct ? ['You may act.'] : ['Waiting for the other side.']
  }
}

/** The board, where its cells are moves. */
const pointable = ({ board }: Look): Board | null => (board?.move === undefined ? null : board)

const isTurned = ({ board }: Look, seat: Seat): boolean => seat === 1 && board?.turns === 'seat'

const meantForTheBoard = 1000
