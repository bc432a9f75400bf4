import type { ServerResponse } from 'node:http'
import type { RoomId } from '../../arena/room-setup.ts'
import type { Clock, Timer } from '../../clock.ts'
import type { PartyTable, PartyTables } from '../../matchmaking/party-tables.ts'
import type { Rooms } from '../../matchmaking/rooms.ts'
import { tableBody } from '../../record/table-record.ts'
import { encodeEvent, Stream } from './stream.ts'

/** How often changes are sent, in milliseconds. */
const sendInterval = 1_000

export interface TablePlaces {
  readonly rooms: Pick<Rooms, 'tables' | 'watch'>
  readonly parties: Pick<PartyTables, 'tables' | 'watch'>
}

/** What changes at tables: the rooms in which something has, and the tables that players have set up. Nothing of it is kept. */
export class TableFeed {
  readonly #clock: Clock
  readonly #stream: Stream
  readonly #stopWatching: readonly (() => void)[]
  readonly #rooms = new Set<RoomId>()
  readonly #tables = new Set<PartyTable>()
  readonly #removed = new Set<string>()
  #timer: Timer | null = null

  constructor({ rooms, parties }: TablePlaces, clock: Clock) {
    this.#clock = clock
    this.#stream = new Stream(clock, () => this.#forget())
    this.#stopWatching = [
      rooms.watch(event => {
        if (event.kind === 'changed') this.#note(() => this.#rooms.add(event.room))
      }),
      parties.watch(({ kind, table }) =>
        this.#note(() => {
          if (kind !== 'removed') this.#tables.add(table)
          else {
            this.#tables.delete(table)
            this.#removed.add(table.code)
          }
        }),
      ),
    ]
  }

  /** Begins with an event that says nothing: what was before is for other requests. */
  watch(response: ServerResponse): void {
    const first = encodeEvent('tables', null, { rooms: [], tables: [], removed: [] })
    this.#stream.open(response, this.#stream.next, [first])
  }

  get clientCount(): number {
    return this.#stream.clientCount
  }

  close(): void {
    for (const stop of this.#stopWatching) stop()
    this.#stream.cut()
  }

  #note(change: () => void): void {
    if (this.clientCount === 0) return
    change()
    this.#timer ??= this.#clock.after(sendInterval, () => this.#send())
  }

  #send(): void {
    this.#stream.sendNow('tables', {
      rooms: [...this.#rooms],
      tables: [...this.#tables].map(tableBody),
      removed: [...this.#removed],
    })
    this.#forget()
  }

  #forget(): void {
    this.#timer?.cancel()
    this.#timer = null
    this.#rooms.clear()
    this.#tables.clear()
    this.#removed.clear()
  }
}
