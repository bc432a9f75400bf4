// What a match costs a model: the tokens of all that it writes into tools, and of all that it reads from them.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { Dice } from '../src/games/dice.ts'
import { Host } from './support/host.ts'
import { McpAgent } from './support/mcp-agent.ts'
import { type Answer, PlayAgent } from './support/play-agent.ts'
import { tokensOf } from './support/tokens.ts'

let host: Host
const tokens: string[] = []

beforeAll(async () => {
  host = await Host.start()
  for (const name of ['ada', 'bert']) tokens.push((await host.account(name)).token)
})
afterAll(() => host?.stop())

/** Reads the rules, plays at random, and resigns after so many moves. */
const cost = async (game: string, detail: string, moves: number) => {
  const dice = Dice.fromSeed(3)
  const choose = ({ legal }: Answer) => legal[dice.roll(legal.length)]
  const model = new McpAgent(host.http, tokens[0]!)
  onTestFinished(() => model.close())
  const other = new PlayAgent(host.http, tokens[1]!)
  await model.ask('lobby', {})
  await model.ask('lobby', { game })
  const opposed = other.join(game).then(first => other.play(first, choose))
  let last = await model.join(game, { detail })
  const { seat } = last
  for (let played = 0; last.status !== 'over'; )
    if (last.status !== 'your_turn') last = await model.wait({ detail })
    else if (played++ === moves) [, last] = await model.ask('leave', { seat })
    else {
      // A model that is not given the moves finds one itself.
      const { legal } = last.legal === undefined ? await unseen(seat) : last
      last = await model.move(last.ply, choose({ legal }), { detail })
    }
  await opposed
  return model.heard
    .map(({ tool, given, text }) => tokensOf({ name: tool, arguments: given }) + tokensOf(text))
    .reduce((sum, tokens) => sum + tokens)
}

const unseen = async (seat: string): Promise<Answer> => {
  const looks = new PlayAgent(host.http, tokens[0]!)
  looks.seat = seat
  return looks.wait()
}

const limits = { ttt: 3_000, chess: 25_000 }
/** What docs/mcp.md says of each, in tokens. */
const told = [
  ...readFileSync(new URL('../docs/mcp.md', import.meta.url), 'utf8').matchAll(
    /^\| (ttt|chess) +\| `(\w+)` +\| (\d+) +\| ([\d,]+) +\|$/gm,
  ),
].map(([, game, detail, moves, sum]) => {
  return {
    game: game as keyof typeof limits,
    detail: detail!,
    moves: Number(moves),
    sum: Number(sum!.replace(',', '')),
  }
})

it.each(told)(
  'a match of $game in detail $detail costs a model $sum tokens at most',
  async ({ game, detail, moves, sum }) => {
    const spent = await cost(game, detail, moves)
    expect(spent).toBeLessThanOrEqual(sum)
    expect(spent).toBeGreaterThan(0.8 * sum)
    expect(sum).toBeLessThan(limits[game])
  },
)

it('docs/mcp.md tells what each detail costs', () => {
  expect(told.map(({ game, detail }) => `${game} ${detail}`)).toEqual([
    'ttt full',
    'ttt brief',
    'chess full',
    'chess legal',
    'chess brief',
  ])
})
