import { artSize, drawArt } from '../art/draw-art.ts'
import { Field } from '../field.ts'
import { dial } from '../house.ts'
import { register } from '../registration.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { wrap } from '../terminal/width.ts'
import { MenuScreen } from './menu.ts'

/** For those who come as `join`: what this is, and a name to a key. */
export class JoinScreen implements Screen {
  readonly title = 'Join'
  readonly #caller: Caller
  readonly #code = new Field(40)
  readonly #name = new Field(40)
  #step: 'code' | 'name' | 'done' | 'closed'
  #problem: string | null = null

  constructor(caller: Caller) {
    this.#caller = caller
    const { registration } = caller.house
    this.#step =
      caller.visit.key === null || caller.account !== null
        ? 'closed'
        : registration === 'open'
          ? 'name'
          : 'code'
  }

  get hints(): readonly Hint[] {
    if (this.#step === 'done') return [['Enter', 'come in']]
    if (this.#step === 'closed')
      return [
        ['Enter', 'look around'],
        ['Esc', 'good-bye'],
      ]
    return [
      ['Enter', 'go on'],
      ...(this.#step === 'name' ? [['Tab', 'I have a code'] as const] : [['Tab', 'back'] as const]),
      ['Esc', 'good-bye'],
    ]
  }

  draw(canvas: Canvas): void {
    const { art } = this.#caller.house
    let y = 0
    const banner = [art.banner, art.smallBanner].find(art => {
      const { width, height } = artSize(art)
      return width <= canvas.width && height + 12 <= canvas.height
    })
    if (banner !== undefined) {
      drawArt(canvas, 0, 0, banner)
      y = artSize(banner).height + 1
    }
    const width = Math.min(72, canvas.width)
    if (canvas.height - y >= 10)
      for (const line of art.welcome.split('\n').flatMap(line => wrap(line, width)))
        canvas.text(0, y++, line)
    y = Math.min(y + 1, canvas.height - 6)
    for (const line of this.#words().flatMap(line => wrap(line, width)))
      canvas.text(0, y++, line, 'bright')
    if (this.#step === 'name' || this.#step === 'code') {
      y++
      const label = this.#step === 'name' ? 'Name:' : 'Code:'
      canvas.text(0, y, label, 'title')
      const field = this.#step === 'name' ? this.#name : this.#code
      field.draw(canvas, 6, y, Math.min(36, canvas.width - 7))
      y += 2
    }
    if (this.#problem !== null)
      for (const line of wrap(this.#problem, width)) canvas.text(0, y++, line, 'bad')
  }

  get types(): boolean {
    return this.#step === 'name' || this.#step === 'code'
  }

  press(key: Key): boolean {
    if (this.#step === 'done' || this.#step === 'closed') {
      if (key.kind !== 'named' || key.name !== 'enter') return false
      this.#caller.replace(new MenuScreen(this.#caller))
      return true
    }
    // It is in no name and in no code: it asks for help.
    if (key.kind === 'char' && key.char === '?') return false
    const field = this.#step === 'name' ? this.#name : this.#code
    if (field.press(key)) return true
    if (key.kind !== 'named') return false
    if (key.name === 'enter') this.#enter()
    else if (key.name === 'tab') this.#step = this.#step === 'name' ? 'code' : 'name'
    else return false
    return true
  }

  #words(): readonly string[] {
    const { visit, account, house } = this.#caller
    if (this.#step === 'done')
      return [
        `You are ${account!.name}. From now on: ${dial(house.place, account!.name)}`,
        `Your agents play with the same key: ${dial(house.place, 'game')} ttt`,
      ]
    if (account !== null) return [`This key is that of ${account.name} already.`]
    if (visit.key === null)
      return [
        'You came without a key, and an account needs one. Make one, then come again:',
        '  ssh-keygen -t ed25519',
        `  ${dial(house.place, 'join')}`,
      ]
    if (this.#step === 'name')
      return ['Which name shall be bound to your key?', '2 to 32 letters, digits, “.”, “_” or “-”.']
    return house.registration === 'open'
      ? ['A one-time code from your account adds this key to it.']
      : ['To come in here takes a code: an invitation, or one from your own account.']
  }

  #enter(): void {
    const { house, visit } = this.#caller
    if (this.#step === 'code' && house.store.codes.find(this.#code.text)?.account === null) {
      this.#problem = null
      this.#step = 'name'
      return
    }
    this.#caller.await(
      register(house, {
        source: visit.source,
        key: visit.key!,
        name: this.#name.text.trim(),
        code: this.#code.text.trim(),
      }),
      result => {
        this.#caller.redraw()
        if ('problem' in result) {
          this.#problem = result.problem
          return
        }
        this.#caller.setAccount(result)
        this.#problem = null
        this.#step = 'done'
      },
    )
  }
}
