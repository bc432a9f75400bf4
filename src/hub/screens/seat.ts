import { hasLiveMoves } from '../../arena/arena-event.ts'
import { readNote } from '../../arena/note.ts'
import type { Table } from '../../arena/table.ts'
import type { Look, Seat } from '../../games/game.ts'
import type { Board } from '../../games/look.ts'
import type { SeekRequest } from '../../matchmaking/matchmaking.ts'
import { noteText } from '../../record/move-text.ts'
import { ratingChangeText, ratingsOf } from '../../record/rating-text.ts'
import { capital, endingText, ratedText } from '../../record/result-text.ts'
import { drawMatch, type MatchPosition } from '../draw-match.ts'
import { everySecond } from '../every-second.ts'
import { exampleMove, MoveInput, type Position } from '../move-input.ts'
import { Person, type Playing } from '../person.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { openReplay } from './replay.ts'

/** The seat of a person: in the queue, during the match, and after it. */
export class SeatScreen implements Screen {
  readonly about =
    'Choose a cell with the arrows, or type a move, and press Enter. Type note and a few words before to say why you make it: spectators read that one move late. Esc asks whether to resign.'
  readonly #session: ScreenSession
  readonly #request: SeekRequest
  readonly #person: Person
  readonly #input = new MoveInput()
  /** What goes with the next move. */
  #note: string | undefined
  /** An example of a move, where moves are JSON. */
  #example: string | null = null
  readonly #since: number
  #deadline: number | null = null
  #turn = -1
  #endedAt = 0
  #stopClock: (() => void) | null = null
  /** Kept here, because the arena drops it when the match is over. */
  #table: Table | undefined

