import { plainBoard } from '../../drawing/look-text.ts'
import type { Look, Text } from '../../games/look.ts'
import { durationText } from '../../record/time-text.ts'
import { altText, type DrawOptions, draw } from '../board/drawing.ts'
import { toldOf } from '../board/panels.ts'
import { applyDelta, type Delta } from '../delta.ts'
import { endAudience, startAudience } from './audience.ts'
import { startClocks } from './clocks.ts'
import { all, element, required } from './elements.ts'
import { glide, keyedPlaces } from './glide.ts'

/** The page of one match: follows it while it is live, and steps through its positions. */
class MatchPage {
  readonly #root = element('#match')
  readonly #api = `/api/v1/matches/${this.#root.dataset.match}`
  #drawOptions: DrawOptions = {
    title: required(this.#root.dataset.title),
    names: JSON.parse(required(this.#root.dataset.names)),
    flipped: false,
  }
  #looks: readonly (Look | undefined)[] = []
  #ply = Number(this.#root.dataset.ply)
  #plies = Number(this.#root.dataset.plies)
  #live = this.#root.dataset.live === 'live'
  /** Whether new positions are shown as they arrive. */
  #following = this.#ply === this.#plies
  #playing: number | undefined

  async start(): Promise<void> {
    this.#root.classList.add('scripted')
    for (const node of all('[hidden]', element('.controls')))
      node.hidden = node.dataset.never !== undefined
    this.#root.addEventListener('click', event => this.#onClick(event))
    document.addEventListener('keydown', event => this.#onKey(event))
    addEventListener('hashchange', () => this.#goToHash())
    if (this.#live) this.#follow()
    if (location.hash !== '') await this.#load().then(() => this.#goToHash())
    else this.#markPosition()
  }

  /** Loads all positions. Called when an earlier one is needed for the first time. */
  async #load(): Promise<void> {
    const { looks } = await fetchJson<{ looks: readonly (Look | Delta)[] }>(`${this.#api}/looks`)
    let look: Look = {}
    this.#looks = looks.map((part, ply) => {
      look = ply === 0 ? (part as Look) : (applyDelta(look, part as Delta) as Look)
      return look
    })
  }

  /** Receives moves as they are made. After a cut the browser reconnects and gets the missed ones. */
  #follow(): void {
    const events = new EventSource(`${this.#api}/events?from=${this.#plies}`)
    startClocks()
    startAudience(events)
    events.addEventListener('move', event => this.#onMove(JSON.parse(event.data)))
    events.addEventListener('clocks', event => startClocks(JSON.parse(event.data).clocks))
    events.addEventListener('ended', () => {
      events.close()
      void this.#onEnd()
    })
  }

  #onMove(move: Moved): void {
    if (move.ply <= this.#plies) return
    this.#plies = move.ply
    this.#addToList(move)
    if (move.noteBefore !== undefined) this.#addNote(move.ply - 1, move.noteBefore)
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
    this.#markPosition()
  }

  /** Becomes the replay: takes players, result, moves and facts from a reloaded page. */
  async #onEnd(): Promise<void> {
    const fresh = new DOMParser().parseFromString(
      await (await fetch(`/match/${this.#root.dataset.match}`)).text(),
      'text/html',
    )
    for (const part of ['#players', '#verdict', '#moves', '#facts']) {
      const [here, there] = [document.querySelector(part), fresh.querySelector(part)]
      if (here !== null && there !== null) here.replaceChildren(...there.childNodes)
    }
    endAudience()
    const last = fresh.querySelector<HTMLElement>('#match')
    this.#live = false
    this.#root.dataset.live = ''
    this.#plies = Number(last?.dataset.plies ?? this.#plies)
    this.#looks = []
    if (this.#following) this.#ply = this.#plies
    const board = fresh.querySelector('#board')
    if (this.#following && board !== null) element('#board').replaceChildren(...board.childNodes)
    this.#markPosition()
  }

  async #go(ply: number): Promise<void> {
    const target = Math.max(0, Math.min(this.#plies, ply))
    this.#ply = target
    this.#following = target === this.#plies
    this.#markPosition()
    if (this.#looks[target] === undefined) await this.#load()
    const look = this.#looks[target]
    if (look !== undefined && this.#ply === target) this.#show(look)
  }

  #goToHash(): void {
    const [, ply] = /^#ply=(\d+)$/.exec(location.hash) ?? []
    if (ply !== undefined) void this.#go(Number(ply))
  }

  #show(look: Look): void {
    const board = element('#board')
    const before = keyedPlaces(board)
    board.innerHTML = draw(this.#drawOptions, look).text
    glide(board, before)
    const text = document.querySelector('#text')
    if (text !== null) text.textContent = plainBoard(look)
    if (!this.#live) element('#where').title = altText(this.#drawOptions, look)
  }

  #onClick(event: MouseEvent): void {
    const target = event.target as Element
    const step = target.closest<HTMLElement>('[data-ply]')
    const button = target.closest<HTMLElement>('.controls [id]')
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    if (step !== null && step !== this.#root) {
      event.preventDefault()
      this.#stop()
      void this.#goAndLink(Number(step.dataset.ply))
    } else if (button !== null && button.id in this.#steps) {
      event.preventDefault()
      this.#steps[button.id]!()
    }
  }

  #onKey(event: KeyboardEvent): void {
    const target = event.target as Element
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (target.closest('input, select, textarea, summary') !== null) return
    const name = keys[event.key]
    // The browser itself presses a focused button on space.
    if (name === undefined || (event.key === ' ' && target.closest('button') !== null)) return
    event.preventDefault()
    this.#steps[name]!()
  }

  readonly #steps: Readonly<Record<string, () => void>> = {
    'to-first': () => this.#step(0),
    'to-back': () => this.#step(this.#ply - 1),
    'to-next': () => this.#step(this.#ply + 1),
    'to-last': () => this.#step(this.#plies),
    play: () => (this.#playing === undefined ? this.#playNext() : this.#stop()),
    flip: () => {
      this.#drawOptions = { ...this.#drawOptions, flipped: !this.#drawOptions.flipped }
      void this.#go(this.#ply)
    },
  }

  #step(ply: number): void {
    this.#stop()
    void this.#goAndLink(ply)
  }

  /** Goes to a position and puts it into the address. */
  async #goAndLink(ply: number): Promise<void> {
    await this.#go(ply)
    const at = this.#live && this.#ply === this.#plies ? ' ' : `#ply=${this.#ply}`
    history.replaceState(null, '', at === ' ' ? location.pathname : at)
  }

  #playNext(): void {
    if (this.#ply >= this.#plies) void this.#go(0)
    const pause = Number(element<HTMLSelectElement>('#pace select').value)
    this.#playing = setTimeout(() => {
      void this.#go(this.#ply + 1).then(() => {
        if (this.#playing === undefined) return
        if (this.#ply < this.#plies) this.#playNext()
        else this.#stop()
      })
    }, pause) as unknown as number
    this.#setPlayButton('Pause', '❚❚')
  }

