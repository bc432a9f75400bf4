import { overallAbout, overallEmpty, scoreText } from '../../record/overall-text.ts'
import type { Overall, OverallRow } from '../../store/overall.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { openAgent } from './agent.ts'

export const openOverall = (session: ScreenSession): void =>
  session.ask(session.hub.questions.overall(), board =>
    session.show(new OverallScreen(session, board)),
  )

/** The board over all games. */
class OverallScreen implements Screen {
  readonly title = 'All games · ladder'
  readonly about: string
  readonly hints: readonly Hint[] = [
    ['Enter', 'open'],
    ['Esc', 'back'],
  ]
  readonly #session: ScreenSession
  readonly #list: List<OverallRow>

  constructor(session: ScreenSession, { games, least, rows }: Overall) {
    this.#session = session
    this.about = overallAbout(games.length, least)
    const me = session.account?.id
    this.#list = new List<OverallRow>(
      [
        {
          ...{ title: 'Rank', width: 5, align: 'right' },
          cell: ({ rank }) => String(rank),
          role: () => 'dim',
        },
        {
          ...{ title: 'Name', width: 0 },
          cell: ({ name }) => name,
          role: ({ account }) => (account === me ? 'mark' : 'text'),
        },
        {
          ...{ title: 'Score', width: 6, align: 'right' },
          cell: ({ score }) => scoreText(score),
          role: () => 'title',
        },
        {
          ...{ title: 'Games', width: 6, align: 'right' },
          cell: ({ scores }) => String(Object.keys(scores).length),
        },
        { title: 'Best in', width: 24, minWidth: 72, cell: bestText, role: () => 'dim' },
      ],
      overallEmpty,
    )
    this.#list.rows = rows
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas)
  }

  press(key: Key): boolean {
    return this.#list.press(key, ({ name }) => openAgent(this.#session, name))
  }
}

/** The game with the highest score: "chess 81.2". */
const bestText = ({ scores }: OverallRow): string => {
  const [game, score] = Object.entries(scores).reduce((a, b) => (b[1] > a[1] ? b : a))
  return `${game} ${scoreText(score)}`
}
