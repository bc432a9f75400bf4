import { describe, expect, it } from 'vitest'
import { moveFor } from '../../../test/support/loa-agent.ts'
import { type Client, type Heard, House, settled } from '../../../test/support/loa-house.ts'
import { MemoryMatchStore } from '../../../test/support/memory-match-store.ts'
import { fc } from '../../../test/support/properties.ts'
import type { Account, AccountId } from '../../arena/account.ts'
import type { Player, SeatHandle } from '../../arena/player.ts'
import { randomMove } from '../../bots/random-move.ts'
import { Dice } from '../../games/dice.ts'
import type { Game } from '../../games/game.ts'

/** Fetches what it is asked for when it is told to, as a store on disk does for accounts that it does not know. */
class SlowMatchStore extends MemoryMatchStore {
  readonly #asked: (() => void)[] = []
  isSlow = false

  override hold(accounts: readonly AccountId[]): Promise<void> | null {
    if (!this.isSlow) return super.hold(accounts)
    return new Promise(resolve => {
      this.#asked.push(() => {
        void super.hold(accounts)
        resolve()
      })
    })
  }

  async fetch(): Promise<void> {
    for (const fetched of this.#asked.splice(0)) fetched()
    await settled()
  }
}

/** A house player that moves at once. */
const housePlayer = (game: Game) => (): Player => {
  const dice = Dice.fromSeed(7)
  let handle: SeatHandle
  let seat = 0
  return {
    account: { id: 0, name: 'house', kind: 'house' } satisfies Account,
    terms: { move: 60_000, illegal: 'forfeit', late: 'forfeit', away: 'ignored' },
    tell: news => {
      if (news.kind === 'seated') ({ handle, seat } = news)
      if (news.kind === 'shown' && news.yourTurn)
        handle.move(randomMove(game, handle.position(), seat, dice))
    },
  }
}

const names = ['a', 'b', 'c', 'd'] as const
const gameTypes = [
  'echo',
  'blotto',
  'skill-gomoku',
  'dance-battle',
  'resource-rush',
  'ttt',
] as const

const name = fc.constantFrom(...names)
const gameType = fc.constantFrom(...gameTypes)
const match = fc.integer({ min: 1, max: 6 })
const kind = <const Kind extends string, Fields extends object>(
  kind: Kind,
  fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
) => fc.record({ kind: fc.constant(kind), ...fields }) as fc.Arbitrary<{ kind: Kind } & Fields>

const act = fc.oneof(
  { weight: 4, arbitrary: kind('login', { name }) },
  { weight: 6, arbitrary: kind('join', { name, gameType }) },
  { weight: 1, arbitrary: kind('practise', { name, gameType }) },
  { weight: 20, arbitrary: kind('move', { name }) },
  { weight: 2, arbitrary: kind('bad move', { name, match }) },
  { weight: 3, arbitrary: kind('subscribe', { name, match }) },
  { weight: 2, arbitrary: kind('watch', { match }) },
  { weight: 2, arbitrary: kind('drop', { name }) },
  { weight: 1, arbitrary: kind('revoke', { name }) },
  { weight: 2, arbitrary: kind('other agent', { gameType }) },
  { weight: 4, arbitrary: kind('other move', { legal: fc.boolean() }) },
  { weight: 1, arbitrary: kind('other drop', {}) },
  { weight: 1, arbitrary: kind('pause', { match }) },
  { weight: 2, arbitrary: kind('resume', { match }) },
  { weight: 1, arbitrary: kind('slow', { isSlow: fc.boolean() }) },
  { weight: 3, arbitrary: kind('fetch', {}) },
  { weight: 2, arbitrary: kind('logins', { wait: fc.boolean() }) },
  { weight: 3, arbitrary: kind('tell', {}) },
  {
    weight: 3,
    arbitrary: kind('pass', { ms: fc.constantFrom(50, 1_000, 16_000, 91_000, 181_000) }),
  },
)
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never

/** Some agents of League of Agents, agents of AgentGames and spectators on one host. */
class Crowd {
  readonly matchStore = new SlowMatchStore()
  readonly house = new House({ matchStore: this.matchStore, house: housePlayer })
  readonly #clients: Client[] = []
  readonly #dropped = new Set<Client>()
  readonly #newest = new Map<string, Client>()
  /** Each of them waits for the answer to its login. */
  readonly #loggingIn = new Set<Client>()
  readonly #others: ReturnType<House['agentGames']>[] = []
  readonly #dice = Dice.fromSeed(3)