  #stop(): void {
    clearTimeout(this.#playing)
    this.#playing = undefined
    this.#setPlayButton('Play', '▶')
  }

  #setPlayButton(label: string, sign: string): void {
    const button = element('#play')
    button.setAttribute('aria-label', label)
    button.textContent = sign
  }

  /** Marks the current position in the list, the buttons and the count. */
  #markPosition(): void {
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
    // Scrolls only the list, so that the page does not move.
    const item = link.parentElement!
    list.scrollTop = item.offsetTop - list.clientHeight / 2
  }

  #addToList({ ply, seat, label, ms, told }: Moved): void {
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
    if (told.length > 0)
      item.insertAdjacentHTML('beforeend', toldOf(told, this.#drawOptions.names).text)
    element('#moves').append(item)
  }

  #addNote(ply: number, note: string): void {
    const quotation = document.createElement('q')
    quotation.dir = 'auto'
    quotation.textContent = note
    document.querySelector(`#moves a[data-ply="${ply}"]`)?.parentElement?.append(quotation)
  }
}

interface Moved {
  readonly ply: number
  readonly seat: number
  readonly label: string
  readonly ms: number
  /** What the move caused. */
  readonly told: readonly Text[]
  /** What the player of the move before wrote beside it. */
  readonly noteBefore?: string
  /** Only the newest move has a look and clocks. */
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

const fetchJson = async <T>(address: string): Promise<T> => (await fetch(address)).json()

void new MatchPage().start()
