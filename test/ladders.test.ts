import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provisionalBelow } from '../src/arena/rating.ts'
import { systemClock } from '../src/clock.ts'
import { ladder } from '../src/queries/ladder.ts'
import { FairScheduler } from '../src/scheduling/fair-scheduler.ts'
import { TextStreamer } from '../src/scheduling/text-stream.ts'
import { openWeb } from '../src/web/web.ts'
import { TestHub } from './support/test-hub.ts'

/** One row of a ladder: rank or "–", name, rating with its mark. */
type Line = readonly [rank: string, name: string, rating: string]

const perPage = 50
let hub: TestHub
let url = ''
let close = () => {}

/** Two pages: 51 ranked accounts, four of which share a rank, and then provisional accounts. */
const expected: readonly Line[] = [
  ['1', 'agent-0', '1900'],
  ['2', 'agent-1', '1850'],
  // Equal ratings: the older account first.
  ...[2, 3, 4, 5].map((n): Line => ['3', `agent-${n}`, '1800']),
  ...Array.from({ length: 45 }, (_, n): Line => [`${n + 7}`, `agent-${n + 6}`, `${1790 - n * 10}`]),
  ['–', 'one-game', '2216?'],
  ['–', 'new-a', '1500?'],
  ['–', 'new-b', '1500?'],
]
const people: readonly Line[] = [
  ['1', 'agent-50', '1600'],
  ['–', 'person', '1700?'],
]

