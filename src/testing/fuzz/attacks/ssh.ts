import { mutate } from '../mutate.ts'
import type { Attack, Scene } from '../scene.ts'
import { HostileSsh } from '../ssh-client.ts'
import { oddPacket } from '../ssh-packets.ts'

export const ssh: readonly Attack[] = [
  {
    name: 'SSH, left at some packet',
    weight: 3,
    run: async scene => {
      const { luck } = scene
      const ssh = logIn(scene)
      let left = luck.from(0, 14)
      const { socket } = ssh.wire
      const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
      const gone = new Promise<void>(resolve => {
        socket.write = (...args: unknown[]) => {
          if (left-- > 0) return write(...args)
          // Not under the feet of ssh2, which is in the middle of something.
          setImmediate(() => resolve())
          return true
        }
      })
      const going = gone.then(() => ssh.wire.leave(luck))
      if (await ssh.ready(1_500))
        await (await ssh.open('ttt --practice'))?.write('{"type":"ping"}\n')
      await ssh.wire.rest(luck.from(0, 200))
      await Promise.race([going, ssh.wire.leave(luck)])
    },
  },
  {
    name: 'packets before the login',
    weight: 3,
    run: async scene => {
      const { luck } = scene
      const ssh = new HostileSsh(scene, { user: luck.oddText() })
      const shaken = new Promise<void>(resolve => ssh.client.once('handshake', () => resolve()))
      if (luck.once(3)) await ssh.wire.hears('SSH-', 1_000)
      else await Promise.race([shaken, ssh.wire.rest(2_000)])
      await packets(scene, ssh)
    },
  },
  {
    name: 'packets after the login',
    weight: 5,
    run: async scene => {
      const { luck } = scene
      const ssh = logIn(scene)
      if (!(await ssh.ready())) return
      if (luck.once(2)) await ssh.open(luck.pick(['ttt', 'ttt --practice', 'ladder', '']))
      await packets(scene, ssh)
    },
  },
  {
    name: 'SSH with packets changed on their way',
    weight: 3,
    run: async scene => {
      const { luck } = scene
      const ssh = logIn(scene)
      const change = () =>
        ssh.intercept(payload => {
          if (!luck.once(4)) return [payload]
          return luck.pick([
            () => [mutate(luck, payload).subarray(0, 32_000)],
            () => [payload, payload],
            () => [],
            () => [oddPacket(luck), payload],
          ])()
        })
      if (luck.once(2)) ssh.client.once('handshake', change)
      if (!(await ssh.ready(1_500))) return ssh.wire.leave(luck)
      change()
      const channel = await Promise.race([
        ssh.open(luck.pick(['c4 --practice', 'matches', ''])),
        ssh.wire.rest(800).then(() => undefined),
      ])
      for (const line of scene.place.recordings.lines.slice(0, luck.roll(6)))
        channel?.write(`${line}\n`)
      await ssh.wire.rest(luck.from(0, 300))
      await ssh.wire.leave(luck)
    },
  },
  {
    name: 'a flood of channels',
    run: async scene => {
      const { luck } = scene
      const ssh = logIn(scene)
      if (!(await ssh.ready())) return
      const command = luck.pick(['ttt', 'help', '', 'c4 --practice', 'nothing'])
      await Promise.race([
        Promise.all(luck.list(3, 60, () => ssh.open(luck.once(5) ? luck.oddText() : command))),
        ssh.wire.rest(luck.from(10, 1_000)),
      ])
      await ssh.wire.leave(luck)
    },
  },
  {
    name: 'tries to log in',
    run: async scene => {
      const { luck } = scene
      const ssh = new HostileSsh(scene, { user: 'x' })
      ssh.client.once('handshake', () => {
        for (let times = luck.from(1, 12); times > 0; times--)
          ssh.packet(
            Buffer.concat([
              Buffer.from(
                '\x32\0\0\0\x04game\0\0\0\x0essh-connection\0\0\0\x08password\0',
                'latin1',
              ),
              Buffer.from([0, 0, 0, 1, luck.roll(256)]),
            ]),
          )
      })
      await ssh.wire.rest(luck.from(100, 1_500))
      await ssh.wire.leave(luck)
    },
  },
  {
    name: 'SSH that does not read',
    run: async scene => {
      const { luck, place } = scene
      const ssh = new HostileSsh(scene, {
        user: luck.pick(['guest', 'game']),
        key: luck.pick(place.crowd).key,
      })
      if (!(await ssh.ready())) return
      const channel = await ssh.open(luck.pick(['', 'matches --limit 500', 'ttt']), {
        cols: luck.oddNumber(),
        rows: luck.oddNumber(),
        term: luck.pick(['xterm-256color', 'dumb', luck.oddText()]),
      })
      ssh.wire.socket.pause()
      for (let times = luck.from(1, 60); times > 0 && ssh.wire.open; times--) {
        channel?.write(
          luck.pick(['{"type":"ping"}\n'.repeat(500), '\x0c'.repeat(500), '?q'.repeat(50)]),
        )
        await ssh.wire.rest(luck.pick([0, 10, 30]))
      }
      await ssh.wire.leave(luck)
    },
  },
]

export const logIn = (scene: Scene, user?: string): HostileSsh => {
  const { luck, place } = scene
  const name = user ?? luck.pick(['game', 'game', 'join', 'somebody', 'guest', luck.oddText()])
  const key = luck.once(6) && name !== 'game' ? undefined : luck.pick(place.crowd).key
  return new HostileSsh(scene, {
    user: name,
    key,
    cipher: luck.pick(['aes128-gcm@openssh.com', 'chacha20-poly1305@openssh.com', 'aes256-ctr']),
  })
}

const packets = async ({ luck }: Scene, ssh: HostileSsh) => {
  for (let times = luck.from(1, 60); times > 0 && ssh.wire.open; times--) {
    ssh.packet(oddPacket(luck))
    if (luck.once(4)) await ssh.wire.rest(luck.from(0, 20))
  }
  await ssh.wire.rest(luck.from(0, 250))
  await ssh.wire.leave(luck)
}
