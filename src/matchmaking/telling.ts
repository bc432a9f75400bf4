/** Tells events to all that watch, in the order in which they happened, also where a listener makes more happen. */
export class Telling<Event> {
  readonly #failed: (error: unknown) => void
  readonly #listeners = new Set<(event: Event) => void>()
  #untold: Event[] = []
  #isTelling = false

  /** `failed`: called with the error of a listener, which is told no more. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  /** Calls the listener with each event, until the returned function is called. */
  watch(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** These have happened. They are told once what they are about is done. */
  add(...events: readonly Event[]): void {
    this.#untold.push(...events)
  }

  tellAll(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    for (let event = this.#untold.shift(); event !== undefined; event = this.#untold.shift())
      for (const listener of this.#listeners)
        try {
          listener(event)
        } catch (error) {
          this.#listeners.delete(listener)
          this.#failed(error)
        }
    this.#isTelling = false
  }
}