  async do(act: Act): Promise<void> {
    const { house, matchStore } = this
    switch (act.kind) {
      case 'login':
        this.#login(act.name)
        break
      case 'join':
        await this.#say(act.name, { type: 'join_queue', gameType: act.gameType })
        break
      case 'practise':
        await this.#say(act.name, { type: 'join_queue', gameType: act.gameType, practice: true })
        break
      case 'move':
        await this.#move(act.name)
        break
      case 'bad move':
        await this.#say(act.name, { type: 'submit_move', gameId: `g-${act.match}`, move: {} })
        break
      case 'subscribe':
        await this.#say(act.name, { type: 'subscribe_game', gameId: `g-${act.match}` })
        break
      case 'watch': {
        const guest = house.guest()
        this.#clients.push(guest)
        await guest.say({ type: 'subscribe_game', gameId: `g-${act.match}` })
        break
      }
      case 'drop':
        this.#drop(act.name)
        break
      case 'revoke': {
        const { session } = this.#newest.get(act.name) ?? {}
        house.clock.soon.turn(() => session?.dismiss({ code: 'revoked', detail: 'revoked' }))
        this.#drop(act.name)
        break
      }
      case 'other agent':
        if (this.#others.length < 4)
          this.#others.push(house.agentGames(`other-${this.#others.length}`, act.gameType))
        break
      case 'other move':
        this.#otherMove(act.legal)
        break
      case 'other drop':
        this.#others.shift()?.session.closed()
        break
      case 'pause':
        house.arena.tables.get(act.match)?.pause()
        break
      case 'resume':
        house.arena.tables.get(act.match)?.resume()
        break
      case 'slow':
        matchStore.isSlow = act.isSlow
        break
      case 'fetch':
        await matchStore.fetch()
        break
      case 'logins':
        for (const answer of house.logins ?? []) answer()
        house.logins = act.wait ? [] : null
        break
      case 'tell':
        await settled()
        break
      case 'pass':
        house.clock.pass(act.ms)
        break
    }
    // What was resolved goes on.
    for (let i = 0; i < 8; i++) await Promise.resolve()
    this.#check()
  }

  /** All that goes on comes to its end. */
  async end(): Promise<void> {
    const { house, matchStore } = this
    for (const answer of house.logins ?? []) answer()
    matchStore.isSlow = false
    for (let round = 0; round < 60; round++) {
      await matchStore.fetch()
      await settled(40)
      this.#check()
      for (const table of house.arena.tables.values()) table.resume()
      house.clock.pass(181_000)
    }
    await settled(40)
    expect(house.arena.tables.size).toBe(0)
    for (const client of this.#clients) this.#checkEnds(client)
    for (const client of this.#clients) client.drop()
    for (const { session } of this.#others) session.closed()
    house.clock.pass(1_000)
    expect(house.matchStore.held).toBe(0)
    expect(house.clock.pending).toBe(0)
    expect(house.lobby.sessions.size).toBe(0)
    expect(house.arena.waiting).toEqual([])
    expect(house.failures).toEqual([])
  }

  #drop(name: string): void {
    const client = this.#newest.get(name)
    if (client === undefined) return
    this.#newest.delete(name)
    client.drop()
    this.#dropped.add(client)
  }

  #login(name: string): void {
    const client = this.house.guest()
    this.#clients.push(client)
    this.#newest.set(name, client)
    this.#loggingIn.add(client)
    void client
      .say({ type: 'authenticate', token: `agent-${name}` })
      .then(() => this.#loggingIn.delete(client))
  }

  /** While a login is answered the wire holds back what a client sends. */
  async #say(name: string, message: object): Promise<void> {
    const client = this.#newest.get(name)
    if (client !== undefined && !this.#loggingIn.has(client)) await client.say(message)
  }

  async #move(name: string): Promise<void> {
    const client = this.#newest.get(name)
    const asked = client?.last('your_turn')
    if (client === undefined || asked === undefined || this.#loggingIn.has(client)) return
    const state = client.messages.findLast(
      ({ type, gameId }) => type === 'game_state' && gameId === asked.gameId,
    )
    const { gameType, extra, status } = state
    if (status !== 'active') return
    const { agentId } = client.last('authenticated')
    const move =
      extra.legal === undefined
        ? moveFor[gameType]!(state, this.#dice, agentId)
        : { move: this.#dice.pick(extra.legal) }
    await client.move(move, asked.gameId)
  }

  #otherMove(isLegal: boolean): void {
    for (const { connection, session } of this.#others) {
      const { type, yourTurn, observation } = connection.last ?? {}
      if (type !== 'state' || !yourTurn || connection.ended !== null) continue
      const move = observation.legal?.[0] ?? observation.possibleActions?.[0] ?? { number: 3 }
      session.receive(JSON.stringify({ type: 'move', move: isLegal ? move : null }))
    }
  }

  #check(): void {
    const { arena, lobby, failures } = this.house
    expect(failures).toEqual([])
    for (const name of names) {
      const account = this.house.account(`agent-${name}`)
      expect(arena.countSeats(account.id)).toBeLessThan(2)
      const seat = lobby.seatOf(account)
      // A seat is never left without its agent while that is connected.
      if (seat !== undefined && lobby.sessions.has(account.id)) expect(seat.isAttached).toBe(true)
    }
    for (const client of this.#clients) checkOrder(client.messages)
  }

  /** A client that was shown a live board and stays connected is told how that match ended. */
  #checkEnds(client: Client): void {
    const { connection, messages } = client
    if (connection.ended !== null || this.#dropped.has(client)) return
    const shown = messages.flatMap(({ type, gameId, status }) =>
      type === 'matched' || (type === 'game_state' && status === 'active') ? [gameId] : [],
    )
    for (const gameId of new Set(shown)) {
      const last = messages.findLast(message => message.gameId === gameId)
      expect(last.type).toBe('game_over')
    }
  }
}

/** The guarantees of the reference. */
const checkOrder = (messages: readonly Heard[]) => {
  const rounds = new Map<string, number>()
  for (const [i, { type, gameId, gameType, round }] of messages.entries()) {
    const before = messages[i - 1]
    const next = messages[i + 1]
    if (type === 'matched') expect(next).toMatchObject({ type: 'game_state', gameId })
    if (type === 'your_turn') expect(before).toMatchObject({ type: 'game_state', gameId, round })
    if (type === 'skill_effect') expect(next).toMatchObject({ type: 'turn_update', gameId })
    if (type === 'game_over') expect(before).toMatchObject({ status: 'completed', gameId })
    if (type === 'turn_update') {
      expect(['turn_update', 'skill_effect', 'game_state']).toContain(next.type)
      if (rounds.has(gameId)) expect(round).toBe(rounds.get(gameId)! + 1)
      rounds.set(gameId, round)
    }
    // What a client asks to see again goes on from there.
    if (type === 'game_state' && gameType === 'ttt') rounds.delete(gameId)
  }
}

it('whatever clients do, in whatever order, sessions and matches come to their ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 120, size: 'max' }), async acts => {
      const crowd = new Crowd()
      for (const act of acts) await crowd.do(act)
      await crowd.end()
    }),
    { numRuns: 60 },
  )
})

