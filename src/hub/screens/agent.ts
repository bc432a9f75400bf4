import { gameOf } from '../../games/index.ts'
import { standingText } from '../../record/rating-text.ts'
import { dayText } from '../../record/time-text.ts'
import type { GameRating, RecentForm } from '../../store/profiles.ts'
import type { User } from '../../store/users.ts'
import { drawChart } from '../chart.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { plain } from '../terminal/plain.ts'
import { filled } from '../terminal/width.ts'
import { MatchesScreen } from './matches.ts'

/** What is known of one account: its ratings, how they came about, whom it met, how its matches end. */
export class AgentScreen implements Screen {
  readonly title: string
  readonly #caller: Caller
  readonly #user: User | undefined
  readonly #ratings: readonly GameRating[]
  #chosen = 0
  #form: RecentForm | null = null
  #history: readonly number[] = []

  constructor(caller: Caller, name: string) {
    this.#caller = caller
    this.title = name
    this.#user = caller.house.store.users.find(name)
    this.#ratings =
      this.#user === undefined ? [] : caller.house.store.profiles.ratings(this.#user.id)
    this.#read()
  }

  get hints(): readonly Hint[] {
    return [
      ...(this.#ratings.length > 1 ? [['↑↓', 'game'] as const] : []),
      ['r', 'its matches'],
      ['Esc', 'back'],
    ]
  }

  draw(canvas: Canvas): void {
    const user = this.#user
    if (user === undefined) {
      canvas.text(1, 1, 'Nobody of that name is here.', 'dim')
      return
    }
    const kind =
      user.kind === 'house'
        ? 'plays for the house, unrated'
        : `here since ${dayText(user.created_at)}`
    const end = canvas.text(0, 0, user.name, 'title')
    canvas.text(end + 2, 0, user.banned_at === null ? kind : `${kind}; banned`, 'dim')
    if (this.#ratings.length === 0) {
      canvas.text(0, 2, 'No rated match yet.', 'dim')
      return
    }
    const wide = canvas.width >= 72
    const rows = Math.min(this.#ratings.length, wide ? 8 : 4, Math.max(1, canvas.height - 8))
    this.#drawRatings(canvas.part(0, 2, wide ? 46 : canvas.width, rows + 1), rows)
    const under = rows + 4
    if (wide) this.#drawForm(canvas.part(50, 2, canvas.width - 50, canvas.height - 2))
    const { game } = this.#ratings[this.#chosen]!
    const left = canvas.part(0, under, wide ? 46 : canvas.width)
    if (left.height >= 4) {
      left.text(0, 0, `Rating in ${gameOf(game)?.title ?? game}, over time`, 'dim')
      drawChart(left.part(0, 1, left.width, Math.min(10, left.height - 1)), this.#history)
    }
  }

  press(key: Key): boolean {
    const name = key.kind === 'named' ? key.name : key.kind === 'char' ? key.char : ''
    const step = name === 'down' || name === 'j' ? 1 : name === 'up' || name === 'k' ? -1 : 0
    if (step !== 0 && this.#ratings.length > 0) {
      this.#chosen = Math.max(0, Math.min(this.#ratings.length - 1, this.#chosen + step))
      this.#read()
    } else if ((name === 'r' || name === 'enter') && this.#user !== undefined)
      this.#caller.show(new MatchesScreen(this.#caller, { account: this.#user }))
    else return false
    return true
  }

  #drawRatings(canvas: Canvas, rows: number): void {
    // A column less where there is no room for all.
    const lines = (cells: readonly string[]) =>
      cells
        .filter((_, i) => i !== 2 || canvas.width >= 44)
        .map((cell, i) => (i === 0 ? cell.padEnd(13) : cell.padStart(i === 1 ? 6 : 5)))
        .join(' ')
        .slice(0, canvas.width - 2)
    canvas.text(2, 0, lines(['Game', 'Rating', 'Games', 'W', 'D', 'L']), 'dim')
    const top = Math.max(0, this.#chosen - rows + 1)
    for (const [i, rating] of this.#ratings.slice(top, top + rows).entries()) {
      const counts = [rating.games, rating.wins, rating.draws, rating.losses].map(String)
      const line = lines([rating.game, standingText(rating).padEnd(5), ...counts])
      if (top + i === this.#chosen) canvas.bar(i + 1, `▸ ${line}`, 'chosen')
      else canvas.text(2, i + 1, line)
    }
  }

  #drawForm(canvas: Canvas): void {
    const form = this.#form
    if (form === null) return
    canvas.text(0, 0, `Last ${form.matches} in this game`, 'dim')
    let y = 1
    const faults = [...form.faults].filter(([fault]) => fault !== 'none')
    if (faults.length === 0) canvas.text(0, y++, 'never forfeited', 'good')
    for (const [fault, n] of faults)
      canvas.line(0, y++, [
        [`${n} × `, 'bad'],
        [words[fault as keyof typeof words], 'text'],
      ])
    y++
    canvas.text(0, y++, 'Met most         W   D   L', 'dim')
    for (const { name, wins, draws, losses } of form.rivals.slice(
      0,
      Math.max(0, canvas.height - y),
    ))
      canvas.line(0, y++, [
        [filled(plain(name), 14)],
        [' '],
        [String(wins).padStart(3), 'good'],
        [String(draws).padStart(4), 'dim'],
        [String(losses).padStart(4), 'bad'],
      ])
  }

  #read(): void {
    const rating = this.#ratings[this.#chosen]
    if (rating === undefined) return
    const { profiles } = this.#caller.house.store
    this.#form = profiles.recent(this.#user!.id, [rating.game])
    this.#history = profiles.history(this.#user!.id, rating.game).map(({ rating }) => rating)
  }
}

const words = {
  resigned: 'resigned',
  illegal: 'illegal move',
  late: 'out of time',
  gone: 'connection lost',
} as const
