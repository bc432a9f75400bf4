/** Counts the requests that have no whole answer yet. */
export class Unanswered {
  #count = 0
  #onNone = () => {}

  enter(): void {
    this.#count++
  }

  leave(): void {
    if (--this.#count === 0) this.#onNone()
  }

  /** Resolves once there is none. */
  async none(): Promise<void> {
    if (this.#count > 0)
      await new Promise<void>(resolve => {
        this.#onNone = resolve
      })
  }
}
