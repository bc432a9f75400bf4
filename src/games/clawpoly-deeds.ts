// What can be done with the squares of Clawpoly: rent, buildings and mortgages.

import {
  board,
  currents,
  groups,
  isOwnable,
  type Ownable,
  ownableAt,
  ownables,
  type Property,
  propertyAt,
  tolls,
  utilities,
  utilityFactors,
} from './clawpoly-board.ts'
import type { Clawpoly } from './clawpoly-state.ts'
import type { Seat } from './game.ts'

const ownsGroup = ({ squares }: Clawpoly, seat: Seat, property: Property): boolean =>
  groups[property.group].every(index => squares[index]!.owner === seat)

/** Whether a building stands on any square of its colour. */
export const isGroupBuilt = ({ squares }: Clawpoly, square: Ownable): boolean =>
  square.type === 'property' && groups[square.group].some(index => squares[index]!.level > 0)

/** What a visitor owes that came with this throw. Nothing on a square that is free or mortgaged. */
export const rentOf = (state: Clawpoly, index: number, throwTotal: number): number => {
  const square = board[index]
  const holding = state.squares[index]
  if (square === undefined || holding === undefined || !isOwnable(square)) return 0
  const { owner, level, mortgaged } = holding
  if (owner === null || mortgaged) return 0
  const held = (list: readonly number[]) =>
    list.filter(other => state.squares[other]!.owner === owner).length
  if (square.type === 'current') return tolls[held(currents) - 1]!
  if (square.type === 'utility') return throwTotal * utilityFactors[held(utilities) - 1]!
  return level === 0 && ownsGroup(state, owner, square) ? 2 * square.rent[0] : square.rent[level]!
}

export type Buildable = {
  readonly square: number
  readonly building: 'outpost' | 'fortress'
  readonly cost: number
}

/** Where the player to move may build now, and can pay for it. */
export const buildable = (state: Clawpoly): readonly Buildable[] =>
  state.phase !== 'build'
    ? []
    : ownables.flatMap(({ index }) =>
        whyNotBuild(state, state.current, index) === null ? nextBuilding(state, index)! : [],
      )

/** The building that comes next on a property; null where none does. */
export const nextBuilding = ({ squares }: Clawpoly, index: number): Buildable | null => {
  const property = propertyAt(index)
  if (property === null) return null
  const { level } = squares[index]!
  if (level === 5) return null
  const building = level === 4 ? 'fortress' : 'outpost'
  return { square: index, building, cost: property[building] }
}

/** What is wrong with a move: with the action, the square, the money, or a rule. */
export type Wrong = {
  readonly why: 'action' | 'square' | 'money' | 'rule'
  readonly reason: string
}

export const wrong = (why: Wrong['why'], reason: string): Wrong => ({ why, reason })

/** The square is looked at first, then the money, then the rules. */
export const whyNotBuild = (state: Clawpoly, seat: Seat, index: number): Wrong | null => {
  const property = propertyAt(index)
  if (property === null) return wrong('square', `${nameOf(index)} has no place for buildings`)
  const { owner, level } = state.squares[index]!
  if (owner !== seat) return wrong('square', notYours(index))
  if (level === 5) return wrong('rule', `${nameOf(index)} has its fortress`)
  const cost = level === 4 ? property.fortress : property.outpost
  const short = shortOf(state, seat, cost, `building on ${nameOf(index)}`)
  if (short !== null) return short
  if (!ownsGroup(state, seat, property))
    return wrong('rule', `you build on a whole colour: ${property.group} is not all yours`)
  const group = groups[property.group].map(other => state.squares[other]!)
  if (group.some(({ mortgaged }) => mortgaged))
    return wrong('rule', `a square of ${property.group} is mortgaged: nothing can be built there`)
  return group.some(other => other.level < level)
    ? wrong('rule', `build evenly: ${property.group} has a square with fewer buildings`)
    : null
}

/** Squares that a seat may mortgage, and what that brings; whether it may do so now its phase says. */
export const mortgageable = (state: Clawpoly, seat: Seat) =>
  ownables.flatMap(({ index, mortgage }) =>
    whyNotMortgage(state, seat, index) === null ? [{ square: index, value: mortgage }] : [],
  )

export const whyNotMortgage = (state: Clawpoly, seat: Seat, index: number): Wrong | null => {
  const square = ownableAt(index)
  if (square === null || state.squares[index]!.owner !== seat)
    return wrong('square', notYours(index))
  if (state.squares[index]!.mortgaged) return wrong('rule', `${nameOf(index)} is mortgaged already`)
  return isGroupBuilt(state, square)
    ? wrong('rule', `sell the buildings of its colour before you mortgage ${nameOf(index)}`)
    : null
}

/** Squares whose mortgage a seat can lift with the money it has, and what that costs. */
export const unmortgageable = (state: Clawpoly, seat: Seat) =>
  ownables.flatMap(({ index, unmortgage }) =>
    whyNotUnmortgage(state, seat, index) === null ? [{ square: index, cost: unmortgage }] : [],
  )

export const whyNotUnmortgage = (state: Clawpoly, seat: Seat, index: number): Wrong | null => {
  const square = ownableAt(index)
  if (square === null || state.squares[index]!.owner !== seat)
    return wrong('square', notYours(index))
  if (!state.squares[index]!.mortgaged) return wrong('rule', `${nameOf(index)} is not mortgaged`)
  return shortOf(state, seat, square.unmortgage, `lifting the mortgage of ${nameOf(index)}`)
}

export type Sellable = {
  readonly square: number
  readonly building: 'outpost' | 'fortress'
  readonly value: number
}

/** The buildings that a seat may sell, one a square, and what the bank pays. */
export const sellable = (state: Clawpoly, seat: Seat): readonly Sellable[] =>
  ownables.flatMap(({ index }) =>
    whyNotSell(state, seat, index) === null ? soldNext(state, index) : [],
  )

/** The building that goes first from a property with buildings. A sold fortress leaves four outposts. */
export const soldNext = ({ squares }: Clawpoly, index: number): Sellable => {
  const building = squares[index]!.level === 5 ? 'fortress' : 'outpost'
  return { square: index, building, value: propertyAt(index)![building] / 2 }
}

export const whyNotSell = (state: Clawpoly, seat: Seat, index: number): Wrong | null => {
  const property = propertyAt(index)
  if (property === null || state.squares[index]!.owner !== seat)
    return wrong('square', notYours(index))
  const { level } = state.squares[index]!
  if (level === 0) return wrong('rule', `${nameOf(index)} has no building to sell`)
  return groups[property.group].some(other => state.squares[other]!.level > level)
    ? wrong('rule', `sell evenly: ${property.group} has a square with more buildings`)
    : null
}

/** Such as `square 13, Coral Triangle,`. */
export const nameOf = (index: number): string =>
  board[index] === undefined ? `square ${index}` : `${board[index].name} (square ${index})`

const notYours = (index: number) =>
  board[index] === undefined
    ? `there are squares 0 to 39, got ${index}`
    : isOwnable(board[index])
      ? `${nameOf(index)} is not yours`
      : `${nameOf(index)} cannot be owned`

const shortOf = (state: Clawpoly, seat: Seat, cost: number, what: string): Wrong | null => {
  const { money } = state.players[seat]!
  return money < cost ? wrong('money', `${what} takes $${cost}, and you have $${money}`) : null
}
