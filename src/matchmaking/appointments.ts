import type { Waiting } from './waiting.ts'

/** Players that have named their opponents. Two that have named each other meet, and neither meets another. */
export class Appointments {
  readonly #matched: (party: readonly Waiting[]) => void
  /** By ladder and both names. */
  readonly #waiting = new Map<string, Set<Waiting>>()

  constructor(matched: (party: readonly Waiting[]) => void) {
    this.#matched = matched
  }

  join(waiting: Waiting): void {
    const { player, opponent, ladder } = waiting
    const own = player.account.name.toLowerCase()
    const [other] = this.#waiting.get(`${ladder.id}/${opponent}/${own}`) ?? []
    if (other !== undefined) {
      this.leave(other)
      this.#matched([waiting, other])
      return
    }
    const key = keyOf(waiting)
    const same = this.#waiting.get(key)
    if (same === undefined) this.#waiting.set(key, new Set([waiting]))
    else same.add(waiting)
  }

  leave(waiting: Waiting): void {
    const key = keyOf(waiting)
    const same = this.#waiting.get(key)
    same?.delete(waiting)
    if (same?.size === 0) this.#waiting.delete(key)
  }
}

/** No name has a slash in it. */
const keyOf = ({ player, opponent, ladder }: Waiting) =>
  `${ladder.id}/${player.account.name.toLowerCase()}/${opponent}`