describe('between its pairing and its match', () => {
  /** Agents a and b that are paired, while the store fetches what the match needs. */
  const paired = async () => {
    const matchStore = new SlowMatchStore()
    const house = new House({ matchStore })
    const clients = [await house.agent('a'), await house.agent('b')] as const
    await clients[0].say({ type: 'join_queue', gameType: 'echo' })
    matchStore.isSlow = true
    await clients[1].say({ type: 'join_queue', gameType: 'echo' })
    await matchStore.fetch()
    expect(house.arena.waiting).toEqual([])
    expect(house.arena.tables.size).toBe(0)
    return { house, matchStore, clients }
  }

  it('an agent that comes back gets its seat', async () => {
    const { house, matchStore, clients } = await paired()
    const again = await house.agent('a')
    expect(clients[0].connection.close?.code).toBe(4009)
    await matchStore.fetch()
    expect(again.types).toEqual(['authenticated', 'matched', 'game_state', 'your_turn'])
    await again.move({ number: 3 })
    expect(again.last('move_result').success).toBe(true)
    expect(clients[1].types.slice(-1)).toEqual(['thinking'])
  })

  it('an agent that is gone loses by its clock, and may come back until then', async () => {
    const { house, matchStore, clients } = await paired()
    clients[0].drop()
    await matchStore.fetch()
    house.clock.pass(179_000)
    const again = await house.agent('a')
    expect(again.types).toEqual(['authenticated', 'game_state', 'your_turn'])
    expect(again.last('game_state').timeLeft[again.last('authenticated').agentId]).toBe(1_000)
  })

  it('an agent cannot join another queue', async () => {
    const { house, matchStore, clients } = await paired()
    await clients[0].say({ type: 'join_queue', gameType: 'blotto' })
    expect(clients[0].last('error')).toEqual({
      type: 'error',
      message: 'Already in an active game.',
    })
    await matchStore.fetch()
    expect(clients[0].types.slice(-3)).toEqual(['matched', 'game_state', 'your_turn'])
    expect(house.arena.waiting).toEqual([])
  })
})

