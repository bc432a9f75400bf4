import type { Account } from '../../arena/account.ts'
import type { MatchId } from '../../arena/match-store.ts'
import { gameOf, games } from '../../games/index.ts'
import type { MatchRecord } from '../../record/match-record.ts'
import { faultsText, ratedText, scoreText } from '../../record/result-text.ts'
import { agoText } from '../../record/time-text.ts'
import { longestName } from '../../store/names.ts'
import { InputForm } from '../input-form.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import { openReplay } from './replay.ts'

const pageSize = 40

interface MatchFilter {
  readonly game?: string
  readonly account?: Pick<Account, 'id' | 'name'>
  /** The opponent of that account. */
  readonly against?: Pick<Account, 'id' | 'name'>
}

export const openPastMatches = (session: ScreenSession, filter: MatchFilter = {}): void =>
  session.ask(matchesOf(session, filter), matches =>
    session.show(new PastMatchesScreen(session, filter, matches)),
  )

const matchesOf = (
  { hub }: ScreenSession,
  { game, account, against }: MatchFilter,
  before?: MatchId,
) =>
  hub.questions.newestMatches({
    game,
    account: account?.id,
    against: against?.id,
    before,
    limit: pageSize,
  })

/** Past matches, newest first: all of them, or those of one game or agent. */
class PastMatchesScreen implements Screen {
  readonly about =
    'Type / and then the number of a match, the id of a game, the name of an agent, or two names for their matches against each other. The last column says who forfeited, and why a match was not rated.'
  readonly #session: ScreenSession
  readonly #list: List<MatchRecord>
  readonly #initialFilter: MatchFilter
  #filter: MatchFilter
  #search: InputForm | null = null
  /** No more matches can be asked for now: there are none, or others are on their way. */
  #isComplete: boolean

  constructor(session: ScreenSession, filter: MatchFilter, matches: readonly MatchRecord[]) {
    this.#session = session
    this.#initialFilter = filter
    this.#filter = filter
    const now = session.clock.date()
    this.#list = new List<MatchRecord>(
      [
        {
          title: 'Match',
          width: 7,
          align: 'right',
          cell: ({ id }) => String(id),
          role: () => 'dim',
        },
        { title: 'Game', width: 12, minWidth: 50, cell: ({ game }) => game, role: () => 'title' },
        { title: 'Players', width: 0, cell: playersText },
        { title: 'Result', width: 7, cell: scoreText },
        {
          title: 'Moves',
          width: 5,
          align: 'right',
          minWidth: 60,
          cell: match => String(match.moveCount),
        },
        {
          title: 'When',
          width: 11,
          minWidth: 66,
          cell: ({ startedAt }) => agoText(now - startedAt),
          role: () => 'dim',
        },
        {
          title: 'Remark',
          width: 26,
          minWidth: 110,
          cell: remark,
          role: () => 'warning',
        },
      ],
      'No matches yet.',
    )
    this.#list.rows = matches
    this.#isComplete = matches.length < pageSize
  }

  get title(): string {
    return titleOf(this.#filter)
  }

  get hints(): readonly Hint[] {
    if (this.#search?.isOpen) return this.#search.hints
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
    if (this.#search?.isOpen) this.#search.draw(canvas.part(2, height))
    else if (match !== undefined && canvas.width < 110)
      canvas.text(2, height, remark(match) || (match.end?.detail ?? ''), 'dim')
  }

  press(key: Key): boolean {
    if (this.#search?.isOpen) {
      this.#search.press(key)
      return true
    }
    const name = keyName(key)
    if (name === 'escape' && titleOf(this.#filter) !== titleOf(this.#initialFilter))
      this.#show(this.#initialFilter)
    else if (name === '/')
      this.#search = new InputForm('Find:', 2 * longestName + 1, 'find', text => this.#find(text))
    else if (name === 'tab') this.#nextGame()
    else if (!this.#list.press(key, ({ id }) => openReplay(this.#session, id))) return false
    else if (this.#list.chosen > this.#list.rows.length - 3) this.#more()
    return true
  }

  #find(text: string): void {
    const number = /^#?(\d+)$/.exec(text)?.[1]
    if (number !== undefined) openReplay(this.#session, Number(number))
    else if (text === '') this.#show(this.#initialFilter)
    else if (gameOf(text.toLowerCase()) !== undefined) this.#show({ game: text.toLowerCase() })
    else
      this.#session.ask(this.#session.hub.questions.accountsNamed(text), ([account, against]) => {
        if (account === undefined)
          this.#session.showMessage(`There is no match, game or agent “${text}”.`)
        else this.#show(against === undefined ? { account } : { account, against })
      })
  }

  #nextGame(): void {
    const at = games.findIndex(({ id }) => id === this.#filter.game)
    const { game: _, ...filter } = this.#filter
    const next = games[at + 1]
    this.#show(next === undefined ? filter : { ...filter, game: next.id })
  }

  #show(filter: MatchFilter): void {
    this.#filter = filter
    this.#read(undefined, matches => {
      this.#list.rows = matches
      this.#list.chosen = 0
    })
  }

  #more(): void {
    const { rows } = this.#list
    if (!this.#isComplete && rows.length < 3000)
      this.#read(rows.at(-1)?.id, more => {
        this.#list.rows = [...rows, ...more]
      })
  }

  #read(before: MatchId | undefined, show: (matches: readonly MatchRecord[]) => void): void {
    const filter = this.#filter
    this.#isComplete = true
    this.#session.refresh(
      this,
      () => matchesOf(this.#session, filter, before),
      matches => {
        this.#isComplete = matches.length < pageSize
        show(matches)
      },
    )
  }
}

/** Who forfeited and why the match was not rated; empty for an ordinary match. */
const remark = (match: MatchRecord): string =>
  [...faultsText(match), ...(match.unrated === null ? [] : [ratedText(match)])].join('; ')

const titleOf = ({ game, account, against }: MatchFilter): string => {
  const title = game === undefined ? undefined : (gameOf(game)?.title ?? game)
  return ['Replays', title, account?.name, against?.name].filter(Boolean).join(' · ')
}

const playersText = ({ players }: MatchRecord) =>
  players
    .map(({ name, place }) => (place === 1 && players.some(p => p.place !== 1) ? `${name}*` : name))
    .join(' – ')
