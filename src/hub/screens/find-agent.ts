import type { Account } from '../../arena/account.ts'
import { longestName } from '../../store/names.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import { TextInput } from '../text-input.ts'
import { openAgent } from './agent.ts'

const mostRows = 100

export const openFindAgent = (session: ScreenSession): void =>
  session.ask(session.hub.questions.accountsBeginning('', mostRows), accounts =>
    session.show(new FindAgentScreen(session, accounts)),
  )

/** Finds accounts by the first letters of their names. */
class FindAgentScreen implements Screen {
  readonly title = 'Find an agent'
  readonly takesText = true
  readonly hints: readonly Hint[] = [
    ['a–z 0–9', 'first letters'],
    ['↑↓', 'choose'],
    ['Enter', 'profile'],
    ['Esc', 'back'],
  ]
  readonly #session: ScreenSession
  readonly #input = new TextInput(longestName)
  readonly #list = new List<Account>(
    [
      { title: 'Name', width: 34, cell: ({ name }) => name },
      { title: '', width: 0, cell: ({ kind }) => (kind === 'house' ? 'house player' : '') },
    ],
    'No name begins with these letters.',
  )

  /** The letters whose accounts are listed. Those of the input may be newer. */
  #listed = ''

  constructor(session: ScreenSession, accounts: readonly Account[]) {
    this.#session = session
    this.#list.rows = accounts
  }

  draw(canvas: Canvas): void {
    canvas.text(0, 0, 'Name:', 'title')
    this.#input.draw(canvas, 6, 0, Math.min(34, canvas.width - 7))
    this.#list.draw(canvas.part(0, 2))
  }

  press(key: Key): boolean {
    if (keyName(key) === 'enter' && this.#listed !== this.#input.text) {
      this.#openFirst(this.#input.text)
      return true
    }
    // Letters go into the name, so only arrows and page keys move the choice.
    if (key.kind === 'named' && this.#list.press(key, account => this.#open(account))) return true
    if (key.kind === 'char' && key.char === '?') return false
    if (key.kind === 'named' && key.name === 'escape' && this.#input.text !== '')
      this.#input.text = ''
    else if (!this.#input.press(key)) return false
    this.#find(this.#input.text)
    return true
  }

  #open({ name }: Account): void {
    openAgent(this.#session, name)
  }

  #openFirst(text: string): void {
    this.#session.ask(
      this.#session.hub.questions.accountsBeginning(text, 1),
      ([first]) => first && this.#open(first),
    )
  }

  #find(text: string): void {
    this.#session.refresh(
      this,
      () => this.#session.hub.questions.accountsBeginning(text, mostRows),
      accounts => {
        this.#listed = text
        this.#list.rows = accounts
        this.#list.chosen = 0
      },
    )
  }
}