describe('spectators', () => {
  it('are told each round, also where several are played at once', async () => {
    const house = new House({ house: housePlayer })
    const agent = await house.agent('a')
    await agent.say({ type: 'join_queue', gameType: 'skill-gomoku', practice: true })
    const guest = house.guest()
    await guest.say({ type: 'subscribe_game', gameId: 'g-1' })
    const told = guest.last('game_state').round
    await agent.move({ type: 'place', row: 14, col: 14 })
    await settled()
    const rounds = guest.heard.flatMap(({ type, round }) => (type === 'turn_update' ? [round] : []))
    expect(rounds).toEqual([told, told + 1])
  })

  it('of a match whose spectators cannot be told anything leave, and no others are harmed', async () => {
    const house = new House()
    await house.matched('echo')
    const [broken, sound] = [house.guest(), house.guest()]
    await broken.say({ type: 'subscribe_game', gameId: 'g-1' })
    house.arena.tables.get(1)!.observe = () => {
      throw new Error('no view')
    }
    house.clock.pass(181_000)
    await settled()
    expect(house.failures).toEqual([new Error('no view')])
    await house.matched('blotto')
    await sound.say({ type: 'subscribe_game', gameId: 'g-2' })
    house.clock.pass(181_000)
    await settled()
    expect(sound.last('game_over')).toMatchObject({ gameId: 'g-2' })
    expect(house.failures).toHaveLength(1)
  })

  it('are written to a few at a time, and not in one batch', async () => {
    const house = new House()
    const [one, other] = await house.matched('echo')
    const guest = house.guest()
    await guest.say({ type: 'subscribe_game', gameId: 'g-1' })
    for (const agent of [one!, other!]) await agent.move({ number: 3 })
    await settled()
    expect(guest.types).toEqual(['game_state', 'thinking', 'thinking', 'turn_update', 'game_state'])
    expect(guest.connection.batched).toBe(0)
    expect(one!.connection.batched).toBeGreaterThan(0)
  })

  it('hear nothing twice where one of them logs in and has a seat in the match', async () => {
    const house = new House()
    const [one, other] = await house.matched('echo')
    one!.drop()
    const again = house.guest()
    await again.say({ type: 'subscribe_game', gameId: 'g-1' })
    await again.say({ type: 'authenticate', token: one!.name })
    again.heard
    await other!.move({ number: 3 })
    await settled()
    expect(again.types).toEqual(['thinking'])
  })
})

it('an agent that comes back while its match is being aborted is told of the end', async () => {
  const house = new House()
  const [one] = await house.matched('echo')
  one!.drop()
  let written = () => {}
  house.matchStore.abort = () =>
    new Promise(resolve => {
      written = resolve
    })
  const aborted = house.arena.tables.get(1)!.abort('the host is stopping')
  const again = await house.agent(one!.name.replace('agent-', ''))
  written()
  await aborted
  expect(again.types).toEqual(['authenticated', 'game_state', 'game_over'])
})

it('a store that fails for a request that was given up does not end the next one', async () => {
  const matchStore = new SlowMatchStore()
  const house = new House({ matchStore })
  const agent = await house.agent('a')
  let fail = (_: Error) => {}
  matchStore.hold = () =>
    new Promise((_, reject) => {
      fail = reject
    })
  await agent.say({ type: 'join_queue', gameType: 'echo' })
  matchStore.hold = accounts => MemoryMatchStore.prototype.hold.call(matchStore, accounts)
  await agent.say({ type: 'join_queue', gameType: 'blotto' })
  fail(new Error('the disk is gone'))
  await settled()
  expect(agent.types).toEqual(['authenticated', 'queue_status'])
  agent.drop()
  expect(house.arena.waiting).toEqual([])
})
