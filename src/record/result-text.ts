// The result of a match in words, the same in commands, in the hub and on pages.

import type { ArenaEvent } from '../arena/arena-event.ts'
import { type Ending, endings, type Fault } from '../arena/ending.ts'
import { quickFalls } from '../arena/quick.ts'
import type { MatchRecord } from './match-record.ts'

/** The input of a result text: the record of a match, or the event that ended it. */
export interface MatchResult {
  /** Null while it is live. */
  readonly end: { readonly ending: Ending; readonly detail: string } | null
  /** By seat. */
  readonly players: readonly {
    readonly name: string
    readonly place: number | null
    readonly fault: Fault | null
    readonly quick: boolean
  }[]
}

/** The result of a match that has just ended. */
export const resultOfEvent = (
  event: Extract<ArenaEvent, { kind: 'ended' | 'aborted' }>,
): MatchResult => {
  const { accounts, moves } = event.table
  const outcome = event.kind === 'ended' ? event.outcome : null
  const faults = outcome?.faults ?? accounts.map(() => null)
  const quick = quickFalls(faults, moves)
  return {
    end: event.kind === 'ended' ? event.outcome : { ending: 'aborted', detail: event.detail },
    players: accounts.map(({ name }, seat) => ({
      name,
      place: outcome?.places[seat] ?? null,
      fault: faults[seat] ?? null,
      quick: quick[seat]!,
    })),
  }
}

/** "anna – bob". */
export const versusText = ({ players }: Pick<MatchResult, 'players'>): string =>
  players.map(({ name }) => name).join(' – ')

/** The seats in first place; null for a match without a result. */
export const winnersOf = ({ end, players }: MatchResult): readonly number[] | null =>
  end === null || end.ending === 'aborted'
    ? null
    : players.flatMap(({ place }, seat) => (place === 1 ? [seat] : []))

/** For a table column: "1-0" for a match of two, otherwise the place of each seat; or "live", or "aborted". */
export const scoreText = (match: MatchResult): string => {
  const winners = winnersOf(match)
  if (winners === null) return match.end === null ? 'live' : 'aborted'
  return match.players.length === 2
    ? scoreMark(winners.length === 1 ? winners[0]! : null)
    : match.players.map(({ place }) => place).join(',')
}

/** The score of a match of two. Null is a draw. */
export const scoreMark = (winner: number | null): string =>
  winner === null ? '1/2-1/2' : winner === 0 ? '1-0' : '0-1'

/** The winners in a few words: "anna won". */
export const resultText = (match: MatchResult): string => {
  const winners = winnersOf(match)
  if (winners === null) return match.end === null ? 'live' : 'no result'
  if (winners.length === match.players.length) return 'draw'
  const names = winners.map(seat => match.players[seat]!.name)
  return names.length === 1 ? `${names[0]} won` : `${names.join(', ')} share the first place`
}

/** Why it ended: "three in a row", or "late: no move within 15 s". */
export const endingText = ({ end }: Pick<MatchResult, 'end'>): string =>
  end === null
    ? 'still being played'
    : end.ending === 'rules'
      ? end.detail
      : `${end.ending}: ${end.detail || endings[end.ending]}`

/** Result and ending: "anna won, three in a row". */
export const outcomeText = (match: MatchResult): string =>
  `${resultText(match)}, ${endingText(match)}`

/** All places in order: "1. cat, 2. anna, 2. bob". */
export const placesText = ({ players }: Pick<MatchResult, 'players'>): string =>
  players
    .filter(({ place }) => place !== null)
    .sort((a, b) => a.place! - b.place!)
    .map(({ place, name }) => `${place}. ${name}`)
    .join(', ')

/** The fault of a seat, with "early" if the others gained only a share for it: "late early". */
export const faultText = ({ fault, quick }: MatchResult['players'][number]): string =>
  `${fault ?? ''}${quick ? ' early' : ''}`

/** The faults of all players: "bob: late early". */
export const faultsText = ({ players }: Pick<MatchResult, 'players'>): readonly string[] =>
  players.flatMap(player => (player.fault === null ? [] : [`${player.name}: ${faultText(player)}`]))

/** "rated", "unrated: a casual match" or "voided: one person ran both". */
export const ratedText = ({ unrated, voided }: Pick<MatchRecord, 'unrated' | 'voided'>): string =>
  voided !== null
    ? `voided${voided.reason === null ? '' : `: ${voided.reason}`}`
    : unrated === null
      ? 'rated'
      : `unrated: ${unrated}`

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
