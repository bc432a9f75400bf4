import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { type Kuhn, kuhn } from '../../test/support/kuhn.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { bestMove } from '../bots/best-move.ts'
import { house } from '../bots/house.ts'
import { lookText } from '../drawing/look-text.ts'
import { Dice } from '../games/dice.ts'
import { type Game, type Illegal, illegal, type Seat } from '../games/game.ts'
import { line } from '../games/look.ts'
import { opened, owing, type Sealed } from '../games/together.ts'
import { Arena } from './arena.ts'
import { isOpen } from './audience.ts'
import type { News, Player, Seated, Shown } from './player.ts'

describe('in a match with secrets', () => {
  it('the legal moves of a seat are listed for that seat alone', () => {
    const { players, table } = seated(kuhn as Game)
    const listed = () => players.map(player => player.shown.sight.legal)
    expect(listed()).toEqual([['check', 'bet'], []])
    expect(table.sight.legal).toEqual([])
    players[0]!.seated.chair.move('bet')
    expect(listed()).toEqual([[], ['call', 'fold']])
    expect(players.map(({ shown }) => shown.sight.toMove)).toEqual([1, 1])
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
    expect(players.map(({ shown }) => shown.sight.legal)).toEqual([
      ['only seat 0'],
      ['only seat 1'],
    ])
  })

  it('spectators see no card until the match is over, and all cards after it', () => {
    const { players, table } = seated(kuhn as Game)
    players[0]!.seated.chair.move('bet')
    expect(table.sight).toMatchObject({ cards: [null, null], acts: ['bet'] })
    expect(lookText(table.look())).toBe('? ? bet.')
    players[1]!.seated.chair.resign()
    expect(table.sight).toMatchObject({
      cards: [expect.stringMatching(/[JQK]/), expect.stringMatching(/[JQK]/)],
    })
    expect(lookText(table.look())).not.toContain('?')
  })

  it('spectators are told no move before the match is over, whether seats move in turn or together', () => {
    const facts = { ...kuhn.facts, secrets: false }
    expect(isOpen({ ...kuhn, facts } as Game)).toBe(true)
    expect(isOpen({ ...kuhn, facts: { ...facts, turns: 'together' } } as Game)).toBe(false)
    expect(isOpen(kuhn as Game)).toBe(false)
  })

  it('the position given to a seat is one that it cannot tell from the true one', () => {
    const { players } = seated(kuhn as Game)
    const [mine, theirs] = players.map(({ seated: { chair, seat } }) =>
      Array.from({ length: 40 }, () => {
        const { cards } = chair.position() as Kuhn
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
    players[0]!.seated.chair.position()
    await new Promise(setImmediate)
    expect(failures).toEqual([fault])
    expect(players.map(({ last }) => last)).toEqual(
      Array(2).fill(expect.objectContaining({ kind: 'aborted' })),
    )
  })

  it('the position is the true one once the match is over', () => {
    const { players } = seated(kuhn as Game)
    players[0]!.seated.chair.resign()
    const seen = new Set(players.map(({ seated }) => JSON.stringify(seated.chair.position())))
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
    for (const { sight } of [...players.map(({ shown }) => shown), { sight: table.sight }])
      expect(sight.legal).toEqual(['check', 'bet'])
  })
})

describe('a house player', () => {
  it('a house player does not know secrets with which it would always win', async () => {
    const rounds = 200
    let won = 0
    for (let n = 0; n < rounds; n++) if ((await practised(n)) === 'lost') won++
    // By chance half of them: 200 coins fall outside these bounds once in a million times.
    expect(won).toBeGreaterThan(60)
    expect(won).toBeLessThan(140)
  }, 60_000)
})

/** Both hold a colour, and name that of the other: who sees the other's colour never loses. */
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
    // Whether seat 0 is right or not decides, so that one right answer is one match won.
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
  // Made for players who search: of a state it says what is so.
  guess: ({ held, sealed }, seat) =>
    sealed[seat] === null ? 0 : sealed[seat] === held[1 - seat] ? 0.5 : -0.5,
}

/** A practice match in which the agent always names the wrong colour: the house player wins if it names the right one. */
const practised = async (n: number): Promise<'lost' | 'drawn'> => {
  const game = colourGame as Game
  const dice = Dice.fromSeed(n)
  const arena = new Arena({
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
  arena.seek(agent, { game, practice: 'steady' }, () => {})
  const { chair, seat } = agent.seated
  const table = [...arena.tables.values()][0]!
  const { held } = game.start(table.deal.seed, 2) as Colours
  chair.move(held[1 - seat] === 'red' ? 'black' : 'red')
  const ended = await agent.ended
  return ended.outcome.places[seat] === 2 ? 'lost' : 'drawn'
}

const seated = (game: Game) => {
  const dice = Dice.fromSeed(1)
  const failures: unknown[] = []
  const arena = new Arena({
    clock: new FakeClock(),
    matchStore: new MemoryMatchStore(),
    house: () => undefined,
    queueWait: 1000,
    roll: n => dice.roll(n),
    failed: error => failures.push(error),
  })
  const agents = [new Agent(1), new Agent(2)]
  for (const agent of agents) arena.seek(agent, { game }, () => {})
  const players = agents.toSorted((a, b) => a.seated.seat - b.seated.seat)
  return { players, failures, table: [...arena.tables.values()][0]! }
}

class Agent implements Player {
  readonly account
  readonly terms = {
    firstMove: 15_000,
    move: 15_000,
    illegal: 'forfeit',
    late: { strikes: 1, otherwise: 'clock' },
    away: { grace: 0, clock: 'runs' },
  } as const
  readonly #news: News[] = []
  readonly ended: Promise<Extract<News, { kind: 'ended' }>>
  #end!: (news: Extract<News, { kind: 'ended' }>) => void

  constructor(id: number) {
    this.account = { id, name: `Agent-${id}`, kind: 'player' as const }
    this.ended = new Promise(resolve => {
      this.#end = resolve
    })
  }

  tell(news: News): void {
    this.#news.push(news)
    if (news.kind === 'ended') this.#end(news)
  }

  get last(): News | undefined {
    return this.#news.at(-1)
  }

  get seated(): Seated {
    return this.#news.find(news => news.kind === 'seated')!
  }

  get shown(): Shown {
    return this.#news.filter(news => news.kind === 'shown').at(-1)!
  }
}
