import { nested } from '../hostile-json.ts'
import { mutate } from '../mutate.ts'
import type { Attack, Scene } from '../scene.ts'
import { HostileSsh } from '../ssh-client.ts'
import { channelRequest, oddPacket, openSession } from '../ssh-packets.ts'

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
          // Later, because ssh2 is in the middle of a step.
          setImmediate(() => resolve())
          return true
        }
      })
      const going = gone.then(() => ssh.wire.leave(luck))
      if (await ssh.ready(1_500))
        await (await ssh.open('ttt --practice'))?.write('{"type":"ping"}\n')
      if (ssh.wire.heard.length > 0) scene.strikes()
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
      scene.strikes()
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
      scene.strikes()
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
        scene.strikes()
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
      const user = luck.pick(['guest', 'game'])
      const ssh = new HostileSsh(scene, { user, key: luck.pick(place.crowd).key })
      if (!(await ssh.ready())) return
      const terminal = {
        cols: luck.oddNumber(),
        rows: luck.oddNumber(),
        term: luck.pick(['xterm-256color', 'dumb', luck.oddText()]),
      }
      // Agents get no terminal.
      const channel = await (user === 'game'
        ? ssh.open(luck.pick(['', 'ttt']))
        : ssh.open(luck.pick(['', 'matches --limit 500']), terminal))
      if (channel !== undefined) scene.strikes()
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
  {
    name: 'sessions that ask for odd things',
    weight: 4,
    run: async scene => {
      const { luck } = scene
      const ssh = logIn(scene)
      if (!(await ssh.ready())) return
      scene.strikes()
      const sessions = luck.from(1, 3)
      for (let i = 0; i < sessions; i++) ssh.packet(openSession(luck, i))
      for (let times = luck.from(1, 30); times > 0 && ssh.wire.open; times--) {
        ssh.packet(channelRequest(luck, luck.roll(sessions)))
        if (luck.once(5)) await ssh.wire.rest(luck.from(0, 30))
      }
      await ssh.wire.rest(luck.from(0, 300))
      await ssh.wire.leave(luck)
    },
  },
  {
    name: 'a thousand channels, and no session',
    run: async scene => {
      const { luck } = scene
      const ssh = logIn(scene)
      if (!(await ssh.ready())) return
      scene.strikes()
      const odd = luck.once(2)
      for (let i = luck.from(100, 1_500); i > 0 && ssh.wire.open; i--) {
        ssh.packet(odd ? oddPacket(luck) : openSession(luck, i))
        if (i % 200 === 0) await ssh.wire.rest(luck.pick([0, 1, 20]))
      }
      await ssh.wire.rest(luck.from(0, 500))
      await ssh.wire.leave(luck)
    },
  },
  {
    name: 'new keys, again and again',
    run: async scene => {
      const { luck } = scene
      const ssh = logIn(scene)
      if (!(await ssh.ready())) return
      const channel = await ssh.open(luck.pick(['ttt --practice', 'help', '', 'matches']))
      channel?.resume()
      for (let times = luck.from(1, 100); times > 0 && ssh.wire.open; times--) {
        if (ssh.rekey()) scene.strikes()
        if (luck.once(3)) channel?.write(luck.pick(['{"type":"ping"}\n', '?', 'q', '\x0c']))
        await ssh.wire.rest(luck.pick([0, 0, 5, 30]))
      }
      // The last one may not finish.
      await ssh.wire.leave(luck)
    },
  },
  {
    name: 'logged in, and nothing more',
    run: async scene => {
      const { luck } = scene
      const ssh = logIn(scene)
      if (!(await ssh.ready())) return
      scene.strikes()
      const { client } = ssh
      const ways: (() => void)[] = [
        () => client.forwardIn('', luck.roll(65_536), () => {}),
        () => client.forwardOut('127.0.0.1', 1, luck.pick(['127.0.0.1', '::1', '']), 22, () => {}),
        () => client.openssh_forwardInStreamLocal('/tmp/x', () => {}),
        () => client.openssh_forwardOutStreamLocal('/dev/null', () => {}),
        () => client.subsys(luck.pick(['sftp', luck.oddText()]), () => {}),
        () => client.exec('ttt', { x11: true }, () => {}),
        () => client.openssh_noMoreSessions(() => {}),
      ]
      for (let times = luck.roll(8); times > 0 && ssh.wire.open; times--) {
        attempt(luck.pick(ways))
        await ssh.wire.rest(luck.from(0, 60))
      }
      await ssh.wire.rest(luck.from(0, 500))
      await ssh.wire.leave(luck)
    },
  },
  {
    name: 'lines without end, and what is no text',
    run: async scene => {
      const { luck } = scene
      const ssh = logIn(scene, 'game')
      if (!(await ssh.ready())) return
      const channel = await ssh.open(luck.pick(['ttt', 'echo --practice', '']))
      if (channel === undefined) return
      scene.strikes()
      const piece = luck.pick([
        () => Buffer.alloc(luck.from(1, 40_000), 'x'),
        () => Buffer.from(nested(luck, '[', ']')),
        () => luck.bytes(luck.from(1, 3_000)),
        () => Buffer.from('\r\n'.repeat(luck.from(1, 5_000))),
        () => Buffer.from([0x7b, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf8, 0x0a]),
      ])()
      for (let times = luck.from(1, 60); times > 0 && ssh.wire.open; times--) {
        channel.write(piece)
        if (luck.once(4)) await ssh.wire.rest(luck.from(0, 20))
      }
      if (luck.once(2)) channel.end()
      await ssh.wire.rest(luck.from(0, 300))
      await ssh.wire.leave(luck)
    },
  },
  {
    name: 'SSH that would rather be compressed',
    run: async scene => {
      const { luck } = scene
      const ssh = new HostileSsh(scene, { user: 'guest', compress: ['zlib', 'zlib@openssh.com'] })
      if (await ssh.ready(1_000)) await packets(scene, ssh)
      else {
        if (ssh.wire.heard.length > 0) scene.strikes()
        await ssh.wire.leave(luck)
      }
    },
  },
]

/** The client of ssh2 throws on a closed connection. */
const attempt = (something: () => void) => {
  try {
    something()
  } catch {
    // The connection was already closed.
  }
}

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

const packets = async (scene: Scene, ssh: HostileSsh) => {
  const { luck } = scene
  if (ssh.wire.open) scene.strikes()
  for (let times = luck.from(1, 60); times > 0 && ssh.wire.open; times--) {
    ssh.packet(oddPacket(luck))
    if (luck.once(4)) await ssh.wire.rest(luck.from(0, 20))
  }
  await ssh.wire.rest(luck.from(0, 250))
  await ssh.wire.leave(luck)
}
