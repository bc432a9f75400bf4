// A relay over ssh2, with all keys prepared once as in the house.

import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { openHostKey } from '../src/wire/host-key.ts'
import { algorithms } from '../src/wire/ssh-algorithms.ts'
import { proves } from '../src/wire/ssh-keys.ts'
import type { BenchAccount, Reach } from './account.ts'
import { answerParent } from './question.ts'
import { recordMatch } from './recording.ts'
import { Relay } from './relay.ts'
import { usage } from './usage.ts'

const data = mkdtempSync(join(tmpdir(), 'agentbbs-bench-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))

answerParent({
  ...usage,
  open: async (_: readonly BenchAccount[]): Promise<{ ssh: Reach }> => {
    const relay = new Relay(await recordMatch())
    const server = new ssh2.Server({ hostKeys: [{ key: openHostKey(data) }], algorithms })
    server.on('connection', client => {
      let account = ''
      client.on('error', () => {})
      client.on('authentication', context => {
        if (context.method !== 'publickey') return context.reject(['publickey'])
        const { key, blob, signature, hashAlgo } = context
        account = key.data.toString('base64')
        if (blob === undefined || signature === undefined) context.accept()
        else if (proves(key.data, { data: blob, signature, hash: hashAlgo })) context.accept()
        else context.reject()
      })
      client.on('session', accept =>
        accept().on('exec', accept => {
          const stream = accept()
          const line = {
            send: (text: string) => stream.write(`${text}\n`),
            close: () => {
              stream.exit(0)
              stream.end()
            },
          }
          const seat = relay.enter(line, account)
          stream.on('data', () => seat.match?.next())
          stream.on('error', () => {})
          client.on('close', () => relay.leave(seat))
        }),
      )
    })
    // Without noDelay it would be a relay of Nagle's algorithm.
    const listener = createServer({ noDelay: true }, socket => {
      socket.on('error', () => {})
      server.injectSocket(socket)
    })
    await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
    return { ssh: { port: (listener.address() as AddressInfo).port, tokens: [] } }
  },
})
