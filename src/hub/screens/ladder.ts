import { tieBreakOf } from '../../arena/counting.ts'
import type { Ladder } from '../../arena/ladder.ts'
import { provisionalBelow } from '../../arena/rating.ts'
import { countingName, standingText, tieBreakText } from '../../record/rating-text.ts'
import { ladderTitle } from '../../store/ladders.ts'
import type { Placed } from '../../store/rankings.ts'
import { sparkline } from '../chart.ts'
import { InputForm } from '../input-form.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import { AgentScreen } from './agent.ts'

const page = 50
const trendLength = 12

/** The ranking of one ladder. */
export class LadderScreen implements Screen {
  readonly about: string
  readonly #session: ScreenSession
  readonly #ladder: Ladder
  readonly #list: List<Placed>
  readonly #trends = new Map<number, string>()
  #search: InputForm | null = null
  #nameFilter = ''
  #offset = 0
  #total = 0

  constructor(session: ScreenSession, ladder: Ladder) {
    this.#session = session
    this.#ladder = ladder
    this.about =
      tieBreakOf(ladder) === 'wins'
        ? tieBreakText
        : `A rating with a question mark is provisional: it comes from fewer than ${provisionalBelow} rated matches. Provisional ratings come after the ranked ones.`
    const me = session.account?.id
    this.#list = new List<Placed>(
      [
        {
          title: 'Rank',
          width: 5,
          align: 'right',
          cell: ({ rank }) => (rank === null ? '–' : String(rank)),
          role: () => 'dim',
        },
        {
          title: 'Name',
          width: 0,
          cell: ({ name }) => name,
          role: ({ account }) => (account === me ? 'mark' : 'text'),
        },
        {
          title: countingName(ladder),
          width: 6,
          align: 'right',
          // A blank in place of the question mark keeps the digits aligned.
          cell: row => standingText(row, ladder).padEnd(5),
          role: () => 'title',
        },
        {
          title: 'Games',
          width: 6,
          align: 'right',
          minWidth: 50,
          cell: ({ games }) => String(games),
        },
        {
          title: 'Won',
          width: 6,
          align: 'right',
          minWidth: 60,
          cell: ({ wins }) => String(wins),
          role: () => 'good',
        },
        {
          title: 'Drawn',
          width: 6,
          align: 'right',
          minWidth: 60,
          cell: ({ draws }) => String(draws),
          role: () => 'dim',
        },
        {
          title: 'Lost',
          width: 6,
          align: 'right',
          minWidth: 60,
          cell: ({ losses }) => String(losses),
          role: () => 'bad',
        },
        {
          title: 'Trend',
          width: trendLength,
          minWidth: 76,
          cell: row => this.#trend(row),
          role: () => 'rule',
        },
      ],
      'No rated match yet.',
    )
    this.#read()
  }

  get title(): string {
    return `${ladderTitle(this.#ladder)} · ladder${this.#nameFilter === '' ? '' : ` · “${this.#nameFilter}”`}`
  }

  get hints(): readonly Hint[] {
    if (this.#search?.isOpen) return this.#search.hints
    return [
      ['Enter', 'open'],
      ['/', 'search'],
      ...(this.#session.account === null ? [] : [['m', 'my rank'] as const]),
      ...(this.#total > page ? [['[ ]', 'page'] as const] : []),
      ['Esc', 'back'],
    ]
  }

  draw(canvas: Canvas): void {
    const height = canvas.height - 1
    this.#list.draw(canvas.part(0, 0, canvas.width, height))
    if (this.#search?.isOpen) this.#search.draw(canvas.part(2, height))
    else if (this.#total > 0) {
      const last = Math.min(this.#offset + page, this.#total)
      const text = `${this.#offset + 1}–${last} of ${this.#total}`
      canvas.text(canvas.width - text.length, height, text, 'dim')
    }
  }

  press(key: Key): boolean {
    if (this.#search?.isOpen) {
      this.#search.press(key)
      return true
    }
    const name = keyName(key)
    switch (name) {
      case '/':
        this.#search = new InputForm('Name:', 32, 'search', text => {
          this.#nameFilter = text
          this.#go(0)
        })
        return true
      case 'm':
        this.#showOwnRank()
        return true
      case '[':
        this.#go(Math.max(0, this.#offset - page))
        return true
      case ']':
        if (this.#offset + page < this.#total) this.#go(this.#offset + page)
        return true
      case 'escape':
        if (this.#nameFilter === '') return false
        this.#nameFilter = ''
        this.#go(0)
        return true
      default:
        return this.#list.press(key, ({ name }) =>
          this.#session.show(new AgentScreen(this.#session, name)),
        )
    }
  }

  #showOwnRank(): void {
    const { account, hub } = this.#session
    const { rankings } = hub.store
    const place = account === null ? undefined : rankings.place(this.#ladder, account.id)
    if (place === undefined) {
      this.#session.showMessage('You are not on this ladder yet.')
      return
    }
    this.#nameFilter = ''
    const before = rankings.before(this.#ladder, place)
    this.#go(before - (before % page))
    this.#list.chosen = before % page
  }

  #go(offset: number): void {
    this.#offset = offset
    this.#list.chosen = 0
    this.#read()
  }

  #read(): void {
    const { rows, total } = this.#session.hub.store.rankings.page(this.#ladder, {
      offset: this.#offset,
      limit: page,
      search: this.#nameFilter,
    })
    this.#list.rows = rows
    this.#total = total
    this.#trends.clear()
  }

  /** The trend of a visible row, read once. */
  #trend({ account }: Placed): string {
    let trend = this.#trends.get(account)
    if (trend === undefined) {
      trend = sparkline(
        this.#session.hub.store.rankings.trend(this.#ladder, account, trendLength),
        trendLength,
      )
      this.#trends.set(account, trend)
    }
    return trend
  }
}
