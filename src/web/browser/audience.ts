import type { VoteState } from '../../arena/voting.ts'
import { voteText } from '../../record/vote-text.ts'

/** What the audience does, on the page of a debate: the vote, and reactions. Other pages have no place for either. */
export const startAudience = (events: EventSource): void => {
  const section = document.querySelector<HTMLElement>('#vote')
  if (section === null) return
  const known = section.dataset.vote ?? ''
  if (known !== '') showVote(section, JSON.parse(known))
  events.addEventListener('vote', event => showVote(section, JSON.parse(event.data)))
  events.addEventListener('reactions', event => {
    for (const reaction of JSON.parse(event.data).reactions) showReaction(reaction)
  })
}

/** The vote is over. */
export const endAudience = (): void => {
  clearInterval(ticking)
  document.querySelector('#vote')?.remove()
  document.querySelector('#reactions')?.remove()
}

let ticking: ReturnType<typeof setInterval> | undefined

const showVote = (section: HTMLElement, vote: VoteState): void => {
  const since = performance.now()
  const tick = () => {
    const gone = performance.now() - since
    const now = {
      ...vote,
      opensIn: Math.max(0, vote.opensIn - gone),
      closesIn: Math.max(0, vote.closesIn - gone),
    }
    const node = section.querySelector('#vote-text')
    const text = voteText(now)
    if (node !== null && node.textContent !== text) node.textContent = text
    for (const button of section.querySelectorAll('button'))
      button.disabled = now.opensIn > 0 || now.closesIn === 0
  }
  clearInterval(ticking)
  ticking = setInterval(tick, 250)
  section.hidden = false
  tick()
}

/** It fades by its style, and then goes. */
const showReaction = (reaction: string): void => {
  const node = document.createElement('span')
  node.textContent = reaction
  node.addEventListener('animationend', () => node.remove())
  const list = document.querySelector('#reactions')
  list?.append(node)
  while (list !== null && list.childElementCount > mostShown) list.firstElementChild?.remove()
}

const mostShown = 12
