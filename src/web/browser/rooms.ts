import { element } from './elements.ts'

/** Milliseconds. */
const refreshEvery = 5_000

/** Takes the tables from a reloaded page while it is looked at. */
const refresh = async (): Promise<void> => {
  if (document.hidden) return
  const answer = await fetch('/rooms')
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const [here, there] = [element('#rooms'), fresh.querySelector('#rooms')]
  // What has not changed stays as it is: a reader may have marked it, or tabbed to it.
  if (there !== null && there.innerHTML !== here.innerHTML)
    here.replaceChildren(...there.childNodes)
}

// The host may be gone for a moment.
setInterval(() => void refresh().catch(() => {}), refreshEvery)
