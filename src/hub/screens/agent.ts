import { type AccountId, splitName } from '../../arena/account.ts'
import { numberText } from '../../record/count-text.ts'
import { ladderTitle } from '../../record/ladder-title.ts'
import { countingName, standingText, strengthCell } from '../../record/rating-text.ts'
import { dayText } from '../../record/time-text.ts'
import type { LadderForm, Profile } from '../../store/questions.ts'
import { drawChart } from '../chart.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName, scrollStep } from '../terminal/keys.ts'
import { sanitized } from '../terminal/sanitize.ts'
import { filled } from '../terminal/width.ts'
import { openLog } from './log.ts'
import { openPastMatches } from './past-matches.ts'
import { declaredText, openVersions } from './versions.ts'

/** Shows the profile of the account of this name. */
export const openAgent = (session: ScreenSession, name: string): void =>
  session.ask(session.hub.questions.profile(name), profile =>
    session.show(new AgentScreen(session, name, profile)),
  )

/** The profile of one account: its ratings and their history, its opponents, its forfeits. */
class AgentScreen implements Screen {
  readonly title: string
  readonly #session: ScreenSession
  readonly #profile: Profile | undefined
  #chosen = 0
  /** On the ladder that was chosen when it was asked for. */
  #form: LadderForm | null

  constructor(session: ScreenSession, name: string, profile: Profile | undefined) {
    this.#session = session
    this.title = name
    this.#profile = profile
    this.#form = profile?.form ?? null
  }

  get hints(): readonly Hint[] {
    return [
      ...((this.#profile?.ratings.length ?? 0) > 1 ? [['↑↓', 'game'] as const] : []),
      ['r', 'matches'],
      ...((this.#profile?.versions.length ?? 0) > 0 ? [['v', 'versions'] as const] : []),
      ...(this.#reader === null ? [] : [['l', 'log'] as const]),
      ['Esc', 'back'],
    ]
  }

  /** The account of this session, if it may read the log. */
  get #reader(): AccountId | null {
    const reader = this.#session.account?.id
    const user = this.#profile?.user
    return reader !== undefined && (user?.id === reader || user?.owner === reader) ? reader : null
  }

  draw(canvas: Canvas): void {
    if (this.#profile === undefined) {
      canvas.text(1, 1, `There is no account ${this.title}.`, 'dim')
      return
    }
    const { user, ratings } = this.#profile
    const kind =
      user.kind === 'house'
        ? 'house player, unrated'
        : `${user.parent == null ? 'registered' : 'first seen'} ${dayText(user.created_at)}`
    const end = canvas.text(0, 0, user.name, 'title')
    const { points } = this.#profile
    const facts = [
      kind,
      ...(user.banned_at === null ? [] : ['banned']),
      ...(points === 0 ? [] : [`${numberText(points)} points (AP)`]),
    ]
    canvas.text(end + 2, 0, facts.join('; '), 'dim')
    const { version } = splitName(user.name)
    if (version !== null) canvas.text(0, 1, `declared: ${declaredText(user) || 'nothing'}`, 'dim')
    if (this.#form === null) {
      canvas.text(0, 2, 'No rated match yet.', 'dim')
      return
    }
    const wide = canvas.width >= 72
    const rows = Math.min(ratings.length, wide ? 8 : 4, Math.max(1, canvas.height - 8))
    this.#drawRatings(canvas.part(0, 2, wide ? 46 : canvas.width, rows + 1), ratings, rows)
    const under = rows + 4
    const { ladder, recent, history } = this.#form
    if (wide) drawRecent(canvas.part(50, 2, canvas.width - 50, canvas.height - 2), recent)
    const left = canvas.part(0, under, wide ? 46 : canvas.width)
    if (left.height >= 5) {
      const { wins, draws, losses } = ratings[this.#chosen]!
      left.text(0, 0, `Won ${wins}, drawn ${draws}, lost ${losses}`)
      left.text(0, 1, `${countingName(ladder)} in ${ladderTitle(ladder)}, over time`, 'dim')
      drawChart(left.part(0, 2, left.width, Math.min(10, left.height - 2)), history)
    }
  }

  press(key: Key): boolean {
    if (this.#profile === undefined) return false
    const { user, ratings, versions } = this.#profile
    const name = keyName(key)
    const step = scrollStep(key, ratings.length, ratings.length)
    if (name === 'v' && versions.length > 0)
      openVersions(this.#session, this.#profile, name => openAgent(this.#session, name))
    else if (step !== null && ratings.length > 0) this.#choose(this.#chosen + step)
    else if (name === 'r' || name === 'enter') openPastMatches(this.#session, { account: user })
    else if (name === 'l' && this.#reader !== null) openLog(this.#session, this.#reader, user.name)
    else return false
    return true
  }

  #choose(at: number): void {
    const { user, ratings } = this.#profile!
    this.#chosen = Math.max(0, Math.min(ratings.length - 1, at))
    const { ladder } = ratings[this.#chosen]!
    this.#session.refresh(
      this,
      () => this.#session.hub.questions.form(user.id, ladder),
      form => {
        this.#form = form
      },
    )
  }

  #drawRatings(canvas: Canvas, ratings: Profile['ratings'], rows: number): void {
    const longest = Math.max(13, ...ratings.map(({ ladder }) => ladder.id.length))
    const row = (game: string, strength: string, counted: string, games: string) =>
      `${game.padEnd(longest)} ${strength.padEnd(10)} ${counted.padStart(5)} ${games.padStart(5)}`.slice(
        0,
        canvas.width - 2,
      )
    canvas.text(2, 0, row('Game', 'Strength', 'Elo ', 'Games'), 'dim')
    const top = Math.max(0, this.#chosen - rows + 1)
    for (const [i, rating] of ratings.slice(top, top + rows).entries()) {
      const { ladder, strength, games } = rating
      const counted = standingText(rating, ladder).padEnd(5)
      const line = row(ladder.id, strengthCell(strength), counted, String(games))
      if (top + i === this.#chosen) canvas.bar(i + 1, `▸ ${line}`, 'chosen')
      else canvas.text(2, i + 1, line)
    }
  }
}

const drawRecent = (canvas: Canvas, recent: LadderForm['recent']): void => {
  canvas.text(0, 0, `Last ${recent.matches} in this game`, 'dim')
  let y = 1
  const faults = [...recent.faults].filter(([fault]) => fault !== 'none')
  if (faults.length === 0) canvas.text(0, y++, 'no forfeits', 'good')
  for (const [fault, n] of faults)
    canvas.line(0, y++, [
      [`${n} × `, 'bad'],
      [faultNames[fault as keyof typeof faultNames], 'text'],
    ])
  y++
  canvas.text(0, y++, 'Rivals           W   D   L', 'dim')
  for (const { name, wins, draws, losses } of recent.rivals.slice(
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

const faultNames = {
  resigned: 'resigned',
  illegal: 'illegal move',
  late: 'out of time',
  gone: 'connection lost',
} as const
