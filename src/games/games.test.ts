import { describe, expect, it } from 'vitest'
import { gameSuite } from '../testing/game-suite.ts'
import { playthrough } from '../testing/playthrough.ts'
import { games } from './index.ts'

describe.each(games.map(game => [game.id, game] as const))('%s', (id, game) => {
  gameSuite(game)

  // Where a change of rules is meant, `npx vitest run src/games -u` records the games anew.
  it('plays its recorded game', async () => {
    await expect(playthrough(game)).toMatchFileSnapshot(`playthroughs/${id}.txt`)
  })
})

describe('the list of games', () => {
  it('names each game once, in lower case', () => {
    const ids = games.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]*$/)
  })

  it('has a use for every number of seats', () => {
    for (const { seats } of games) {
      expect(seats.min).toBeGreaterThanOrEqual(2)
      expect(seats.max).toBeGreaterThanOrEqual(seats.min)
    }
  })
})
