import { hasLiveMoves } from '../../arena/arena-event.ts'
import { readNote } from '../../arena/note.ts'
import type { Ended, Player } from '../../arena/player.ts'
import type { Table } from '../../arena/table.ts'
import type { VoteState } from '../../arena/voting.ts'
import type { Look, Seat } from '../../games/game.ts'
import { type Board, isTranscript } from '../../games/look.ts'
import type { Leave, SeekRequest } from '../../matchmaking/matchmaking.ts'
import { numberText } from '../../record/count-text.ts'
import { noteText } from '../../record/move-text.ts'
import { ratingChangeText, ratingsOf } from '../../record/rating-text.ts'
import { capital, endingText, ratedText } from '../../record/result-text.ts'
import { voteText } from '../../record/vote-text.ts'
import { drawMatch, type MatchPosition } from '../draw-match.ts'
import { everySecond } from '../every-second.ts'
import { MoveInput, type Position, typingHelp } from '../move-input.ts'
import { Person, type Playing } from '../person.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { sanitized } from '../terminal/sanitize.ts'
import { wrap } from '../terminal/width.ts'
import { TextArea } from '../text-area.ts'
import { Transcript } from '../transcript.ts'
import { openReplay } from './replay.ts'

/** How a person comes to a seat. */
export interface SeatOffer {
  /** Of the screen. */
  readonly title: string
  /** What the person waits for, and what is said below. Asked whenever the screen is drawn. */
  readonly waiting: () => readonly [what: string, about: string]
  /** Between the two, such as who sits at a table. */
  readonly lines?: () => readonly string[]
  /** The keys that work while the person waits, and what they do. */
  readonly hints?: () => readonly Hint[]
  /** Handles a key while the person waits. Answers false for one that does nothing. */
  readonly press?: (key: Key) => boolean
  /** Watches what the person waits for. The function that it returns stops that. */
  readonly watch?: (changed: () => void) => () => void
  /** What Enter does after a match; it goes back unless given. */
  readonly again?: string
  /** The offer that it then takes; this one unless given. */
  readonly next?: () => SeatOffer
  readonly join: (player: Player) => Leave
}

/** A match against a house player, or in the queue. */
export const queueOffer = ({ hub }: ScreenSession, request: SeekRequest): SeatOffer => ({
  title: request.game.title,
  waiting: () => [
    `Waiting for an opponent in ${request.game.title}`,
    'The match begins when another player joins the queue.',
  ],
  again: 'play again',
  join: player => hub.matchmaking.seek(player, request),
})

/** The seat of a person: in the queue, during the match, and after it. */
export class SeatScreen implements Screen {
  readonly #session: ScreenSession
  readonly #offer: SeatOffer
  readonly #person: Person
  readonly #input = new MoveInput()
  /** What is typed where moves are texts. */
  readonly #words = new TextArea(longestText)
  /** The text that was sent, until it is accepted. */
  #sent: string | null = null
  /** Why it was refused, until the next key. */
  #problem: string | null = null
  readonly #transcript = new Transcript()
  /** What goes with the next move. */
  #note: string | undefined
  /** How to type a move, where moves are JSON. */
  #help: string | null = null
  readonly #since: number
  #deadline: number | null = null
  #turn = -1
  #endedAt = 0
  #stop: (() => void) | null = null
  /** Kept here, because the arena drops it when the match is over. */
  #table: Table | undefined

