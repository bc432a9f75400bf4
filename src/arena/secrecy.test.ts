import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { type Kuhn, kuhn } from '../../test/support/kuhn.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { TestArena } from '../../test/support/test-arena.ts'
import { bestMove } from '../bots/best-move.ts'
import { house } from '../bots/house.ts'
import { lookText } from '../drawing/look-text.ts'
import { Dice } from '../games/dice.ts'
import { type Game, type Illegal, illegal, type Seat } from '../games/game.ts'
import { line } from '../games/look.ts'
import { opened, owing, type Sealed } from '../games/together.ts'
import { hasLiveMoves } from './arena-event.ts'
import type { News, Player, Seated, Shown } from './player.ts'

describe('in a match with secrets', () => {
  it('the legal moves of a seat are listed for that seat alone', () => {
    const { players, table } = seated(kuhn as Game)
    const listed = () => players.map(player => player.shown.observation.legal)
    expect(listed()).toEqual([['check', 'bet'], []])
    expect(table.observation.legal).toEqual([])
    players[0]!.seated.handle.move('bet')
    expect(listed()).toEqual([[], ['call', 'fold']])
    expect(players.map(({ shown }) => shown.observation.toMove)).toEqual([1, 1])
  })

  it('the legal moves of a seat that may act out of turn are listed for it as well', () => {
    const { players } = seated({
      ...kuhn,
      status: state => {
        const status = kuhn.status(state)
        return 'toMove' in status ? { ...status, mayAct: [1 - status.toMove[0]!] } : status
      },
      moves: (_, seat) => [`only seat ${seat}`],
    } as Game<Kuhn> as Game)
    expect(players.map(({ shown }) => shown.observation.legal)).toEqual([
      ['only seat 0'],
      ['only seat 1'],
    ])
  })

  it('spectators see no card until the match is over, and all cards after it', () => {
    const { players, table } = seated(kuhn as Game)
    players[0]!.seated.handle.move('bet')
    FakeClock.finishTick()
    expect(table.observation).toMatchObject({ cards: [null, null], acts: ['bet'] })
    expect(lookText(table.look())).toBe('? ? bet.')
    players[1]!.seated.handle.resign()
    FakeClock.finishTick()
    expect(table.observation).toMatchObject({
      cards: [expect.stringMatching(/[JQK]/), expect.stringMatching(/[JQK]/)],
    })
    expect(lookText(table.look())).not.toContain('?')
  })

  it('the true state is observed only where it is asked for, and no legal moves with it', () => {
    const { table } = seated(kuhn as Game)
    const cards = [expect.stringMatching(/[JQK]/), expect.stringMatching(/[JQK]/)]
    expect(table.observe('audience')).toEqual(table.observation)
    expect(table.observe(0)).toMatchObject({ cards: [cards[0], null], legal: ['check', 'bet'] })
    expect(table.observe('replay')).toMatchObject({ cards, legal: [] })
  })

  it('spectators are told no move before the match is over, whether seats move in turn or together', () => {
    const facts = { ...kuhn.facts, secrets: false }
    expect(hasLiveMoves({ ...kuhn, facts } as Game)).toBe(true)
    expect(hasLiveMoves({ ...kuhn, facts: { ...facts, turns: 'together' } } as Game)).toBe(false)
    expect(hasLiveMoves(kuhn as Game)).toBe(false)
  })

  it('the position given to a seat is one that it cannot tell from the true one', () => {
    const { players } = seated(kuhn as Game)
    const [mine, theirs] = players.map(({ seated: { handle, seat } }) =>
      Array.from({ length: 40 }, () => {
        const { cards } = handle.position() as Kuhn
        return { own: cards[seat], other: cards[1 - seat] }
      }),
    )
    for (const positions of [mine!, theirs!]) {
      expect(new Set(positions.map(({ own }) => own)).size).toBe(1)
      expect(new Set(positions.map(({ other }) => other)).size).toBe(2)
    }
  })

  it('an error while imagining a position aborts the match and is logged', async () => {
    const fault = new Error('no such hand')
    const { players, failures } = seated({
      ...kuhn,
      imagine: () => {
        throw fault
      },
    } as Game<Kuhn> as Game)
    players[0]!.seated.handle.position()
    await new Promise(setImmediate)
    expect(failures).toEqual([fault])
    expect(players.map(({ messages }) => messages.at(-1))).toEqual(
      Array(2).fill(expect.objectContaining({ kind: 'aborted' })),
    )
  })

  it('the position is the true one once the match is over', () => {
    const { players } = seated(kuhn as Game)
    players[0]!.seated.handle.resign()
    const seen = new Set(players.map(({ seated }) => JSON.stringify(seated.handle.position())))
    expect(seen.size).toBe(1)
  })
})

describe('in a match without secrets', () => {
  it('the legal moves of the seat to move are listed for all seats', () => {
    const { players, table } = seated({
      ...kuhn,
      facts: { ...kuhn.facts, secrets: false },
      view: ({ acts }) => ({ acts }),
    } as Game<Kuhn> as Game)
    for (const { observation } of [
      ...players.map(({ shown }) => shown),
      { observation: table.observation },
    ])
      expect(observation.legal).toEqual(['check', 'bet'])
  })
})

