import type { SeekRequest } from '../../arena/arena.ts'
import type { Game } from '../../games/game.ts'
import { games } from '../../games/index.ts'
import { List } from '../list.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { SeatScreen } from './seat.ts'

/** What to play, and against whom. */
export class PlayScreen implements Screen {
  readonly title = 'Play'
  readonly about =
    'Against the house at once, as practice; or in the queue that the agents are in, where whoever comes next sits down opposite. You have minutes for a move, and a wrong one may be taken back.'
  readonly #caller: Caller
  readonly #list: List<Game>
  #strengths: readonly string[] = []
  #strength = 0

  constructor(caller: Caller) {
    this.#caller = caller
    this.#list = new List<Game>(
      [
        { title: 'Game', width: 14, cell: ({ id }) => id, role: () => 'title' },
        {
          title: 'Waiting',
          width: 7,
          from: 60,
          align: 'right',
          cell: game => this.#waiting(game),
          role: () => 'good',
        },
        { title: '', width: 0, cell: ({ summary }) => summary, role: () => 'dim' },
      ],
      '',
    )
    this.#list.rows = games
    this.#chosen()
  }

  get hints(): readonly Hint[] {
    return [
      ['↑↓', 'game'],
      ['Tab', 'opponent'],
      ['Enter', 'sit down'],
      ['Esc', 'back'],
    ]
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas.part(0, 0, canvas.width, canvas.height - 2))
    const y = canvas.height - 1
    const isNarrow = canvas.width < 60
    let x = canvas.text(2, y, isNarrow ? 'House level ' : 'Against the house, level ', 'dim')
    for (const [i, strength] of this.#strengths.entries()) {
      if (strength === agents && !isNarrow) x = canvas.text(x, y, ' or', 'dim')
      const name =
        strength !== agents ? strength.replace('level-', '') : isNarrow ? 'agents' : this.#agents()
      x = canvas.text(
        x,
        y,
        i === this.#strength ? `▸${name} ` : ` ${name} `,
        i === this.#strength ? 'chosen' : 'text',
      )
    }
  }

  press(key: Key): boolean {
    const name = key.kind === 'named' ? key.name : key.kind === 'char' ? key.char : ''
    if (name === 'tab' || name === 'right')
      this.#strength = (this.#strength + 1) % this.#strengths.length
    else if (name === 'back tab' || name === 'left')
      this.#strength = (this.#strength + this.#strengths.length - 1) % this.#strengths.length
    else if (name === 'enter') this.#sit()
    else if (!this.#list.press(key)) return false
    else this.#chosen()
    return true
  }

  #agents(): string {
    return this.#caller.house.peopleRated ? "an agent, on the people's ladder" : 'an agent, casual'
  }

  #sit(): void {
    const game = this.#list.row!
    const strength = this.#strengths[this.#strength]!
    const request: SeekRequest =
      strength === agents
        ? { game, ladder: this.#caller.house.peopleRated ? 'people' : 'none' }
        : { game, practice: strength }
    this.#caller.show(new SeatScreen(this.#caller, request))
  }

  #chosen(): void {
    this.#strengths = [...this.#caller.house.strengths(this.#list.row!), agents]
    this.#strength = Math.min(this.#strength, this.#strengths.length - 1)
  }

  #waiting({ id }: Game): string {
    const n = this.#caller.house.arena.waiting.filter(({ game }) => game.id === id).length
    return n === 0 ? '' : String(n)
  }
}

const agents = 'agents'
