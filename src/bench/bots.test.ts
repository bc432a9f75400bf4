import { expect, it } from 'vitest'
import { gameOf } from '../games/index.ts'
import { duel } from './bots.ts'

// Fewer games and nodes than house players have, so that it is quick; `agentbbs bench --bots` plays a hundred of each.
it.each([
  ['resource-rush', 2, 0],
  ['ttt', 20, 1000],
  ['c4', 20, 1000],
  ['othello', 20, 100],
  ['gomoku', 20, 300],
  ['go9', 20, 100],
  ['chess', 20, 250],
  ['skill-gomoku', 20, 100],
  ['echo', 20, 1000],
])('the better player beats the random one at %s', (id, rounds, nodes) => {
  const { won, drawn, lost } = duel(gameOf(id)!, rounds, nodes)
  if (id === 'ttt') expect(lost).toBe(0)
  else expect({ enough: won >= rounds * 0.95, won, drawn, lost }).toMatchObject({ enough: true })
})
