import { expect, it } from 'vitest'
import {
  checkPosition,
  observationBytes,
  randomPlay,
  replayed,
} from '../../test/support/clawpoly-laws.ts'
import { clawpoly } from './clawpoly.ts'
import { ownableAt, propertyAt } from './clawpoly-board.ts'

// Ten times as many, and looked at more closely, in clawpoly-random.ci.test.ts.
it('a thousand games of random players end, with every Shell in an event and no rule broken', () => {
  const kinds = new Set<string>()
  const reasons = new Set<string>()
  let largest = 0
  for (let n = 1; n <= 1000; n++) {
    const game = randomPlay(n, (state, ply) => {
      if (ply % 4 === n % 4) checkPosition(state)
      if (ply % 40 === n % 40) largest = Math.max(largest, observationBytes(state))
    })
    if (n % 20 === 0) expect(replayed(game)).toEqual(game.end)
    for (const kind of game.kinds) kinds.add(kind)
    reasons.add(game.end.out.length === game.seats - 1 ? 'last standing' : 'turn limit')
  }
  expect(largest).toBeLessThan(8192)
  expect([...kinds].sort()).toEqual(everyKind)
  expect(reasons.size).toBe(2)
}, 120_000)

it('the observation stays under 8 KiB where one player owns all, and everything can be built, sold or lifted', () => {
  const start = clawpoly.start('0'.repeat(32), 6)
  const all = Array.from({ length: 16 }, (_, i) => i)
  const positions = (['build', 'roll'] as const).flatMap(phase =>
    [0, 1, 4].map(level => ({
      ...start,
      phase,
      turnNumber: 999_999,
      turnLimit: 999_999,
      players: start.players.map(player => ({ ...player, money: 999_999, position: 39 })),
      squares: start.squares.map((square, index) => {
        if (ownableAt(index) === null) return square
        const isBuilt = level > 0 && propertyAt(index) !== null
        return { owner: start.current, level: isBuilt ? level : 0, mortgaged: !isBuilt }
      }),
      decks: {
        tide: { unseen: [], seen: all, holder: null },
        chest: { unseen: [], seen: all, holder: null },
      },
    })),
  )
  const largest = Math.max(...positions.map(observationBytes))
  expect(largest).toBeLessThan(8192)
  expect(largest).toBeGreaterThan(5500)
})

const everyKind = [
  'bankrupt',
  'building_sold',
  'card_drawn',
  'card_money',
  'card_paid',
  'debt',
  'dice_rolled',
  'fortress_built',
  'lobster_pot_in',
  'lobster_pot_out',
  'mortgaged',
  'outpost_built',
  'player_moved',
  'pot_fee_paid',
  'property_bought',
  'property_passed',
  'rent_paid',
  'set_sail_bonus',
  'tax_paid',
  'trade_accepted',
  'trade_proposed',
  'trade_rejected',
  'turn_end',
  'turn_start',
  'unmortgaged',
]
