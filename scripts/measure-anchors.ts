// Measures the strengths of house players against each other, for src/strength/anchors.ts:
//   npx tsx scripts/measure-anchors.ts ttt 200 3
// plays 200 matches between every two of the first 3 levels.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fitStrengths } from '../src/strength/fit.ts'
import { Outcomes } from '../src/strength/outcomes.ts'

const [game = 'ttt', matches = '200', levels = '3'] = process.argv.slice(2)
const program = fileURLToPath(new URL('../cmd/agentbbs', import.meta.url))
const outcomes = new Outcomes()
for (let a = 1; a <= Number(levels); a++)
  for (let b = 1; b < a; b++) {
    const args = ['play', '--game', game, '--matches', matches, '--seed', '1', '--json']
    const players = [`house:level-${a}`, `house:level-${b}`]
    const { stdout } = spawnSync(program, [...args, ...players], { encoding: 'utf8' })
    const { wins, draws, losses } = JSON.parse(stdout).players[0]
    console.log(`level-${a} against level-${b}: ${wins} won, ${draws} drawn, ${losses} lost`)
    // The two have each seat as often; which of them had it in a match is left out.
    for (const [n, places] of [
      [wins, [1, 2]],
      [draws, [1, 1]],
      [losses, [2, 1]],
    ] as const)
      for (let i = 0; i < n; i++)
        outcomes.add(
          i % 2 === 0
            ? { accounts: [a, b], places }
            : { accounts: [b, a], places: [places[1], places[0]] },
        )
  }
const { strengths } = fitStrengths(outcomes, {
  strength: () => 1500,
  first: 0,
  anchor: () => undefined,
})
for (const { account, strength, error } of [...strengths].sort((a, b) => a.account - b.account))
  console.log(`level-${account}: ${strength.toFixed(0)} ± ${error.toFixed(0)}`)