  constructor(session: ScreenSession, offer: SeatOffer) {
    this.#session = session
    this.#offer = offer
    this.#since = session.clock.now()
    this.#person = new Person(
      session.account!,
      session.request.connection,
      session.hub.personTimeout,
      () => this.#changed(),
    )
    this.#person.seek(offer.join)
  }

  get title(): string {
    return `${this.#offer.title} · your seat`
  }

  get about(): string {
    const help = this.#help === null ? '' : `${this.#help} `
    return this.#isTalk
      ? 'Type your argument and press Enter to send it. You may write while the other one does. PgUp and PgDn scroll what was said, and so do the arrows while you have typed nothing. Esc asks whether to leave the debate: then the audience votes on what was said.'
      : `${help}Choose a cell with the arrows, or type a move, and press Enter. Type note and a few words before to say why you make it: spectators read that one move late. Esc asks whether to resign.`
  }

  get leaveQuestion(): string | null {
    const { state } = this.#person
    // While the audience votes, who leaves loses nothing.
    if (state.kind !== 'playing' || this.#vote !== null) return null
    if (!this.#isTalk) return 'Resign? You lose the match.'
    const lost = this.#words.length > 0 ? ' What you have typed is not sent.' : ''
    return `Leave the debate? The audience then votes on what was said.${lost}`
  }

  get takesText(): boolean {
    return this.#person.state.kind === 'playing'
  }

  get hints(): readonly Hint[] {
    const { state } = this.#person
    if (state.kind === 'over')
      return [
        ...(this.#offer.again === undefined ? [] : [['Enter', this.#offer.again] as const]),
        ['r', 'replay'],
        ['Esc', 'back'],
      ]
    if (state.kind === 'waiting') return [...(this.#offer.hints?.() ?? []), ['Esc', 'cancel']]
    if (state.kind !== 'playing') return [['Esc', 'back']]
    if (this.#vote !== null)
      return [
        ['↑↓', 'scroll'],
        ['Esc', 'back'],
      ]
    if (this.#isTalk)
      return [
        ['Enter', 'send'],
        ['PgUp PgDn', 'scroll'],
        ['Esc', 'leave the debate'],
      ]
    return [
      ...(clickableBoard(this.#look()) !== null ? [['←↑↓→', 'choose'] as const] : []),
      ['Enter', 'move'],
      ['a–z 0–9', 'type a move'],
      ['Esc', 'resign'],
    ]
  }

  shown(): void {
    const redraw = () => this.#session.redraw()
    const stopClock = everySecond(this.#session.clock, redraw)
    const unwatch = this.#offer.watch?.(redraw)
    this.#stop = () => {
      stopClock()
      unwatch?.()
    }
  }

  hidden(): void {
    this.#stop?.()
  }

  abandon(): void {
    const { handle } = this.#person
    if (this.#isTalk) handle?.move({ action: 'leave' })
    else handle?.resign()
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
    // A text that is typed too early must not leave the queue by one of its letters.
    if (state.kind === 'waiting')
      return this.#offer.press?.(key) === true || (key.kind === 'char' && key.char !== '?')
    if (state.kind !== 'playing') return false
    if (this.#isTalk) return this.#pressInTalk(key)
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
    if (key.kind === 'named' && key.name === 'enter') {
      if (this.#offer.again === undefined) this.#session.back()
      else this.#session.replace(new SeatScreen(this.#session, this.#offer.next?.() ?? this.#offer))
    } else if (key.kind === 'char' && key.char === 'r') openReplay(this.#session, state.ended.match)
    else return this.#isTalk && this.#transcript.press(key)
    return true
  }

  #pressInTalk(key: Key): boolean {
    this.#problem = null
    if (this.#vote !== null) return this.#transcript.press(key)
    if (key.kind === 'named' && key.name === 'enter') {
      this.#send()
      return true
    }
    if (key.kind === 'named' && key.name.startsWith('page')) return this.#transcript.press(key)
    // No argument begins with a question mark: the key asks for help.
    if (key.kind === 'char' && key.char === '?' && this.#words.length === 0) return false
    const typed = this.#words.press(key)
    if (typed === 'full')
      this.#session.showMessage(`An argument has at most ${longestText} characters.`, 'bad')
    return typed !== false || this.#transcript.press(key)
  }

  /** The text stays until it is accepted: a refusal may ask for other words. */
  #send(): void {
    const { state } = this.#person
    const text = this.#words.text
    if (state.kind !== 'playing' || text.trim() === '') return
    if (!state.yourTurn) {
      this.#session.showMessage('It is not your turn. Your text stays until it is.')
      return
    }
    this.#sent = text
    state.seated.handle.move(text)
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
    if (this.#sent !== null && (state.kind !== 'playing' || !state.yourTurn)) {
      // What was typed since stays.
      if (this.#words.text === this.#sent) this.#words.clear()
      this.#sent = null
      this.#transcript.follow()
    }
    if (state.kind === 'playing' && state.turn !== this.#turn) {
      this.#turn = state.turn
      this.#note = undefined
      this.#input.clearSelection()
      this.#help = state.yourTurn || state.mayAct ? typingHelp(this.#position(state)) : null
      this.#deadline = timeLeft === null ? null : this.#session.clock.now() + timeLeft
    }
    if (state.kind === 'over') this.#endedAt = this.#session.clock.now()
    if (refusal !== null) {
      this.#sent = null
      // It may be longer than a line.
      if (this.#isTalk) this.#problem = `${capital(refusal)}.`
      else this.#session.showMessage(refusal, 'bad')
    }
    this.#person.refusal = null
    this.#session.redraw()
  }

  /** Whether moves are texts, in a look that is all words. */
  get #isTalk(): boolean {
    return isTranscript(this.#look())
  }

  /** The vote of the audience that goes on. */
  get #vote(): VoteState | null {
    return this.#tableOf(this.#person.state)?.vote ?? null
  }

  #tableOf(state: Person['state']): Table | undefined {
    if (state.kind === 'playing' || state.kind === 'over')
      this.#table ??= this.#session.hub.arena.tables.get(state.seated.match)
    return this.#table
  }

  #look(): Look {
    const { state } = this.#person
    if (state.kind !== 'playing' && state.kind !== 'over') return {}
    const { handle, game, seat } = state.seated
    return game.look(handle.position(), seat)
  }

  #drawWait(canvas: Canvas): void {
    const seconds = Math.floor((this.#session.clock.now() - this.#since) / 1000)
    const [what, about] = this.#offer.waiting()
    canvas.text(1, 1, sanitized(what), 'bright')
    canvas.text(1, 3, `${['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'][seconds % 6]} ${seconds} s`, 'title')
    const lines = this.#offer.lines?.() ?? []
    for (const [y, line] of lines.entries()) canvas.text(1, 5 + y, sanitized(line))
    const top = lines.length === 0 ? 5 : 6 + lines.length
    for (const [y, line] of wrap(about, canvas.width - 2).entries())
      canvas.text(1, top + y, line, 'dim')
  }

  #drawTable(canvas: Canvas): void {
    const { state } = this.#person
    if (state.kind !== 'playing' && state.kind !== 'over') return
    const { seated } = state
    const table = this.#tableOf(state)
    const left =
      this.#deadline === null ? null : Math.max(0, this.#deadline - this.#session.clock.now())
    const playing = state.kind === 'playing'
    const look = this.#look()
    const position: MatchPosition = {
      look,
      seats: seated.accounts.map(({ name }, seat) => ({
        name: seat === seated.seat ? `${name} (you)` : name,
        side: seated.game.sides?.[seat],
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
    if (isTranscript(look)) {
      this.#drawTalk(canvas, position, playing)
      return
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

  #drawTalk(canvas: Canvas, position: MatchPosition, playing: boolean): void {
    const vote = this.#vote
    const input =
      playing && vote === null
        ? {
            rows: this.#words.rowsAt(canvas.width - 1) + 1,
            draw: (part: Canvas) => this.#words.draw(part),
          }
        : undefined
    this.#transcript.draw(canvas, position, {
      lines: [
        ...(vote === null ? [] : [{ text: voteText(vote), role: 'warning' as const }]),
        ...(this.#problem === null ? [] : [{ text: this.#problem, role: 'bad' as const }]),
      ],
      ...(input !== undefined && { input }),
    })
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
        ...pointsLines(state.ended),
      ]
    }
    if (state.kind !== 'playing') return []
    if (this.#isTalk) return this.#talkMessages(state)
    if (state.yourTurn)
      return [
        ...(this.#person.note === null ? [] : [`${this.#person.note}.`]),
        'Your move.',
        ...(this.#note === undefined ? [] : [`With it goes the note ${noteText(this.#note)}.`]),
        ...(this.#help === null ? [] : [this.#help]),
      ]
    if (!state.mayAct) return ['Waiting for the opponent.']
    return ['You may act.', ...(this.#help === null ? [] : [this.#help])]
  }

  #talkMessages({ seated, yourTurn }: Playing): readonly string[] {
    if (this.#vote !== null) return ['Neither of you can write any more.']
    const side = seated.game.sides?.[seated.seat]
    const argue = side === undefined ? '' : ` You argue ${side.toLowerCase()} the topic.`
    return [yourTurn ? `Your turn.${argue}` : `The other one writes.${argue} You may write ahead.`]
  }
}

/** What a match at a table of a room has earned. */
const pointsLines = ({ points, seat }: Ended): readonly string[] => {
  const own = points?.[seat]
  return own == null || own.earned === 0
    ? []
    : [`You earn ${own.earned} points (AP) and have ${numberText(own.balance)}.`]
}

/** The board, if its cells can be chosen as moves. */
const clickableBoard = ({ board }: Look): Board | null => (board?.move === undefined ? null : board)

const isFlipped = ({ board }: Look, seat: Seat): boolean => seat === 1 && board?.turns === 'seat'

/** In characters: what is longer, games cut off. */
const longestText = 2000

/** Milliseconds in which keys are ignored. */
const ignoredAfterEnd = 1000