beforeAll(async () => {
  hub = await TestHub.open()
  const { store } = hub
  const put = store.db.file.prepare(
    `insert into ratings (account, ladder, rating, games, wins, losses, draws, lead) values (?, ?, ?, ?, ?, 0, 0, 0)`,
  )
  const rate = (name: string, rating: number, games = provisionalBelow, on = 'ttt') => {
    const account = store.users.find(name)?.id ?? hub.account(name).id
    put.run(account, on, rating, games, games)
    return account
  }
  for (const [, name, rating] of expected)
    if (name.startsWith('agent')) rate(name, Number(rating) + 0.4)
  // Not in the order of the names, and with accounts that are on no ladder.
  rate('new-a', 1500, 1)
  rate('new-b', 1500, provisionalBelow - 1)
  rate('one-game', 2216.4, 1)
  store.users.ban(rate('banned', 2500), 'cheating')
  store.users.ban(rate('banned-new', 2500, 1), 'cheating')
  rate('never-played', 2500, 0)
  rate('agent-50', 1600, provisionalBelow, 'ttt+people')
  rate('person', 1700, 1, 'ttt+people')
  const practice = {
    game: 'ttt',
    seed: 1,
    accounts: [store.users.find('new-a')!.id, store.users.house('house-easy').id],
    unrated: 'practice against the house',
    startedAt: 0,
  } as const
  const outcome = { ending: 'rules', places: [2, 1], faults: [null, null], detail: 'so' } as const
  await hub.keep(practice, outcome, [])
  const web = openWeb({
    arena: hub.arena,
    store,
    matchStore: store.matchStore,
    clock: hub.clock,
    host: 'bbs.example',
    place: { sshHost: 'bbs.example', sshPort: 2222, play: 'wss://bbs.example/play' },
    registration: 'closed',
    textStreamer: new TextStreamer(new FairScheduler(), systemClock, {
      left: () => 0,
      use: () => {},
    }),
    log: pino({ level: 'silent' }),
  })
  const server = createServer(
    (request, response) => void web.listener(request, response, undefined),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  close = () => {
    web.close()
    server.close()
    server.closeAllConnections()
  }
})
afterAll(async () => {
  close()
  await hub.close()
})

/** The rows of a printed table: rank, name, rating. */
const linesOf = (text: string): readonly Line[] =>
  [...text.matchAll(/^\W*?(\d+|-|–) +([a-z][\w-]+) +(\d+\??)/gm)].map(
    ([, rank, name, rating]) => [rank === '-' ? '–' : rank!, name!, rating!] as const,
  )

const command = async (...args: string[]): Promise<string> => {
  const printed: string[] = []
  const { clock, store } = hub
  const context = {
    env: {},
    clock,
    width: undefined,
    store,
    print: (text: string) => printed.push(text),
    stream: () => Promise.reject(new Error('no ladder is so long')),
  }
  await ladder(context).parseAsync(args, { from: 'user' })
  return printed.join('\n')
}

const ofJson = (
  rows: readonly { rank: number | null; provisional: boolean; name: string; rating: number }[],
): readonly Line[] =>
  rows.map(({ rank, provisional, name, rating }) => [
    rank === null ? '–' : String(rank),
    name,
    `${Math.round(rating)}${provisional ? '?' : ''}`,
  ])

/** A page of a ladder as each interface shows it. */
const faces: Record<string, (on: string, page: number) => Promise<readonly Line[]>> = {
  'the command': async (on, page) =>
    linesOf(await command(on, '--limit', `${perPage}`, '--page', `${page}`)),
  'the JSON of the command': async (on, page) =>
    ofJson(JSON.parse(await command(on, '--json', '--limit', `${perPage}`, '--page', `${page}`))),
  'a command over SSH': async (on, page) => {
    const command = `ladder ${on} --limit ${perPage} --page ${page}`
    const client = hub.connect(null, 80, 24, { screen: null, command })
    await hub.settle()
    return linesOf(client.sent)
  },
  'the hub': async (on, page) => {
    const client = hub.connect(null, 100, 70)
    const open = on === 'ttt' ? ['<enter>'] : ['<down>', '<enter>']
    const text = await client.type('l', ...open, ...Array(page - 1).fill(']'))
    await client.type('q')
    return linesOf(text)
  },
  'the pages': async (on, page) => {
    const text = await (await fetch(`${url}/ladder/${on}?page=${page}`)).text()
    const row = /<tr><td>([^<]*)<th scope="row"><a [^>]*>([^<]*)<\/a><td><b>(.*?)<\/b>/g
    return [...text.matchAll(row)].map(
      ([, rank, name, rating]) => [rank!, name!, rating!.replace(/<.*?>/g, '')] as const,
    )
  },
  'the API': async (on, page) => {
    const answer = await fetch(`${url}/api/v1/ladder/${on}?page=${page}`)
    return ofJson(((await answer.json()) as { agents: Parameters<typeof ofJson>[0] }).agents)
  },
}

describe('a ladder', () => {
  it.each(Object.keys(faces))('has the same order everywhere: %s', async name => {
    const face = faces[name]!
    expect(await face('ttt', 1)).toEqual(expected.slice(0, perPage))
    expect(await face('ttt', 2)).toEqual(expected.slice(perPage))
    expect(await face('ttt+people', 1)).toEqual(people)
  })

  it('never says on a later page that there are no ranked agents', async () => {
    const pageOf = async (n: number) => (await fetch(`${url}/ladder/ttt?page=${n}`)).text()
    const second = await pageOf(2)
    expect(second).toContain('agent-50')
    expect(second).not.toContain('class="empty"')
    expect(await pageOf(3)).toContain('The ladder has fewer pages')
  })

  it('takes its top agents from the same order', async () => {
    const front = await (await fetch(url)).text()
    const [list] = front.match(/<section class="top-list">.*?<\/section>/s)!
    expect([...list.matchAll(/agent\/([\w-]+)"/g)].map(([, name]) => name)).toEqual(
      expected.slice(0, 5).map(([, name]) => name),
    )
    expect(await (await fetch(`${url}/ladder`)).text()).toMatch(/ladder\/ttt">.*?agent\/agent-0"/)
    expect(await hub.connect(null, 100, 40).type('l')).toMatch(/ttt .*agent-0 1900/)
  })
})
