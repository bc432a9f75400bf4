import { countingName, standingText } from '../../record/rating-text.ts'
import { dayText } from '../../record/time-text.ts'
import { ladderTitle } from '../../store/ladders.ts'
import type { LadderRating, RecentForm } from '../../store/profiles.ts'
import type { User } from '../../store/users.ts'
import { drawChart } from '../chart.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName, scrollStep } from '../terminal/keys.ts'
import { sanitized } from '../terminal/sanitize.ts'
import { filled } from '../terminal/width.ts'
import { PastMatchesScreen } from './past-matches.ts'

/** The profile of one account: its ratings and their history, its opponents, its forfeits. */
export class AgentScreen implements Screen {
  readonly title: string
  readonly #session: ScreenSession
  readonly #user: User | undefined
  readonly #ratings: readonly LadderRating[]
  #chosen = 0
  #form: RecentForm | null = null
  #history: readonly number[] = []

  constructor(session: ScreenSession, name: string) {
    this.#session = session
    this.title = name
    this.#user = session.hub.store.users.find(name)
    this.#ratings =
      this.#user === undefined ? [] : session.hub.store.profiles.ratings(this.#user.id)
    this.#read()
  }

  get hints(): readonly Hint[] {
    return [
      ...(this.#ratings.length > 1 ? [['↑↓', 'game'] as const] : []),
      ['r', 'matches'],
      ['Esc', 'back'],
    ]
  }

  draw(canvas: Canvas): void {
    const user = this.#user
    if (user === undefined) {
      canvas.text(1, 1, `There is no account ${this.title}.`, 'dim')
      return
    }
    const kind =
      user.kind === 'house' ? 'house player, unrated' : `registered ${dayText(user.created_at)}`
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
    const { ladder } = this.#ratings[this.#chosen]!
    const left = canvas.part(0, under, wide ? 46 : canvas.width)
    if (left.height >= 4) {
      left.text(0, 0, `${countingName(ladder)} in ${ladderTitle(ladder)}, over time`, 'dim')
      drawChart(left.part(0, 1, left.width, Math.min(10, left.height - 1)), this.#history)
    }
  }

  press(key: Key): boolean {
    const name = keyName(key)
    const count = this.#ratings.length
    const step = scrollStep(key, count, count)
    if (step !== null && count > 0) {
      this.#chosen = Math.max(0, Math.min(count - 1, this.#chosen + step))
      this.#read()
    } else if ((name === 'r' || name === 'enter') && this.#user !== undefined)
      this.#session.show(new PastMatchesScreen(this.#session, { account: this.#user }))
    else return false
    return true
  }

  #drawRatings(canvas: Canvas, rows: number): void {
    // On a narrow screen one column is left out.
    const row = (cells: readonly string[]) =>
      cells
        .filter((_, i) => i !== 2 || canvas.width >= 44)
        .map((cell, i) => (i === 0 ? cell.padEnd(13) : cell.padStart(i === 1 ? 6 : 5)))
        .join(' ')
        .slice(0, canvas.width - 2)
    canvas.text(2, 0, row(['Game', 'Rating', 'Games', 'W', 'D', 'L']), 'dim')
    const top = Math.max(0, this.#chosen - rows + 1)
    for (const [i, rating] of this.#ratings.slice(top, top + rows).entries()) {
      const counts = [rating.games, rating.wins, rating.draws, rating.losses].map(String)
      const line = row([rating.ladder.id, standingText(rating, rating.ladder).padEnd(5), ...counts])
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
    if (faults.length === 0) canvas.text(0, y++, 'no forfeits', 'good')
    for (const [fault, n] of faults)
      canvas.line(0, y++, [
        [`${n} × `, 'bad'],
        [faultNames[fault as keyof typeof faultNames], 'text'],
      ])
    y++
    canvas.text(0, y++, 'Rivals           W   D   L', 'dim')
    for (const { name, wins, draws, losses } of form.rivals.slice(
      0,
      Math.max(0, canvas.height - y),
    ))
      canvas.line(0, y++, [
        [filled(sanitized(name), 14)],
        [' '],
        [String(wins).padStart(3), 'good'],
        [String(draws).padStart(4), 'dim'],
        [String(losses).padStart(4), 'bad'],
      ])
  }

  #read(): void {
    const rating = this.#ratings[this.#chosen]
    if (rating === undefined) return
    const { profiles } = this.#session.hub.store
    this.#form = profiles.recent(this.#user!.id, [rating.ladder])
    this.#history = profiles.history(this.#user!.id, rating.ladder).map(({ rating }) => rating)
  }
}

const faultNames = {
  resigned: 'resigned',
  illegal: 'illegal move',
  late: 'out of time',
  gone: 'connection lost',
} as const
