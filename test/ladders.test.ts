import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../src/arena/account.ts'
import type { Outcome } from '../src/arena/ending.ts'
import { eventLadder } from '../src/arena/ladder.ts'
import { provisionalBelow } from '../src/arena/rating.ts'
import { ladder } from '../src/queries/ladder.ts'
import { tieBreakText } from '../src/record/rating-text.ts'
import { openHubWeb } from './support/hub-web.ts'
import { outcomes, tttMatch } from './support/played.ts'
import { putStrengths } from './support/strengths.ts'
import { TestHub } from './support/test-hub.ts'

/** One row of a ladder: rank or "–", name, strength with its 95 % interval or "–", rating with its mark. */
type Line = readonly [rank: string, name: string, strength: string, rating: string]

const perPage = 50
let hub: TestHub
let web: Awaited<ReturnType<typeof openHubWeb>>

/** Two pages: 51 ranked accounts, four of which share a rank, and then provisional accounts. Elo has another order. */
const expected: readonly Line[] = [
  ['1', 'agent-0', '1900 ± 9', '1400'],
  ['2', 'agent-1', '1850 ± 40', '1401'],
  // Equal strengths: the older account first.
  ...[2, 3, 4, 5].map((n): Line => ['3', `agent-${n}`, '1800 ± 40', `140${n}`]),
  ...Array.from(
    { length: 43 },
    (_, n): Line => [`${n + 7}`, `agent-${n + 6}`, `${1790 - n * 30} ± 40`, `${1406 + n}`],
  ),
  // No fit has these two yet.
  ['50', 'agent-50', '–', '2000'],
  ['51', 'agent-49', '–', '1900'],
  ['–', 'one-game', '1600 ± 301', '2216?'],
  ['–', 'new-a', '–', '1500?'],
  ['–', 'new-b', '–', '1500?'],
]
const people: readonly Line[] = [
  ['1', 'agent-50', '–', '1600'],
  ['–', 'person', '–', '1700?'],
]

const thinking: readonly Line[] = [
  ['1', 'agent-49', '–', '1620'],
  ['–', 'agent-48', '–', '1516?'],
]

/** A ladder that counts points. */
const cup = eventLadder('ttt', 'spring-cup', { by: 'points', win: 3, draw: 1, loss: 0 })
const cupTable: readonly Line[] = [
  ['1', 'ann', '–', '4'],
  ['2', 'bob', '–', '4'],
  ['3', 'eve', '–', '3'],
  ['4', 'cat', '–', '2'],
  ['4', 'gus', '–', '2'],
  ['4', 'hal', '–', '2'],
  ['7', 'dan', '–', '1'],
  ['8', 'fay', '–', '0'],
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
  // By age, which decides between equals.
  const agents = expected.filter(([, name]) => name.startsWith('agent'))
  for (const [, name, , rating] of agents.sort(([, a], [, b]) => ageOf(a) - ageOf(b)))
    rate(name, Number(rating) + 0.4)
  // Not in the order of the names, and with accounts that are on no ladder.
  rate('new-a', 1500, 1)
  rate('new-b', 1500, provisionalBelow - 1)
  rate('one-game', 2216.4, 1)
  store.users.ban(rate('banned', 2500), 'cheating')
  store.users.ban(rate('banned-new', 2500, 1), 'cheating')
  rate('never-played', 2500, 0)
  rate('agent-50', 1600, provisionalBelow, 'ttt+people')
  rate('person', 1700, 1, 'ttt+people')
  rate('agent-49', 1620, provisionalBelow, 'ttt+thinking')
  rate('agent-48', 1516, 1, 'ttt+thinking')
  const fitted = [
    ...expected,
    ['–', 'banned', '2500 ± 40', ''],
    ['–', 'never-played', '2500 ± 40', ''],
  ]
  const strengths = fitted.flatMap(([, name, strength]) => {
    const [value, error] = strength!.split(' ± ').map(Number)
    return error === undefined ? [] : [[name!, { value: value! + 0.4, error: error - 0.4 }]]
  })
  putStrengths(store, 'ttt', Object.fromEntries(strengths))
  // Nothing on a ladder that counts points.
  putStrengths(store, cup.id, { 'agent-0': { value: 1500, error: 50 } })
  const practice = {
    game: 'ttt',
    seed: 1,
    accounts: [store.users.find('new-a')!.id, store.users.house('house-easy').id],
    unrated: 'practice against the house',
    startedAt: 0,
  } as const
  const outcome = { ending: 'rules', places: [2, 1], faults: [null, null], detail: 'so' } as const
  await hub.keep(practice, outcome, [])
  const keep = (result: Outcome, ...players: readonly Account[]) =>
    hub.keep({ ...tttMatch(...players), ladder: cup }, result, [])
  // Two have 4 points: the one with a win comes first, though its account is younger.
  const [bob, ann, cat, dan, eve, fay, gus, hal] = [
    ...['bob', 'ann', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'],
  ].map(name => hub.account(name))
  await keep(outcomes.firstWins, ann!, dan!)
  await keep(outcomes.draw, ann!, bob!)
  for (const other of [cat!, dan!, cat!]) await keep(outcomes.draw, bob!, other)
  await keep(outcomes.firstWins, eve!, fay!)
  await keep(outcomes.draw, gus!, hal!)
  await keep(outcomes.draw, hal!, gus!)
  web = await openHubWeb(hub)
})
afterAll(async () => {
  web.close()
  await hub.close()
})

