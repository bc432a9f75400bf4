import { plainBoard } from '../../drawing/look-text.ts'
import type { Look } from '../../games/look.ts'
import { durationText } from '../../record/time-text.ts'
import { describe, draw, type Viewed } from '../board/drawing.ts'
import { changed, type Delta } from '../delta.ts'
import { startClocks } from './clocks.ts'
import { all, element, known } from './elements.ts'

/** The stage of one match: follows it while it is live, and steps through it at any time. */
class Stage {
  readonly #root = element('#match')
  readonly #api = `/api/v1/matches/${this.#root.dataset.match}`
  #viewed: Viewed = {
    title: known(this.#root.dataset.title),
    names: JSON.parse(known(this.#root.dataset.names)),
    flipped: false,
  }
  #looks: readonly (Look | undefined)[] = []
  #ply = Number(this.#root.dataset.ply)
  #plies = Number(this.#root.dataset.plies)
  #live = this.#root.dataset.live === 'live'
  /** Whether the newest position is to be shown as soon as it is known. */
  #following = this.#ply === this.#plies
  #playing: number | undefined

  async start(): Promise<void> {
    this.#root.classList.add('scripted')
    for (const node of all('[hidden]', element('.controls')))
      node.hidden = node.dataset.never !== undefined
    this.#root.addEventListener('click', event => this.#clicked(event))
    document.addEventListener('keydown', event => this.#pressed(event))
    addEventListener('hashchange', () => this.#jump())
    if (this.#live) this.#follow()
    if (location.hash !== '') await this.#load().then(() => this.#jump())
    else this.#mark()
  }

  /** All positions up to now, loaded when another than the last is asked for. */
  async #load(): Promise<void> {
    const { looks } = await json<{ looks: readonly (Look | Delta)[] }>(`${this.#api}/looks`)
    let look: Look = {}
    this.#looks = looks.map((part, ply) => {
      look = ply === 0 ? (part as Look) : (changed(look, part as Delta) as Look)
      return look
    })
  }

  /** Moves as they are made. The browser asks again for what it missed when the line was cut. */
  #follow(): void {
    const events = new EventSource(`${this.#api}/events?from=${this.#plies}`)
    startClocks()
    events.addEventListener('move', event => this.#moved(JSON.parse(event.data)))
    events.addEventListener('clocks', event => startClocks(JSON.parse(event.data).clocks))
    events.addEventListener('ended', () => {
      events.close()
      void this.#ended()
    })
  }

  #moved(move: Moved): void {
    if (move.ply <= this.#plies) return
    this.#plies = move.ply
    this.#list(move)
    if (move.look !== undefined) {
      const looks = [...this.#looks]
      looks[move.ply] = move.look
      this.#looks = looks
    }
    if (move.clocks !== undefined) startClocks(move.clocks)
    if (this.#following && move.look !== undefined) {
      this.#ply = move.ply
      this.#show(move.look)
    }
    this.#mark()
  }

  /** Becomes the replay: what is said about the match is what a fresh page says. */
  async #ended(): Promise<void> {
    const fresh = new DOMParser().parseFromString(
      await (await fetch(`/match/${this.#root.dataset.match}`)).text(),
      'text/html',
    )
    for (const part of ['#players', '#verdict', '#moves', '#facts']) {
      const [here, there] = [document.querySelector(part), fresh.querySelector(part)]
      if (here !== null && there !== null) here.replaceChildren(...there.childNodes)
    }
    const last = fresh.querySelector<HTMLElement>('#match')
    this.#live = false
    this.#root.dataset.live = ''
    this.#plies = Number(last?.dataset.plies ?? this.#plies)
    this.#looks = []
    if (this.#following) this.#ply = this.#plies
    const board = fresh.querySelector('#board')
    if (this.#following && board !== null) element('#board').replaceChildren(...board.childNodes)
    this.#mark()
  }

  async #go(ply: number): Promise<void> {
    const target = Math.max(0, Math.min(this.#plies, ply))
    this.#ply = target
    this.#following = target === this.#plies
    this.#mark()
    if (this.#looks[target] === undefined) await this.#load()
    const look = this.#looks[target]
    if (look !== undefined && this.#ply === target) this.#show(look)
  }

  #jump(): void {
    const [, ply] = /^#ply=(\d+)$/.exec(location.hash) ?? []
    if (ply !== undefined) void this.#go(Number(ply))
  }

  #show(look: Look): void {
    element('#board').innerHTML = draw(this.#viewed, look).text
    const text = document.querySelector('#text')
    if (text !== null) text.textContent = plainBoard(look)
    if (!this.#live) element('#where').title = describe(this.#viewed, look)
  }

  #clicked(event: MouseEvent): void {
    const target = event.target as Element
    const step = target.closest<HTMLElement>('[data-ply]')
    const button = target.closest<HTMLElement>('.controls [id]')
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    if (step !== null && step !== this.#root) {
      event.preventDefault()
      this.#stop()
      void this.#leap(Number(step.dataset.ply))
    } else if (button !== null && button.id in this.#steps) {
      event.preventDefault()
      this.#steps[button.id]!()
    }
  }

  #pressed(event: KeyboardEvent): void {
    const target = event.target as Element
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (target.closest('input, select, textarea, summary') !== null) return
    const name = keys[event.key]
    // A button that has the focus is pressed by the space bar itself.
    if (name === undefined || (event.key === ' ' && target.closest('button') !== null)) return
    event.preventDefault()
    this.#steps[name]!()
  }

  readonly #steps: Readonly<Record<string, () => void>> = {
    'to-first': () => this.#step(0),
    'to-back': () => this.#step(this.#ply - 1),
    'to-next': () => this.#step(this.#ply + 1),
    'to-last': () => this.#step(this.#plies),
    play: () => (this.#playing === undefined ? this.#run() : this.#stop()),
    flip: () => {
      this.#viewed = { ...this.#viewed, flipped: !this.#viewed.flipped }
      void this.#go(this.#ply)
    },
  }

  #step(ply: number): void {
    this.#stop()
    void this.#leap(ply)
  }

  /** Goes to a position that then can be linked to. */
  async #leap(ply: number): Promise<void> {
    await this.#go(ply)
    const at = this.#live && this.#ply === this.#plies ? ' ' : `#ply=${this.#ply}`
    history.replaceState(null, '', at === ' ' ? location.pathname : at)
  }

  #run(): void {
    if (this.#ply >= this.#plies) void this.#go(0)
    const pause = Number(element<HTMLSelectElement>('#pace select').value)
    this.#playing = setTimeout(() => {
      void this.#go(this.#ply + 1).then(() => {
        if (this.#playing === undefined) return
        if (this.#ply < this.#plies) this.#run()
        else this.#stop()
      })
    }, pause) as unknown as number
    this.#button('Pause', '❚❚')
  }

  #stop(): void {
    clearTimeout(this.#playing)
    this.#playing = undefined
    this.#button('Play', '▶')
  }

  #button(label: string, sign: string): void {
    const button = element('#play')
    button.setAttribute('aria-label', label)
    button.textContent = sign
  }

