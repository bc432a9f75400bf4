// What Clawpoly says of the state of a match.

import { board, isOwnable, type Square, tolls } from '../../games/clawpoly-board.ts'
import { type Buildable, buildable, mortgageable, sellable } from '../../games/clawpoly-deeds.ts'
import type { ClawpolyEvent } from '../../games/clawpoly-events.ts'
import { actionsOf } from '../../games/clawpoly-moves.ts'
import { type Clawpoly, moverOf, squaresOf, standingsOf } from '../../games/clawpoly-state.ts'
import type { Seat } from '../../games/game.ts'
import type { ActionName } from './messages.ts'
import type { Token } from './tokens.ts'

/** How a player of a match is called in all messages, by seat. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly token: Token
}

/** `Event`. */
export interface LogEntry {
  /** From 0, without a gap. */
  readonly sequence: number
  readonly turnNumber: number
  readonly type: string
  readonly playerId: string | null
  readonly data: object
  /** ISO 8601. */
  readonly timestamp: string
}

/** What an agent is asked, as a message without its time. */
export interface Prompt {
  readonly type:
    | 'agent:your_turn'
    | 'agent:buy_decision'
    | 'agent:build_decision'
    | 'agent:lobster_pot_decision'
    | 'agent:must_raise_funds'
    | 'agent:trade_received'
  readonly data: { readonly [field: string]: unknown }
  readonly availableActions: readonly ActionName[]
}

/** `Square`. */
const squareWords = (state: Clawpoly, people: readonly Person[], index: number) => {
  const square = board[index]!
  const { owner, level, mortgaged } = state.squares[index]!
  return {
    index,
    name: square.name,
    type: square.type,
    ...figuresOf(square),
    owner: owner === null ? null : people[owner]!.id,
    outposts: level === 5 ? 0 : level,
    fortress: level === 5,
    mortgaged,
  }
}

const figuresOf = (square: Square) => ({
  colorGroup: square.type === 'property' ? square.group : null,
  price: isOwnable(square) ? square.price : null,
  rent: square.type === 'property' ? square.rent : square.type === 'current' ? tolls : null,
  outpostCost: square.type === 'property' ? square.outpost : null,
  fortressCost: square.type === 'property' ? square.fortress : null,
  mortgageValue: isOwnable(square) ? square.mortgage : null,
})

export const boardWords = (state: Clawpoly, people: readonly Person[]) =>
  board.map(({ index }) => squareWords(state, people, index))

/** `gameState` of `agent:your_turn`, as one seat sees it. */
const gameState = (
  state: Clawpoly,
  people: readonly Person[],
  seat: Seat,
  lastEvents: readonly LogEntry[],
) => {
  const { money, position, inPot, potTurns, escapeCards } = state.players[seat]!
  const at = state.order.indexOf(seat)
  const others = [...state.order.slice(at + 1), ...state.order.slice(0, at)]
  return {
    turnNumber: state.turnNumber,
    you: {
      ...{ id: people[seat]!.id, money, position, properties: squaresOf(state, seat) },
      ...{ inLobsterPot: inPot, lobsterPotTurns: potTurns, escapeCards },
    },
    opponents: others.map(other => opponent(state, people, other)),
    board: boardWords(state, people),
    lastEvents,
  }
}

const opponent = (state: Clawpoly, people: readonly Person[], seat: Seat) => {
  const { money, position, inPot, bankruptAt } = state.players[seat]!
  const { id, name } = people[seat]!
  return {
    ...{ id, name, money, position, properties: squaresOf(state, seat), inLobsterPot: inPot },
    ...(bankruptAt !== null && { isBankrupt: true }),
  }
}

/** Who is asked now; null once the match is over. */
const asked = (state: Clawpoly): Seat | null => (state.phase === 'over' ? null : moverOf(state))

/** What this seat is asked now; null where it is asked nothing. `lastEvents` are for `agent:your_turn`. */
export const promptFor = (
  state: Clawpoly,
  people: readonly Person[],
  seat: Seat,
  lastEvents: readonly LogEntry[] = [],
): Prompt | null => {
  if (asked(state) !== seat) return null
  switch (state.phase) {
    case 'roll':
      return yourTurn(state, people, seat, lastEvents, available(state, seat))
    case 'pot':
      return lobsterPot(state, seat)
    case 'buy':
      return buy(state, seat)
    case 'build':
      return build(state, seat)
    case 'debt':
      return raiseFunds(state, seat)
    case 'trade':
      return tradeReceived(state, people)
    case 'over':
      return null
  }
}

export const yourTurn = (
  state: Clawpoly,
  people: readonly Person[],
  seat: Seat,
  lastEvents: readonly LogEntry[],
  availableActions: readonly ActionName[],
): Prompt =>
  prompt('agent:your_turn', availableActions, {
    gameState: gameState(state, people, seat, lastEvents),
  })

const prompt = (
  type: Prompt['type'],
  availableActions: readonly ActionName[],
  data: Prompt['data'],
): Prompt => ({ type, data: { ...data, availableActions }, availableActions })

/** What it can do now, what moves the game on first. */
const available = (state: Clawpoly, seat: Seat): readonly ActionName[] =>
  actionsOf(state, seat).filter(action => action !== 'raise')

