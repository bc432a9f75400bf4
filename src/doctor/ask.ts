import { type IncomingMessage, request as requestPlainly } from 'node:http'
import { request as requestByTls } from 'node:https'
import type { TLSSocket } from 'node:tls'

export interface Answer {
  readonly status: number
  readonly body: string
  readonly date: string | undefined
  /** When the certificate ends; undefined without TLS. */
  readonly validTo: string | undefined
}

const answerTimeout = 10_000
const longest = 4_096

/** Makes one GET request. */
export const ask = (
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer | { readonly problem: string }> =>
  new Promise(resolve => {
    const start = url.startsWith('https:') ? requestByTls : requestPlainly
    const failed = (error: NodeJS.ErrnoException) =>
      resolve({ problem: error.code ?? error.message })
    const request = start(url, { headers, agent: false })
    request.on('error', failed)
    request.setTimeout(answerTimeout, () => request.destroy(new Error('no answer')))
    const taken = (response: IncomingMessage) => {
      const { socket } = response
      const validTo =
        'getPeerCertificate' in socket
          ? (socket as TLSSocket).getPeerCertificate().valid_to
          : undefined
      let body = ''
      const done = () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, body, date: headers.date, validTo })
        request.destroy()
      }
      response.setEncoding('utf8')
      response.on('error', done).on('end', done)
      response.on('data', text => {
        body += text
        if (body.length > longest) done()
      })
    }
    request.on('response', taken)
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode!, body: '', date: undefined, validTo: undefined })
    })
    request.end()
  })
