import type { Account } from '../../arena/account.ts'
import { gameOf, games } from '../../games/index.ts'
import type { MatchRecord } from '../../record/match-record.ts'
import { scoreText } from '../../record/result-text.ts'
import { agoText } from '../../record/time-text.ts'
import { Field } from '../field.ts'
import { List } from '../list.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { remark } from '../words.ts'
import { openReplay } from './replay.ts'

const page = 40

export interface Wanted {
  readonly game?: string
  readonly account?: Pick<Account, 'id' | 'name'>
  /** The other one, in matches of two against each other. */
  readonly against?: Pick<Account, 'id' | 'name'>
}

/** Kept matches, newest first, of all or of one game or agent. */
export class MatchesScreen implements Screen {
  readonly about =
    'Type / and then the number of a match, the id of a game, the name of an agent, or two names for their matches against each other. The last column says why a match was forfeited or did not count.'
  readonly #caller: Caller
  readonly #list: List<MatchRecord>
  /** What it was opened with, and what it shows now. */
  readonly #opened: Wanted
  #wanted: Wanted
  #field: Field | null = null
  #isWhole = false

  constructor(caller: Caller, wanted: Wanted) {
    this.#caller = caller
    this.#opened = wanted
    this.#wanted = wanted
    const now = caller.clock.date()
    this.#list = new List<MatchRecord>(
      [
        {
          title: 'Match',
          width: 7,
          align: 'right',
          cell: ({ id }) => String(id),
          role: () => 'dim',
        },
        { title: 'Game', width: 12, from: 50, cell: ({ game }) => game, role: () => 'title' },
        { title: 'Players', width: 0, cell: playersText },
        { title: 'Result', width: 7, cell: scoreText },
        {
          title: 'Moves',
          width: 5,
          align: 'right',
          from: 60,
          cell: match => String(match.moveCount),
        },
        {
          title: 'When',
          width: 11,
          from: 66,
          cell: ({ startedAt }) => agoText(now - startedAt),
          role: () => 'dim',
        },
        {
          title: 'Remark',
          width: 26,
          from: 110,
          cell: remark,
          role: () => 'warning',
        },
      ],
      'No match was kept yet.',
    )
    this.#read()
  }

  get title(): string {
    return titleOf(this.#wanted)
  }

  get hints(): readonly Hint[] {
    if (this.#field !== null)
      return [
        ['Enter', 'find'],
        ['Esc', 'give up'],
      ]
    return [
      ['↑↓', 'choose'],
      ['Enter', 'replay'],
      ['/', 'number, game or agent'],
      ['Tab', 'next game'],
      ['Esc', 'back'],
    ]
  }

  draw(canvas: Canvas): void {
    const height = canvas.height - 1
    this.#list.draw(canvas.part(0, 0, canvas.width, height))
    const match = this.#list.row
    if (this.#field !== null) {
      canvas.text(2, height, 'Find:', 'title')
      this.#field.draw(canvas, 8, height, Math.min(40, canvas.width - 9))
    } else if (match !== undefined && canvas.width < 110)
      canvas.text(2, height, remark(match) || (match.end?.detail ?? ''), 'dim')
  }

  press(key: Key): boolean {
    if (this.#field !== null) return this.#type(key, this.#field)
    const name = key.kind === 'named' ? key.name : key.kind === 'char' ? key.char : ''
    if (name === 'enter' || name === 'right') {
      if (this.#list.row !== undefined) openReplay(this.#caller, this.#list.row.id)
    } else if (name === 'escape' && titleOf(this.#wanted) !== titleOf(this.#opened))
      this.#show(this.#opened)
    else if (name === '/') this.#field = new Field(40)
    else if (name === 'tab') this.#nextGame()
    else if (!this.#list.press(key)) return false
    else if (this.#list.chosen > this.#list.rows.length - 3) this.#more()
    return true
  }

  #type(key: Key, field: Field): boolean {
    if (field.press(key) || key.kind !== 'named') return true
    if (key.name === 'escape') this.#field = null
    else if (key.name === 'enter') {
      this.#field = null
      this.#find(field.text.trim())
    }
    return true
  }

  #find(text: string): void {
    const { users } = this.#caller.house.store
    const number = /^#?(\d+)$/.exec(text)?.[1]
    const account = users.find(text)
    const two = text.split(/\s+/).map(name => users.find(name))
    if (number !== undefined) openReplay(this.#caller, Number(number))
    else if (text === '') this.#show(this.#opened)
    else if (gameOf(text.toLowerCase()) !== undefined) this.#show({ game: text.toLowerCase() })
    else if (account !== undefined) this.#show({ account })
    else if (two.length === 2 && two.every(user => user !== undefined))
      this.#show({ account: two[0]!, against: two[1]! })
    else this.#caller.say(`There is no match, game or agent “${text}”.`)
  }

  #nextGame(): void {
    const at = games.findIndex(({ id }) => id === this.#wanted.game)
    const { game: _, ...wanted } = this.#wanted
    const next = games[at + 1]
    this.#show(next === undefined ? wanted : { ...wanted, game: next.id })
  }

  #show(wanted: Wanted): void {
    this.#wanted = wanted
    this.#list.chosen = 0
    this.#list.rows = []
    this.#read()
  }

  #read(): void {
    const { game, account, against } = this.#wanted
    const before = this.#list.rows.at(-1)?.id
    const more = this.#caller.house.store.matches.newest({
      game,
      account: account?.id,
      against: against?.id,
      before,
      limit: page,
    })
    this.#isWhole = more.length < page
    this.#list.rows = [...this.#list.rows, ...more]
  }

  #more(): void {
    if (!this.#isWhole && this.#list.rows.length < 3000) this.#read()
  }
}

const titleOf = ({ game, account, against }: Wanted): string => {
  const title = game === undefined ? undefined : (gameOf(game)?.title ?? game)
  return ['Replays', title, account?.name, against?.name].filter(Boolean).join(' · ')
}

const playersText = ({ players }: MatchRecord) =>
  players
    .map(({ name, place }) => (place === 1 && players.some(p => p.place !== 1) ? `${name}*` : name))
    .join(' – ')
