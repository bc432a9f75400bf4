import type { ServerResponse } from 'node:http'
import type { Hono } from 'hono'
import type { Account } from '../../src/arena/account.ts'
import type { WireRefusal } from '../../src/protocols/codes.ts'
import type { Session } from '../../src/protocols/connection.ts'
import { httpModule } from '../../src/protocols/http/index.ts'
import { prefix } from '../../src/protocols/play/operations.ts'
import { Play } from '../../src/protocols/play/play.ts'
import type { ApiAnswer, ProtocolHost } from '../../src/protocols/protocol.ts'
import type { HttpEnv } from '../../src/protocols/routes.ts'
import { declaredIn } from './declared.ts'
import { FakeClock } from './fake-clock.ts'
import { settled } from './loa-house.ts'
import { MemoryMatchStore } from './memory-match-store.ts'
import type { Answer } from './play-agent.ts'
import { TestArena, type TestArenaOptions } from './test-arena.ts'

/** A host without a wire, on which agents play by the routes of HTTP. Their names are their tokens. */
export class PlayHouse {
  readonly clock = new FakeClock()
  readonly matchStore = new MemoryMatchStore()
  readonly failures: unknown[] = []
  readonly arena: TestArena
  /** The sessions that are kept at the gate. */
  readonly kept = new Set<Pick<Session<never>, 'dismiss'>>()
  /** Codes of refusals that were counted. */
  readonly refusals: string[] = []
  /** What the API answers to every path. */
  api: ApiAnswer | null = { status: 404, body: '{}' }
  readonly play: Play
  readonly #app: Hono<HttpEnv>
  readonly #accounts = new Map<string, Account>()

  /** `options`: what its arena has besides. */
  constructor(
    house: TestArenaOptions['house'] = () => undefined,
    options: Partial<TestArenaOptions> = {},
  ) {
    const { clock, matchStore } = this
    const failed = (error: unknown) => this.failures.push(error)
    this.arena = new TestArena({ clock, matchStore, queueWait: 120_000, house, failed, ...options })
    const { arena } = this
    const api = async () => this.api
    this.play = new Play({
      ...{ arena, matchmaking: arena.matchmaking, clock, api },
      ...{ rooms: arena.rooms, parties: arena.parties },
      moveTimeout: 15_000,
      registrar: { declare: declaredIn(matchStore) },
    })
    const host: Partial<ProtocolHost> = { play: this.play, clock, failed }
    this.#app = httpModule.open(host as ProtocolHost).routes!.app
  }

  account(name: string): Account {
    const account = this.#accounts.get(name) ?? {
      ...{ id: 1 + this.#accounts.size, name },
      kind: 'player',
    }
    this.#accounts.set(name, account)
    return account
  }

  /** Ends all kept sessions, as a ban of everybody would. */
  dismiss(refusal: WireRefusal): void {
    for (const session of this.kept) session.dismiss(refusal)
  }

  /** What a route knows of a request. */
  protected envOf(outgoing: Outgoing): HttpEnv['Bindings'] {
    const env = {
      source: undefined,
      outgoing: outgoing as unknown as ServerResponse,
      gate: {
        login: async (secret: string) =>
          secret === ''
            ? { code: 'bad-token', detail: 'give a token' }
            : { account: this.account(secret), by: { kind: 'token', id: 1 } },
        admitGuest: () => {},
        keep: (session: Pick<Session<never>, 'dismiss'>) => {
          this.kept.add(session)
          return () => this.kept.delete(session)
        },
        refused: (code: string) => this.refusals.push(code),
        failed: (error: unknown) => this.failures.push(error),
      },
    }
    return env as unknown as HttpEnv['Bindings']
  }

  /** Makes a call, and returns once it waits or is answered. */
  async call(name: string, verb: string, body: unknown, init: RequestInit = {}): Promise<Call> {
    const outgoing = new Outgoing()
    const cut = new AbortController()
    const request = new Request(`http://localhost/${verb}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { Authorization: `Bearer ${name}`, 'Content-Type': 'application/json' },
      ...init,
      signal: cut.signal,
    })
    const call = new Call(outgoing, cut)
    void Promise.resolve(this.#app.fetch(request, this.envOf(outgoing))).then(response =>
      call.answered(response),
    )
    await settled(8)
    await this.pass(0)
    return call
  }

  /** Makes a call that is answered at once. */
  async ask(name: string, verb: string, body: unknown): Promise<Answer> {
    const call = await this.call(name, verb, body)
    if (call.answer === null) throw new Error(`${verb} waits`)
    return call.answer
  }

  /** Moves time, and lets calls be answered. */
  async pass(ms: number): Promise<void> {
    this.clock.pass(ms)
    await settled(8)
  }

  /** Two agents in a match: their names and seats, by seat. */
  async pair(game = 'ttt', options: object = {}): Promise<readonly Paired[]> {
    const first = await this.call('ada', 'join', { game, ...options })
    const second = await this.call('bert', 'join', { game, ...options })
    const all = [first, second].map(({ answer }, i) => {
      return { name: ['ada', 'bert'][i]!, seat: answer.seat, you: answer.you, first: answer }
    })
    return all.sort((a, b) => a.you - b.you)
  }
}

export interface Paired {
  readonly name: string
  readonly seat: string
  readonly you: number
  /** What join has answered. */
  readonly first: Answer
}

/** One request. */
class Call {
  /** Null while it waits. */
  answer: Answer = null
  status = 0
  headers: Headers | null = null
  readonly #outgoing: Outgoing
  readonly #cut: AbortController

  constructor(outgoing: Outgoing, cut: AbortController) {
    this.#outgoing = outgoing
    this.#cut = cut
  }

  /** The spaces that it was sent while it waited. */
  get spaces(): number {
    return /^ */.exec(this.#outgoing.text)![0].length
  }

  /** The client leaves. */
  async cut(): Promise<void> {
    this.#cut.abort()
    await settled(8)
  }

  async answered(response: Response): Promise<void> {
    const { headersSent, text } = this.#outgoing
    this.status = headersSent ? 200 : response.status
    this.headers = response.headers
    this.answer = JSON.parse(headersSent ? text : await response.text())
  }
}

/** What is written of a response before its route has answered. */
export class Outgoing {
  headersSent = false
  writableEnded = false
  text = ''

  writeHead(): void {
    this.headersSent = true
  }

  write(text: string): void {
    this.text += text
  }

  end(text = ''): void {
    this.write(text)
    this.writableEnded = true
  }
}

/** The path of an operation, as answers name it. */
export const post = (verb: string) => `POST ${prefix}/${verb}`
