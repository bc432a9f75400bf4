// Agents of known strength on a real host: whether the intervals of its strengths hold the true ones, and who meets whom.

import { hash } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { Dice } from '../src/games/dice.ts'
import { fitStrengths } from '../src/strength/fit.ts'
import { Outcomes } from '../src/strength/outcomes.ts'
import { Host } from './support/host.ts'

const points = 400 / Math.LN10
/** In units: the first seat scores 55 % among equals. */
const firstSeat = 0.2

const normal = (dice: Dice) =>
  Math.sqrt(-2 * Math.log(1 - dice.next())) * Math.cos(2 * Math.PI * dice.next())

/**
 * The luck of a match, the same for both agents. The seed is hashed: the first throws of numbers in a row hang together, and pairs
 * of near rank play matches of near numbers.
 */
const diceOf = (match: number) => Dice.fromSeed(hash('sha256', String(match)).slice(0, 32))

/** Plays so many matches on one connection. Who loses is thrown by the number of the match; the loser resigns. */
const agent = (
  port: number,
  token: string,
  matches: number,
  strengthOf: (name: string) => number,
  own: string,
) =>
  new Promise<void>((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/play`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const send = (message: object) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    }
    socket.on('open', () => send({ type: 'join', game: 'c4', matches }))
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('message', data => {
      const message = JSON.parse(String(data))
      if (message.type !== 'hello') return
      const dice = diceOf(message.match)
      const gap = strengthOf(own) - strengthOf(message.opponent)
      const odds = message.player === 0 ? gap + firstSeat : firstSeat - gap
      const firstWins = dice.next() < 1 / (1 + Math.exp(-odds))
      const think = 300 + 700 * dice.next()
      if (firstWins !== (message.player === 0)) setTimeout(() => send({ type: 'resign' }), think)
    })
  })

const pool = async (spread: number, agents: number, matches: number) => {
  const host = await Host.start({
    ...{
      LOG_LEVEL: 'warn',
      AGENTBBS_PAIR_CAP: '0',
    },
  })
  onTestFinished(() => host.stop())
  const dice = Dice.fromSeed(11)
  const truths = new Map(
    Array.from({ length: agents }, (_, i) => [`bot-${i}`, (normal(dice) * spread) / points]),
  )
  const strengthOf = (name: string) => truths.get(name)!
  const tokens: string[] = []
  for (const name of truths.keys()) tokens.push((await host.account(name)).token)
  await Promise.all(
    [...truths.keys()].map((name, i) => agent(host.http, tokens[i]!, matches, strengthOf, name)),
  )
  // The next fit is 5 s after the last result.
  await new Promise(resolve => setTimeout(resolve, 12_000))
  const ladder: Ranked[] = JSON.parse(await host.cli('ladder', 'c4', '--json', '--limit', '100'))
  const lines = (await host.cli('export', '--ratings', '--ladder', 'c4')).trim().split('\n')
  const played: { players: string[] }[] = lines.slice(1).map(line => JSON.parse(line))
  const gap = ([a, b]: readonly string[]) => points * Math.abs(strengthOf(a!) - strengthOf(b!))
  const shift =
    mean(ladder.map(({ strength }) => strength!)) -
    points * mean(ladder.map(row => strengthOf(row.name)))
  const covered = ladder.filter(
    ({ name, strength, uncertainty }) =>
      Math.abs(strength! - shift - points * strengthOf(name)) <= uncertainty!,
  ).length
  const names = [...truths.keys()]
  const verified = await host.cli('verify')
  const found = {
    coverage: covered / ladder.length,
    gap: mean(played.slice(played.length / 4).map(({ players }) => gap(players))),
    chance: mean(names.flatMap((a, i) => names.slice(i + 1).map(b => gap([a, b])))),
    uncertainty: mean(ladder.map(({ uncertainty }) => uncertainty!)),
    fewest: Math.min(...ladder.map(({ games }) => games)),
    matches: played.length,
    redrawn: coverageOfRedrawn(
      played.map(({ players }) => players),
      strengthOf,
    ),
  }
  console.log(spread, JSON.stringify(found))
  return { ...found, verified }
}

const redraws = 400

/** The share of true strengths that the intervals hold where these pairings have other results, drawn again and again. */
const coverageOfRedrawn = (
  pairings: readonly (readonly string[])[],
  strengthOf: (name: string) => number,
): number => {
  const dice = Dice.fromSeed(5)
  const names = [...new Set(pairings.flat())]
  const truths = names.map(name => points * strengthOf(name))
  const trueMean = mean(truths)
  let covered = 0
  for (let draw = 0; draw < redraws; draw++) {
    const outcomes = new Outcomes()
    for (const [first, second] of pairings) {
      const odds = firstSeat + strengthOf(first!) - strengthOf(second!)
      const places = dice.next() < 1 / (1 + Math.exp(-odds)) ? [1, 2] : [2, 1]
      outcomes.add({ accounts: [names.indexOf(first!), names.indexOf(second!)], places })
    }
    const { strengths } = fitStrengths(outcomes, {
      strength: () => 1500,
      first: 0,
      anchor: () => undefined,
    })
    const center = mean(strengths.map(({ strength }) => strength))
    for (const { account, strength, error } of strengths)
      if (Math.abs(strength - center - (truths[account]! - trueMean)) <= error) covered++
  }
  return covered / (redraws * names.length)
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

interface Ranked {
  readonly name: string
  readonly strength: number | null
  readonly uncertainty: number | null
  readonly games: number
}

it.each([
  ['wide', 496],
  ['narrow', 50],
])(
  'on a real host the intervals of a %s pool hold the true strengths, and pairing is by strength',
  async (_, spread) => {
    const { coverage, redrawn, gap, chance, fewest, verified } = await pool(spread, 40, 50)
    // One pool says little: who meets whom follows from earlier results, so the errors of a pool hang together. Of 150 simulated
    // pools the worst held 25 of 40. That the intervals hold 95 % shows where the results of its pairings are drawn anew.
    expect(coverage).toBeGreaterThanOrEqual(20 / 40)
    expect(redrawn).toBeGreaterThanOrEqual(0.93)
    // Six runs had 95.3 to 96.9 %, by who met whom. The simulations in fit.test.ts are held to 97 %.
    expect(redrawn).toBeLessThanOrEqual(0.98)
    // The last ones to play find no opponent: the others have had their 50 matches.
    expect(fewest).toBeGreaterThanOrEqual(30)
    expect(verified).toContain('all ratings and points are as they should be')
    if (spread > 400) expect(gap).toBeLessThan(0.6 * chance)
  },
  300_000,
)
