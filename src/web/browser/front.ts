import { element } from './elements.ts'

interface Live {
  readonly count: number
  /** The numbers of the matches that belong on the page. */
  readonly shown: readonly number[]
  /** What is new of them, each as the host would write it. */
  readonly matches: readonly { readonly id: number; readonly html: string }[]
}

const cards = element('#cards')

new EventSource('/api/v1/live/events').addEventListener('live', event => {
  const { count, shown, matches }: Live = JSON.parse(event.data)
  element('#count').textContent = `${count} match${count === 1 ? '' : 'es'}`
  element('#nobody').hidden = count > 0
  for (const card of cards.querySelectorAll<HTMLElement>('[data-match]'))
    if (!shown.includes(Number(card.dataset.match)) && !card.contains(document.activeElement))
      card.remove()
  for (const { id, html } of matches) put(id, html)
})

/** Only the board changes under somebody's finger, not the link around it. */
const put = (id: number, html: string) => {
  const made = document.createElement('template')
  made.innerHTML = html
  const card = made.content.firstElementChild
  const old = cards.querySelector(`[data-match="${id}"]`)
  if (card === null) return
  if (old === null) cards.append(card)
  else
    for (const part of ['.mini', 'p'])
      old.querySelector(part)?.replaceWith(card.querySelector(part) ?? '')
}
