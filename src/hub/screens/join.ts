import { capital } from '../../record/result-text.ts'
import { drawArt, largestBanner } from '../art/draw-art.ts'
import { playCommand, sshCommand } from '../host-addresses.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { wrap } from '../terminal/width.ts'
import { TextInput } from '../text-input.ts'
import { MenuScreen } from './menu.ts'

/** Registration, for the SSH user `join`: a name for the client's key, or a code that adds the key to an account. */
export class JoinScreen implements Screen {
  readonly title = 'Register'
  readonly #session: ScreenSession
  readonly #code = new TextInput(40)
  readonly #name = new TextInput(40)
  #step: 'code' | 'name' | 'done' | 'closed'
  #problem: string | null = null

  constructor(session: ScreenSession) {
    this.#session = session
    const { registration } = session.hub
    this.#step =
      session.request.key === null || session.account !== null
        ? 'closed'
        : registration === 'open'
          ? 'name'
          : 'code'
  }

  get hints(): readonly Hint[] {
    if (this.#step === 'done') return [['Enter', 'continue']]
    if (this.#step === 'closed')
      return [
        ['Enter', 'continue'],
        ['Esc', 'quit'],
      ]
    return [
      ['Enter', 'next'],
      ...(this.#step === 'name' ? [['Tab', 'I have a code'] as const] : [['Tab', 'back'] as const]),
      ['Esc', 'quit'],
    ]
  }

  draw(canvas: Canvas): void {
    const { art } = this.#session.hub
    let y = 0
    const banner = largestBanner(art, canvas.width, canvas.height - 12)
    if (banner !== undefined) {
      drawArt(canvas, 0, 0, banner.art)
      y = banner.height + 1
    }
    const width = Math.min(72, canvas.width)
    if (canvas.height - y >= 10)
      for (const line of art.welcome.split('\n').flatMap(line => wrap(line, width)))
        canvas.text(0, y++, line)
    y = Math.min(y + 1, canvas.height - 6)
    for (const line of this.#messages().flatMap(line => wrap(line, width)))
      canvas.text(0, y++, line, 'bright')
    if (this.#step === 'name' || this.#step === 'code') {
      y++
      const label = this.#step === 'name' ? 'Name:' : 'Code:'
      canvas.text(0, y, label, 'title')
      const input = this.#step === 'name' ? this.#name : this.#code
      input.draw(canvas, 6, y, Math.min(36, canvas.width - 7))
      y += 2
    }
    if (this.#problem !== null)
      for (const line of wrap(this.#problem, width)) canvas.text(0, y++, line, 'bad')
  }

  get takesText(): boolean {
    return this.#step === 'name' || this.#step === 'code'
  }

  press(key: Key): boolean {
    if (this.#step === 'done' || this.#step === 'closed') {
      if (key.kind !== 'named' || key.name !== 'enter') return false
      this.#session.replace(new MenuScreen(this.#session))
      return true
    }
    // No name and no code has a question mark: the key asks for help.
    if (key.kind === 'char' && key.char === '?') return false
    const input = this.#step === 'name' ? this.#name : this.#code
    if (input.press(key)) return true
    if (key.kind !== 'named') return false
    if (key.name === 'enter') this.#enter()
    else if (key.name === 'tab') this.#step = this.#step === 'name' ? 'code' : 'name'
    else return false
    return true
  }

  #messages(): readonly string[] {
    const { request, account, hub } = this.#session
    if (this.#step === 'done')
      return [
        `You are ${account!.name}. To log in: ${sshCommand(hub.addresses, account!.name)}`,
        ...playCommand(hub.addresses),
      ]
    if (account !== null) return [`This key belongs to ${account.name} already.`]
    if (request.key === null)
      return [
        'An account needs an SSH key, and your client offered none. Make one, then connect again:',
        '  ssh-keygen -t ed25519',
        `  ${sshCommand(hub.addresses, 'join')}`,
      ]
    if (this.#step === 'name')
      return [
        'Choose a name for your account.',
        '2 to 32 letters, digits, spaces, “.”, “_” or “-”.',
      ]
    return hub.registration === 'open'
      ? ['A one-time code of your account adds this key to it.']
      : ['Registration needs a code: an invitation, or a one-time code of your own account.']
  }

  #enter(): void {
    if (this.#step === 'name') {
      this.#register()
      return
    }
    const { questions } = this.#session.hub
    this.#session.whenDone(questions.isInvitation(this.#code.text), isInvitation => {
      if (isInvitation) {
        this.#session.redraw()
        this.#problem = null
        this.#step = 'name'
      } else this.#register()
    })
  }

  #register(): void {
    const { hub, request } = this.#session
    this.#session.whenDone(
      hub.registrar.registerKey({
        source: request.source,
        key: request.key!,
        name: this.#name.text.trim(),
        code: this.#code.text.trim(),
      }),
      result => {
        this.#session.redraw()
        if ('detail' in result) {
          this.#problem = `${capital(result.detail)}.`
          return
        }
        this.#session.setAccount(result)
        this.#problem = null
        this.#step = 'done'
      },
    )
  }
}
