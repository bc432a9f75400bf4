import { expect, it } from 'vitest'
import type { PlayProtocol } from '../src/protocols/play/call-text.ts'
import { Play } from '../src/protocols/play/play.ts'
import { declaredIn } from './support/declared.ts'
import { FakeClock } from './support/fake-clock.ts'
import { House, settled } from './support/loa-house.ts'
import { fc } from './support/properties.ts'

/** An agent that plays against one that writes a note with each move: what it was sent, and how it moves. */
interface Victim {
  readonly sent: () => string
  readonly move: (move: unknown) => Promise<unknown>
}

const victims: Record<string, (house: House, game: string) => Promise<Victim>> = {
  agentgames: async (house, game) => {
    const { connection, session } = house.agentGames('victim', game)
    return {
      sent: () => connection.sent.join('\n'),
      move: async move => session.receive(JSON.stringify({ type: 'move', move })),
    }
  },
  loa: async (house, game) => {
    const client = await house.agent('victim')
    await client.say({ type: 'join_queue', gameType: game })
    return {
      sent: () => client.connection.sent.join('\n'),
      move: move => client.move(move),
    }
  },
  http: (house, game) => caller('http', house, game),
  mcp: (house, game) => caller('mcp', house, game),
}

const caller = async (protocol: PlayProtocol, house: House, game: string): Promise<Victim> => {
  const { arena, clock, matchStore } = house
  const api = async () => null
  const registrar = { declare: declaredIn(matchStore) }
  const play = new Play({
    ...{ arena, matchmaking: arena.matchmaking, registrar, clock, api },
    moveTimeout: 15_000,
  })
  const answers: Record<string, unknown>[] = []
  const call = (verb: 'join' | 'move' | 'wait' | 'lobby', body: unknown) => {
    const keep = () => () => {}
    const signal = new AbortController().signal
    const account = house.account('victim')
    const caller = { account, protocol, source: undefined, signal, keep }
    void play.call(caller, verb, body).then(reply => answers.push(reply.body))
  }
  call('join', { game, speed: 'fast' })
  const latest = (name: string) => answers.findLast(answer => name in answer)?.[name]
  return {
    sent: () => JSON.stringify(answers),
    move: async move => {
      await settled()
      const seat = latest('seat')
      call('move', { seat, ply: latest('ply'), move, note: 'my own' })
      await settled()
      call('wait', { seat, wait_s: 0 })
      call('lobby', { game })
      await settled()
    },
  }
}

const moves: Record<string, (n: number) => unknown> = {
  ttt: n => String([4, 0, 8, 1, 2, 6][n]),
  'skill-gomoku': n => ({ type: 'place', row: 2 * n, col: 3 }),
  'resource-rush': () => ({ action: 'wait' }),
}

const cases = Object.keys(victims).flatMap(victim =>
  Object.keys(moves)
    .filter(game => victim !== 'loa' || game !== 'ttt')
    .map(game => [victim, game] as const),
)

it.each(cases)(
  'an agent of %s in %s is sent no note of its opponent while the match is live',
  async (protocol, game) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), async turns => {
        const house = new House()
        const writer = house.agentGames('writer', game)
        const victim = await victims[protocol]!(house, game)
        await settled()
        const table = [...house.arena.tables.values()][0]!
        const seatOf = (name: string) =>
          table.deal.players.findIndex(({ account }) => account.name === name)
        for (const [n, isNoted] of turns.entries()) {
          const note = isNoted ? { note: `a-note-${n}` } : {}
          const move = moves[game]!(n)
          const { clocks } = table
          if (clocks[seatOf('writer')] !== null)
            writer.session.receive(JSON.stringify({ type: 'move', move, ...note }))
          FakeClock.finishTick()
          if (clocks[seatOf('victim')] !== null) await victim.move(move)
          FakeClock.finishTick()
          await settled()
        }
        expect(table.moves.length).toBeGreaterThan(0)
        expect(victim.sent()).not.toContain('a-note')
        expect(house.failures).toEqual([])
        expect(table.isOver).toBe(false)
        writer.session.closed()
        await settled()
        const notes = Object.values(table.notes).filter(note => note.startsWith('a-note'))
        if (game === 'resource-rush')
          expect(notes).toHaveLength(turns.filter(isNoted => isNoted).length)
      }),
      { numRuns: 10 },
    )
  },
)
