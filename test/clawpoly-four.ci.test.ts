// One game of Clawpoly for four, over real sockets: an agent of Clawpoly, one by MCP, one of AgentGames, and a person in the hub.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, ClawpolyAgent, type Heard } from './support/clawpoly-agent.ts'
import { ClawpolyMcpAgent } from './support/clawpoly-mcp-agent.ts'
import { Host } from './support/host.ts'
import { hasTmux, Tmux } from './support/tmux.ts'

describe.skipIf(!hasTmux)('a game of four', () => {
  let host: Host
  beforeAll(async () => {
    host = await Host.start({ AGENTBBS_REGISTRATION: 'open' })
  })
  afterAll(() => host?.stop())

  it('is finished by agents of three protocols and a person, and kept', async () => {
    const { roomId, roomCode } = await ask(host.http, 'rooms', {
      ...{ name: 'Four waters', maxPlayers: 4, turnLimit: 24, gameSpeed: 'instant' },
    })
    const [wilma, ada] = [await host.account('wilma'), await host.account('ada')]
    const options = [
      '-F none',
      '-o IdentitiesOnly=yes',
      '-o IdentityAgent=none',
      '-o LogLevel=ERROR',
    ]
    options.push('-o StrictHostKeyChecking=no', '-o UserKnownHostsFile=/dev/null')
    const hub = new Tmux(`ssh ${options.join(' ')} -p ${host.ssh} -i ${wilma.key} wilma@127.0.0.1`)
    await hub.until('Rooms')
    hub.type('o')
    await hub.until('tables by code')
    hub.type('t')
    await hub.until('by code')
    hub.type('c')
    await hub.until('Code of the table:')
    hub.type(roomCode)
    await hub.until(`Code of the table: ${roomCode}`)
    hub.type('Enter')
    await hub.until('wilma (you)')

    const seed = await ClawpolyAgent.join(host.http, roomId, { name: 'Nemo' })
    const mcp = await ClawpolyMcpAgent.connect(host.http, 'marlin')
    await mcp.tool('join_queue', { roomCode })
    const agentGames = host.agent(ada.token, `?game=clawpoly&table=${roomCode}`)
    const hello = await agentGames.next('hello')
    expect(hello).toMatchObject({ game: 'clawpoly', rated: false })

    const person = async (): Promise<string> => {
      for (;;) {
        const text = await hub.until(/Type [a-z]+|turn limit|last standing/)
        const [, word] = /Type ([a-z]+)/.exec(text) ?? []
        if (word === undefined) return text
        // Letter by letter: tmux takes `end` for a key.
        hub.type(...word, 'Enter')
        // A word that comes once more is refused, which costs nothing.
        await expect.poll(() => calm(hub.text), { timeout: 15_000 }).not.toBe(calm(text))
      }
    }
    const [over, byMcp, result, screen] = await Promise.all([
      seed.play(),
      mcp.play(),
      agentGames.playFirstLegal(),
      person(),
    ])
    expect(over.finalStandings).toHaveLength(4)
    const moneyByPlace = (standings: readonly Heard[]) =>
      standings.map(({ placement, money }) => [placement, money])
    expect(moneyByPlace(byMcp.finalStandings)).toEqual(moneyByPlace(over.finalStandings))
    expect(result).toMatchObject({ type: 'result', match: hello.match, rated: false })
    expect(screen).toMatch(/wilma/)
    const record = await fetch(`http://127.0.0.1:${host.http}/api/v1/matches/${hello.match}`)
    const { players, ending } = (await record.json()) as never as {
      players: { protocol: string; shown?: string }[]
      ending: string
    }
    expect(ending).toBe('rules')
    expect(players.map(({ protocol }) => protocol).sort()).toEqual([
      ...['agentgames', 'clawpoly', 'clawpoly', 'hub'],
    ])
    expect(await host.cli('verify')).toContain('as they should be')
    hub.close()
    await mcp.close()
  }, 120_000)
})

/** A screen without its clocks and what is being typed. */
const calm = (screen: string) => screen.replace(/\d+:\d\d|Move:.*/g, '')
