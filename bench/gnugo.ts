import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Game, Json } from '../src/games/game.ts'
import type { Mind } from './bots.ts'

/**
 * GNU Go as an opponent, by GTP. It has to capture dead stones before it passes, because here all stones count as
 * alive at the end.
 */
export const gnugo = (game: Game, level = 1): Mind => {
  const { size, komi } = game.view(game.start(0, 2), 0) as { size: number; komi: number }
  const child = spawn(
    'gnugo',
    [
      ...['--mode', 'gtp', '--level', `${level}`, '--boardsize', `${size}`, '--komi', `${komi}`],
      ...['--chinese-rules', '--capture-all-dead', '--positional-superko'],
    ],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env,
    },
  )
  const ask = asking(child)
  let known = 0
  const decide: Mind['decide'] = async ({ history, seat, seed }): Promise<Json> => {
    if (history.length < known || known === 0) {
      await ask('clear_board')
      await ask(`set_random_seed ${seed % 2 ** 31}`)
      known = 0
    }
    for (; known < history.length; known++)
      await ask(`play ${colours[known % 2]} ${history[known]}`)
    known++
    const move = await ask(`genmove ${colours[seat]}`)
    return move.toLowerCase() === 'pass' ? 'pass' : move
  }
  return { name: `gnugo --level ${level}`, decide, close: () => child.stdin?.end('quit\n') }
}

export const hasGnugo = (): boolean =>
  spawnSync('gnugo', ['--version'], { env }).error === undefined

/** Distributions install it in a folder that may not be on the PATH. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/games` }

const colours = ['black', 'white']

/** Sends a command and resolves with its answer, without the leading "=". */
const asking = (child: ChildProcess) => {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  failed.catch(() => {})
  return async (command: string): Promise<string> => {
    child.stdin!.write(`${command}\n`)
    for (;;) {
      const { value, done } = await Promise.race([lines.next(), failed])
      if (done) throw new Error(`gnugo ended at "${command}"`)
      if (value.startsWith('?')) throw new Error(`gnugo refuses "${command}": ${value}`)
      if (value.startsWith('=')) return value.slice(1).trim()
    }
  }
}