const ageOf = (name: string) => Number(name.replace('agent-', ''))

/** The rows of a printed table: rank, name, strength, rating. */
const linesOf = (text: string): readonly Line[] =>
  [...text.matchAll(/^\W*?(\d+|-|–) +([a-z][\w-]+) +(?:(\d+ ± \d+|–) +)?(\d+\??)(?: |$)/gm)].map(
    ([, rank, name, strength = '–', rating]) =>
      [rank === '-' ? '–' : rank!, name!, strength, rating!] as const,
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

// biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
const jsonOf = async (path: string): Promise<any> => (await fetch(web.url + path)).json()

const ofJson = (
  rows: readonly {
    rank: number | null
    provisional: boolean
    name: string
    strength: number | null
    uncertainty: number | null
    rating: number
  }[],
): readonly Line[] =>
  rows.map(({ rank, provisional, name, strength, uncertainty, rating }) => [
    rank === null ? '–' : String(rank),
    name,
    strength === null ? '–' : `${Math.round(strength)} ± ${Math.round(uncertainty!)}`,
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
    const down = ['ttt', 'ttt+thinking', 'ttt+people', cup.id].indexOf(on)
    const open = [...Array(down).fill('<down>'), '<enter>']
    const text = await client.type('l', ...open, ...Array(page - 1).fill(']'))
    await client.type('q')
    return linesOf(text)
  },
  'the pages': async (on, page) => {
    const text = await (await fetch(`${web.url}/ladder/${on}?page=${page}`)).text()
    const row =
      /<tr><td>([^<]*)<th scope="row"><a [^>]*>([^<]*)<\/a>(?:<td>(.*?)<td class="quiet">(.*?))?<td>(.*?)<td>/g
    return [...text.matchAll(row)].map(([, rank, name, strength = '–', error, rating]) => {
      const value = strength.replace(/<.*?>/g, '')
      const shown = value === '–' ? '–' : `${value} ± ${error}`
      return [rank!, name!, shown, rating!.replace(/<.*?>/g, '')] as const
    })
  },
  'the API': async (on, page) => {
    const answer = await fetch(`${web.url}/api/v1/ladder/${on}?page=${page}`)
    return ofJson(((await answer.json()) as { agents: Parameters<typeof ofJson>[0] }).agents)
  },
}

describe('a ladder', () => {
  it.each(Object.keys(faces))('has the same order everywhere: %s', async name => {
    const face = faces[name]!
    expect(await face('ttt', 1)).toEqual(expected.slice(0, perPage))
    expect(await face('ttt', 2)).toEqual(expected.slice(perPage))
    expect(await face('ttt+thinking', 1)).toEqual(thinking)
    expect(await face('ttt+people', 1)).toEqual(people)
    expect(await face(cup.id, 1)).toEqual(cupTable)
  })

  it('that counts points says so, and by what equal points are ordered', async () => {
    const said = await command(cup.id)
    expect(said).toContain('Tic-tac-toe at spring-cup (ttt+event:spring-cup)')
    expect(said).toMatch(/NAME +POINTS/)
    expect(said).toContain(tieBreakText)
    expect(said).not.toContain('provisional')
    const client = hub.connect(null, 100, 40)
    expect(await client.type('l', '<down>', '<down>', '<down>', '<enter>')).toMatch(/Name +Points/)
    expect(await client.type('?')).toContain(tieBreakText)
    const page = await (await fetch(`${web.url}/ladder/${cup.id}`)).text()
    expect(page).toContain('<th>Points<th>')
    expect(page).toContain(tieBreakText)
    const ofGame = await (await fetch(`${web.url}/ladder/ttt`)).text()
    expect(ofGame).toContain(`href="/ladder/${cup.id}"`)
    expect(ofGame).not.toContain(tieBreakText)
    const answer = await jsonOf(`/api/v1/ladder/${cup.id}`)
    expect(answer).toMatchObject({ counts: 'points', provisional: null, total: 8 })
    expect(answer).toMatchObject({ fit: null })
    expect(answer.agents[0]).toMatchObject({ rating: 4, strength: null, uncertainty: null })
  })

  it.each([[['ttt', '--speed', 'thinking']], [['TTT+thinking']], [['--speed', 'thinking']]])(
    'of a speed is what ladder %j shows',
    async args => {
      const said = await command(...args)
      expect(said).toMatch(/^Tic-tac-toe thinking \(ttt\+thinking\)/)
      expect(linesOf(said)).toEqual(thinking)
    },
  )

  it('of blind matches is empty before the first one', async () => {
    expect(await command('ttt', '--blind')).toBe('No rated match yet.')
    expect(await command('--speed', 'thinking', '--blind')).toBe('No rated match yet.')
    expect(linesOf(await command('--speed', 'fast', '--limit', `${perPage}`))).toEqual(
      expected.slice(0, perPage),
    )
  })

  it.each([
    [
      ['ttt+people', '--blind'],
      'ttt+people says already which ladder: leave out --speed and --blind',
    ],
    [['echo', '--blind'], 'no ladder is called echo+blind'],
  ])('%j is refused', async (args, why) => {
    await expect(command(...args)).rejects.toThrow(why)
  })

  it('says in the hub how its matches are played', async () => {
    const client = hub.connect(null, 100, 40)
    await client.type('l', '<down>', '<enter>')
    expect(await client.type('?')).toMatch(/thinking \(20 s a move and 10\s+minutes\), open/)
  })

  it('that nobody has opened is refused with the nearest that there is', async () => {
    await expect(command('ttt+event:spring-cop')).rejects.toThrow(
      'no ladder is called ttt+event:spring-cop (did you mean ttt+event:spring-cup?): there are ttt, ttt+thinking, ttt+people, ttt+event:spring-cup,',
    )
    expect((await fetch(`${web.url}/ladder/ttt+event:autumn-cup`)).status).toBe(404)
  })

  it('never says on a later page that there are no ranked agents', async () => {
    const pageOf = async (n: number) => (await fetch(`${web.url}/ladder/ttt?page=${n}`)).text()
    const second = await pageOf(2)
    expect(second).toContain('agent-49')
    expect(second).not.toContain('class="empty"')
    expect(await pageOf(3)).toContain('The ladder has fewer pages')
  })

  it('takes its top agents from the same order', async () => {
    const front = await (await fetch(web.url)).text()
    const [list] = front.match(/<section class="top-list">.*?<\/section>/s)!
    expect([...list.matchAll(/agent\/([\w-]+)"/g)].map(([, name]) => name)).toEqual(
      expected.slice(0, 5).map(([, name]) => name),
    )
    expect(await (await fetch(`${web.url}/ladder`)).text()).toMatch(
      /ladder\/ttt">.*?agent\/agent-0"/,
    )
    expect(await hub.connect(null, 100, 40).type('l')).toMatch(/ttt .*agent-0 1900 ± 9\n/)
  })
})
