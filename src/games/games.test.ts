import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { gameSuite, largestObservation } from '../../test/support/game-suite.ts'
import { playthrough } from '../../test/support/playthrough.ts'
import { randomGame } from '../../test/support/random-games.ts'
import { eventsOf, type Game, illegal, isIllegal, listsMoves, seatRange } from './game.ts'
import { games } from './index.ts'

// A line of either transport holds an observation and some more. Only debates in the widest letters need more than 48 KiB.
const mostBytes = 192 * 1024
const docs = readFileSync(new URL('../../docs/games.md', import.meta.url), 'utf8')

describe.each(games.map(game => [game.id, game] as const))('%s', (id, game) => {
  gameSuite(game)

  // Where a change of rules is meant, `npx vitest run src/games -u` records the games anew.
  it('plays its recorded game', async () => {
    await expect(playthrough(game)).toMatchFileSnapshot(`playthroughs/${id}.txt`)
  })

  it('is described in docs/games.md, with messages as they travel', () => {
    const section = sectionOf(`${id} — ${game.title}`)
    const parts = [...section.matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, name]) => name)
    const told = kindsTold(game)
    const events = told.length > 0 ? ['Events'] : []
    expect(parts).toEqual(['Rules', 'Observation', 'Move', ...events, 'Size'])
    const [, described = ''] = /^\*\*Events\.\*\*([\s\S]*?)^\*\*/m.exec(section) ?? []
    for (const kind of told) expect(described).toContain(`\`${kind}\``)
    const [state, move] = /```json\n(.+)\n(.+)\n```/
      .exec(section)!
      .slice(1)
      .map(line => JSON.parse(line))
    const seen = game.view(game.start(1, seatRange(game).max), 0)
    expect(Object.keys(state.observation)).toEqual(
      expect.arrayContaining([
        ...Object.keys(seen),
        'toMove',
        ...(listsMoves(game) ? ['legal'] : []),
      ]),
    )
    expect(move).toMatchObject({ type: 'move', move: expect.anything() })
  })

  it('keeps its observations within the size that docs/games.md promises', () => {
    const promise = /At most ([\d,]+) bytes an observation/.exec(
      sectionOf(`${id} — ${game.title}`),
    )!
    const bytes = Number(promise[1]!.replace(',', ''))
    expect(largestObservation(game)).toBeLessThanOrEqual(bytes)
    expect(bytes).toBeLessThan(mostBytes)
  })
})

describe('the list of games', () => {
  it('names each game once, in lower case', () => {
    const ids = games.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]*$/)
  })

  it('has two seats or more in each', () => {
    for (const game of games) expect(seatRange(game).min).toBeGreaterThanOrEqual(2)
  })
})

it('docs/games.md says how long a move may be where moves are not listed', () => {
  const [said] = /a move has at most [^.]*/.exec(docs.replaceAll('\n', ' '))!
  const bounds = games.flatMap(({ id, facts: { moveBytes } }) =>
    moveBytes === undefined ? [] : [`${moveBytes.toLocaleString('en')} in ${id}`],
  )
  const listed = said.replace('a move has at most ', '').replace(' bytes', '')
  expect(listed.split(/, | and /)).toEqual(bounds)
})

describe('a refusal', () => {
  it.each([
    { illegal: 'no' },
    { reason: 'no' },
    JSON.parse(JSON.stringify(illegal('no'))),
    JSON.parse('{"__proto__":{"reason":"no"},"constructor":{"name":"Illegal"},"reason":"no"}'),
  ])('is none that came as JSON: %j', forged => {
    expect(isIllegal(illegal('no'))).toBe(true)
    expect(isIllegal(forged)).toBe(false)
  })

  it('may quote anything and stays one short line', () => {
    expect(illegal(`got "\u001b[2J\n${'x'.repeat(9000)}"`).reason).toBe(
      `got "[2J ${'x'.repeat(191)}`,
    )
  })
})

/** The kinds of events in a few random games. */
function kindsTold(game: Game): readonly string[] {
  const events = [1, 2, 3].flatMap(n =>
    randomGame(game, n).turns.flatMap(({ state, seat, move }) =>
      eventsOf(game.play(state, seat, move)),
    ),
  )
  return [...new Set(events.map(({ kind }) => kind))]
}

function sectionOf(heading: string): string {
  const section = docs.split(/^## /m).find(text => text.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`docs/games.md has no section "${heading}"`)
  return section
}
