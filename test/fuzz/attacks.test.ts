import { createHash } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHostKey } from '../../src/wire/host-key.ts'
import { dataFolder } from '../support/data-folder.ts'
import { bytes } from './attacks/bytes.ts'
import { http } from './attacks/http.ts'
import { webSocket } from './attacks/websocket.ts'
import { attacks } from './attacks.ts'
import { oddLine } from './hostile-json.ts'
import { Luck, seedOf } from './luck.ts'
import { type Place, Scene } from './scene.ts'
import { channelRequest, oddPacket, openSession } from './ssh-packets.ts'
import type { Wire } from './wire.ts'

/** Reads everything, and sends nothing. */
const deaf = createServer(socket => taken.add(socket.on('error', () => {}).resume()))
const taken = new Set<Socket>()
let port: number
beforeAll(async () => {
  await new Promise<void>(resolve => deaf.listen(0, '127.0.0.1', resolve))
  port = (deaf.address() as { port: number }).port
})
afterAll(() => {
  for (const socket of taken) socket.destroy()
  deaf.close()
})

const seeds = Array.from({ length: 20 }, (_, n) => seedOf(601, n))

it.each([...bytes, ...http, ...webSocket])(
  'the same seed makes the same attack: $name',
  async attack => {
    const made = async (seed: number) => {
      const scene = new Rehearsal(place(), new Luck(seed))
      await attack.run(scene)
      scene.clear()
      return scene.plan
    }
    const plans = []
    for (const seed of seeds.slice(0, 4)) {
      const plan = await made(seed)
      expect(await made(seed)).toBe(plan)
      plans.push(plan)
    }
    // Another seed makes another attack.
    expect(new Set(plans).size).toBeGreaterThan(1)
  },
)

it.each([
  ['a packet', (luck: Luck) => oddPacket(luck)],
  ['a request', (luck: Luck) => channelRequest(luck, 0)],
  ['a session', (luck: Luck) => openSession(luck, 0)],
  ['a line', (luck: Luck) => oddLine(luck)],
])('the same seed makes the same of %s', (_, make) => {
  const made = seeds.map(seed => make(new Luck(seed)))
  expect(seeds.map(seed => make(new Luck(seed)))).toEqual(made)
  expect(new Set(made.map(String)).size).toBeGreaterThan(1)
})

it('each attack has its own name', () => {
  const names = attacks.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

/** An attack that only records its addresses and bytes: it sends nothing and does not wait. */
class Rehearsal extends Scene {
  readonly #hash = createHash('sha256')

  get plan(): string {
    return this.#hash.digest('hex')
  }

  override dial(door: 'ssh' | 'http', from?: string): Wire {
    const wire = super.dial(door, from)
    this.#hash.update(`${door} from ${wire.from} `)
    wire.send = what => void this.#hash.update(what)
    wire.rest = async () => {}
    wire.hears = async () => true
    return wire
  }
}

const place = (): Place => {
  const key = openHostKey(dataFolder())
  return {
    ...{ ssh: port, http: port },
    crowd: ['one', 'other'].map(name => ({ name, token: `token of ${name}`, key })),
    recordings: {
      ssh: ['SSH-2.0-x\r\n', 'and what follows'].map(text => Buffer.from(text)),
      webSocket: ['GET /play HTTP/1.1\r\nHost: x\r\n\r\n', 'frames'].map(text => Buffer.from(text)),
      http: [Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
      lines: ['{"type":"ping"}'],
    },
  }
}
