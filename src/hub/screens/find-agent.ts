import type { Account } from '../../arena/account.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { TextInput } from '../text-input.ts'
import { AgentScreen } from './agent.ts'

const mostRows = 100

/** Finds accounts by the first letters of their names. */
export class FindAgentScreen implements Screen {
  readonly title = 'Find an agent'
  readonly takesText = true
  readonly hints: readonly Hint[] = [
    ['a–z 0–9', 'first letters'],
    ['↑↓', 'choose'],
    ['Enter', 'profile'],
    ['Esc', 'back'],
  ]
  readonly #session: ScreenSession
  readonly #input = new TextInput(32)
  readonly #list = new List<Account>(
    [
      { title: 'Name', width: 34, cell: ({ name }) => name },
      { title: '', width: 0, cell: ({ kind }) => (kind === 'house' ? 'house player' : '') },
    ],
    'No name begins with these letters.',
  )

  constructor(session: ScreenSession) {
    this.#session = session
    this.#find()
  }

  draw(canvas: Canvas): void {
    canvas.text(0, 0, 'Name:', 'title')
    this.#input.draw(canvas, 6, 0, Math.min(34, canvas.width - 7))
    this.#list.draw(canvas.part(0, 2))
  }

  press(key: Key): boolean {
    const open = ({ name }: Account) => this.#session.show(new AgentScreen(this.#session, name))
    // Letters go into the name, so only arrows and page keys move the choice.
    if (key.kind === 'named' && this.#list.press(key, open)) return true
    if (key.kind === 'char' && key.char === '?') return false
    if (key.kind === 'named' && key.name === 'escape' && this.#input.text !== '')
      this.#input.text = ''
    else if (!this.#input.press(key)) return false
    this.#find()
    return true
  }

  #find(): void {
    this.#list.rows = this.#session.hub.store.users.beginning(this.#input.text, mostRows)
    this.#list.chosen = 0
  }
}
