// Random and broken bytes, on either port.

import { mutate } from '../mutate.ts'
import type { Attack, Scene } from '../scene.ts'

const door = ({ luck }: Scene) => luck.pick(['ssh', 'http'] as const)

const all = ({ place: { recordings } }: Scene) => [
  ...[Buffer.concat(recordings.ssh), Buffer.concat(recordings.webSocket)],
  ...recordings.http,
  Buffer.from(recordings.lines.join('\n')),
]

export const bytes: readonly Attack[] = [
  {
    name: 'random bytes',
    run: async scene => {
      const { luck } = scene
      const wire = scene.dial(door(scene))
      await wire.trickle(luck, luck.bytes(luck.pick([0, 1, 7, 100, 3_000, 20_000])))
      await wire.rest(luck.from(0, 300))
      await wire.leave(luck)
    },
  },
  {
    name: 'a recording, changed',
    weight: 3,
    run: async scene => {
      const { luck } = scene
      const where = door(scene)
      const { ssh, webSocket, http } = scene.place.recordings
      const played =
        where === 'ssh'
          ? Buffer.concat(ssh)
          : luck.once(2)
            ? Buffer.concat(webSocket)
            : luck.pick(http)
      const wire = scene.dial(where)
      await wire.trickle(luck, mutate(luck, played, all(scene)))
      await wire.rest(luck.from(0, 400))
      await wire.leave(luck)
    },
  },
  {
    name: 'a recording, left in the middle',
    weight: 2,
    run: async scene => {
      const { luck } = scene
      const where = door(scene)
      const { ssh, webSocket } = scene.place.recordings
      const writes = where === 'ssh' ? ssh : webSocket
      const wire = scene.dial(where)
      for (const write of writes.slice(0, luck.from(0, writes.length))) {
        wire.send(write)
        await wire.rest(luck.pick([0, 5, 40]))
      }
      await wire.leave(luck)
    },
  },
  {
    name: 'the words of the other port',
    run: async scene => {
      const { luck } = scene
      const wire = scene.dial(door(scene))
      await wire.trickle(luck, luck.pick(all(scene)))
      await wire.leave(luck)
    },
  },
  {
    name: 'many that say nothing',
    run: async scene => {
      const { luck } = scene
      const from = luck.address()
      const where = door(scene)
      const wires = luck.list(5, 40, () => scene.dial(where, from))
      await wires[0]!.rest(luck.from(10, 1_500))
      await Promise.all(wires.map(wire => wire.leave(luck)))
    },
  },
  {
    name: 'a byte at a time',
    run: async scene => {
      const { luck } = scene
      const where = door(scene)
      const { ssh, webSocket, http } = scene.place.recordings
      const slow =
        where === 'ssh' ? Buffer.concat(ssh) : luck.pick([...http, Buffer.concat(webSocket)])
      const wire = scene.dial(where)
      for (let at = 0; at < Math.min(slow.length, 400) && wire.open; at++) {
        wire.send(slow.subarray(at, at + 1))
        await wire.rest(luck.pick([0, 1, 10]))
      }
      await wire.leave(luck)
    },
  },
]
