import { ReplayError } from '../../arena/replay.ts'
import type { Timer } from '../../clock.ts'
import { gameOf } from '../../games/index.ts'
import { exportPieces } from '../../record/export.ts'
import { type MatchRecord, replaySourceOf } from '../../record/match-record.ts'
import { changeText } from '../../record/rating-text.ts'
import { capital, outcomeText, ratedText } from '../../record/result-text.ts'
import { dayText } from '../../record/time-text.ts'
import { longest } from '../../scheduling/text-stream.ts'
import type { KeptMoves } from '../../store/kept-moves.ts'
import { Field } from '../field.ts'
import { dial } from '../house.ts'
import { drawMatch } from '../match-view.ts'
import { ReplayPlayer } from '../replay-player.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { TextScreen } from './text.ts'
import { WatchScreen } from './watch.ts'

/** Shows a kept match, or the live one of that number. */
export const openReplay = (caller: Caller, id: number): void => {
  const live = caller.house.arena.tables.get(id)
  const match = caller.house.store.matches.find(id)
  if (live !== undefined) caller.show(new WatchScreen(caller, live))
  else if (match === undefined) caller.say(`There is no match ${id}.`)
  else if (gameOf(match.game) === undefined)
    caller.say(`The game ${match.game} is not played here any more.`)
  else if (caller.house.store.matches.keptMoves(id).size > longest)
    caller.say(`Match ${id} is too long to be shown here.`)
  else caller.show(new ReplayScreen(caller, match))
}

/** Bytes of moves whose export is shown on a screen. */
const longestShown = 64 * 1024

/** Milliseconds a move. */
const speeds = [2000, 1000, 500, 200, 80]

class ReplayScreen implements Screen {
  readonly title: string
  readonly about = 'The match as it was played, from its seed and its moves.'
  readonly #caller: Caller
  readonly #match: MatchRecord
  readonly #moves: KeptMoves
  readonly #player: ReplayPlayer
  #ply = 0
  #speed = 1
  #timer: Timer | null = null
  #flipped = false
  #jump: Field | null = null

  constructor(caller: Caller, match: MatchRecord) {
    this.#caller = caller
    this.#match = match
    const game = gameOf(match.game)!
    this.title = `${game.title} · match ${match.id}`
    this.#moves = caller.house.store.matches.keptMoves(match.id)
    this.#player = new ReplayPlayer(
      replaySourceOf(game, match, this.#moves),
      caller.house.textStreamer,
      caller.visit.source,
      {
        grown: () => caller.redraw(),
        failed: error => {
          if (error instanceof ReplayError) caller.say(`${capital(error.message)}.`)
          else caller.failed(error)
        },
      },
    )
  }

  get hints(): readonly Hint[] {
    if (this.#jump !== null)
      return [
        ['Enter', 'jump'],
        ['Esc', 'give up'],
      ]
    return [
      ['←→', 'step'],
      ['Space', this.#timer === null ? 'play' : 'pause'],
      ['+ −', 'speed'],
      ['g G', 'ends'],
      [':', 'jump'],
      ...(this.#isTurnable ? [['f', 'flip'] as const] : []),
      ['e', 'export'],
      ['Esc', 'back'],
    ]
  }

  get #isTurnable(): boolean {
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
    const isOver = this.#ply === this.#moves.length
    const ply = Math.min(this.#ply, this.#player.frames.length - 1)
    const changes = players.flatMap(({ name, rating }) =>
      rating === null ? [] : [`${name} ${changeText(rating)}`],
    )
    const words = isOver
      ? [
          `${outcomeText(this.#match)}.`,
          changes.length > 0 ? changes.join(', ') : capital(ratedText(this.#match)),
        ]
      : [`Move ${ply} of ${this.#moves.length}`, dayText(startedAt)]
    const next = isOver ? undefined : this.#player.moves[this.#ply]?.[0]
    const room = this.#jump === null ? canvas : canvas.part(0, 0, canvas.width, canvas.height - 1)
    drawMatch(
      room,
      {
        look: this.#player.frames[ply]!,
        seats: players.map(({ name, rating }, seat) => ({
          name,
          rating: rating?.before ?? null,
          toMove: next === seat,
          clock: null,
        })),
        moves: this.#player.moves,
        ply,
        words,
      },
      { flipped: this.#flipped },
    )
    if (this.#jump !== null) {
      canvas.text(0, canvas.height - 1, 'To move:', 'title')
      this.#jump.draw(canvas, 9, canvas.height - 1, 8)
    }
  }

  press(key: Key): boolean {
    if (this.#jump !== null) return this.#type(key, this.#jump)
    const name = key.kind === 'named' ? key.name : key.kind === 'char' ? key.char : ''
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
        return this.#step(-this.#moves.length)
      case 'end':
      case 'G':
        return this.#step(this.#moves.length)
      case ' ':
        if (this.#timer !== null) this.#pause()
        else this.#play()
        return true
      case '+':
      case '=':
        return this.#hurry(1)
      case '-':
        return this.#hurry(-1)
      case ':':
        this.#jump = new Field(5)
        return true
      case 'f':
        if (!this.#isTurnable) return false
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
    const { house } = this.#caller
    const { id } = this.#match
    if (this.#moves.size > longestShown)
      this.#caller.say(
        `It is too long for a screen: ${dial(house.place, 'guest')} replay ${id} --format ndjson`,
      )
    else
      this.#caller.show(
        new TextScreen(
          `Export · match ${id}`,
          [...exportPieces(this.#match, this.#moves, house.place.host)].join('').trimEnd(),
        ),
      )
  }

  #type(key: Key, jump: Field): boolean {
    if (jump.press(key) || key.kind !== 'named') return true
    if (key.name === 'escape' || key.name === 'enter') this.#jump = null
    if (key.name === 'enter' && /^\d+$/.test(jump.text)) this.#step(Number(jump.text) - this.#ply)
    return true
  }

  #step(by: number): true {
    this.#ply = Math.max(0, Math.min(this.#moves.length, this.#ply + by))
    return true
  }

  #hurry(by: number): true {
    this.#speed = Math.max(0, Math.min(speeds.length - 1, this.#speed + by))
    this.#caller.say(`${(1000 / speeds[this.#speed]!).toFixed(1)} moves a second`, 'dim')
    return true
  }

  #play(): void {
    if (this.#ply === this.#moves.length) this.#ply = 0
    this.#timer = this.#caller.clock.after(speeds[this.#speed]!, () => {
      this.#timer = null
      this.#step(1)
      if (this.#ply < this.#moves.length) this.#play()
      this.#caller.redraw()
    })
  }

  #pause(): void {
    this.#timer?.cancel()
    this.#timer = null
  }
}
