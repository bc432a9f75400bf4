import { Arena } from '../src/arena/arena.ts'
import type { MatchStore } from '../src/arena/match-store.ts'
import { systemClock } from '../src/clock.ts'
import { agentGames } from '../src/protocols/agentgames/index.ts'
import type { Message, Session } from '../src/protocols/connection.ts'

/** A match of tic-tac-toe of a usual length: the second player wins with the eighth move. */
export const script = ['0', '4', '8', '2', '1', '5', '7', '6'] as const

/**
 * All that the house says in such a match, for a relay that has the words and no game: for each seat, what it is
 * told when it comes, when it is seated, and after each move.
 */
export type Recording = readonly (readonly (readonly string[])[])[]

/** Plays the match in this process, without a wire, and writes down what is said. */
export const recordMatch = async (): Promise<Recording> => {
  const arena = new Arena({
    clock: systemClock,
    matchStore: emptyMatchStore,
    house: () => undefined,
    queueWait: 60_000,
  })
  const protocol = agentGames(arena, systemClock, 15_000)
  const agents = [1, 2].map(id => {
    const agent = { told: [[]] as string[][], session: undefined as Session<Message> | undefined }
    const connection = {
      id: '',
      send: (text: string) => {
        if (text.includes('"hello"')) agent.told.push([])
        agent.told.at(-1)!.push(text)
      },
      unsent: 0,
      ...{ note: ignore, refused: ignore, failed: ignore, end: ignore, cut: ignore },
    }
    const account = { id, name: `bench-${id}`, kind: 'player' } as const
    const params = new URLSearchParams({ game: 'ttt' })
    agent.session = protocol.open(connection, account, { kind: 'query', params })
    return agent
  })
  const seats = agents.toSorted(a => (a.told[1]![0]!.includes('"player":0') ? -1 : 1))
  for (const [turn, move] of script.entries()) {
    for (const seat of seats) seat.told.push([])
    seats[turn % 2]!.session!.receive(JSON.stringify({ type: 'move', move }))
  }
  // The result follows once it has been kept.
  await new Promise(setImmediate)
  return seats.map(seat => seat.told)
}

const ignore = () => {}

const emptyMatchStore: MatchStore = {
  standing: () => ({ rating: 1500, lead: 0 }),
  firsts: () => 0,
  ratedToday: () => 0,
  playedToday: () => [],
  family: account => account,
  pause: () => null,
  begin: () => 1,
  progress: () => {},
  finish: () =>
    Promise.resolve({
      changes: [
        { rating: 1484, change: -16 },
        { rating: 1516, change: 16 },
      ],
      unrated: null,
    }),
  abort: () => Promise.resolve(),
}
