// The compiler compares the types of each game with its real observations and moves.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import {
  type Game,
  isFinal,
  type Json,
  listedMovesOf,
  listsMoves,
  votesOf,
} from '../../src/games/game.ts'
import { games } from '../../src/games/index.ts'
import { type RandomGame, randomGame } from '../../test/support/random-games.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('fit every observation and every move of random games, without extra fields', () => {
  const checked = games.map(game => {
    const played = [1, 2, 3, 4, 5, 6].map(seed => randomGame(game, seed))
    const seen = played.flatMap(one => observationsOf(game, one))
    const moves = played.flatMap(({ turns }) => turns.map(({ move }) => move))
    // No player makes the move that says how an audience has voted.
    const sent = moves.filter(move => votesOf(move) === null)
    return [
      `export const seen${checkedName(game)}: readonly Observation<'${game.id}'>[] = ${listed(seen)}`,
      `export const sent${checkedName(game)}: readonly Move<'${game.id}'>[] = ${listed(sent)}`,
      `export const known${checkedName(game)}: keyof Games = '${game.id}'`,
    ].join('\n')
  })
  const complaints = complaintsAbout(checked.join('\n')).replace(/^games.ts\(.*?\): /gm, '')
  expect([...new Set(complaints.split('\n'))]).toEqual([''])
}, 120_000)

it('refuse a move of another game', () => {
  const wrong = [
    `export const a: Move<'ttt'> = '9'`,
    `export const b: Move<'even-odd'> = 'odder'`,
    `export const c: Move<'blotto'> = { allocations: [2, 2, 2, 2, 2] }`,
    `export const d = (seen: Observation<'chess'>) => seen.fenn`,
  ]
  const complaints = complaintsAbout(wrong.join('\n')).split('\n')
  expect(complaints.map(line => /games\.ts\((\d+),/.exec(line)?.[1])).toEqual(['2', '3', '4', '5'])
})

const checkedName = ({ id }: Game) => id.replaceAll('-', '_')

/** Observations of each seat at some turns and at the end, as the arena sends them. */
const observationsOf = (game: Game, { turns, end, seats }: RandomGame): Json[] => {
  const every = Math.ceil(turns.length / 40)
  const states = turns.filter((_, turn) => turn % every === 0).map(({ state }) => state)
  return [...states, end].flatMap(state =>
    Array.from({ length: seats }, (_, seat) => {
      const view = game.view(state, seat)
      const status = game.status(state)
      if (isFinal(status)) return { ...view, toMove: -1, ...(listsMoves(game) && { legal: [] }) }
      const [mover = -1] = status.toMove
      return {
        ...view,
        toMove: game.facts.turns === 'alternate' ? mover : status.toMove,
        ...(listsMoves(game) && { legal: [...listedMovesOf(game, state, mover)!] }),
      }
    }),
  )
}

/** Of many values those that hold something the earlier ones do not. */
const listed = (values: readonly Json[]): string => {
  const known = new Set<string>()
  const telling = values.filter(value => {
    const before = known.size
    for (const trait of traits(value, '')) known.add(trait)
    return known.size > before
  })
  return JSON.stringify(telling)
}

/** The fields of a value, with their types, and with their words where they have one. */
const traits = (value: Json | undefined, path: string): string[] => {
  if (Array.isArray(value)) return [`${path}[]`, ...value.flatMap(one => traits(one, `${path}[]`))]
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, one]) => traits(one, `${path}.${name}`))
  return [
    `${path}: ${typeof value === 'string' && /^[\w.-]{1,20}$/.test(value) ? value : typeof value}`,
  ]
}

/** The errors of the compiler in a module that uses the types. */
const complaintsAbout = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'agentbbs-types-'))
  const file = join(folder, 'games.ts')
  const types = join(root, 'client/src/games.ts')
  writeFileSync(file, `import type { Games, Move, Observation } from '${types}'\n${text}\n`)
  const options = '--noEmit --strict --module nodenext --allowImportingTsExtensions --pretty false'
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  try {
    execFileSync(process.execPath, [tsc, ...options.split(' '), file], { cwd: folder })
    return ''
  } catch (error) {
    return String((error as { stdout?: Buffer }).stdout).trim()
  } finally {
    rmSync(folder, { recursive: true })
  }
}
