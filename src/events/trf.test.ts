import { describe, expect, it } from 'vitest'
import { EventLog } from '../../test/support/event-log.ts'
import { simulatedEvent } from '../../test/support/simulated-event.ts'
import { table } from './table.ts'
import { trf } from './trf.ts'

const swiss = { kind: 'swiss', rounds: 3 } as const

describe('the tournament report', () => {
  it('has its fields in the columns of TRF16', () => {
    const log = new EventLog({ format: swiss, game: 'chess' }).start(3)
    log.add({ kind: 'drawn', round: 1, boards: [{ board: 1, accounts: [2, 1] }], byes: [3] })
    log.play(1, [1, 1])
    log.add({ kind: 'drawn', round: 2, boards: [{ board: 1, accounts: [3, 2] }], byes: [] })
    log.settle(1, [1, 2], [2])
    expect(trf(log.state)!.split('\n')).toEqual([
      '012 Spring cup',
      '042 1970/01/01',
      '052',
      '062 3',
      '072 3',
      '082 0',
      '092 Individual: Swiss-System',
      'XXR 3',
      `132${' '.repeat(88)}70/01/01  70/01/01`,
      '001    1      P1                                2000                             0.5    3     2 b =  0000 - Z',
      '001    2      P2                                1999                             0.5    2     1 w =     3 b -',
      '001    3      P3                                1998                             2.0    1  0000 - U     2 w +',
      '',
    ])
  })

  it('names a game that is not chess, and points that are not 1, ½ and 0', () => {
    const points = { by: 'result', win: 3, draw: 1, loss: 0 } as const
    const text = trf(new EventLog({ format: swiss, points }).start(2).state)!
    expect(text).toContain('092 Individual: Swiss-System (not chess: c4)\n')
    expect(text).toContain('BBW  3.0\nBBD  1.0\nBBL  0.0\n')
  })

  it.each([
    { kind: 'knockout', bestOf: 1, thirdPlace: false },
    { kind: 'arena', lasts: 1000 },
    { kind: 'series', bestOf: 3 },
  ] as const)('is not made of a $kind', format => {
    expect(trf(new EventLog({ format }).start(2).state)).toBeNull()
  })

  it.each([swiss, { kind: 'round-robin', cycles: 1 } as const])(
    'of a $kind has results that add up to the points, whatever happened',
    format => {
      for (let number = 0; number < 40; number++) {
        const { state } = simulatedEvent(
          number,
          3 + (number % 9),
          { format },
          { absences: 6, withdrawals: 5 },
        )
        const points = new Map(table(state).map(row => [row.name, row.points]))
        const players = trf(state)!
          .split('\n')
          .filter(line => line.startsWith('001'))
        expect(players).toHaveLength(points.size)
        for (const line of players) {
          const results = [...line.slice(89).matchAll(/.{9}(.)/g)].map(([, code]) => worth[code!])
          const total = results.reduce((sum, result) => sum! + result!, 0)
          expect(total).toBe(points.get(line.slice(14, 47).trim()))
          expect(Number(line.slice(80, 84))).toBe(total)
        }
      }
    },
  )
})

const worth: Readonly<Record<string, number>> = {
  '1': 1,
  '+': 1,
  U: 1,
  '=': 0.5,
  D: 0.5,
  '0': 0,
  '-': 0,
  Z: 0,
}
