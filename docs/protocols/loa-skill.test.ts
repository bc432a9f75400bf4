// Every example of the guide, against a host.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settings } from '../../src/config.ts'
import { moveRefusals, refusals } from '../../src/protocols/loa/codes.ts'
import { Host } from '../../test/support/host.ts'
import { LoaAgent } from '../../test/support/loa-agent.ts'
import type { Heard } from '../../test/support/websocket-agent.ts'

const guide = readFileSync(new URL('loa-skill.md', import.meta.url), 'utf8')

/** By heading: what the guide says there, and its blocks of code. */
const sections = new Map(
  guide.split(/^#+ /m).map(section => {
    const [title = '', ...lines] = section.split('\n')
    const text = lines.join('\n')
    const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({
      language: language!,
      text: text!,
    }))
    return [title, { text, blocks }]
  }),
)
const textsIn = (title: string, language: string): readonly string[] =>
  sections
    .get(title)!
    .blocks.filter(block => block.language === language)
    .map(({ text }) => text.trimEnd())
/** A block of JSON has one object, or one in each line. */
const examples = (title: string): readonly Heard[] =>
  textsIn(title, 'json')
    .flatMap(text => (text.startsWith('{\n') ? [text] : text.split('\n')))
    .map(text => JSON.parse(text) as Heard)

let host: Host
let served: string
const keys = new Map<string, string>()

/** Runs a block of shell commands as the guide of the host has it. */
const run = async (title: string, at: number) => {
  const block = sections.get(title)!.blocks[at]!.text
  const base = `http://127.0.0.1:${host.http}/loa`
  const script = block
    .replace('https://HOST/loa', base)
    .replace('YOUR_API_KEY', keys.get('Nova') ?? '')
  const { stdout } = await promisify(execFile)('sh', ['-c', script])
  return JSON.parse(stdout)
}

const agentOf = async (name: string, seed = 1) => {
  let key = keys.get(name)
  if (key === undefined) {
    key = (await host.account(name)).token
    keys.set(name, key)
  }
  return LoaAgent.as(key, host.http, seed)
}

/** Seated at a match of this game: each with its first board, in the order of the seats. */
const seated = async (game: string, names: readonly string[]) => {
  const agents = await Promise.all(names.map(name => agentOf(name)))
  for (const agent of agents) agent.join(game)
  const states = await Promise.all(agents.map(agent => agent.next('game_state')))
  const ids = agents.map(({ heard }) => heard.find(({ type }) => type === 'authenticated')!.agentId)
  return states[0]!.players.map(({ agentId }: Heard) => {
    const at = ids.indexOf(agentId)
    return { agent: agents[at]!, id: agentId as string, state: states[at]! }
  }) as readonly { agent: LoaAgent; id: string; state: Heard }[]
}

/** Makes the move in a turn of its own. */
const make = async (agent: LoaAgent, gameId: string, move: unknown) => {
  await agent.next('your_turn')
  agent.submit(gameId, move)
  expect(await agent.next('move_result'), JSON.stringify(move)).toEqual({
    type: 'move_result',
    success: true,
  })
}

const leave = (players: readonly { agent: LoaAgent }[]) => {
  for (const { agent } of players) agent.webSocket.close()
}

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_REGISTRATION: 'open' })
  served = await (await fetch(`http://127.0.0.1:${host.http}/loa/api/v1/skill.md`)).text()
  keys.set('Nova', (await run('Register', 0)).apiKey)
})

afterAll(() => host?.stop())

it('has less than 8,000 bytes, also as a host with a long name serves it', () => {
  const onHost = guide.replaceAll('//HOST', '//a-host-with-a-long-name.example.org')
  expect(Buffer.byteLength(onHost)).toBeLessThan(8_000)
  expect(served).not.toContain('HOST')
})

it('tells a registered agent who it is', async () => {
  expect(await run('Register', 1)).toMatchObject({ name: 'Nova', agentId: expect.any(String) })
})

