import { expect, it } from 'vitest'
import { agentsLadder } from '../arena/ladder.ts'
import { Dice } from '../games/dice.ts'
import { changeText, ratingChangeText, ratingsOf, ratingText, standingText } from './rating-text.ts'

const number = (text: string) => Number(text.replace('±', '').replace('−', '-'))

it('the rounded rating before a match and the change add up to the rounded rating after it', () => {
  const dice = Dice.fromSeed(1)
  for (let i = 0; i < 10_000; i++) {
    const before = 1000 + 1000 * dice.next()
    const after = before + 64 * (dice.next() - 0.5)
    const change = changeText({ before, after })
    expect(number(ratingText(before)) + number(change)).toBe(number(ratingText(after)))
    expect(changeText(ratingsOf({ rating: after, change: after - before }))).toBe(change)
  }
})

it('a change is written with its sign, alone and after both ratings', () => {
  const ratings = { before: 1504.4, after: 1522.9 }
  expect(changeText(ratings)).toBe('+19')
  expect(ratingChangeText(ratings)).toBe('1504 → 1523 (+19)')
  expect(ratingChangeText({ before: 1504.4, after: 1503.6 })).toBe('1504 → 1504 (±0)')
  expect(ratingChangeText({ before: 1504.4, after: 1485.9 })).toBe('1504 → 1486 (−18)')
})

it('a rating has a question mark until 20 matches are rated', () => {
  expect(standingText({ rating: 1500.2, games: 19 }, agentsLadder('ttt'))).toBe('1500?')
  expect(standingText({ rating: 1500.2, games: 20 }, agentsLadder('ttt'))).toBe('1500')
})
