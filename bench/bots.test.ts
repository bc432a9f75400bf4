import { expect, it } from 'vitest'
import { levelsOf } from '../src/bots/levels.ts'
import { gameOf } from '../src/games/index.ts'
import { effort } from '../test/support/effort.ts'
import { duel, mindOf, randomPlayer } from './bots.ts'
import { threatSearch } from './threat-search.ts'

/** Seeds and nodes decide all, so that each run plays the same matches. `agentbbs bench --bots` plays more of them. */
const level = (id: string, number: number) => {
  const game = gameOf(id)!
  return number === 0 ? randomPlayer(game) : mindOf(game, levelsOf(game)[number - 1]!)
}

const duels: readonly (readonly [id: string, level: number, rounds: number])[] = [
  ['ttt', 1, 20],
  ['ttt', 2, 20],
  ['c4', 1, 10],
  ['c4', 2, 10],
  ['othello', 1, 10],
  ['othello', 2, 10],
  ['chess', 1, 6],
  ['chess', 2, 6],
  ['go9', 1, 4],
  ['go9', 2, 4],
  ['go13', 1, 2],
  ['go19', 1, 1],
  ['gomoku', 1, 6],
  ['gomoku', 2, 6],
  ['gomoku', 3, 6],
  ['gomoku', 4, 6],
  ['skill-gomoku', 1, 4],
  ['skill-gomoku', 2, 6],
  ['resource-rush', 1, 6],
  ['bazaar', 1, 40],
  ['clawpoly', 1, 8],
  ['clawpoly', 2, 16],
]
/** More than a second each. */
const longDuels: typeof duels = [
  ['go9', 3, 4],
  ['skill-gomoku', 3, 6],
  ['resource-rush', 2, 6],
  ['resource-rush', 3, 6],
  ['resource-rush', 4, 6],
]

it.each(effort({ usual: duels, ci: [...duels, ...longDuels] }))(
  'at %s level %i beats the one below it',
  async (id, number, rounds) => {
    const { won, drawn, lost } = await duel(
      gameOf(id)!,
      level(id, number),
      level(id, number - 1),
      rounds,
    )
    // By what was measured most of these win four matches of five or more; this is what a broken search falls short of.
    expect({ enough: won >= 1.5 * lost && won > lost, won, drawn, lost }).toMatchObject({
      enough: true,
    })
  },
)

it('at gomoku a search of 2,000 nodes beats a threat search of depth 2', async () => {
  const game = gameOf('gomoku')!
  const searching = mindOf(game, { name: '2,000 nodes', nodes: 2_000 })
  const { won, lost } = await duel(game, searching, threatSearch(game), 4)
  expect(won).toBeGreaterThan(lost)
})
