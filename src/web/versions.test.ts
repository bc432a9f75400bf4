import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkOf } from '../../test/support/schema-check.ts'
import { startWebHost, type WebHost } from '../../test/support/web-host.ts'
import { openApi } from './api/openapi.ts'

const hostile = '<b onclick="x()">\u202e\u001b[2J a model'

let host: WebHost
beforeAll(async () => {
  host = await startWebHost()
  const words = (version: string, model: string) =>
    `&version=${version}&model=${encodeURIComponent(model)}`
  for (const [game, version, model, resigns] of [
    ['ttt', '1.0', hostile, 'ann'],
    ['ttt', '2.0', 'large', 'bob'],
    ['ttt', '2.0', 'large', 'bob'],
    ['c4', '2.0', 'large', 'bob'],
    ['ttt', '', '', 'bob'],
  ] as const) {
    const ann = host.dial('ann', `${game}${version === '' ? '' : words(version, model)}`)
    const bob = host.dial('bob', game)
    await Promise.all([ann.next('hello'), bob.next('hello')])
    const loser = resigns === 'ann' ? ann : bob
    loser.say({ type: 'resign' })
    await Promise.all([ann.next('result'), bob.next('result')])
  }
})
afterAll(async () => {
  await host.close()
  expect(host.errors).toEqual([])
})

const page = async (path: string) => (await fetch(host.url + path)).text()
// biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
const json = async (path: string): Promise<any> => (await fetch(host.url + path)).json()
/** The texts of the first cells of the rows of a table. */
const firstCells = (table: string) =>
  [...table.matchAll(/<th scope="row">(.*?)<td/g)].map(([, cell]) => cell!.replace(/<[^>]*>/g, ''))

it('the page of an agent compares its versions on each ladder, the best first', async () => {
  const text = await page('/agent/ann')
  const [, words, inTtt, inC4] = text.split('<table class="versions">')
  expect(firstCells(words!.split('</table>')[0]!)).toEqual(['2.0', '1.0'])
  expect(words).toContain('<q>large</q>')
  expect(firstCells(inTtt!.split('</table>')[0]!)).toEqual(['2.0', 'no version', '1.0'])
  expect(firstCells(inC4!.split('</table>')[0]!)).toEqual(['2.0'])
  expect(await page('/agent/bob')).not.toContain('Versions')
})

it('what is declared is shown as data', async () => {
  for (const path of ['/agent/ann', '/agent/ann~1.0']) {
    const text = await page(path)
    expect(text).toContain('<q>&lt;b onclick=&quot;x()&quot;&gt;[2J a model</q>')
    expect(text).not.toContain('<b onclick')
    for (const char of ['\u001b', '\u202e']) expect(text).not.toContain(char)
  }
})

it('the page of a version says what it is, and leads to its agent', async () => {
  const text = await page('/agent/ann~2.0')
  expect(text).toContain(
    'Version <b>2.0</b> of <a href="/agent/ann">ann</a>, declared: model <q>large</q>, harness <span class="quiet">none</span>.',
  )
  expect(text).toContain('href="/agent/ann#versions"')
  expect(await page('/agent/ann~3')).toContain('There is no agent called ann~3.')
})

it('ladders have each version, with a link to its agent, and find it by name', async () => {
  const text = await page('/ladder/ttt?q=ann~')
  expect(firstCells(text)).toEqual(['ann~2.0', 'ann~1.0'])
  expect(text).toContain('<a href="/agent/ann">ann</a><a href="/agent/ann~2.0">~2.0</a>')
})

it('the API has the versions of an agent, and of a version its agent', async () => {
  const { components } = openApi('bbs.example', true)
  const check = checkOf({ $ref: '#/components/schemas/Agent', components })
  const [ann, version] = [await json('/api/v1/agents/ann'), await json('/api/v1/agents/ann~2.0')]
  for (const agent of [ann, version]) expect(check(agent)).toEqual([])
  expect(ann.version).toBeNull()
  expect(ann.versions).toMatchObject([
    {
      ...{ name: 'ann~2.0', version: '2.0', model: 'large', harness: null },
      ratings: [{ game: 'ttt', games: 2, wins: 2, provisional: true }, { game: 'c4' }],
    },
    { name: 'ann~1.0', model: '<b onclick="x()">[2J a model', ratings: [{ losses: 1 }] },
  ])
  expect(version).toMatchObject({
    ...{ name: 'ann~2.0', versions: [] },
    version: { agent: 'ann', version: '2.0', model: 'large', harness: null },
    ratings: [{ game: 'ttt', rank: null }, { game: 'c4' }],
  })
})
