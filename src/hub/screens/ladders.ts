import { gameOf } from '../../games/index.ts'
import { placeText } from '../../record/rating-text.ts'
import type { LadderSummary } from '../../store/questions.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import { openChampions } from './champions.ts'
import { openLadder } from './ladder.ts'
import { openOverall } from './overall.ts'
import { openPoints } from './points.ts'

export const openLadders = (session: ScreenSession): void =>
  session.ask(session.hub.questions.ladders(), ladders =>
    session.show(new LaddersScreen(session, ladders)),
  )

/** All ladders, each with its first account. */
class LaddersScreen implements Screen {
  readonly title = 'Ladders'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'open'],
    ['a', 'all games'],
    ['p', 'points'],
    ['c', 'champions'],
    ['Esc', 'back'],
  ]
  readonly #session: ScreenSession
  readonly #list: List<LadderSummary>

  #isOld = false

  constructor(session: ScreenSession, ladders: readonly LadderSummary[]) {
    this.#session = session
    const longest = Math.max(20, ...ladders.map(({ ladder }) => ladder.id.length))
    this.#list = new List<LadderSummary>(
      [
        { title: 'Ladder', width: longest, cell: ({ ladder }) => ladder.id, role: () => 'title' },
        { title: 'Ranked', width: 7, align: 'right', cell: ({ ranked }) => String(ranked) },
        {
          title: 'Prov.',
          width: 7,
          align: 'right',
          minWidth: 60,
          cell: ({ provisional }) => String(provisional),
          role: () => 'dim',
        },
        { title: 'First', width: 30, cell: firstText, minWidth: 50 },
        {
          title: '',
          width: 0,
          cell: ({ ladder }) => gameOf(ladder.game)!.summary,
          role: () => 'dim',
          minWidth: 100,
        },
      ],
      '',
    )
    this.#list.rows = ladders
  }

  shown(): void {
    if (!this.#isOld) return
    this.#isOld = false
    this.#session.refresh(
      this,
      () => this.#session.hub.questions.ladders(),
      ladders => {
        this.#list.rows = ladders
      },
    )
  }

  hidden(): void {
    this.#isOld = true
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas)
  }

  press(key: Key): boolean {
    if (keyName(key) === 'a') {
      openOverall(this.#session)
      return true
    }
    if (keyName(key) === 'p') {
      openPoints(this.#session)
      return true
    }
    if (keyName(key) === 'c') {
      openChampions(this.#session)
      return true
    }
    return this.#list.press(key, ({ ladder }) => openLadder(this.#session, ladder))
  }
}

const firstText = ({ ladder, first }: LadderSummary) =>
  first === null ? '–' : `${first.name} ${placeText(first, ladder)}`