  constructor(session: ScreenSession, request: SeekRequest) {
    this.#session = session
    this.#request = request
    this.#since = session.clock.now()
    this.#person = new Person(
      session.account!,
      session.request.connection,
      session.hub.personTimeout,
      () => this.#changed(),
    )
    this.#person.seek(session.hub.matchmaking, request)
  }

  get title(): string {
    return `${this.#request.game.title} · your seat`
  }

  get leaveQuestion(): string | null {
    const { state } = this.#person
    if (state.kind === 'playing') return 'Resign? You lose the match.'
    return null
  }

  get takesText(): boolean {
    return this.#person.state.kind === 'playing'
  }

  get hints(): readonly Hint[] {
    const { state } = this.#person
    if (state.kind === 'over')
      return [
        ['Enter', 'play again'],
        ['r', 'replay'],
        ['Esc', 'back'],
      ]
    if (state.kind !== 'playing') return [['Esc', state.kind === 'waiting' ? 'cancel' : 'back']]
    return [
      ...(clickableBoard(this.#look()) !== null ? [['←↑↓→', 'choose'] as const] : []),
      ['Enter', 'move'],
      ['a–z 0–9', 'type a move'],
      ['Esc', 'resign'],
    ]
  }

  shown(): void {
    this.#stopClock = everySecond(this.#session.clock, () => this.#session.redraw())
  }

  hidden(): void {
    this.#stopClock?.()
  }

  abandon(): void {
    this.#person.handle?.resign()
  }

  closed(): void {
    this.#person.leave(this.#session.dismissedFor)
  }

  draw(canvas: Canvas): void {
    const { state } = this.#person
    if (state.kind === 'waiting') this.#drawWait(canvas)
    else if (state.kind === 'stopped') canvas.text(1, 1, state.reason, 'warning')
    else this.#drawTable(canvas)
  }

  press(key: Key): boolean {
    const { state } = this.#person
    if (state.kind === 'over') return this.#pressAfterMatch(key)
    if (state.kind !== 'playing') return false
    if (key.kind === 'named' && key.name === 'enter') {
      this.#move()
      return true
    }
    const look = this.#look()
    return this.#input.press(key, clickableBoard(look), isFlipped(look, state.seated.seat))
  }

  #pressAfterMatch(key: Key): boolean {
    const { state } = this.#person
    if (state.kind !== 'over') return false
    // Keys typed just before the end were meant for the board.
    if (this.#session.clock.now() - this.#endedAt < ignoredAfterEnd) return true
    if (key.kind === 'named' && key.name === 'enter')
      this.#session.replace(new SeatScreen(this.#session, this.#request))
    else if (key.kind === 'char' && key.char === 'r') openReplay(this.#session, state.ended.match)
    else return false
    return true
  }

  #move(): void {
    const { state } = this.#person
    if (state.kind !== 'playing') return
    const { handle } = state.seated
    if (!state.yourTurn && !state.mayAct) {
      this.#session.showMessage('It is not your turn.')
      return
    }
    const typed = this.#input.takeNote()
    if (typed !== null) {
      this.#takeNote(typed)
      return
    }
    const move = this.#input.submit(this.#position(state), clickableBoard(this.#look()))
    if (move === null) this.#session.showMessage('Choose a cell that is a move, or type a move.')
    else if (move !== undefined) handle.move(move, undefined, this.#note)
  }

  #takeNote(typed: string): void {
    const note = readNote(typed)
    if (typeof note === 'object') this.#session.showMessage(capital(`${note.problem}.`), 'bad')
    else this.#note = note
  }

  #position({ seated, legal }: Playing): Position {
    const { handle, game, seat } = seated
    return { game, state: handle.position(), seat, legal }
  }

  #changed(): void {
    const { state, timeLeft, refusal } = this.#person
    if (state.kind === 'playing' && state.turn !== this.#turn) {
      this.#turn = state.turn
      this.#note = undefined
      this.#input.clearSelection()
      this.#example = state.yourTurn ? exampleMove(this.#position(state)) : null
      this.#deadline = timeLeft === null ? null : this.#session.clock.now() + timeLeft
    }
    if (state.kind === 'over') this.#endedAt = this.#session.clock.now()
    if (refusal !== null) this.#session.showMessage(refusal, 'bad')
    this.#person.refusal = null
    this.#session.redraw()
  }

  #look(): Look {
    const { state } = this.#person
    if (state.kind !== 'playing' && state.kind !== 'over') return {}
    const { handle, game, seat } = state.seated
    return game.look(handle.position(), seat)
  }

  #drawWait(canvas: Canvas): void {
    const seconds = Math.floor((this.#session.clock.now() - this.#since) / 1000)
    canvas.text(1, 1, `Waiting for an opponent in ${this.#request.game.title}`, 'bright')
    canvas.text(1, 3, `${['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'][seconds % 6]} ${seconds} s`, 'title')
    canvas.text(1, 5, 'The match begins when another player joins the queue.', 'dim')
  }

  #drawTable(canvas: Canvas): void {
    const { state } = this.#person
    if (state.kind !== 'playing' && state.kind !== 'over') return
    const { seated } = state
    this.#table ??= this.#session.hub.arena.tables.get(seated.match)
    const table = this.#table
    const left =
      this.#deadline === null ? null : Math.max(0, this.#deadline - this.#session.clock.now())
    const playing = state.kind === 'playing'
    const look = this.#look()
    const position: MatchPosition = {
      look,
      seats: seated.accounts.map(({ name }, seat) => ({
        name: seat === seated.seat ? `${name} (you)` : name,
        rating: null,
        protocol: null,
        toMove:
          playing &&
          (seat === seated.seat ? state.yourTurn : (table?.clocks[seat] ?? null) !== null),
        clock: playing && seat === seated.seat && state.yourTurn ? left : null,
      })),
      moves: playing && !hasLiveMoves(seated.game) ? null : (table?.moves ?? []),
      ply: table?.moves.length ?? 0,
      messages: this.#messages(),
      note: null,
    }
    const flipped = isFlipped(look, seated.seat)
    const view = playing ? { ...this.#input.view(clickableBoard(look)), flipped } : {}
    drawMatch(
      canvas,
      position,
      view,
      playing ? part => this.#input.draw(part, state.yourTurn ? state.legal : null) : null,
    )
  }

  #messages(): readonly string[] {
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
        ...(this.#note === undefined ? [] : [`With it goes the note ${noteText(this.#note)}.`]),
        ...(this.#example === null ? [] : [`A move is JSON, such as ${this.#example}`]),
      ]
    return state.mayAct ? ['You may act.'] : ['Waiting for the opponent.']
  }
}

/** The board, if its cells can be chosen as moves. */
const clickableBoard = ({ board }: Look): Board | null => (board?.move === undefined ? null : board)

const isFlipped = ({ board }: Look, seat: Seat): boolean => seat === 1 && board?.turns === 'seat'

/** Milliseconds in which keys are ignored. */
const ignoredAfterEnd = 1000
