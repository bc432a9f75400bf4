import { randomMove } from '../../src/bots/random-move.ts'
import { Dice } from '../../src/games/dice.ts'
import { isFinal, isVoting, type Json, seatRange, stateAfter } from '../../src/games/game.ts'
import { gameOf, games } from '../../src/games/index.ts'
import type { Luck } from './luck.ts'
import { mutate } from './mutate.ts'

/** A line that no agent writes, or nearly a good one. */
export const oddLine = (luck: Luck, game = luck.pick(games).id): string =>
  luck.pick(lines)(luck, game)

/** JSON as text, because some of it cannot be made from values. */
const oddJson = (luck: Luck, depth = 0): string => {
  if (depth < 4 && luck.once(3)) return oddTree(luck, depth)
  return luck.pick([
    ...['null', 'true', 'false', '0', '-0', '1', '-1', '0.1', '1e999', '-1e999', '1e-999', '1E400'],
    ...['NaN', 'Infinity', '-Infinity', 'undefined', '0x10', '01', '1.', "'a'", '[', '{', '""'],
    ...['9007199254740993', '1'.repeat(400), '"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '[]'],
    ...['"__proto__"', '"constructor"', '{}', '[null]', '"\\x"', '{"length":-1}', '"4"', '"e2e4"'],
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    '{"toString":null,"valueOf":null,"toJSON":0,"then":0}',
    JSON.stringify(luck.oddText()),
  ])
}

const oddTree = (luck: Luck, depth: number): string =>
  luck.once(2)
    ? `[${luck.list(0, 5, () => oddJson(luck, depth + 1)).join(',')}]`
    : `{${luck
        .list(0, 5, () => `${JSON.stringify(luck.pick(fields))}:${oddJson(luck, depth + 1)}`)
        .join(',')}}`

/** A move that is legal in some position, with a changed part. */
export const oddMove = (luck: Luck, game: string): string => {
  if (luck.once(3)) return oddJson(luck)
  const good = JSON.stringify(goodMove(luck, game))
  if (luck.once(3)) return good
  if (luck.once(3)) return mutate(luck, Buffer.from(good)).toString()
  return JSON.stringify(bend(luck, JSON.parse(good)))
}

type Branch = { readonly [name: string]: Json }

/** A value with one part replaced by a value of another type. */
const bend = (luck: Luck, value: Json): Json => {
  if (typeof value !== 'object' || value === null || luck.once(4))
    return luck.pick<Json>([
      ...[null, true, 0, -1, 0.5, 2 ** 53, 1e308, '', '0', [], {}, [[]], '__proto__'],
      ...[String(value), Number(value) || 0, [value], { value }, luck.oddText()],
    ])
  const parts = Object.entries(value as Branch)
  if (parts.length === 0) return [null]
  const [which] = luck.pick(parts)
  if (luck.once(6)) {
    const rest = parts.filter(([name]) => name !== which)
    return Array.isArray(value) ? rest.map(([, part]) => part) : Object.fromEntries(rest)
  }
  const bent = parts.map(
    ([name, part]) => [name, name === which ? bend(luck, part) : part] as const,
  )
  return Array.isArray(value) ? bent.map(([, part]) => part) : Object.fromEntries(bent)
}

const goodMove = (luck: Luck, id: string): Json => {
  const game = gameOf(id) ?? games[0]!
  const { max: seats } = seatRange(game)
  const dice = Dice.fromSeed(luck.roll(1000))
  let state = game.start(luck.roll(1000), seats)
  for (let ply = luck.roll(6); ; ply--) {
    const status = game.status(state)
    if (isFinal(status) || isVoting(status)) return null
    const seat = status.toMove[0]!
    const move = randomMove(game, state, seat, dice)
    if (ply <= 0) return move
    state = stateAfter(game, state, seat, move)
  }
}

const fields = [
  ...[
    'type',
    'move',
    'game',
    'matches',
    'practice',
    'opponent',
    '__proto__',
    'constructor',
    'length',
  ],
  ...[
    'toString',
    'toJSON',
    'then',
    '',
    'action',
    'number',
    'skill',
    'x',
    'y',
    'target',
    'allocation',
  ],
]

export const nested = (luck: Luck, open: string, close: string) => {
  const depth = luck.pick([10, 500, 5_000, 30_000])
  return open.repeat(depth) + (luck.once(2) ? close.repeat(depth) : '')
}

const lines: readonly ((luck: Luck, game: string) => string)[] = [
  (luck, game) => `{"type":"move","move":${oddMove(luck, game)}}`,
  (luck, game) => `{"type":"move","move":${oddMove(luck, game)}}`,
  (luck, game) => `{"type":"move","move":${JSON.stringify(goodMove(luck, game))}}`,
  luck => `{"type":"move","move":${nested(luck, '[', ']')}}`,
  luck => `{"type":"move","move":${nested(luck, '{"a":', '}')}}`,
  luck => `{"type":"move","move":"${'x'.repeat(luck.pick([1000, 65_000, 65_536, 70_000]))}"}`,
  luck => `{"type":"move","move":[${'0,'.repeat(luck.pick([100, 20_000]))}0]}`,
  luck => `{"type":${oddJson(luck)},"move":${oddJson(luck)}}`,
  luck => oddJson(luck),
  () => '{"type":"ping"}',
  () => '{"type":"resign"}',
  () => '{"type":"move"}',
  (_, game) => `{"type":"join","game":"${game}"}`,
  luck =>
    `{"type":"join","game":${luck.once(2) ? '"ttt"' : oddJson(luck)},"matches":${oddJson(luck)},"practice":${oddJson(luck)},"opponent":${oddJson(luck)}}`,
  luck => luck.oddText(),
  luck => luck.bytes(luck.from(1, 100)).toString('latin1'),
]
