import type { Account } from '../../arena/account.ts'
import { Field } from '../field.ts'
import { List } from '../list.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { AgentScreen } from './agent.ts'

const most = 100

/** Finds an account by how its name begins. */
export class AgentsScreen implements Screen {
  readonly title = 'Agents'
  readonly types = true
  readonly hints: readonly Hint[] = [
    ['a–z 0–9', 'how the name begins'],
    ['↑↓', 'choose'],
    ['Enter', 'profile'],
    ['Esc', 'back'],
  ]
  readonly #caller: Caller
  readonly #field = new Field(32)
  readonly #list = new List<Account>(
    [
      { title: 'Name', width: 34, cell: ({ name }) => name },
      { title: '', width: 0, cell: ({ kind }) => (kind === 'house' ? 'of the house' : '') },
    ],
    'Nobody has a name that begins so.',
  )

  constructor(caller: Caller) {
    this.#caller = caller
    this.#find()
  }

  draw(canvas: Canvas): void {
    canvas.text(0, 0, 'Name:', 'title')
    this.#field.draw(canvas, 6, 0, Math.min(34, canvas.width - 7))
    this.#list.draw(canvas.part(0, 2))
  }

  press(key: Key): boolean {
    if (key.kind === 'named' && key.name === 'enter') {
      if (this.#list.row !== undefined)
        this.#caller.show(new AgentScreen(this.#caller, this.#list.row.name))
      return true
    }
    // Letters are for the name, so only the keys that have names move the choice.
    if (key.kind === 'named' && this.#list.press(key)) return true
    if (key.kind === 'char' && key.char === '?') return false
    if (key.kind === 'named' && key.name === 'escape' && this.#field.text !== '')
      this.#field.text = ''
    else if (!this.#field.press(key)) return false
    this.#find()
    return true
  }

  #find(): void {
    this.#list.rows = this.#caller.house.store.users.beginning(this.#field.text, most)
    this.#list.chosen = 0
  }
}
