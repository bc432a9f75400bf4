import type { ServerResponse } from 'node:http'
import type { Arena } from '../../arena/arena.ts'
import type { ArenaEvent } from '../../arena/arena-event.ts'
import type { MatchId } from '../../arena/match-store.ts'
import type { Table } from '../../arena/table.ts'
import type { Clock, Timer } from '../../clock.ts'
import { encoded, Stream } from './stream.ts'

/** How many live matches are shown in lists, however many there are. */
const shownTables = 12
/** How often what is new is told. */
const pace = 500
/** How many events somebody who comes back can have missed, and for how long the house is listened to for nobody. */
const memory = 120
const patience = memory * pace

/**
 * What goes on in the whole house, for the front page: twice a second at most, what became of the few matches that are
 * shown. So it costs the same on a busy day.
 */
export class LiveFeed<Told> {
  readonly #arena: Arena
  readonly #clock: Clock
  readonly #tell: (changed: readonly Table[], ended: readonly Table[]) => Told
  /** Tells what was listened to from what was before, whose numbers mean something else. */
  #run = ''
  readonly #stream: Stream
  readonly #changed = new Set<MatchId>()
  readonly #ended: Table[] = []
  #timer: Timer | null = null
  #leaving: Timer | null = null
  #unwatch: (() => void) | null = null

  constructor(
    arena: Arena,
    clock: Clock,
    tell: (changed: readonly Table[], ended: readonly Table[]) => Told,
  ) {
    this.#arena = arena
    this.#clock = clock
    this.#tell = tell
    this.#stream = new Stream(clock, () => {
      this.#leaving ??= clock.after(patience, () => this.#rest())
    })
  }

  /** Goes on after the event of this id, or starts with everything there is to see. */
  watch(lastId: string | undefined, response: ServerResponse): void {
    this.#leaving?.cancel()
    this.#leaving = null
    if (this.#unwatch === null) {
      this.#run = this.#clock.date().toString(36)
      this.#unwatch = this.#arena.watch(event => this.#note(event))
    }
    const [run, number] = lastId?.split('-') ?? []
    const known = run === this.#run && Number(number) < this.#stream.next
    if (known) this.#stream.open(response, Number(number) + 1)
    else {
      const id = `${this.#run}-${this.#stream.next - 1}`
      const all = encoded('live', id, this.#tell(shown(this.#arena), []))
      this.#stream.open(response, this.#stream.next, [all])
    }
  }

  get watchers(): number {
    return this.#stream.watchers
  }

  close(): void {
    this.#stream.cut()
    this.#rest()
  }

  #note(event: ArenaEvent): void {
    if (event.kind === 'ended' || event.kind === 'aborted') {
      this.#ended.push(event.table)
      if (this.#ended.length > shownTables) this.#ended.shift()
    } else this.#changed.add(event.table.id)
    this.#timer ??= this.#clock.after(pace, () => this.#turn())
  }

  #turn(): void {
    this.#timer = null
    const changed = shown(this.#arena).filter(({ id }) => this.#changed.has(id))
    const told = this.#tell(changed, this.#ended.splice(0))
    this.#changed.clear()
    this.#stream.add('live', `${this.#run}-${this.#stream.next}`, told)
    this.#stream.keep(memory)
  }

  #rest(): void {
    this.#unwatch?.()
    this.#unwatch = null
    this.#leaving?.cancel()
    this.#leaving = null
    this.#timer?.cancel()
    this.#timer = null
    this.#changed.clear()
    this.#ended.length = 0
  }
}

/** Those that have gone on longest, so that the list is quiet. */
export const shown = (arena: Arena): readonly Table[] => {
  const tables: Table[] = []
  for (const table of arena.tables.values()) {
    tables.push(table)
    if (tables.length === shownTables) break
  }
  return tables
}
