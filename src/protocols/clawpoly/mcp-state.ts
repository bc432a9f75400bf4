// The state of a game as MCP answers it.

import { board, isOwnable } from '../../games/clawpoly-board.ts'
import { type Clawpoly, reasonOf, squaresOf, standingsOf } from '../../games/clawpoly-state.ts'
import type { Seat } from '../../games/game.ts'
import type { LegacyPrompt } from './autopilot.ts'
import { answersTo, questionOf } from './mcp-decisions.ts'
import type { Person } from './words.ts'

/** A game as one seat knows it. */
export interface SeatView {
  readonly state: Clawpoly
  readonly seat: Seat
  /** By seat. */
  readonly people: readonly Person[]
  /** The code of its room; null for a game of the queue. */
  readonly roomCode: string | null
  readonly gameSpeed: string
  readonly phase: 'playing' | 'paused' | 'finished'
  /** By seat, as the referee has given them; null without a result. */
  readonly places: readonly number[] | null
  readonly prompt: LegacyPrompt | null
  /** Milliseconds left for the decision that is owed. */
  readonly timeLeft: number | null
}

export const stateBody = (view: SeatView): object => {
  const { state, seat, people, roomCode, gameSpeed, phase, prompt, timeLeft } = view
  return {
    gamePhase: phase,
    ...(roomCode !== null && { roomCode }),
    gameSpeed,
    turnNumber: state.turnNumber,
    turnLimit: state.turnLimit,
    currentPlayer: people[state.current]!.name,
    isMyTurn: phase !== 'finished' && state.current === seat,
    pendingDecision:
      prompt === null
        ? null
        : {
            type: prompt.type,
            ...prompt.context,
            availableActions: answersTo(prompt),
            ...(timeLeft !== null && { secondsLeft: Math.floor(timeLeft / 1000) }),
          },
    instruction: instructionOf(view),
    ...(phase === 'finished' && endOf(view)),
    me: mineOf(view),
    players: state.players.map((_, other) => ({ ...playerOf(view, other), isMe: other === seat })),
    board: board.filter(isOwnable).map(({ index }) => squareOf(view, index)),
  }
}

const instructionOf = ({ phase, prompt, state, seat }: SeatView): string => {
  if (phase === 'finished') return 'The game is over. Start another one, or join the queue.'
  if (prompt !== null)
    return `${questionOf(prompt)} Call clawpoly_get_state with it as action, within 30 seconds.`
  if (state.players[seat]!.bankruptAt !== null)
    return 'You are bankrupt: the others play on. Call clawpoly_get_state to see how it ends, or start another game.'
  return phase === 'paused'
    ? 'The game is paused for a player whose connection is lost. Call clawpoly_get_state again.'
    : 'Nothing to decide now: the host throws the dice and ends turns for you. Call clawpoly_get_state again; it waits for your next decision.'
}

const endOf = ({ state, people, places }: SeatView) => ({
  winner: places === null ? null : (people[places.indexOf(1)]?.name ?? null),
  reason: places === null ? 'aborted' : reasonOf(state),
  finalStandings: standingsOf(state)
    .map(({ seat, place, wealth, money, squares, bankruptAt }) => ({
      ...{ name: people[seat]!.name, placement: places?.[seat] ?? place },
      ...(bankruptAt === null
        ? { money, properties: squares, wealth }
        : { bankruptAtTurn: bankruptAt }),
    }))
    .sort((a, b) => a.placement - b.placement),
})

const playerOf = ({ state, people }: SeatView, seat: Seat) => {
  const { id, name, token } = people[seat]!
  const { money, position, inPot, bankruptAt } = state.players[seat]!
  return {
    id,
    name,
    token,
    money,
    position,
    positionName: board[position]!.name,
    propertyCount: squaresOf(state, seat).length,
    inLobsterPot: inPot,
    isBankrupt: bankruptAt !== null,
  }
}

const mineOf = (view: SeatView) => {
  const { state, seat } = view
  const { potTurns, escapeCards } = state.players[seat]!
  const { propertyCount, ...mine } = playerOf(view, seat)
  return {
    ...mine,
    lobsterPotTurns: potTurns,
    escapeCards,
    properties: squaresOf(state, seat).map(index => {
      const { price, rent, owner, type, ...square } = squareOf(view, index)
      return square
    }),
  }
}

const squareOf = ({ state, people }: SeatView, index: number) => {
  const square = board[index]!
  const { owner, level, mortgaged } = state.squares[index]!
  return {
    index,
    name: square.name,
    type: square.type,
    colorGroup: square.type === 'property' ? square.group : null,
    price: isOwnable(square) ? square.price : null,
    rent: square.type === 'property' ? square.rent : null,
    owner: owner === null ? null : people[owner]!.name,
    outposts: level === 5 ? 0 : level,
    fortress: level === 5,
    mortgaged,
  }
}
