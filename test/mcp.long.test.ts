// What takes the real time of a wait.

import { expect, it, onTestFinished } from 'vitest'
import { Host } from './support/host.ts'
import { eras, McpAgent } from './support/mcp-agent.ts'

it.runIf(process.env.CI === 'true')(
  'clients that cut each call after 60 s, or a stream that is silent for 20 s, hear the end of a wait',
  async () => {
    const host = await Host.start()
    onTestFinished(() => host.stop())
    const { token } = await host.account('ada')
    const began = performance.now()
    const joins = eras.map(async (era, i) => {
      const agent = new McpAgent(host.http, token, era)
      let signs = 0
      const timeout = i === 0 ? 60_000 : 20_000
      // Each sign of life begins the time of the client of 2025 anew.
      const onprogress = () => signs++
      const options = { timeout, resetTimeoutOnProgress: true, onprogress }
      const [, answer] = await agent.ask('join', { game: ['ttt', 'c4'][i] }, options)
      expect(answer).toMatchObject({ status: 'waiting', for: 'opponent' })
      await agent.close()
      return signs
    })
    const silent = fetch(`http://127.0.0.1:${host.http}/mcp`, {
      method: 'POST',
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'join', arguments: { game: 'chess' } },
      }),
    })
    expect((await Promise.all(joins)).every(signs => signs >= 2)).toBe(true)
    const text = await (await silent).text()
    expect(text).toMatch(/^(: keepalive\n\n){2,3}event: message\ndata: \{/)
    expect(performance.now() - began).toBeLessThan(48_000)
  },
  60_000,
)
