import { agoText, dayText } from '../../record/time-text.ts'
import type { Key as StoredKey } from '../../store/keys.ts'
import { readPublicKeys } from '../../store/public-key.ts'
import type { Token } from '../../store/tokens.ts'
import type { User } from '../../store/users.ts'
import { addKey, mintCode, mintToken, revokeKey, revokeToken, unpause } from '../credentials.ts'
import { Field } from '../field.ts'
import { dial } from '../house.ts'
import { List } from '../list.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { AgentScreen } from './agent.ts'
import { Question } from './question.ts'
import { TextScreen } from './text.ts'

type Entry =
  | { readonly kind: 'key'; readonly row: StoredKey }
  | { readonly kind: 'token'; readonly row: Token }

const mostKeys = 20
const mostTokens = 50
const codeFor = 15 * 60_000

/** The keys and tokens by which an account comes in. */
export class AccountScreen implements Screen {
  readonly title = 'Account'
  readonly about =
    'Keys let you and your agents in by SSH, tokens let agents in by WebSocket. A key on another machine is added by pasting its public half, or by typing a one-time code there.'
  readonly #caller: Caller
  readonly #list: List<Entry>
  /** The account and its agents, as far as they are paused. */
  #paused: readonly User[] = []
  #asking: { readonly what: 'key' | 'token'; readonly field: Field } | null = null

