import { provisionalBelow } from '../../arena/rating.ts'
import { standingText } from '../../record/rating-text.ts'
import type { Ladder } from '../../store/ladders.ts'
import type { Placed } from '../../store/rankings.ts'
import { Field } from '../field.ts'
import { List } from '../list.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { sparkline } from '../words.ts'
import { AgentScreen } from './agent.ts'

const page = 50
const trendOf = 12

/** The ranking of one ladder. */
export class LadderScreen implements Screen {
  readonly about =
    `A rating with a question mark is provisional, after fewer than ${provisionalBelow} rated matches; those come after the ranked.`
  readonly #caller: Caller
  readonly #ladder: Ladder
  readonly #list: List<Placed>
  readonly #trends = new Map<number, string>()
  #search: Field | null = null
  #found = ''
  #offset = 0
  #total = 0

  constructor(caller: Caller, ladder: Ladder) {
    this.#caller = caller
    this.#ladder = ladder
    const me = caller.account?.id
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
          title: 'Rating',
          width: 6,
          align: 'right',
          // The digits stand below each other, with the mark or without.
          cell: row => standingText(row).padEnd(5),
          role: () => 'title',
        },
        { title: 'Games', width: 6, align: 'right', from: 50, cell: ({ games }) => String(games) },
        {
          title: 'Won',
          width: 6,
          align: 'right',
          from: 60,
          cell: ({ wins }) => String(wins),
          role: () => 'good',
        },
        {
          title: 'Drawn',
          width: 6,
          align: 'right',
          from: 60,
          cell: ({ draws }) => String(draws),
          role: () => 'dim',
        },
        {
          title: 'Lost',
          width: 6,
          align: 'right',
          from: 60,
          cell: ({ losses }) => String(losses),
          role: () => 'bad',
        },
        {
          title: 'Trend',
          width: trendOf,
          from: 76,
          cell: row => this.#trend(row),
          role: () => 'rule',
        },
      ],
      'No rated match yet.',
    )
    this.#read()
  }

  get title(): string {
    return `${this.#ladder.title} · ladder${this.#found === '' ? '' : ` · “${this.#found}”`}`
  }

  get hints(): readonly Hint[] {
    if (this.#search !== null)
      return [
        ['Enter', 'search'],
        ['Esc', 'give up'],
      ]
    return [
      ['Enter', 'open'],
      ['/', 'search'],
      ...(this.#caller.account === null ? [] : [['m', 'to me'] as const]),
      ...(this.#total > page ? [['[ ]', 'page'] as const] : []),
      ['Esc', 'back'],
    ]
  }

  draw(canvas: Canvas): void {
    const height = canvas.height - 1
    this.#list.draw(canvas.part(0, 0, canvas.width, height))
    if (this.#search !== null) {
      canvas.text(2, height, 'Name:', 'title')
      this.#search.draw(canvas, 8, height, Math.min(34, canvas.width - 9))
    } else if (this.#total > 0) {
      const last = Math.min(this.#offset + page, this.#total)
      const text = `${this.#offset + 1}–${last} of ${this.#total}`
      canvas.text(canvas.width - text.length, height, text, 'dim')
    }
  }

  press(key: Key): boolean {
    if (this.#search !== null) return this.#type(key, this.#search)
    const name = key.kind === 'named' ? key.name : key.kind === 'char' ? key.char : ''
    switch (name) {
      case 'enter':
      case 'right':
        if (this.#list.row !== undefined)
          this.#caller.show(new AgentScreen(this.#caller, this.#list.row.name))
        return true
      case '/':
        this.#search = new Field(32)
        return true
      case 'm':
        this.#toMe()
        return true
      case '[':
        this.#go(Math.max(0, this.#offset - page))
        return true
      case ']':
        if (this.#offset + page < this.#total) this.#go(this.#offset + page)
        return true
      case 'escape':
        if (this.#found === '') return false
        this.#found = ''
        this.#go(0)
        return true
      default:
        return this.#list.press(key)
    }
  }

  #type(key: Key, search: Field): boolean {
    if (search.press(key)) return true
    if (key.kind !== 'named') return true
    if (key.name === 'enter') {
      this.#found = search.text
      this.#search = null
      this.#go(0)
    } else if (key.name === 'escape') this.#search = null
    return true
  }

  #toMe(): void {
    const { account, house } = this.#caller
    const { rankings } = house.store
    const place = account === null ? undefined : rankings.place(this.#ladder.id, account.id)
    if (place === undefined) {
      this.#caller.say('You are not on this ladder yet.')
      return
    }
    this.#found = ''
    const before = rankings.before(this.#ladder.id, place)
    this.#go(before - (before % page))
    this.#list.chosen = before % page
  }

  #go(offset: number): void {
    this.#offset = offset
    this.#list.chosen = 0
    this.#read()
  }

  #read(): void {
    const { rows, total } = this.#caller.house.store.rankings.page(this.#ladder.id, {
      offset: this.#offset,
      limit: page,
      search: this.#found,
    })
    this.#list.rows = rows
    this.#total = total
    this.#trends.clear()
  }

  /** Looked up for rows that are seen, and once. */
  #trend({ account }: Placed): string {
    let trend = this.#trends.get(account)
    if (trend === undefined) {
      trend = sparkline(
        this.#caller.house.store.rankings.trend(this.#ladder.id, account, trendOf),
        trendOf,
      )
      this.#trends.set(account, trend)
    }
    return trend
  }
}