describe('the transcript', () => {
  const script = textsIn('Connect and play', 'text').join('\n').split('\n')

  /** What one hears and says in a match of echo, which it wins. */
  const play = async () => {
    const lines: string[] = []
    const nova = await new LoaAgent(host.http).opened()
    const pike = await agentOf('Pike')
    const say = (message: object) => {
      lines.push(`→ ${JSON.stringify(message)}`)
      nova.say(message)
    }
    say({ type: 'authenticate', token: keys.get('Nova')! })
    for (;;) {
      const message = await nova.next()
      lines.push(`← ${JSON.stringify(message)}`)
      const { type, gameId, round } = message
      if (type === 'authenticated') say({ type: 'join_queue', gameType: 'echo' })
      if (type === 'queue_status') pike.join('echo')
      if (type === 'your_turn') {
        say({ type: 'submit_move', gameId, move: { number: round % 2 === 1 ? 9 : 8 } })
        await nova.next('move_result').then(result => lines.push(`← ${JSON.stringify(result)}`))
        await pike.next('your_turn')
        pike.submit(gameId, { number: round % 2 === 1 ? 4 : 3 })
      }
      if (type !== 'game_over') continue
      leave([{ agent: nova }, { agent: pike }])
      return lines
    }
  }

  /** Without what differs from match to match. */
  const plain = (lines: readonly string[]) => {
    const text = lines.join('\n')
    const ids = new Map(
      [...text.matchAll(/"agentId":"([^"]+)","agentName":"(\w+)"/g)].map(([, id, name]) => [
        name!,
        id!,
      ]),
    )
    return text
      .replaceAll(ids.get('Nova')!, 'a-1')
      .replaceAll(ids.get('Pike')!, 'a-2')
      .replaceAll(keys.get('Nova')!, 'YOUR_API_KEY')
      .replace(/"g-\d+"/g, '"g-19"')
      .replace(/"duration":\d+/g, '"duration":3')
      .replace(/"(a-\d)":(179|180)\d{3}/g, '"$1":180000')
      .replace(/"ratings":\{.*?\}\}/g, '"ratings":{}')
      .split('\n')
  }

  it('goes the same way again', async () => {
    const said = script.filter(line => /^[←→]/.test(line))
    expect(said.length).toBeGreaterThan(10)
    const first = said.find(line => line.includes('"type":"game_state"'))!
    let played = plain(await play())
    // The seats change after each match of two agents.
    if (!played.includes(first)) played = plain(await play())
    const written = plain(said)
    expect(played.slice(0, 10)).toEqual(written.slice(0, 10))
    expect(written.filter(line => !played.includes(line))).toEqual([])
  })
})

describe('the moves', () => {
  it.each(['echo', 'blotto'])('of %s are taken', async game => {
    const players = await seated(game, [`${game} one`, `${game} two`])
    const [move] = examples(game)
    for (const { agent, state } of players) await make(agent, state.gameId, move)
    leave(players)
  })

  it('of skill-gomoku are taken, in turn', async () => {
    const players = await seated('skill-gomoku', ['Ada', 'Bert'])
    for (const [turn, move] of examples('skill-gomoku').entries()) {
      const { agent, state } = players[turn % 2]!
      await make(agent, state.gameId, move)
    }
    leave(players)
  })

  it('of dance-battle are taken', async () => {
    const players = await seated('dance-battle', ['Cleo', 'Dirk', 'Emil', 'Fay'])
    for (const { agent, state } of players)
      await make(agent, state.gameId, examples('dance-battle')[0])
    const { publicState } = await players[0]!.agent.next('game_state')
    expect(publicState.agents[0].motto).toBe('still here')
    leave(players)
  })

  it('of resource-rush are taken, also where there is something to harvest', async () => {
    const players = await seated('resource-rush', ['Gil', 'Hal'])
    const [walk, harvest, wait] = examples('resource-rush')
    const [{ agent, id, state: first }, { agent: other }] = players as [
      (typeof players)[0],
      (typeof players)[0],
    ]
    const { gameId } = first
    const tick = async (move: unknown) => {
      await make(agent, gameId, move)
      await make(other, gameId, wait)
      return agent.next('game_state')
    }
    let state = await tick(walk)
    expect(state.extra).toMatchObject({
      memory: walk!.memory,
      playerThoughts: { [id]: walk!.thought },
    })
    // Straight on, and at the next obstacle another way.
    const ways = Object.entries({ east: [1, 0], south: [0, 1], west: [-1, 0], north: [0, -1] })
    while (state.extra.scores[id] === 0) {
      const { grid, playerPositions } = state.extra
      const { x, y } = playerPositions[id]
      const tile = (dx: number, dy: number): number => grid[y + dy]?.[x + dx] ?? 6
      if (tile(0, 0) >= 1 && tile(0, 0) <= 4) state = await tick(harvest)
      else {
        while ([5, 6].includes(tile(ways[0]![1][0]!, ways[0]![1][1]!))) ways.push(ways.shift()!)
        state = await tick({ ...walk, direction: ways[0]![0] })
      }
    }
    leave(players)
  })
})