  /** Says where we are: in the list, at the buttons, and in the count. */
  #mark(): void {
    element('#where').textContent = `${this.#ply} / ${this.#plies}`
    for (const [id, off] of [
      ['#to-first', this.#ply === 0],
      ['#to-back', this.#ply === 0],
      ['#to-next', this.#ply === this.#plies],
      ['#to-last', this.#ply === this.#plies],
    ] as const)
      element(id).toggleAttribute('aria-disabled', off)
    const list = element('#moves')
    for (const marked of all('[aria-current]', list)) marked.removeAttribute('aria-current')
    const link = list.querySelector<HTMLElement>(`a[data-ply="${this.#ply}"]`)
    if (link === null) {
      if (this.#ply === 0) list.scrollTop = 0
      return
    }
    link.setAttribute('aria-current', 'step')
    // Within the list only: the page itself must not move under the reader.
    const item = link.parentElement!
    list.scrollTop = item.offsetTop - list.clientHeight / 2
  }

  #list({ ply, seat, label, ms }: Moved): void {
    document.querySelector('#no-moves')?.remove()
    const link = document.createElement('a')
    link.href = `?ply=${ply}`
    link.dataset.ply = String(ply)
    link.className = `s${seat}`
    const time = document.createElement('small')
    time.textContent = durationText(ms)
    link.append(label, time)
    const item = document.createElement('li')
    item.append(link)
    element('#moves').append(item)
  }
}

interface Moved {
  readonly ply: number
  readonly seat: number
  readonly label: string
  readonly ms: number
  /** With the newest move alone. */
  readonly look?: Look
  readonly clocks?: readonly (number | null)[]
}

const keys: Readonly<Record<string, string>> = {
  ArrowLeft: 'to-back',
  ArrowRight: 'to-next',
  Home: 'to-first',
  End: 'to-last',
  ' ': 'play',
}

const json = async <T>(address: string): Promise<T> => (await fetch(address)).json()

void new Stage().start()
