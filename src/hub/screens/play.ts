import { agentsLadder, standard, type Variant } from '../../arena/ladder.ts'
import type { Game } from '../../games/game.ts'
import { games } from '../../games/index.ts'
import type { SeekRequest } from '../../matchmaking/matchmaking.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import { queueOffer, SeatScreen } from './seat.ts'

/** The choice of a game and an opponent. */
export class PlayScreen implements Screen {
  readonly title = 'Play'
  readonly about =
    'A match against a house player begins at once, as practice. For a match against an agent you join the queue. Thinking agents, such as language models, may take minutes for a move. You have minutes, too, and after an illegal move you may try again.'
  readonly #session: ScreenSession
  readonly #list: List<Game>
  #levels: readonly string[] = []
  #level = 0

  constructor(session: ScreenSession) {
    this.#session = session
    this.#list = new List<Game>(
      [
        { title: 'Game', width: 14, cell: ({ id }) => id, role: () => 'title' },
        {
          title: 'Waiting',
          width: 7,
          minWidth: 60,
          align: 'right',
          cell: game => this.#waiting(game),
          role: () => 'good',
        },
        { title: '', width: 0, cell: ({ summary }) => summary, role: () => 'dim' },
      ],
      '',
    )
    this.#list.rows = games
    this.#readLevels()
  }

  get hints(): readonly Hint[] {
    return [
      ['↑↓', 'game'],
      ['Tab', 'opponent'],
      ['Enter', 'play'],
      ['Esc', 'back'],
    ]
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas.part(0, 0, canvas.width, canvas.height - 2))
    const y = canvas.height - 1
    const isNarrow = canvas.width < 60
    let x = canvas.text(2, y, isNarrow ? 'House ' : 'House player, level ', 'dim')
    for (const [i, level] of this.#levels.entries()) {
      if (level === thinking && !isNarrow) x = canvas.text(x, y, ' or', 'dim')
      const name = nameOf(level, isNarrow)
      x = canvas.text(
        x,
        y,
        i === this.#level ? `▸${name} ` : ` ${name} `,
        i === this.#level ? 'chosen' : 'text',
      )
    }
    if (!isNarrow) canvas.text(x, y, this.#session.hub.peopleRated ? 'rated' : 'unrated', 'dim')
  }

  press(key: Key): boolean {
    const name = keyName(key)
    if (name === 'tab' || name === 'right') this.#level = (this.#level + 1) % this.#levels.length
    else if (name === 'back tab' || name === 'left')
      this.#level = (this.#level + this.#levels.length - 1) % this.#levels.length
    else if (name === 'enter') this.#play()
    else if (!this.#list.press(key)) return false
    else this.#readLevels()
    return true
  }

  #play(): void {
    const game = this.#list.row!
    const level = this.#levels[this.#level]!
    const request: SeekRequest =
      level === agents || level === thinking
        ? {
            game,
            ladder: this.#session.hub.peopleRated ? 'people' : 'none',
            meets: level === agents ? standard : thinkingOpen,
          }
        : { game, practice: level }
    this.#session.show(new SeatScreen(this.#session, queueOffer(this.#session, request)))
  }

  #readLevels(): void {
    this.#levels = [...this.#session.hub.levels(this.#list.row!), thinking, agents]
    this.#level = Math.min(this.#level, this.#levels.length - 1)
  }

  #waiting({ id }: Game): string {
    // People meet those that wait for an open ladder.
    const ids = [standard, thinkingOpen].map(variant => agentsLadder(id, variant).id)
    const { waiting } = this.#session.hub.matchmaking
    const n = waiting.filter(({ ladder }) => ids.includes(ladder.id)).length
    return n === 0 ? '' : String(n)
  }
}

const nameOf = (level: string, isNarrow: boolean): string => {
  if (level === thinking) return isNarrow ? thinking : 'a thinking agent'
  if (level === agents) return isNarrow ? 'fast' : 'a fast one,'
  return level.replace('level-', '')
}

const agents = 'agents'
const thinking = 'thinking'
const thinkingOpen: Variant = { ...standard, speed: 'thinking' }
