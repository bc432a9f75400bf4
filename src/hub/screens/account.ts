import type { Account } from '../../arena/account.ts'
import { capital } from '../../record/result-text.ts'
import { agoText, dayText } from '../../record/time-text.ts'
import type { Acts } from '../../store/acts.ts'
import type { Problem } from '../../store/credentials.ts'
import type { Key as StoredKey } from '../../store/keys.ts'
import { readPublicKeys } from '../../store/public-key.ts'
import { kindText } from '../../store/secret-kinds.ts'
import type { Token } from '../../store/tokens.ts'
import type { User } from '../../store/users.ts'
import { sshCommand } from '../host-addresses.ts'
import { InputForm } from '../input-form.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { openAgent } from './agent.ts'
import { ConfirmScreen } from './confirm.ts'
import { openSignIn } from './sign-in.ts'
import { TextScreen } from './text.ts'

type Entry =
  | { readonly kind: 'key'; readonly row: StoredKey }
  | { readonly kind: 'token'; readonly row: Token }

type Changed = Awaited<ReturnType<Acts['revokeKey' | 'revokeToken' | 'unpause']>>

const codeLifetime = 15 * 60_000

/** The credentials of an account and of its agents. */
export class AccountScreen implements Screen {
  readonly title = 'Account'
  readonly about =
    'You and your agents log in by SSH with a key; agents log in by WebSocket with a token. To add the key of another machine, paste its public key here, or type a one-time code there.'
  readonly #session: ScreenSession
  readonly #list: List<Entry>
  /** The paused ones of the account and its agents. */
  #paused: readonly User[] = []
  #form: InputForm | null = null
  /** Until then there is no list: an empty one would say that there are no keys. */
  #isRead = false

