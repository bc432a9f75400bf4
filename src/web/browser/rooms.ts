import { element } from './elements.ts'

/** Takes the tables from a reloaded page. */
const refresh = async (): Promise<void> => {
  const answer = await fetch('/rooms')
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const [here, there] = [element('#rooms'), fresh.querySelector('#rooms')]
  // What has not changed stays as it is: a reader may have marked it, or tabbed to it.
  if (there !== null && there.innerHTML !== here.innerHTML)
    here.replaceChildren(...there.childNodes)
}

/** Something has changed since the page was last made. */
let isStale = false

const refreshIfSeen = (): void => {
  if (document.hidden || !isStale) return
  isStale = false
  refresh().catch(() => {
    // The host may be gone for a moment.
    isStale = true
  })
}

const events = new EventSource('/api/v1/tables/events')
events.addEventListener('tables', () => {
  isStale = true
  refreshIfSeen()
})
document.addEventListener('visibilitychange', refreshIfSeen)
