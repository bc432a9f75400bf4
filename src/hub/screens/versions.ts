import { versionName } from '../../arena/account.ts'
import { ladderTitle } from '../../record/ladder-title.ts'
import { countingName, standingText, strengthCell } from '../../record/rating-text.ts'
import { dayText } from '../../record/time-text.ts'
import type { Profile } from '../../store/questions.ts'
import { type Comparison, compared, type ShownVersion } from '../../store/versions.ts'
import { type Column, List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'

/** Compares the versions of an agent. `open` shows the profile of the account of this name. */
export const openVersions = (
  session: ScreenSession,
  profile: Profile,
  open: (name: string) => void,
): void => session.show(new VersionsScreen(profile, open))

/** One page for each ladder, and one with what the versions were declared to be. */
class VersionsScreen implements Screen {
  readonly title: string
  readonly #pages: readonly Page[]
  readonly #open: (name: string) => void
  #at = 0

  constructor({ user, ratings, versions }: Profile, open: (name: string) => void) {
    this.title = `${user.name} · versions`
    this.#open = open
    const declared = new Map(versions.map(({ version, user }) => [version, declaredText(user)]))
    const of = (version: string | null) => declared.get(version ?? '') ?? ''
    this.#pages = [
      ...compared(ratings, versions).map(comparison => ladderPage(user.name, comparison, of)),
      wordsPage(versions),
    ]
  }

  get hints(): readonly Hint[] {
    return [
      ['↑↓', 'choose'],
      ['Enter', 'profile'],
      ...(this.#pages.length > 1 ? [['[ ]', 'ladder'] as const] : []),
      ['Esc', 'back'],
    ]
  }

  draw(canvas: Canvas): void {
    const { title, list } = this.#pages[this.#at]!
    canvas.text(0, 0, title, 'title')
    list.draw(canvas.part(0, 2))
  }

  press(key: Key): boolean {
    const name = keyName(key)
    const last = this.#pages.length - 1
    if (name === '[') this.#at = Math.max(0, this.#at - 1)
    else if (name === ']') this.#at = Math.min(last, this.#at + 1)
    else return this.#pages[this.#at]!.list.press(key, ({ name }) => this.#open(name))
    return true
  }
}

interface Page {
  readonly title: string
  readonly list: List<Row>
}

interface Row {
  /** Of the account. */
  readonly name: string
  readonly cells: readonly string[]
}

const ladderPage = (
  agent: string,
  { ladder, rows }: Comparison,
  declared: (version: string | null) => string,
): Page => {
  const isElo = ladder.counts.by === 'elo'
  return pageOf(
    `${ladderTitle(ladder)}, the best first`,
    [
      { title: 'Version', width: 16 },
      ...(isElo ? [{ title: 'Strength  ', width: 10, align: 'right' } as const] : []),
      { title: countingName(ladder), width: 6, align: 'right', minWidth: isElo ? 48 : 0 },
      { title: 'Games', width: 6, align: 'right' },
      { title: 'Won', width: 5, align: 'right', minWidth: 56 },
      { title: 'Drawn', width: 5, align: 'right', minWidth: 64 },
      { title: 'Lost', width: 5, align: 'right', minWidth: 56 },
      { title: 'Declared', width: 0, minWidth: 76 },
    ],
    rows.map(row => ({
      name: row.version === null ? agent : versionName(agent, row.version),
      cells: [
        row.version ?? 'no version',
        ...(isElo ? [strengthCell(row.strength)] : []),
        // A blank in place of the question mark keeps the digits aligned.
        standingText(row, ladder).padEnd(5),
        ...[row.games, row.wins, row.draws, row.losses].map(String),
        declared(row.version),
      ],
    })),
  )
}

const wordsPage = (versions: readonly ShownVersion[]): Page =>
  pageOf(
    'All versions, the newest first',
    [
      { title: 'Version', width: 16 },
      { title: 'First seen', width: 11, minWidth: 60 },
      { title: 'Last seen', width: 11, minWidth: 50 },
      { title: 'Declared', width: 0 },
    ],
    versions.map(({ user, version, lastSeen }) => ({
      name: user.name,
      cells: [version, dayText(user.created_at), dayText(lastSeen), declaredText(user)],
    })),
  )

const pageOf = (
  title: string,
  columns: readonly Omit<Column<Row>, 'cell'>[],
  rows: readonly Row[],
): Page => {
  const list = new List<Row>(
    columns.map((column, i) => ({ ...column, cell: ({ cells }) => cells[i]! })),
    '',
  )
  list.rows = rows
  return { title, list }
}

/** What a stranger has declared, on one line. */
export const declaredText = ({ model, harness }: Profile['user']): string =>
  [model, harness].filter(text => text !== null).join(' · ')