  constructor(session: ScreenSession) {
    this.#session = session
    const now = session.clock.date()
    this.#list = new List<Entry>(
      [
        {
          title: 'Kind',
          width: 13,
          cell: kindOf,
          role: ({ kind }) => (kind === 'key' ? 'first' : 'second'),
        },
        { title: 'Name', width: 0, cell: entry => nameOf(entry, session.account!) },
        {
          title: 'Since',
          width: 10,
          minWidth: 60,
          cell: ({ row }) => dayText(row.created_at),
          role: () => 'dim',
        },
        {
          title: 'Last used',
          width: 12,
          minWidth: 50,
          cell: ({ row }) =>
            row.last_used_at === null ? 'never' : agoText(now - row.last_used_at),
          role: () => 'dim',
        },
      ],
      'No keys and no tokens.',
    )
  }

  get hints(): readonly Hint[] {
    if (this.#form?.isOpen) return this.#form.hints
    return [
      ['a', 'add a key'],
      ['c', 'one-time code'],
      ['t', 'mint a token'],
      ['x', 'revoke'],
      ['s', 'sign in to the pages'],
      ...(this.#unpausable === undefined ? [] : [['u', 'unpause'] as const]),
      ['p', 'profile'],
      ['Esc', 'back'],
    ]
  }

  shown(): void {
    this.#read()
  }

  draw(canvas: Canvas): void {
    const { account } = this.#session
    const end = canvas.text(0, 0, account!.name, 'title')
    if (canvas.width >= 60)
      canvas.text(
        end + 2,
        0,
        `logs in with ${sshCommand(this.#session.hub.addresses, account!.name)}`,
        'dim',
      )
    const paused = this.#unpausable ?? this.#paused[0]
    if (paused !== undefined) canvas.text(0, 1, pauseText(paused), 'warning')
    if (this.#isRead) this.#list.draw(canvas.part(0, 2, canvas.width, canvas.height - 5))
    if (this.#form?.isOpen) this.#form.draw(canvas.part(0, canvas.height - 2))
  }

  press(key: Key): boolean {
    const action = key.kind === 'char' ? this.#actions[key.char] : undefined
    if (this.#form?.isOpen) this.#form.press(key)
    else if (action !== undefined) action()
    else return this.#list.press(key)
    return true
  }

  readonly #actions: Readonly<Record<string, () => void>> = {
    a: () => {
      const label = 'Paste the public key, such as ssh-ed25519 AAAA… me@laptop'
      this.#form = new InputForm(label, 2000, 'add', text => this.#addKey(text))
    },
    s: () => openSignIn(this.#session, '/'),
    t: () => {
      const label = 'A name for the token, such as the agent that uses it:'
      this.#form = new InputForm(label, 40, 'mint', text => this.#mintToken(text))
    },
    c: () => this.#mintCode(),
    x: () => this.#revoke(),
    u: () => this.#unpause(),
    p: () => openAgent(this.#session, this.#session.account!.name),
  }

  #addKey(text: string): void {
    if (text === '') {
      this.#session.showMessage('No key was pasted.', 'bad')
      return
    }
    const read = readPublicKeys(text)
    if ('problem' in read) {
      this.#showProblem(read)
      return
    }
    const { acts } = this.#session.hub
    this.#session.whenDone(acts.addKey(this.#session.account!, read[0]!), result => {
      if ('problem' in result) this.#showProblem(result)
      else this.#session.showMessage('The key is added. You can log in with it now.', 'good')
      this.#read()
    })
  }

  #mintCode(): void {
    const { acts, addresses } = this.#session.hub
    this.#session.whenDone(acts.mintCode(this.#session.account!, codeLifetime), code =>
      this.#session.show(
        new TextScreen(
          'One-time code',
          [
            'On the machine with the other key, within fifteen minutes:',
            '',
            `  ${sshCommand(addresses, 'join')}`,
            '',
            'and type this code there:',
            '',
            `  ${code}`,
            '',
            'The code adds one key to your account. It is shown only here.',
          ].join('\n'),
        ),
      ),
    )
  }

  #mintToken(label: string): void {
    if (label === '') {
      this.#session.showMessage('A token needs a name: none was made.', 'bad')
      return
    }
    const { acts, addresses } = this.#session.hub
    this.#session.whenDone(acts.mintToken(this.#session.account!, label), minted => {
      if ('problem' in minted) {
        this.#showProblem(minted)
        return
      }
      this.#session.show(
        new TextScreen(
          'A new token',
          [
            `For “${label}”. Copy it now: it is shown only once.`,
            '',
            `  ${minted.secret}`,
            ...(addresses.play === null
              ? []
              : [
                  '',
                  'An agent sends it as a header when it connects to',
                  '',
                  `  ${addresses.play}?game=ttt`,
                  '  Authorization: Bearer TOKEN',
                ]),
          ].join('\n'),
        ),
      )
    })
  }

  #revoke(): void {
    const entry = this.#list.row
    if (entry === undefined) return
    const { acts } = this.#session.hub
    const account = this.#session.account!
    const { login } = this.#session.request
    const isOwn = entry.kind === 'key' && login?.by.kind === 'key' && login.by.id === entry.row.id
    const own = isOwn ? ' It is the key of this session.' : ''
    const revoke = entry.kind === 'key' ? acts.revokeKey : acts.revokeToken
    this.#confirm(
      entry.row.name,
      `Revoke the ${kindOf(entry)} ${nameOf(entry, account)}?${own}`,
      () => revoke(account, entry.row.id),
      `The ${kindOf(entry)} is revoked.`,
    )
  }

  #unpause(): void {
    const user = this.#unpausable
    if (user === undefined) return
    this.#confirm(
      user.name,
      `Let ${user.name} play again? It was paused: ${user.pause_reason}.`,
      () => this.#session.hub.acts.unpause(this.#session.account!, user.name),
      `${user.name} may play again.`,
    )
  }

  /** Asks, and then makes a change to the account of this name. */
  #confirm(name: string, question: string, change: () => Promise<Changed>, done: string): void {
    const session = this.#session
    const changed = (answer: Changed) => {
      if (answer !== null && 'problem' in answer) this.#showProblem(answer)
      else session.showMessage(done, 'good')
      this.#read()
      // This may end the session.
      void session.hub.onAccountChanged(name)
    }
    session.show(new ConfirmScreen(session, question, () => session.whenDone(change(), changed)))
  }

  #showProblem({ problem }: Problem): void {
    this.#session.showMessage(`${capital(problem)}.`, 'bad')
  }

  /** The first one that the host paused. Only the operator can undo a pause by the operator. */
  get #unpausable(): User | undefined {
    return this.#paused.find(({ paused_by }) => paused_by === 'host')
  }

  #read(): void {
    const { clock, hub, account } = this.#session
    this.#session.whenDone(hub.questions.credentials(account!, clock.date()), found => {
      this.#isRead = true
      this.#paused = found.map(({ user }) => user).filter(({ paused_at }) => paused_at !== null)
      this.#list.rows = found.flatMap(({ keys, tokens }) => [
        ...keys.map(row => ({ kind: 'key' as const, row })),
        ...tokens.map(row => ({ kind: 'token' as const, row })),
      ])
      this.#session.redraw()
    })
  }
}

const pauseText = ({ name, paused_by, pause_reason }: User): string =>
  `${name} is paused: ${pause_reason ?? 'by the operator'}${paused_by === 'operator' ? '. Only the operator can unpause it' : ''}`

const kindOf = (entry: Entry): string => (entry.kind === 'key' ? 'key' : kindText[entry.row.kind])

/** Such as `laptop`; with the protocol of a secret that is for one alone, and the agent that it belongs to. */
const nameOf = ({ kind, row }: Entry, { name }: Account): string =>
  [
    ...(row.name === name ? [] : [row.name]),
    ...(kind === 'key' || row.protocol === null ? [] : [row.protocol]),
    kind === 'key' ? `${row.comment || row.type} ${row.fingerprint}` : row.label,
  ]
    .filter(part => part !== '')
    .join(': ')
