// The real process, stopped and continued as a paused machine is.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { Host } from './support/host.ts'
import type { Heard, ScriptedAgent } from './support/scripted-agent.ts'
import { SshAgent } from './support/ssh-agent.ts'

const moveTime = 4_000
const stopped = 6_000

/** Two agents that play the first legal move. */
class Pair {
  readonly #agents: readonly ScriptedAgent[]
  #mover: ScriptedAgent
  #state: Heard

  private constructor(agents: readonly ScriptedAgent[], states: readonly Heard[]) {
    this.#agents = agents
    const seat = states.findIndex(({ yourTurn }) => yourTurn)
    this.#mover = agents[seat]!
    this.#state = states[seat]!
  }

  static async of(...agents: ScriptedAgent[]): Promise<Pair> {
    return new Pair(agents, await Promise.all(agents.map(agent => agent.next('state'))))
  }

  get waiting(): ScriptedAgent {
    return this.#agents.find(agent => agent !== this.#mover)!
  }

  /** Done once the other one is to move. */
  async move(): Promise<void> {
    const next = this.waiting
    this.#mover.move(this.#state.observation.legal[0])
    for (;;) {
      const heard = await next.next()
      if (heard.type !== 'state')
        throw new Error(`not told the next state: ${JSON.stringify(heard)}`)
      if (!heard.yourTurn) continue
      expect(heard.timeLeft).toBeLessThanOrEqual(moveTime)
      this.#state = heard
      break
    }
    this.#mover = next
  }
}

it('a process that was stopped forfeits no agent that answered meanwhile or had time left', async () => {
  const host = await Host.start(
    {
      AGENTBBS_GAME_MOVE_TIMEOUT: String(moveTime / 1000),
      AGENTBBS_GAME_QUEUE_WAIT: '8',
    },
    { constants: { keepAlive: 1_000 } },
  )
  onTestFinished(() => host.stop())
  // All accounts first: once the first pair is seated, clocks run.
  const games = ['go9', 'c4', 'othello', 'gomoku', 'chess', 'go13', 'go19', 'ttt', 'even-odd']
  const accounts = await Promise.all(
    games.map(game => Promise.all([host.account(`${game}-1`), host.account(`${game}-2`)])),
  )
  const lonely = host.agent((await host.account('lonely')).token, '?game=blotto')
  await lonely.next('queued')
  const [mute, ...pairs] = await Promise.all(
    games
      .map((game, i) =>
        accounts[i]!.map(({ key, token }) => {
          if (game !== 'go9') return host.agent(token, `?game=${game}`)
          const agent = new SshAgent(host.sshArgs(key, game))
          onTestFinished(() => void agent.process.kill())
          return agent
        }),
      )
      .map(pair => Pair.of(...pair))
      .reverse(),
  )
  await Promise.all(pairs.map(pair => pair.move()))

  const since = performance.now()
  host.process.kill('SIGSTOP')
  // Half of them answer while the process is stopped, the others after it continues.
  const quick = pairs.filter((_, i) => i % 2 === 0).map(pair => pair.move())
  await pause(stopped)
  host.process.kill('SIGCONT')
  await Promise.all(quick)
  await Promise.all(pairs.filter((_, i) => i % 2 === 1).map(pair => pair.move()))
  await Promise.all(pairs.map(pair => pair.move()))

  await mute!.waiting.next('result')
  // It was stopped with nearly all of its time left.
  expect(performance.now() - since).toBeGreaterThan(stopped + moveTime / 2)
  expect(await lonely.next('error')).toMatchObject({ code: 'no-opponent' })
  await expect.poll(() => host.said).toContain('the process stood still for')
}, 60_000)