describe('what the guide says of `extra`', () => {
  it.each(['echo', 'blotto', 'skill-gomoku', 'resource-rush'])(
    'has all fields of %s',
    async game => {
      const agent = await agentOf(`${game} reader`)
      agent.say({ type: 'join_queue', gameType: game, practice: true })
      const { extra } = await agent.next('game_state')
      agent.webSocket.close()
      const text = `${sections.get('The five games')!.text}${sections.get(game)!.text}`
      for (const field of Object.keys(extra))
        expect(text, field).toMatch(new RegExp(`\\b${field}\\b`))
    },
  )
})

it('other games are joined and played as it says', async () => {
  const [join, submit] = examples('More on this host')
  const players = await seated(join!.gameType, ['Kim', 'Lou'])
  const [{ agent, state }] = players as [(typeof players)[0]]
  expect(state.extra.legal).toContain(submit!.move.move)
  expect(state.extra.observation).toBeDefined()
  await make(agent, state.gameId, submit!.move)
  leave(players)
  for (const [game] of sections
    .get('More on this host')!
    .text.split(':')[0]!
    .matchAll(/(?<=`)[a-z0-9-]+(?=`)/g)) {
    const alone = await agentOf('Ida')
    alone.join(game)
    expect(await alone.next()).toMatchObject({ type: 'queue_status', gameType: game })
    alone.webSocket.close()
  }
})

it('practice begins at once, and a match can be watched', async () => {
  const [, , practise, subscribe] = examples('More on this host')
  const agent = await agentOf('Jan')
  agent.say(practise!)
  const { gameId, players } = await agent.next('game_state')
  expect(players.map(({ agentName }: Heard) => agentName)).toContain(`house-${practise!.practice}`)
  const guest = await new LoaAgent(host.http).opened()
  guest.say({ ...subscribe, gameId })
  expect(await guest.next()).toMatchObject({ type: 'game_state', gameId, status: 'active' })
  leave([{ agent }, { agent: guest }])
})

it('quotes errors as they are', () => {
  const quoted = [...guide.matchAll(/`([A-Z][^`]+\.)`/g)].map(([, text]) => text)
  expect(quoted.length).toBeGreaterThan(5)
  const all: readonly string[] = [...Object.values(refusals), ...Object.values(moveRefusals)]
  expect(all).toEqual(expect.arrayContaining(quoted))
})

it('has the times that are set unless the operator changes them', () => {
  const { text } = sections.get('Clocks')!
  expect(text).toContain(
    `You have ${settings.loaFirstMove.standard} for your first move of a match`,
  )
  expect(text).toContain(`and ${settings.loaMove.standard} for each later one`)
})

it('leads to pages that the host shows', async () => {
  const [path] = /\/docs\/examples\/[\w.]+/.exec(guide)!
  for (const page of [path, '/docs/games', '/docs/protocols/league-of-agents'])
    expect((await fetch(`http://127.0.0.1:${host.http}${page}`)).status).toBe(200)
})
