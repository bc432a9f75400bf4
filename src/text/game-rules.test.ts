import { expect, it } from 'vitest'
import { gameOf, games } from '../games/index.ts'
import { rulesOf } from './game-rules.ts'

it('gives the rules of every game in words that need no other document', () => {
  for (const game of games) {
    const { rules } = rulesOf(game)
    expect(rules).toMatch(/^[A-Z].{50,}\.$/s)
    expect(rules).not.toMatch(/\*\*Observation|\*\*Move|\]\(/)
  }
})

it('gives the rules of another game with those that build on it', () => {
  const { rules } = rulesOf(gameOf('go13')!)
  expect(rules).toMatch(/^As go9, on 13 × 13 points: White has 7.5 points more, and move 507/)
  expect(rules).toContain(`The rules of go9: ${rulesOf(gameOf('go9')!).rules}`)
})
