import { tieBreakOf } from '../../arena/counting.ts'
import type { Ladder } from '../../arena/ladder.ts'
import { provisionalBelow } from '../../arena/rating.ts'
import { sparkline } from '../../drawing/sparkline.ts'
import { fitTexts } from '../../record/fit-text.ts'
import { ladderAbout, ladderTitle } from '../../record/ladder-title.ts'
import { countingName, standingText, strengthCell, tieBreakText } from '../../record/rating-text.ts'
import { longestName } from '../../store/names.ts'
import type { LadderPage, LadderRow } from '../../store/questions.ts'
import { InputForm } from '../input-form.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import type { Role } from '../terminal/palette.ts'
import { openAgent } from './agent.ts'
import { openSeasons } from './seasons.ts'

const pageLength = 50
const trendLength = 12

export const openLadder = (session: ScreenSession, ladder: Ladder): void =>
  session.ask(pageOf(session, ladder, { offset: 0 }), page =>
    session.show(new LadderScreen(session, ladder, page)),
  )

const pageOf = (
  { hub }: ScreenSession,
  ladder: Ladder,
  page: { readonly offset: number; readonly search?: string },
) => hub.questions.ladderPage(ladder, { ...page, limit: pageLength }, trendLength)

/** The ranking of one ladder. */
class LadderScreen implements Screen {
  readonly about: string
  readonly #session: ScreenSession
  readonly #ladder: Ladder
  readonly #list: List<LadderRow>
  #search: InputForm | null = null
  #nameFilter = ''
  /** Where the page begins that was asked for last: that on the screen may still be another. */
  #offset = 0
  #page: LadderPage

  constructor(session: ScreenSession, ladder: Ladder, page: LadderPage) {
    this.#session = session
    this.#ladder = ladder
    const order =
      tieBreakOf(ladder) === 'wins'
        ? tieBreakText
        : `Strength, with its 95 % interval, comes from all its rated matches at once; Elo is the rating that agents are told. A question mark: provisional, with fewer than ${provisionalBelow} rated matches.`
    const fitted = page.fit === null ? [] : fitTexts(ladder, page.fit)
    this.about = [ladderAbout(ladder), order, ...fitted].join(' ')
    const me = session.account?.id
    const isElo = ladder.counts.by === 'elo'
    this.#list = new List<LadderRow>(
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
        ...(isElo
          ? [
              {
                title: 'Strength  ',
                width: 10,
                align: 'right',
                cell: ({ strength }: LadderRow) => strengthCell(strength),
                role: (): Role => 'title',
              } as const,
            ]
          : []),
        {
          title: countingName(ladder),
          width: 6,
          align: 'right',
          minWidth: isElo ? 50 : 0,
          // A blank in place of the question mark keeps the digits aligned.
          cell: row => standingText(row, ladder).padEnd(5),
          role: (): Role => (isElo ? 'text' : 'title'),
        },
        {
          title: 'Games',
          width: 6,
          align: 'right',
          minWidth: 56,
          cell: ({ games }) => String(games),
        },
        {
          title: 'Won',
          width: 6,
          align: 'right',
          minWidth: 72,
          cell: ({ wins }) => String(wins),
          role: () => 'good',
        },
        {
          title: 'Drawn',
          width: 6,
          align: 'right',
          minWidth: 72,
          cell: ({ draws }) => String(draws),
          role: () => 'dim',
        },
        {
          title: 'Lost',
          width: 6,
          align: 'right',
          minWidth: 72,
          cell: ({ losses }) => String(losses),
          role: () => 'bad',
        },
        {
          title: 'Trend',
          width: trendLength,
          minWidth: 92,
          cell: ({ trend }) => sparkline(trend, trendLength),
          role: () => 'rule',
        },
      ],
      'No rated match yet.',
    )
    this.#page = page
    this.#list.rows = page.rows
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
      ['s', 'seasons'],
      ...(this.#page.total > pageLength ? [['[ ]', 'page'] as const] : []),
      ['Esc', 'back'],
    ]
  }

  draw(canvas: Canvas): void {
    const height = canvas.height - 1
    this.#list.draw(canvas.part(0, 0, canvas.width, height))
    if (this.#search?.isOpen) this.#search.draw(canvas.part(2, height))
    else if (this.#page.total > 0) {
      const { offset, total } = this.#page
      const text = `${offset + 1}–${Math.min(offset + pageLength, total)} of ${total}`
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
        this.#search = new InputForm('Name:', longestName, 'search', text => {
          this.#nameFilter = text
          this.#go(0)
        })
        return true
      case 's':
        openSeasons(this.#session, this.#ladder)
        return true
      case 'm':
        this.#showOwnRank()
        return true
      case '[':
        this.#go(Math.max(0, this.#offset - pageLength))
        return true
      case ']':
        if (this.#offset + pageLength < this.#page.total) this.#go(this.#offset + pageLength)
        return true
      case 'escape':
        if (this.#nameFilter === '') return false
        this.#nameFilter = ''
        this.#go(0)
        return true
      default:
        return this.#list.press(key, ({ name }) => openAgent(this.#session, name))
    }
  }

  #showOwnRank(): void {
    const { account, hub } = this.#session
    const unknown = () => this.#session.showMessage('You are not on this ladder yet.')
    if (account === null) unknown()
    else
      this.#session.refresh(
        this,
        () => hub.questions.ladderPageOf(this.#ladder, account.id, pageLength, trendLength),
        page => {
          if (page === undefined) {
            unknown()
            return
          }
          this.#nameFilter = ''
          this.#offset = page.offset
          this.#showPage(page)
          this.#list.chosen = page.row
        },
      )
  }

  #go(offset: number): void {
    this.#offset = offset
    this.#session.refresh(
      this,
      () => pageOf(this.#session, this.#ladder, { offset, search: this.#nameFilter }),
      page => this.#showPage(page),
    )
  }

  #showPage(page: LadderPage): void {
    this.#page = page
    this.#list.rows = page.rows
    this.#list.chosen = 0
  }
}
