// The trade actions of the Bazaar, checked in the order of the reference. Whether one is legal is for the game to say: it
// has the same rules, and no other words for what it refuses.

import type { Game, Json, Seat } from '../../games/game.ts'
import { isRecord, isWhole } from '../../games/json.ts'
import { insufficient, type Refused, refusals } from './codes.ts'
import { type Fields, printed } from './messages.ts'

const resources = ['gold', 'iron', 'food', 'wood'] as const

type Goods = { readonly [resource: string]: number }

/** What the Bazaar shows a seat. */
interface TradeView {
  readonly resources: Goods
  readonly goal: object
  readonly pending: { readonly seat: Seat; readonly offer: Goods; readonly request: Goods } | null
  readonly proposals: readonly number[]
  readonly maxProposals: number
}

export const tradeView = (game: Game, state: unknown, seat: Seat): TradeView =>
  game.view(state, seat) as unknown as TradeView

export type TradeAction = 'propose_trade' | 'accept_trade' | 'reject_trade'

/** Why this trade action is refused; null where it is not. */
export const tradeRefusal = (
  view: TradeView,
  seat: Seat,
  action: TradeAction,
  { offer, request }: { readonly offer?: Json | undefined; readonly request?: Json | undefined },
): Refused | null => {
  const { pending, resources: held, proposals, maxProposals } = view
  if (action === 'reject_trade') return pending === null ? refusals.nothingToReject : null
  if (action === 'accept_trade') {
    if (pending === null) return refusals.nothingToAccept
    if (pending.seat === seat) return refusals.ownTrade
    return lacking(held, pending.request)
  }
  if (pending !== null) return refusals.tradePending
  const [given, taken] = [goodsOf(offer), goodsOf(request)]
  if (given === null || taken === null) return refusals.badResources
  if (!isAny(given) && !isAny(taken)) return refusals.emptyTrade
  return lacking(held, given) ?? (proposals[seat]! >= maxProposals ? refusals.tooMany : null)
}

const goodsOf = (sent: Json | undefined): Goods | null => {
  if (!isRecord(sent)) return null
  const isKnown = ([name, amount]: [string, Json | undefined]) =>
    resources.some(known => known === name) && isWhole(amount, 0, Number.MAX_SAFE_INTEGER)
  return Object.entries(sent).every(isKnown) ? (sent as Goods) : null
}

const isAny = (goods: Goods): boolean => Object.values(goods).some(amount => amount > 0)

const lacking = (held: Goods, wanted: Goods): Refused | null => {
  const short = resources.find(name => held[name]! < (wanted[name] ?? 0))
  return short === undefined ? null : insufficient(short, held[short]!, wanted[short]!)
}

/** `trade_state_update`. */
export const tradeState = (matchId: string, { resources, goal }: TradeView): string =>
  printed('trade_state_update', { match_id: matchId, your_resources: resources, your_goal: goal })

/** `trade_proposed`. */
export const tradeProposed = (
  matchId: string,
  proposer: string,
  { offer, request }: { readonly offer: unknown; readonly request: unknown },
): string =>
  printed('trade_proposed', {
    match_id: matchId,
    proposer_name: proposer,
    offer,
    request,
  } as Fields)
