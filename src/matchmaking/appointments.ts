import { splitName } from '../arena/account.ts'
import type { Ladder } from '../arena/ladder.ts'
import type { Player } from '../arena/player.ts'
import type { Waiting } from './waiting.ts'

/** Players that have named their opponents. Two that have named each other meet, and neither meets another. */
export class Appointments {
  readonly #matched: (party: readonly Waiting[]) => void
  /** By ladder, and the agents of both names. */
  readonly #waiting = new Map<string, Set<Waiting>>()

  constructor(matched: (party: readonly Waiting[]) => void) {
    this.#matched = matched
  }

  join(waiting: Waiting): void {
    const { ladder, player, opponent } = waiting
    const named = this.#waiting.get(keyOf(ladder, opponent!, nameOf(player)))
    const other = [...(named ?? [])].find(other => haveNamedEachOther(waiting, other))
    if (other !== undefined) {
      this.leave(other)
      this.#matched([waiting, other])
      return
    }
    const key = keyOf(ladder, nameOf(player), opponent!)
    const same = this.#waiting.get(key)
    if (same === undefined) this.#waiting.set(key, new Set([waiting]))
    else same.add(waiting)
  }

  leave(waiting: Waiting): void {
    const { ladder, player, opponent } = waiting
    const key = keyOf(ladder, nameOf(player), opponent!)
    const same = this.#waiting.get(key)
    same?.delete(waiting)
    if (same?.size === 0) this.#waiting.delete(key)
  }
}

/** No name has a slash in it. */
const keyOf = (ladder: Ladder, name: string, opponent: string) =>
  `${ladder.id}/${splitName(name).agent}/${splitName(opponent).agent}`

const nameOf = ({ account }: Player) => account.name.toLowerCase()

const haveNamedEachOther = (a: Waiting, b: Waiting): boolean =>
  a.player.account.id !== b.player.account.id && hasNamed(a, b) && hasNamed(b, a)

const hasNamed = ({ opponent }: Waiting, { player }: Waiting): boolean => {
  const name = nameOf(player)
  return opponent === name || opponent === splitName(name).agent
}