const lobsterPot = (state: Clawpoly, seat: Seat): Prompt => {
  const { money, potTurns, escapeCards } = state.players[seat]!
  const hasEscapeCard = escapeCards > 0
  return prompt('agent:lobster_pot_decision', available(state, seat), {
    ...{ turnsTrapped: potTurns, hasEscapeCard, yourMoney: money },
  })
}

const buy = (state: Clawpoly, seat: Seat): Prompt => {
  const { money, position } = state.players[seat]!
  const square = board[position]!
  const { name } = square
  const { price, rent, colorGroup } = figuresOf(square)
  const isUtility = square.type === 'utility'
  return prompt('agent:buy_decision', ['buy', 'pass'], {
    property: isUtility
      ? { index: position, name, price }
      : { index: position, name, colorGroup, price, rent },
    yourMoney: money,
  })
}

const build = (state: Clawpoly, seat: Seat): Prompt => {
  const places = buildable(state)
  return prompt('agent:build_decision', available(state, seat), {
    buildableProperties: places.map(place => buildableWords(state, place)),
    yourMoney: state.players[seat]!.money,
  })
}

const buildableWords = (state: Clawpoly, { square: index, building }: Buildable) => {
  const { name } = board[index]!
  const { outpostCost, fortressCost } = figuresOf(board[index]!)
  return {
    ...{ index, name, currentOutposts: state.squares[index]!.level },
    canBuildOutpost: building === 'outpost',
    canBuildFortress: building === 'fortress',
    ...{ outpostCost, fortressCost },
  }
}

const raiseFunds = (state: Clawpoly, seat: Seat): Prompt =>
  prompt('agent:must_raise_funds', ['mortgage', 'sell_building'], {
    amount: state.debt?.amount ?? 0,
    yourMoney: state.players[seat]!.money,
    mortgageable: mortgageable(state, seat).map(({ square: index, value }) => ({
      ...{ index, name: board[index]!.name, mortgageValue: value },
    })),
    sellableBuildings: sellable(state, seat).map(({ square: index, building, value }) => ({
      ...{ index, name: board[index]!.name, type: building, sellValue: value },
    })),
  })

const tradeReceived = (state: Clawpoly, people: readonly Person[]): Prompt | null => {
  if (state.trade === null) return null
  const { id, from, giving, requesting } = state.trade
  return prompt('agent:trade_received', ['trade_respond'], {
    ...{ tradeId: tradeIdOf(id), fromId: people[from]!.id, fromName: people[from]!.name },
    offer: { giving, requesting },
  })
}

export const tradeIdOf = (id: number): string => `trade-${id}`

/** `finalStandings`, from the first place on. `places`: as the referee has given them, by seat. */
export const finalStandings = (
  state: Clawpoly,
  people: readonly Person[],
  places: readonly number[],
) =>
  standingsOf(state)
    .map(({ seat, money, squares, bankruptAt }) => ({
      id: people[seat]!.id,
      placement: places[seat]!,
      ...(bankruptAt === null ? { money, properties: squares } : { bankruptAtTurn: bankruptAt }),
    }))
    .sort((a, b) => a.placement - b.placement)

/** What an event tells besides its kind, its turn and its player: seats as ids, squares with their names. */
export const eventData = (event: ClawpolyEvent, people: readonly Person[]) => {
  const { kind: _, turn: __, seat: ___, ...fields } = event
  const { square, to, id, ...rest } = fields as {
    readonly square?: number
    readonly to?: unknown
    /** Of a trade. */
    readonly id?: number
  }
  const isPosition = event.kind === 'player_moved'
  return {
    ...(id !== undefined && { tradeId: tradeIdOf(id) }),
    ...rest,
    ...(square !== undefined && { squareIndex: square, name: board[square]!.name }),
    ...(to !== undefined && {
      [isPosition ? 'to' : 'toId']:
        isPosition || to === null ? to : (people[to as Seat]?.id ?? null),
    }),
  }
}

/** A state as anyone may see it. The order of the cards is in no state that is told. */
export const publicState = (state: Clawpoly, people: readonly Person[]) => ({
  phase: phaseNames[state.phase],
  turnNumber: state.turnNumber,
  turnLimit: state.turnLimit,
  turnOrder: state.order.map(seat => people[seat]!.id),
  currentPlayer: state.phase === 'over' ? null : people[state.current]!.id,
  waitingFor: idOrNull(people, asked(state)),
  dice: state.thrown,
  debt:
    state.debt === null
      ? null
      : {
          playerId: people[state.debt.debtor]!.id,
          toId: idOrNull(people, state.debt.creditor),
          amount: state.debt.amount,
        },
  board: boardWords(state, people),
})

const idOrNull = (people: readonly Person[], seat: Seat | null): string | null =>
  seat === null ? null : people[seat]!.id

const phaseNames = {
  roll: 'ROLL',
  pot: 'POT',
  buy: 'BUY',
  debt: 'DEBT',
  build: 'BUILD',
  trade: 'TRADE',
  over: 'FINISHED',
} as const satisfies Record<Clawpoly['phase'], string>

/** A player as spectators and `GET room` are told of it. */
export const playerState = (state: Clawpoly, seat: Seat) => {
  const { money, position, inPot, potTurns, escapeCards, bankruptAt } = state.players[seat]!
  return {
    ...{ money, position, properties: squaresOf(state, seat) },
    ...{ inLobsterPot: inPot, lobsterPotTurns: potTurns, escapeCards },
    ...{ isBankrupt: bankruptAt !== null },
  }
}
