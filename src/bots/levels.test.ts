import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { games } from '../games/index.ts'
import { levelsOf } from './levels.ts'

it('docs/games.md lists the levels of every game, with their nodes', () => {
  const docs = readFileSync(new URL('../../docs/games.md', import.meta.url), 'utf8')
  const [, section] = docs.split('## House players\n')
  const rows = [...section!.matchAll(/^\| ([a-z][\w-]*) +\|(.*)\|$/gm)].slice(1)
  const listed = rows.map(([, id, cells]) => [
    id,
    [...cells!.matchAll(/ ([\d,]+):/g)].map(([, nodes]) => Number(nodes!.replaceAll(',', ''))),
  ])
  expect(listed).toEqual(games.map(game => [game.id, levelsOf(game).map(({ nodes }) => nodes)]))
})
