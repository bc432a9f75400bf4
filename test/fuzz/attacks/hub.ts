import type { ClientChannel } from 'ssh2'
import type { Luck } from '../luck.ts'
import { mutate } from '../mutate.ts'
import type { Attack, Scene } from '../scene.ts'
import { logIn } from './ssh.ts'

export const hub: readonly Attack[] = [
  {
    name: 'keys at the hub',
    weight: 5,
    run: scene =>
      visit(scene, async channel => {
        const { luck } = scene
        for (let times = luck.from(1, 60); times > 0 && channel.writable; times--) {
          channel.write(luck.pick(keys)(luck))
          if (luck.once(6)) channel.setWindow(luck.oddNumber(), luck.oddNumber(), 0, 0)
          if (luck.once(3)) await pause(luck.from(0, 60))
        }
      }),
  },
  {
    name: 'soup at the hub',
    weight: 2,
    run: scene =>
      visit(scene, async channel => {
        const { luck } = scene
        const typed = Buffer.concat(luck.list(5, 80, () => Buffer.from(luck.pick(keys)(luck))))
        for (let times = luck.from(1, 6); times > 0 && channel.writable; times--) {
          channel.write(mutate(luck, typed))
          await pause(luck.from(0, 80))
        }
      }),
  },
  {
    name: 'sizes at the hub',
    run: scene =>
      visit(scene, async channel => {
        const { luck } = scene
        for (let times = luck.from(5, 200); times > 0 && channel.writable; times--) {
          channel.setWindow(luck.oddNumber(), luck.oddNumber(), luck.oddNumber(), luck.oddNumber())
          if (luck.once(4)) channel.write(luck.pick(['\t', '\r', 'q', 'l', 'w']))
          if (luck.once(10)) await pause(20)
        }
      }),
  },
  {
    name: 'typed in pieces at the hub',
    weight: 2,
    run: scene =>
      visit(scene, async channel => {
        const { luck } = scene
        const typed = Buffer.concat(
          luck.list(1, 12, () =>
            Buffer.from(
              luck.pick(['é', '囲碁', '👩‍👩‍👧', '\x1b[A', '\x1b[200~x\x1b[201~', 'g', '\r', '?']),
            ),
          ),
        )
        // Each packet ends in the middle of a letter or of a key.
        for (let at = 0; at < typed.length && channel.writable; ) {
          const size = luck.from(1, 3)
          channel.write(typed.subarray(at, at + size))
          at += size
          await pause(luck.pick([0, 1, 60, 120]))
        }
      }),
  },
  {
    name: 'pasted without end at the hub',
    run: scene =>
      visit(scene, async channel => {
        const { luck } = scene
        const paste = luck.pick(['x', 'é', '\x1b[200~', '\r', '\x1b', '\u0301', luck.oddText()])
        channel.write(luck.pick(['\x1b[200~', 'j', '']))
        for (let times = luck.from(1, 40); times > 0 && channel.writable; times--) {
          channel.write(paste.repeat(luck.from(1, 8_000)))
          if (luck.once(2)) await pause(luck.from(0, 40))
        }
      }),
  },
  {
    name: 'commands at the hub',
    weight: 3,
    run: async scene => {
      const { luck } = scene
      const ssh = logIn(scene, luck.pick(['guest', 'join', 'somebody', luck.oddText()]))
      if (!(await ssh.ready())) return
      const channel = await ssh.open(
        oddCommand(luck),
        ...(luck.once(3)
          ? [{ term: 'xterm', cols: luck.oddNumber(), rows: luck.oddNumber() }]
          : []),
      )
      if (channel !== undefined) scene.strikes()
      channel?.resume()
      if (luck.once(3)) channel?.write(luck.pick(['\x03', '\x04', luck.oddText()]))
      if (luck.once(3)) channel?.end()
      await ssh.wire.rest(luck.from(0, 500))
      await ssh.wire.leave(luck)
    },
  },
]

const visit = async (scene: Scene, act: (channel: ClientChannel) => Promise<void>) => {
  const { luck } = scene
  const ssh = logIn(scene, luck.pick(['guest', 'join', 'somebody', 'somebody', luck.oddText()]))
  if (!(await ssh.ready())) return
  const channel = await ssh.open('', {
    term: luck.pick(['xterm-256color', 'xterm', 'vt100', 'dumb', '', luck.oddText()]),
    cols: luck.once(2) ? 80 : luck.oddNumber(),
    rows: luck.once(2) ? 24 : luck.oddNumber(),
  })
  if (channel === undefined) return
  scene.strikes()
  if (luck.once(5)) channel.pause()
  else channel.resume()
  await act(channel)
  if (luck.once(4)) channel.end()
  await ssh.wire.rest(luck.from(0, 150))
  await ssh.wire.leave(luck)
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Keys that open screens, among keys without effect. */
const keys: readonly ((luck: Luck) => string | Buffer)[] = [
  luck => luck.pick([...'?hjklqwpamnsrtgxy+-/ 0123456789']),
  luck =>
    luck.pick(['\r', '\r', '\n', '\t', '\x1b', '\x7f', '\b', ' ', '\x0c', '\x15', '\x17', '\x06']),
  luck => `\x1b[${luck.pick([...'ABCDHFZM'])}`,
  luck =>
    `\x1b[${luck.pick(['5~', '6~', '3~', '1;5A', '1;2C', '200~', '201~', '<0;1;1M', '?1;2c'])}`,
  luck => `\x1b[${luck.oddNumber()};${luck.oddNumber()}${luck.pick([...'mHRncq~'])}`,
  luck => `\x1b]${luck.roll(99)};${luck.oddText()}${luck.pick(['\x07', '\x1b\\', ''])}`,
  luck => `\x1b${luck.pick([...'P_^X[OcN#(%'])}${luck.oddText()}`,
  luck => `\x1b[200~${luck.oddText()}\x1b[201~`,
  luck => luck.oddText(),
  luck => luck.bytes(luck.from(1, 20)),
  luck =>
    `${luck.pick(['fuzz-1', `new-${luck.roll(10_000)}`, 'e2e4', 'ttt', 'a1', '{"number":3}'])}\r`,
]

const oddCommand = (luck: Luck): string => {
  const word = luck.pick([
    'ladder',
    'matches',
    'games',
    'replay',
    'watch',
    'whoami',
    'help',
    luck.oddText(),
  ])
  const argument = () =>
    luck.pick([
      ...[
        'ttt',
        '1',
        '2',
        '--json',
        '--limit',
        '--help',
        '-h',
        '--status',
        'live',
        '--game',
        '--board',
      ],
      ...[
        'fuzz-1',
        '--',
        '-1',
        String(luck.oddNumber()),
        luck.oddText(),
        '--__proto__',
        '--constructor=1',
      ],
    ])
  return [word, ...luck.list(0, 5, argument)].join(luck.pick([' ', ' ', '  ', '\t', '\n']))
}
