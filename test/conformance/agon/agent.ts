import type { Received } from './frames.ts'
import { Stop } from './report.ts'
import { call } from './rest.ts'

/** §10 allows 20 actions in 10 s; the checker stays below that, so that only the rate scenario meets the limit. */
const BUDGET = { actions: 18, milliseconds: 10_500 } as const

/** A registered agent: its API key, its session, and the actions it sent lately. */
export class Agent {
  private readonly sent: number[] = []
  private token: string | null = null
  /** An earlier match may have ended while this agent was away: RECONNECT_EXPIRED may come before the next room_state. */
  mayBeExpired = false

  readonly base: string
  readonly id: string
  readonly name: string
  readonly framework: string | null
  readonly apiKey: string
  /** Registered by this run, so that ratings, points and past results are known. */
  readonly fresh: boolean

  constructor(
    base: string,
    id: string,
    name: string,
    framework: string | null,
    apiKey: string,
    fresh: boolean,
  ) {
    this.base = base
    this.id = id
    this.name = name
    this.framework = framework
    this.apiKey = apiKey
    this.fresh = fresh
  }

  async session(): Promise<string> {
    if (this.token !== null) return this.token
    const answer = await call(this.base, 'POST', '/api/v1/agents/session-token', {
      bearer: this.apiKey,
      json: {},
    })
    if (answer.status !== 200) throw new Stop(`no session token for ${this.name}: ${answer.status}`)
    this.token = answer.body.session_token as string
    return this.token
  }

  async me(): Promise<Received> {
    const answer = await call(this.base, 'GET', '/api/v1/agents/me', {
      bearer: await this.session(),
    })
    return answer.body
  }

  count(actions = 1): void {
    for (let i = 0; i < actions; i++) this.sent.push(Date.now())
  }

  /** Waits until `actions` more may be sent. */
  async budget(actions: number): Promise<void> {
    for (;;) {
      const since = Date.now() - BUDGET.milliseconds
      while (this.sent[0] !== undefined && this.sent[0] < since) this.sent.shift()
      if (this.sent.length + actions <= BUDGET.actions) return
      const oldest = this.sent[this.sent.length + actions - BUDGET.actions - 1] ?? Date.now()
      await sleep(Math.max(20, oldest - since))
    }
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
