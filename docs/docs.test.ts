// What the documents say is held against what there is: their commands are run, their matches played again.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unratedReasons } from '../src/arena/unrated.ts'
import { settings } from '../src/config.ts'
import { removedSettings } from '../src/constants.ts'
import { codes } from '../src/protocols/agentgames/codes.ts'
import { Host } from '../test/support/host.ts'
import { NewUser } from '../test/support/new-user.ts'
import type { ScriptedAgent } from '../test/support/scripted-agent.ts'
import { SshAgent } from '../test/support/ssh-agent.ts'
import { type Heard, WebSocketAgent } from '../test/support/websocket-agent.ts'
import { workingTree } from '../test/support/working-tree.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = [
  ...[
    'README.md',
    'examples/README.md',
    'client/README.md',
    'clients/mcp/README.md',
    'clients/python/README.md',
    'deploy/README.md',
    'CHANGELOG.md',
  ],
  ...['docs', 'docs/protocols'].flatMap(folder =>
    readdirSync(join(root, folder))
      .filter(name => name.endsWith('.md'))
      .map(name => `${folder}/${name}`),
  ),
]
const blocks = documents.flatMap(document =>
  [...read(document).matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => ({
    document,
    language: language!,
    text: text!,
    title: `${document}: ${text!.split('\n')[0]!.slice(0, 60)}`,
  })),
)
const inLanguage = (language: string) => blocks.filter(block => block.language === language)

it('every block is of a kind that is tested, or of one that shows a terminal elsewhere', () => {
  // The requests are those of docs/skill.md, which has a test of its own.
  for (const { language, title } of blocks)
    expect(['sh', 'ts', 'python', 'json', 'text', 'console', 'http'], title).toContain(language)
})

it.each(documents)('%s: every link leads somewhere', document => {
  for (const [, path, anchor] of read(document).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)) {
    const target = path === '' ? document : join(dirname(document), path!)
    expect(existsSync(join(root, target)), target).toBe(true)
    const headings = target.endsWith('.md') ? [...read(target).matchAll(/^#+ (.*)$/gm)] : []
    const anchors = headings.map(([, title]) => title!.toLowerCase().replaceAll(' ', '-'))
    if (anchor !== '') expect(anchors, `${target}#${anchor}`).toContain(anchor)
  }
})

// npm has a package called agentbbs that is not ours: installing it would run a stranger's program.
it('no file asks npm for the package of a stranger', () => {
  const stranger =
    /\bnpx[^`'"\n]* agentbbs\b|(?<![@\w])agentbbs\/client|(from|import\() ?['"]agentbbs['"]/
  const asking = workingTree().flatMap(path =>
    read(path)
      .split('\n')
      .filter(line => stranger.test(line))
      .map(line => `${path}: ${line}`),
  )
  expect(asking).toEqual([])
})

const rows = (document: string) =>
  [...read(document).matchAll(/^\| +(.*?) +\|$/gm)].map(([, row]) => row!.split(/ +\| +/))

it('docs/settings.md has every setting, its default, its meaning and when to change it', () => {
  const listed = rows('docs/settings.md').filter(([name]) => /^`[A-Z_]+`$/.test(name!))
  const standard = (text: string) => (text === hostname() ? "the machine's name" : `\`${text}\``)
  const all = Object.values(settings)
  expect(listed.slice(0, all.length)).toEqual(
    all.map(setting => [
      `\`${setting.variable}\``,
      standard(setting.standard),
      setting.meaning,
      expect.stringMatching(/\w{3}/),
    ]),
  )
  expect(listed.slice(all.length)).toEqual(
    [...removedSettings].map(([variable, reason]) => [`\`${variable}\``, reason]),
  )
})

it('docs/README.md leads to every document and every starter agent', () => {
  const linked = [...read('docs/README.md').matchAll(/\]\(([^)#]*)/g)].map(([, path]) =>
    join('docs', path!),
  )
  const files = ['docs', 'docs/protocols', 'examples']
    .flatMap(folder => readdirSync(join(root, folder)).map(name => `${folder}/${name}`))
    .filter(path => /\.(md|ts|py|sh)$/.test(path) && !path.endsWith('.test.ts'))
  expect(linked).toEqual(expect.arrayContaining(files.filter(path => path !== 'docs/README.md')))
})

it('docs/protocol.md has every reason why a match is not rated', () => {
  const section = read('docs/protocol.md')
    .split('### Matches that are not rated')[1]!
    .split('\n#')[0]!
  const listed = [...section.matchAll(/^\| `([^`]+)` /gm)].map(([, reason]) => reason)
  expect(listed.slice(1)).toEqual(Object.keys(unratedReasons))
})

it('docs/protocol.md has every error code, and whether it ends the connection', () => {
  const listed = rows('docs/protocol.md').filter(([, ends]) => /^(yes|no)$/.test(ends!))
  expect(listed.map(([code]) => code)).toEqual(Object.keys(codes).map(code => `\`${code}\``))
  for (const [code, ends] of listed)
    if (codes[code!.slice(1, -1) as keyof typeof codes].includes('ends the connection'))
      expect(ends, code).toBe('yes')
})

describe('a stranger', () => {
  let stranger: NewUser
  let ports: readonly [ssh: string, http: string]

  beforeAll(async () => {
    stranger = new NewUser({
      AGENTBBS_ADDR: '127.0.0.1:0',
      AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0',
      AGENTBBS_HOST: '127.0.0.1',
    })
    const [ssh, http] = await stranger.start(
      'npm start',
      /ssh .*-p (\d+) game@/,
      /ws:\/\/127\.0\.0\.1:(\d+)\/play/,
    )
    ports = [ssh![1]!, http![1]!]
    stranger.env.AGENTBBS_PORT = ports[0]
    stranger.env.AGENTBBS_URL = `ws://127.0.0.1:${ports[1]}/play`
  })

  afterAll(() => stranger.leave())

  /** Whose running this is. */
  const underWay = /^npm (start|test|run check)\b.*$/gm
  const here = (text: string) =>
    text
      .replace(underWay, '')
      // At a terminal one answers yes to the host key of a host that is new.
      .replace(/^ssh -p/gm, 'ssh -o StrictHostKeyChecking=accept-new -p')
      .replaceAll('2222', ports[0])
      .replaceAll('8090', ports[1])

  // What docs/operating.md has takes a machine of its own, and a season takes rated matches. All are run by other tests.
  const elsewhere = ['docs/operating.md', 'docs/protocols/loa-skill.md', 'docs/seasons.md']
  const forStrangers = inLanguage('sh').filter(({ document }) => !elsewhere.includes(document))

  it.each(forStrangers)('runs $title', async ({ text }) => {
    const { code, out, err } = await stranger.run(here(text))
    expect(code, `${text}\n${out}${err}`).toBe(0)
    if (/^ssh /m.test(text)) expect(out).toContain('ladder')
    if (text.includes('examples/agent')) expect(out).toMatch(/^match \d+: (win|loss|draw) /m)
  })

  it.each(inLanguage('ts'))('runs $title', async ({ text }) => {
    const program = text.replace(/(http|ws)s:\/\/HOST/, `$1://127.0.0.1:${ports[1]}`)
    writeFileSync(join(stranger.clone, 'agent.ts'), `${program}\nconsole.log(results.length)\n`)
    const agents = ['agent-alice', 'agent-bob'].map(async name => {
      await stranger.run(`cmd/agentbbs add-user ${name}`)
      return stranger.run(
        `export AGENTBBS_TOKEN=$(cmd/agentbbs mint-token ${name} --json | node -p 'JSON.parse(fs.readFileSync(0)).token')
        npx tsx agent.ts`,
      )
    })
    for (const { out, err } of await Promise.all(agents)) expect([out, err]).toEqual(['20\n', ''])
  })

  it.each(inLanguage('python'))('runs $title', async ({ text, document }) => {
    const program = text.replace(/(http|ws)s:\/\/HOST/, `$1://127.0.0.1:${ports[1]}`)
    writeFileSync(join(stranger.clone, 'agent.py'), program)
    const { code, out, err } = await stranger.run(
      `PYTHONPATH=${dirname(document)} python3 -W error agent.py`,
    )
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^(win|loss|draw) \w/m)
  })
})

