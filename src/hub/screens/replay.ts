import type { Timer } from '../../clock.ts'
import { gameOf } from '../../games/index.ts'
import { isTranscript } from '../../games/look.ts'
import type { MatchRecord } from '../../record/match-record.ts'
import { noteText } from '../../record/move-text.ts'
import { changeText } from '../../record/rating-text.ts'
import { capital, outcomeText, ratedText } from '../../record/result-text.ts'
import { dayText } from '../../record/time-text.ts'
import { longest } from '../../scheduling/text-stream.ts'
import type { Recorded } from '../../store/questions.ts'
import { drawMatch, type MatchPosition } from '../draw-match.ts'
import { sshCommand } from '../host-addresses.ts'
import { InputForm } from '../input-form.ts'
import { ReplayPlayer } from '../replay-player.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import { Transcript } from '../transcript.ts'
import { TextScreen } from './text.ts'
import { WatchScreen } from './watch.ts'

/** Shows the match of this number: a replay, or the live match. */
export const openReplay = (session: ScreenSession, id: number): void => {
  const live = session.hub.arena.tables.get(id)
  if (live !== undefined) session.show(new WatchScreen(session, live))
  else
    session.ask(session.hub.questions.recorded(id), recorded => {
      if (recorded === undefined) session.showMessage(`There is no match ${id}.`)
      else if (gameOf(recorded.match.game) === undefined)
        session.showMessage(`The game ${recorded.match.game} is no longer played here.`)
      else if (recorded.size > longest)
        session.showMessage(`Match ${id} is too long to be shown here.`)
      else session.show(new ReplayScreen(session, recorded))
    })
}

/** The longest moves, in bytes, whose export is shown on a screen. */
const longestExport = 64 * 1024

/** In a debate: keys that step elsewhere. */
const scrolling = new Set(['up', 'down', 'page up', 'page down'])

/** Milliseconds for each move. */
const speeds = [2000, 1000, 500, 200, 80]

class ReplayScreen implements Screen {
  readonly title: string
  readonly about = 'The match move by move, computed again from its seed and its moves.'
  readonly #session: ScreenSession
  readonly #match: MatchRecord
  /** The size of its moves in bytes. */
  readonly #size: number
  readonly #player: ReplayPlayer
  #ply = 0
  #speed = 1
  #timer: Timer | null = null
  #flipped = false
  #jump: InputForm | null = null
  readonly #transcript = new Transcript()

