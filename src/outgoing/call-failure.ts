/** Why a call to another server failed: a closed list, which is also the label of the metrics. */
export const callFailures = {
  'bad-url': 'the URL cannot be read, is neither http nor https, or has a user or password in it',
  'refused-address': 'AGENTBBS_CALL_OUT does not allow the address or port',
  'no-name': 'the name of the server does not resolve',
  unreachable: 'no connection could be made',
  tls: 'the certificate is not valid, or TLS could not be agreed on',
  broken: 'the connection ended before the answer did, or the answer was not HTTP',
  timeout: 'the answer did not come in time',
  redirect: 'the answer leads to another URL, which is not followed',
  'too-long': 'the headers or the body of the answer are too long',
  compressed: 'the body of the answer is compressed, which was not asked for',
  status: 'the status of the answer is not one of success',
  'not-json': 'the body of the answer is not JSON',
  'circuit-open': 'the last calls to this endpoint failed, so it is left alone for a while',
  busy: 'too many calls are under way, to this origin or in all',
  closed: 'the host is stopping',
} as const

export type FailureCause = keyof typeof callFailures

/**
 * A call that failed by what the other side did, or did not do. A class, because no JSON that another server sends can
 * pose as an instance.
 */
export class CallFailure {
  readonly cause: FailureCause
  /**
   * What happened, in one line, with what came. Of the request it has the origin alone, and so no secrets. It is for the
   * operator: it may name addresses of the host's own network, which are not to be told to the other side.
   */
  readonly says: string
  /** Of the answer, if there was one. */
  readonly status: number | undefined
  /** After how many whole seconds another try makes sense, where that is known. */
  readonly retryAfter: number | undefined

  constructor(
    cause: FailureCause,
    says: string,
    { status, retryAfter }: { readonly status?: number; readonly retryAfter?: number } = {},
  ) {
    this.cause = cause
    this.says = says
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** What came from outside, quoted on one line: without control characters, without a query, which may hold a token. */
export const quoted = (text: string): string =>
  JSON.stringify(text.split(/[?#]/)[0]!.slice(0, 200)).replace(
    /[\u007f-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
