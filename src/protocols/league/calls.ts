import type { Clock } from '../../clock.ts'
import { BoundedMap } from '../../limits/bounded-map.ts'
import { CallFailure, quoted } from '../../outgoing/call-failure.ts'
import { type HttpClient, retryWaits } from '../../outgoing/http-client.ts'
import type { CallAnswer, HttpRequest } from '../../outgoing/http-request.ts'
import { readJson } from '../../outgoing/read-json.ts'
import type { LeagueAgent } from './agents.ts'
import { rpcCodes } from './codes.ts'
import type { MessageLog } from './message-log.ts'
import { type envelope, type Message, methodsOf } from './messages.ts'
import { type RpcReply, readReply } from './rpc.ts'

/** Whom a message is for. */
export type Callee = Pick<LeagueAgent, 'league' | 'id' | 'endpoint'>

export type Envelope = ReturnType<typeof envelope>

/** How long all tries may take, and each of them. */
export type CallTimes = Pick<HttpRequest, 'within' | 'perTry'>

interface CallsOptions {
  readonly http: HttpClient
  readonly clock: Clock
  readonly log: MessageLog
  readonly failed: (error: unknown) => void
}

/** Endpoints whose dialect is known. */
const mostKnown = 10_000
/** Messages that wait for one that was sent before to the same endpoint. */
const mostWaiting = 200
const retries = retryWaits.length

/** Leaves time for every try, and for the waits between them. */
export const timesOfAllTries = (perTry: number): CallTimes => ({
  perTry,
  within: retryWaits.reduce((sum, wait) => sum + wait, 0) + (retries + 1) * perTry,
})

/** Sends messages to servers, each as a request of JSON-RPC. */
export class Calls {
  readonly #http: HttpClient
  readonly #clock: Clock
  readonly #log: MessageLog
  readonly #failed: (error: unknown) => void
  /** Which of `methodsOf` an endpoint knows. */
  readonly #dialects = new BoundedMap<string, number>(mostKnown)
  readonly #mail = new Map<string, { last: Promise<unknown>; waiting: number }>()
  #lastId = 0

  constructor({ http, clock, log, failed }: CallsOptions) {
    this.#http = http
    this.#clock = clock
    this.#log = log
    this.#failed = failed
  }

  /** Resolves with the reply, an error of JSON-RPC, or why none of them came. */
  async call(
    to: Callee,
    message: Message & Envelope,
    times: CallTimes,
  ): Promise<RpcReply | CallFailure> {
    const { endpoint } = to
    const until = this.#clock.now() + times.within!
    const methods = methodsOf(message.message_type)
    const id = ++this.#lastId
    this.#write('out', to, message, message)
    const known = this.#dialects.get(endpoint) ?? 0
    // The one that is known first, and then the others in their order.
    const order = [known, ...methods.keys()].filter((form, i, all) => all.indexOf(form) === i)
    let reply: RpcReply | CallFailure | undefined
    for (const form of order) {
      const body = JSON.stringify({ jsonrpc: '2.0', method: methods[form], params: message, id })
      const request: HttpRequest = {
        ...{ url: endpoint, method: 'POST', body, retries, ...times },
        headers: { 'content-type': 'application/json' },
        within: Math.max(0, until - this.#clock.now()),
      }
      reply = await this.#http.call(request, readAnswer)
      if (isUnknownMethod(reply)) continue
      if (!(reply instanceof CallFailure)) this.#dialects.set(endpoint, form)
      break
    }
    this.#write('in', to, message, shown(reply!))
    return reply!
  }

  /**
   * Sends a message whose reply says nothing, after all that was posted to this endpoint before. A failure is logged, and
   * changes nothing. Resolves once no more tries are made.
   */
  async post(to: Callee, message: Message & Envelope, times: CallTimes): Promise<void> {
    const { endpoint } = to
    const mail = this.#mail.get(endpoint) ?? { last: Promise.resolve(), waiting: 0 }
    if (mail.waiting >= mostWaiting) return
    this.#mail.set(endpoint, mail)
    mail.waiting++
    mail.last = mail.last
      .then(() => this.call(to, message, times))
      .catch(this.#failed)
      .then(() => {
        if (--mail.waiting === 0) this.#mail.delete(endpoint)
      })
    await mail.last
  }

  #write(
    direction: 'in' | 'out',
    { league, id }: Callee,
    { message_type, conversation_id }: Message & Envelope,
    message: object | string,
  ): void {
    this.#log.write({
      at: this.#clock.date(),
      ...{ direction, league, agent: id, message },
      conversation: conversation_id,
      type: direction === 'out' ? message_type : typeOf(message),
    })
  }
}

/** Reads the body whatever the status is. */
const readAnswer = (answer: CallAnswer): RpcReply | CallFailure => {
  const given = readJson(answer)
  if (given instanceof CallFailure) return given
  const { status, body } = answer
  const isOk = status >= 200 && status < 300
  return (
    readReply(given) ??
    new CallFailure(
      isOk ? 'not-json' : 'status',
      `it answered ${status} with ${quoted(body.slice(0, 80))}, which is no reply of JSON-RPC`,
      { status },
    )
  )
}

const isUnknownMethod = (reply: RpcReply | CallFailure) =>
  !(reply instanceof CallFailure) && 'error' in reply && reply.error.code === rpcCodes.method

const shown = (reply: RpcReply | CallFailure): object | string =>
  reply instanceof CallFailure
    ? `${reply.cause}: ${reply.says}`
    : 'error' in reply
      ? `error ${reply.error.code}: ${reply.error.message}`
      : reply.message

const typeOf = (message: object | string): string => {
  const type =
    typeof message === 'string' ? '' : (message as { message_type?: unknown }).message_type
  return typeof type === 'string' ? type.slice(0, 64) : ''
}
