import type { Logger } from 'pino'
import type { Arena } from '../arena/arena.ts'
import { isGuest } from '../arena/guests.ts'
import type { Clock } from '../clock.ts'

/** Logs every match that is over, with the connection ids of its players. */
export const logMatches = (arena: Arena, clock: Clock, log: Logger): (() => void) =>
  arena.watch(event => {
    if (event.kind !== 'ended' && event.kind !== 'aborted') return
    if (!log.isLevelEnabled('info')) return
    const { table } = event
    const { deal, id: match, moves, startedAt } = table
    const outcome = event.kind === 'ended' ? event.outcome : null
    const changes = event.kind === 'ended' ? event.changes : []
    log.info(
      {
        match,
        game: deal.game.id,
        ladder: deal.ladder.id,
        unrated: event.kind === 'ended' ? event.unrated : deal.unrated,
        ending: outcome?.ending ?? 'aborted',
        detail: event.kind === 'ended' ? event.outcome.detail : event.detail,
        moves: moves.length,
        ms: clock.date() - startedAt,
        players: deal.players.map(({ account, connection = null }, seat) => ({
          account: account.name,
          connection,
          place: outcome?.places[seat] ?? null,
          rating: isGuest(account) ? null : (changes[seat]?.rating ?? null),
          change: isGuest(account) ? null : (changes[seat]?.change ?? null),
        })),
      },
      'match ended',
    )
  })
