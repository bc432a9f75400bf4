export interface HttpRequest {
  /** http or https, without a user or password. */
  readonly url: string
  readonly method?: 'GET' | 'POST'
  /** Apart from those of the connection, which the client makes. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The protocol to change to, such as `websocket`. The connection ends with the answer, also where that agrees. */
  readonly upgrade?: string
  /** Milliseconds for everything, with connecting, retries and the waits between them. 10 s unless given. */
  readonly within?: number
  /** Milliseconds for each try. A try that takes longer may be made again; without this, none is. */
  readonly perTry?: number
  /**
   * How often the request may be sent again where no answer came. Only for requests that do no harm when they arrive
   * twice. 0 unless given.
   */
  readonly retries?: 0 | 1 | 2 | 3
  /** How many bytes the body of the answer may have. 64 KiB unless given. */
  readonly longest?: number
}

/** An answer that came in whole, whatever its status apart from a redirect. */
export interface CallAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** When the certificate ends, as it says; undefined without TLS. */
  readonly validTo: string | undefined
}