describe('a transcript', () => {
  let host: Host

  beforeAll(async () => {
    host = await Host.start()
  })

  afterAll(() => host.stop())

  const moves: Record<string, (observation: Heard['observation'], seat: number) => unknown> = {
    ttt: ({ board }) =>
      ['4', '0', '2', '1', '6'][board.filter((cell: string) => cell !== '.').length],
    echo: ({ round }, seat) => (round === 1 ? { number: [7, 3][seat] } : undefined),
  }

  /** All that one side of a match says and hears; it resigns when its script ends. */
  const side = async (agent: ScriptedAgent, game: string): Promise<string[]> => {
    const lines: string[] = []
    let seat = 0
    for (;;) {
      const message = await agent.next()
      lines.push(`← ${JSON.stringify(message)}`)
      if (message.type === 'hello') seat = message.player
      if (message.type === 'result') return lines
      if (message.type !== 'state' || !message.yourTurn) continue
      const move = moves[game]!(message.observation, seat)
      if (move === undefined) agent.say({ type: 'resign' })
      else {
        lines.push(`→ ${JSON.stringify({ type: 'move', move })}`)
        agent.move(move)
      }
    }
  }

  /** Without what differs from match to match. */
  const plain = (line: string) =>
    line
      .replace(/"opponent":"[^"]*"/, '"opponent":"…"')
      .replace(/"match":\d+/, '"match":1')
      .replace(/"timeLeft":\d+/, '"timeLeft":15000')

  const linesOf = (text: string) => text.split('\n').filter(line => /^[←→]/.test(line))
  const transcripts = inLanguage('text').filter(({ text }) => text.includes('← {"type":"hello"'))

  it('is there for the README and for the protocol', () => {
    expect(transcripts.map(({ document }) => document)).toEqual([
      'README.md',
      'docs/protocol.md',
      'docs/protocol.md',
    ])
  })

  it.each(transcripts)('goes the same way again: $title', async ({ document, text }) => {
    const { game, player } = JSON.parse(/← ({"type":"hello".*)/.exec(text)![1]!)
    const name = `agent-${transcripts.findIndex(block => block.text === text)}`
    const [one, other] = [await host.account(`${name}a`), await host.account(`${name}b`)]
    const sides = await Promise.all([
      side(new SshAgent(host.sshArgs(one.key, game)), game),
      side(
        new WebSocketAgent(host.playUrl(`?game=${game}`), {
          headers: { Authorization: `Bearer ${other.token}` },
        }),
        game,
      ),
    ])
    const written = linesOf(text).map(plain)
    const played = sides.find(lines => lines[1]!.includes(`"player":${player}`))!
    expect(played.slice(0, written.length).map(plain), document).toEqual(written)
  })
})