  constructor(caller: Caller) {
    this.#caller = caller
    const now = caller.clock.date()
    this.#list = new List<Entry>(
      [
        {
          title: 'Kind',
          width: 6,
          cell: ({ kind }) => kind,
          role: ({ kind }) => (kind === 'key' ? 'first' : 'second'),
        },
        { title: 'Name', width: 0, cell: nameOf },
        {
          title: 'Since',
          width: 10,
          from: 60,
          cell: ({ row }) => dayText(row.created_at),
          role: () => 'dim',
        },
        {
          title: 'Last used',
          width: 12,
          from: 50,
          cell: ({ row }) =>
            row.last_used_at === null ? 'never' : agoText(now - row.last_used_at),
          role: () => 'dim',
        },
      ],
      'Neither key nor token.',
    )
  }

  get hints(): readonly Hint[] {
    if (this.#asking !== null)
      return [
        ['Enter', 'done'],
        ['Esc', 'give up'],
      ]
    return [
      ['a', 'add a key'],
      ['c', 'code for a key'],
      ['t', 'mint a token'],
      ['x', 'revoke'],
      ...(this.#mayReturn === undefined ? [] : [['u', 'un-pause'] as const]),
      ['p', 'profile'],
      ['Esc', 'back'],
    ]
  }

  shown(): void {
    this.#read()
  }

  draw(canvas: Canvas): void {
    const { account } = this.#caller
    const end = canvas.text(0, 0, account!.name, 'title')
    if (canvas.width >= 60)
      canvas.text(end + 2, 0, `comes in by ${dial(this.#caller.house.place, account!.name)}`, 'dim')
    const paused = this.#mayReturn ?? this.#paused[0]
    if (paused !== undefined) canvas.text(0, 1, pauseText(paused), 'warning')
    this.#list.draw(canvas.part(0, 2, canvas.width, canvas.height - 5))
    if (this.#asking === null) return
    const { what, field } = this.#asking
    const y = canvas.height - 2
    canvas.text(
      0,
      y,
      what === 'key'
        ? 'Paste the public key, such as ssh-ed25519 AAAA… me@laptop'
        : 'What is the token for? A word to know it by:',
      'title',
    )
    field.draw(canvas, 0, y + 1, canvas.width - 1)
  }

  press(key: Key): boolean {
    if (this.#asking !== null) return this.#type(key, this.#asking)
    if (key.kind === 'char') {
      const open = this.#commands[key.char]
      if (open !== undefined) {
        open()
        return true
      }
    }
    return this.#list.press(key)
  }

  readonly #commands: Readonly<Record<string, () => void>> = {
    a: () => {
      this.#asking = { what: 'key', field: new Field(2000) }
    },
    t: () => {
      this.#asking = { what: 'token', field: new Field(40) }
    },
    c: () => this.#mintCode(),
    x: () => this.#revoke(),
    u: () => this.#unpause(),
    p: () => this.#caller.show(new AgentScreen(this.#caller, this.#caller.account!.name)),
  }

  #type(key: Key, { what, field }: { what: 'key' | 'token'; field: Field }): boolean {
    if (field.press(key) || key.kind !== 'named') return true
    if (key.name === 'escape' || key.name === 'enter') this.#asking = null
    if (key.name === 'enter' && field.text.trim() === '')
      this.#caller.say(
        what === 'key' ? 'No key was given.' : 'No token was made: say what it is for.',
        'bad',
      )
    else if (key.name === 'enter') {
      if (what === 'key') this.#addKey(field.text)
      else this.#mintToken(field.text.trim())
    }
    return true
  }

  #addKey(text: string): void {
    const read = readPublicKeys(text)
    if ('problem' in read) {
      this.#caller.say(read.problem, 'bad')
      return
    }
    const { store } = this.#caller.house
    const { account } = this.#caller
    const valid = store.keys.of(account!.id).filter(({ revoked_at }) => revoked_at === null).length
    if (valid >= mostKeys) {
      this.#caller.say(`An account has no more than ${mostKeys} keys.`, 'bad')
      return
    }
    this.#caller.await(
      store.write(() => addKey(store, account!, read[0]!)),
      result => {
        if ('problem' in result) this.#caller.say(result.problem, 'bad')
        else this.#caller.say('The key is added: it lets you in from now on.', 'good')
        this.#read()
      },
    )
  }

  #mintCode(): void {
    const { store, place } = this.#caller.house
    const account = this.#caller.account!
    this.#caller.await(
      store.write(() => mintCode(store, account, codeFor)),
      code =>
        this.#caller.show(
          new TextScreen(
            'One-time code',
            [
              'On the machine with the other key, within fifteen minutes:',
              '',
              `  ${dial(place, 'join')}`,
              '',
              'and type this code there:',
              '',
              `  ${code}`,
              '',
              'It adds that key to your account, once, and is shown only here.',
            ].join('\n'),
          ),
        ),
    )
  }

  #mintToken(label: string): void {
    const { store, place } = this.#caller.house
    const { account } = this.#caller
    const valid = store.tokens
      .of(account!.id)
      .filter(({ revoked_at }) => revoked_at === null).length
    if (valid >= mostTokens) {
      this.#caller.say(`An account has no more than ${mostTokens} tokens.`, 'bad')
      return
    }
    this.#caller.await(
      store.write(() => mintToken(store, account!, label)),
      ({ token }) =>
        this.#caller.show(
          new TextScreen(
            'A new token',
            [
              `For “${label}”. Copy it now: it is shown this once and kept nowhere.`,
              '',
              `  ${token}`,
              '',
              'An agent sends it as a header when it opens',
              '',
              `  ${place.play}?game=ttt`,
              '  Authorization: Bearer TOKEN',
            ].join('\n'),
          ),
        ),
    )
  }

  #revoke(): void {
    const entry = this.#list.row
    if (entry === undefined) return
    const { store } = this.#caller.house
    const account = this.#caller.account!
    const { login } = this.#caller.visit
    const isOwn = entry.kind === 'key' && login?.by.kind === 'key' && login.by.id === entry.row.id
    const own = isOwn ? ' It is the one you came in by.' : ''
    this.#caller.show(
      new Question(this.#caller, `Revoke the ${entry.kind} ${nameOf(entry)}?${own}`, () =>
        this.#caller.await(
          store.write(() =>
            entry.kind === 'key'
              ? revokeKey(store, account, entry.row)
              : revokeToken(store, account, entry.row),
          ),
          () => {
            this.#caller.say('Revoked: it lets nobody in any more.', 'good')
            this.#read()
          },
        ),
      ),
    )
  }

  #unpause(): void {
    const user = this.#mayReturn
    if (user === undefined) return
    const { store } = this.#caller.house
    this.#caller.show(
      new Question(
        this.#caller,
        `Let ${user.name} play again? It was paused: ${user.pause_reason}.`,
        () =>
          this.#caller.await(
            store.write(() => unpause(store, this.#caller.account!, user)),
            lifted => {
              if (lifted) this.#caller.say(`${user.name} may play again.`, 'good')
              this.#read()
            },
          ),
      ),
    )
  }

  /** The first of those that the host has paused: whom the operator has paused, the operator lets back. */
  get #mayReturn(): User | undefined {
    return this.#paused.find(({ paused_by }) => paused_by === 'host')
  }

  #read(): void {
    const { store } = this.#caller.house
    const { id, name } = this.#caller.account!
    this.#paused = [store.users.find(name)!, ...store.users.owned(id)].filter(
      ({ paused_at }) => paused_at !== null,
    )
    const valid = <T extends StoredKey | Token>(rows: readonly T[]) =>
      rows.filter(({ revoked_at }) => revoked_at === null)
    this.#list.rows = [
      ...valid(store.keys.of(id)).map(row => ({ kind: 'key' as const, row })),
      ...valid(store.tokens.of(id)).map(row => ({ kind: 'token' as const, row })),
    ]
  }
}

const pauseText = ({ name, paused_by, pause_reason }: User): string =>
  `${name} is paused: ${pause_reason ?? 'by the operator'}${paused_by === 'operator' ? '. The operator alone lets it play again' : ''}`

const nameOf = (entry: Entry): string =>
  entry.kind === 'key'
    ? `${entry.row.comment || entry.row.type} ${entry.row.fingerprint}`
    : entry.row.label
