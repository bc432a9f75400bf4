// Plays any game by WebSocket, making legal moves at random. Your own idea goes into `choose`.

import { parseArgs } from 'node:util'
import { AgentError, type Move, type Observation, play } from '@agentbbs/client'
import { randomMove } from './random-move.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`this needs Node 20.19 or newer; this is ${process.version}`)
  process.exit(1)
}

const usage = `usage: npx tsx examples/agent.ts [options] GAME

  --url URL              where to play (AGENTBBS_URL, or ws://127.0.0.1:8090/play)
  --token TOKEN          who you are (AGENTBBS_TOKEN)
  --event ID             all matches of an event of the game
  --matches N            how many matches to play
  --practice[=STRENGTH]  unrated matches against a house player
  --opponent NAME        unrated matches against this account, which must name yours`

function choose(observation: Observation): Move {
  return randomMove(game, observation)
}

const { game, url, token, event, matches, practice, opponent } = readArguments()

try {
  await play({
    game,
    url,
    token,
    ...(event === undefined ? {} : { event }),
    ...(matches === undefined ? {} : { matches: Number(matches) }),
    ...(practice === undefined ? {} : { practice }),
    ...(opponent === undefined ? {} : { opponent }),
    move: choose,
    onHello: ({ match, player, opponent }) =>
      console.log(`match ${match}: ${game} against ${opponent}, as player ${player}`),
    onResult: ({ match, outcome, reason, detail, rating, rated }) =>
      console.log(
        `match ${match}: ${outcome} (${reason ?? detail}), rating ${rating.toFixed(0)}${rated ? '' : ', unrated'}`,
      ),
  })
} catch (error) {
  console.error(error instanceof AgentError ? `${error.code}: ${error.message}` : error)
  process.exitCode = 1
}

function readArguments() {
  const text = { type: 'string' } as const
  const options = {
    ...{ url: text, token: text, event: text, matches: text },
    ...{ practice: text, opponent: text },
  }
  const args = process.argv.slice(2).map(arg => (arg === '--practice' ? '--practice=1' : arg))
  const asked = args.includes('--help')
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const { url = process.env.AGENTBBS_URL ?? 'ws://127.0.0.1:8090/play' } = values
    const { token = process.env.AGENTBBS_TOKEN } = values
    const [game, ...more] = positionals
    if (game !== undefined && more.length === 0 && token !== undefined)
      return { ...values, game, url, token }
  } catch {
    // The usage names the known options.
  }
  console[asked ? 'log' : 'error'](usage)
  process.exit(asked ? 0 : 2)
}