  constructor(session: ScreenSession, recorded: Recorded) {
    const { match, size } = recorded
    this.#session = session
    this.#match = match
    this.#size = size
    const game = gameOf(match.game)!
    this.title = `${game.title} · match ${match.id}`
    this.#player = new ReplayPlayer(recorded, session.hub, session.request.source, {
      frames: () => session.redraw(),
      problem: why => session.showMessage(`${capital(why)}.`),
      error: error => session.failed(error),
    })
  }

  get hints(): readonly Hint[] {
    if (this.#jump?.isOpen) return this.#jump.hints
    return [
      ['←→', 'step'],
      ...(this.#isTalk ? [['↑↓', 'scroll'] as const] : []),
      ['Space', this.#timer === null ? 'play' : 'pause'],
      ['+ −', 'speed'],
      ['g G', 'ends'],
      [':', 'jump'],
      ...(this.#canFlip ? [['f', 'flip'] as const] : []),
      ['Esc', 'back'],
      ['e', 'export'],
    ]
  }

  get #isTalk(): boolean {
    return isTranscript(this.#player.frames[0]!)
  }

  get #canFlip(): boolean {
    return this.#player.frames[0]!.board?.turns !== undefined
  }

  hidden(): void {
    this.#pause()
  }

  closed(): void {
    this.#player.close()
  }

  draw(canvas: Canvas): void {
    const { players, startedAt } = this.#match
    const isOver = this.#ply === this.#match.moveCount
    const ply = Math.min(this.#ply, this.#player.frames.length - 1)
    const changes = players.flatMap(({ name, rating }) =>
      rating === null ? [] : [`${name} ${changeText(rating)}`],
    )
    const messages = isOver
      ? [
          `${outcomeText(this.#match)}.`,
          changes.length > 0 ? changes.join(', ') : capital(ratedText(this.#match)),
        ]
      : [`Move ${ply} of ${this.#match.moveCount}`, dayText(startedAt)]
    const next = isOver ? undefined : this.#player.moves[this.#ply]?.[0]
    const part = this.#jump?.isOpen ? canvas.part(0, 0, canvas.width, canvas.height - 1) : canvas
    const position: MatchPosition = {
      look: this.#player.frames[ply]!,
      seats: players.map(({ name, rating, protocol }, seat) => ({
        name,
        side: gameOf(this.#match.game)?.sides?.[seat],
        rating: rating?.before ?? null,
        protocol,
        toMove: next === seat,
        clock: null,
      })),
      moves: this.#player.moves,
      ply,
      messages,
      note: this.#noteAt(ply),
    }
    if (this.#isTalk) this.#transcript.draw(part, position)
    else drawMatch(part, position, { flipped: this.#flipped })
    if (this.#jump?.isOpen) this.#jump.draw(canvas.part(0, canvas.height - 1))
  }

  #noteAt(ply: number): string | null {
    const note = this.#player.notes[ply - 1] ?? null
    const seat = this.#player.moves[ply - 1]?.[0]
    return note === null ? null : `${this.#match.players[seat!]!.name}: ${noteText(note)}`
  }

  press(key: Key): boolean {
    if (this.#jump?.isOpen) {
      this.#jump.press(key)
      return true
    }
    const name = keyName(key)
    // Where there is something to read, the keys that scroll do so; the others step.
    if (this.#isTalk && scrolling.has(name)) return this.#transcript.press(key) || true
    switch (name) {
      case 'right':
      case 'down':
      case 'j':
      case 'l':
        return this.#step(1)
      case 'left':
      case 'up':
      case 'k':
      case 'h':
        return this.#step(-1)
      case 'page down':
        return this.#step(10)
      case 'page up':
        return this.#step(-10)
      case 'home':
      case 'g':
        return this.#step(-this.#match.moveCount)
      case 'end':
      case 'G':
        return this.#step(this.#match.moveCount)
      case ' ':
        if (this.#timer !== null) this.#pause()
        else this.#play()
        return true
      case '+':
      case '=':
        return this.#changeSpeed(1)
      case '-':
        return this.#changeSpeed(-1)
      case ':':
        this.#jump = new InputForm('Go to:', 5, 'go', text => {
          if (/^\d+$/.test(text)) this.#step(Number(text) - this.#ply)
        })
        return true
      case 'f':
        if (!this.#canFlip) return false
        this.#flipped = !this.#flipped
        return true
      case 'e':
        this.#export()
        return true
      default:
        return false
    }
  }

  #export(): void {
    const { hub } = this.#session
    const { id } = this.#match
    if (this.#size > longestExport)
      this.#session.showMessage(
        `The export is too long for a screen. Run ${sshCommand(hub.addresses, 'guest')} replay ${id} --format ndjson`,
      )
    else
      this.#session.ask(hub.questions.exported(id, hub.addresses.host), text =>
        this.#session.show(new TextScreen(`Export · match ${id}`, text.trimEnd())),
      )
  }

  #step(by: number): true {
    this.#transcript.follow()
    this.#ply = Math.max(0, Math.min(this.#match.moveCount, this.#ply + by))
    return true
  }

  #changeSpeed(by: number): true {
    this.#speed = Math.max(0, Math.min(speeds.length - 1, this.#speed + by))
    this.#session.showMessage(`${(1000 / speeds[this.#speed]!).toFixed(1)} moves a second`, 'dim')
    return true
  }

  #play(): void {
    if (this.#ply === this.#match.moveCount) this.#ply = 0
    this.#timer = this.#session.clock.after(speeds[this.#speed]!, () => {
      this.#timer = null
      this.#step(1)
      if (this.#ply < this.#match.moveCount) this.#play()
      this.#session.redraw()
    })
  }

  #pause(): void {
    this.#timer?.cancel()
    this.#timer = null
  }
}
