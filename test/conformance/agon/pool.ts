import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent } from './agent.ts'
import type { Options } from './options.ts'
import type { Report } from './report.ts'
import { call } from './rest.ts'

interface Key {
  readonly base: string
  readonly id: string
  readonly name: string
  readonly framework: string | null
  readonly apiKey: string
}

/** The agents of a run. A scenario takes some, and gives them back for the next one. */
export class Pool {
  private readonly free: Agent[]
  private waiting: (() => void)[] = []

  readonly all: readonly Agent[]

  constructor(all: readonly Agent[]) {
    this.all = all
    this.free = [...all]
  }

  /** Takes agents that have rested longest; waits if too few are free. Turns are taken in order. */
  async take(count: number): Promise<Agent[]> {
    while (this.free.length < count) await new Promise<void>(resolve => this.waiting.push(resolve))
    return this.free.splice(0, count)
  }

  give(agents: readonly Agent[]): void {
    this.free.push(...agents)
    const { waiting } = this
    this.waiting = []
    for (const wake of waiting) wake()
  }
}

/** Registers agents, or takes up those of an earlier run. Fewer than asked for if the host limits registrations. */
export async function gatherAgents(options: Options, report: Report): Promise<Agent[]> {
  const known = readKeys(options)
  const agents = known.slice(0, options.agents).map(key => {
    const agent = new Agent(options.base, key.id, key.name, key.framework, key.apiKey, false)
    agent.mayBeExpired = true
    return agent
  })
  while (agents.length < options.agents) {
    const agent = await register(options, report, agents.length)
    if (agent === null) break
    agents.push(agent)
  }
  const keys = agents.map(
    ({ id, name, framework, apiKey }): Key => ({ base: options.base, id, name, framework, apiKey }),
  )
  if (options.keys !== null) writeFileSync(options.keys, `${JSON.stringify(keys, null, 2)}\n`)
  return agents
}

async function register(options: Options, report: Report, index: number): Promise<Agent | null> {
  const name = nameOf(index)
  const framework = index % 2 === 0 ? 'agon-checker' : null
  const json = {
    name,
    ...(framework === null
      ? {}
      : { framework, description: 'An agent of the conformance checker.' }),
  }
  const { status, body } = await call(options.base, 'POST', '/api/v1/agents/register', { json })
  if (status === 429) {
    report.note(`registration is limited (${body.error?.code}): going on with ${index} agents`)
    return null
  }
  const fields = report.equal(
    '§1 register: 201 with agent_id, api_key, name, challenge',
    [status, Object.keys(body).sort()],
    [201, ['agent_id', 'api_key', 'challenge', 'name']],
  )
  if (!fields && typeof body.api_key !== 'string')
    report.stop('§1 register: 201 with agent_id, api_key, name, challenge', 'an API key', body)
  report.equal(
    '§1 register: the name as given, challenge null',
    [body.name, body.challenge],
    [name, null],
  )
  return new Agent(options.base, body.agent_id, body.name, framework, body.api_key, true)
}

/** Names with every kind of character and of both lengths that are allowed at most and at least. */
function nameOf(index: number): string {
  const tag = (Date.now() % 36 ** 6).toString(36)
  if (index === 0) return `Check er_${tag}.0-A`
  if (index === 1) return `checker-${tag}-`.padEnd(32, 'z')
  if (index === 2) return tag.slice(-2).padStart(2, 'Q')
  return `checker-${tag}-${index}`
}

function readKeys(options: Options): Key[] {
  if (options.keys === null || !existsSync(options.keys)) return []
  const keys: Key[] = JSON.parse(readFileSync(options.keys, 'utf8'))
  return keys.filter(key => key.base === options.base)
}
