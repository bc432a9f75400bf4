import { type LiveCards, showCards } from './cards.ts'
import { all, element, required } from './elements.ts'

/** The page of an event that is not over: its live matches, and the parts of the page that change. */
interface Live extends LiveCards {
  /** How many entries of the log the page is made of by now. */
  readonly entries: number
  readonly status: string
  /** HTML by the ids of elements. */
  readonly parts: Readonly<Record<string, string>>
}

const root = element('#event')
const cards = element('#cards')
let entries = Number(required(root.dataset.entries))

const events = new EventSource(`/api/v1/events/${root.dataset.event}/events`)
events.addEventListener('live', event => {
  const live: Live = JSON.parse(event.data)
  showCards(cards, live, () => {
    element('#live').hidden = cards.childElementCount === 0
  })
  for (const [id, html] of Object.entries(live.parts)) show(id, html)
  if (live.entries !== entries) {
    // What came before the stream was opened is not in its parts.
    if (Object.keys(live.parts).length === 0) void reload()
    entries = live.entries
  }
  if (live.status === 'finished' || live.status === 'cancelled') events.close()
})

/** Shows a part as it is now. A round that is new comes first. */
const show = (id: string, html: string): void => {
  let part = document.getElementById(id)
  if (part === null) {
    part = document.createElement('div')
    part.id = id
    element('#rounds').prepend(part)
  }
  const isOpen = part.querySelector('details')?.open
  const scrolled = all('.scroll', part).map(({ scrollLeft }) => scrollLeft)
  part.innerHTML = html
  const details = part.querySelector('details')
  if (details !== null && isOpen !== undefined) details.open = isOpen
  for (const [i, scroll] of all('.scroll', part).entries()) scroll.scrollLeft = scrolled[i] ?? 0
}

const reload = async (): Promise<void> => {
  const text = await (await fetch(location.href)).text()
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  for (const part of all('[data-part]', fresh).toReversed()) show(part.id, part.innerHTML)
}