describe('a house player', () => {
  it('a house player does not know secrets with which it would always win', async () => {
    const rounds = 200
    let won = 0
    for (let n = 0; n < rounds; n++) if ((await practised(n)) === 'lost') won++
    // Half of them by chance: 200 coin throws leave these bounds once in a million times.
    expect(won).toBeGreaterThan(60)
    expect(won).toBeLessThan(140)
  }, 60_000)
})

/** Each seat holds a colour and names that of the other. A seat that knows the other colour never loses. */
const colours = ['red', 'black'] as const
type Colours = { readonly held: readonly string[]; readonly sealed: Sealed<string> }
const colourGame: Game<Colours> = {
  id: 'colours',
  title: 'Colours',
  summary: 'Name the colour that the other holds.',
  seats: 2,
  facts: { turns: 'together', luck: true, secrets: true },
  seedBits: 128,
  start: seed => {
    const dice = Dice.fromSeed(seed)
    return { held: [dice.pick(colours), dice.pick(colours)], sealed: [null, null] }
  },
  status: ({ held, sealed }) => {
    if (opened(sealed) === null) return { toMove: owing(sealed) }
    // A seat that names the right colour wins. Both right, or both wrong, is a draw.
    const isRight = (seat: Seat) => sealed[seat] === held[1 - seat]
    const places = isRight(0) === isRight(1) ? [1, 1] : isRight(0) ? [1, 2] : [2, 1]
    return { places, because: 'named' }
  },
  moves: ({ sealed }, seat) => (sealed[seat] === null ? colours : []),
  play: (state, seat, move): Colours | Illegal =>
    move === 'red' || move === 'black'
      ? { ...state, sealed: state.sealed.with(seat, move) }
      : illegal('a move is red or black'),
  view: ({ held }, viewer) => ({ own: typeof viewer === 'number' ? held[viewer]! : null }),
  look: ({ held }, viewer) => ({
    panels: [line(typeof viewer === 'number' ? held[viewer]! : '?')],
  }),
  imagine: (state, viewer, dice) => {
    const drawn = <T>(seat: Seat, own: T, other: T) => (seat === viewer ? own : other)
    return {
      held: state.held.map((colour, seat) => drawn(seat, colour, dice.pick(colours))),
      sealed: state.sealed.map(
        (named, seat) => named && drawn(seat, named, dice.pick(colours) as string),
      ),
    }
  },
  // A guess for searching players: it tells the true value of a state.
  guess: ({ held, sealed }, seat) =>
    sealed[seat] === null ? 0 : sealed[seat] === held[1 - seat] ? 0.5 : -0.5,
}

/** A practice match in which the agent always names the wrong colour: the house player wins if it names the right one. */
const practised = async (n: number): Promise<'lost' | 'drawn'> => {
  const game = colourGame as Game
  const dice = Dice.fromSeed(n)
  const arena = new TestArena({
    clock: new FakeClock(),
    matchStore: new MemoryMatchStore(),
    house: house(
      name => ({ id: 2, name, kind: 'house' }),
      async question => bestMove(game, question),
    ),
    queueWait: 1000,
    roll: n => dice.roll(n),
  })
  const agent = new Agent(1)
  arena.seek(agent, { game, practice: 'steady' })
  const { handle, seat } = agent.seated
  const table = [...arena.tables.values()][0]!
  const { held } = game.start(table.deal.seed, 2) as Colours
  handle.move(held[1 - seat] === 'red' ? 'black' : 'red')
  const ended = await agent.ended
  return ended.outcome.places[seat] === 2 ? 'lost' : 'drawn'
}

const seated = (game: Game) => {
  const dice = Dice.fromSeed(1)
  const failures: unknown[] = []
  const arena = new TestArena({
    clock: new FakeClock(),
    matchStore: new MemoryMatchStore(),
    house: () => undefined,
    queueWait: 1000,
    roll: n => dice.roll(n),
    failed: error => failures.push(error),
  })
  const agents = [new Agent(1), new Agent(2)]
  for (const agent of agents) arena.seek(agent, { game })
  const players = agents.toSorted((a, b) => a.seated.seat - b.seated.seat)
  return { players, failures, table: [...arena.tables.values()][0]! }
}

class Agent implements Player {
  readonly account
  readonly terms = {
    move: 15_000,
    illegal: 'forfeit',
    late: 'forfeit',
    away: 'forfeit',
  } as const
  readonly #messages: News[] = []
  readonly ended: Promise<Extract<News, { kind: 'ended' }>>
  #end!: (message: Extract<News, { kind: 'ended' }>) => void

  constructor(id: number) {
    this.account = { id, name: `Agent-${id}`, kind: 'player' as const }
    this.ended = new Promise(resolve => {
      this.#end = resolve
    })
  }

  tell(message: News): void {
    this.#messages.push(message)
    if (message.kind === 'ended') this.#end(message)
  }

  get messages(): readonly News[] {
    FakeClock.finishTick()
    return this.#messages
  }

  get seated(): Seated {
    return this.messages.find(message => message.kind === 'seated')!
  }

  get shown(): Shown {
    return this.messages.findLast(message => message.kind === 'shown')!
  }
}
