import type { Logger } from 'pino'
import { champion } from '../events/champion.ts'
import type { Director } from '../events/director.ts'

/** Logs the stages of every event. Its matches have lines of their own, and the audit what operators have done. */
export const logEvents = (director: Pick<Director, 'watch'>, log: Logger): (() => void) =>
  director.watch((state, entry) => {
    const { plan, rounds, entrants } = state
    const event = plan.id
    switch (entry.kind) {
      case 'started':
        log.info({ event, game: plan.game, entrants: entry.entrants.length }, 'event started')
        break
      case 'drawn':
        log.info({ event, round: entry.round, pairings: entry.boards.length }, 'round drawn')
        break
      case 'settled': {
        const { round, board, reason } = entry
        const absent = entrants.flatMap(({ account, name }) =>
          entry.absent.includes(account) ? [name] : [],
        )
        log.info({ event, round, board, absent, reason }, 'pairing settled without a match')
        break
      }
      case 'paused':
        log.info({ event }, 'event paused')
        break
      case 'resumed':
        log.info({ event }, 'event resumed')
        break
      case 'cancelled':
        log.info({ event, reason: entry.reason }, 'event cancelled')
        break
      case 'finished':
        log.info(
          { event, rounds: rounds.length, champion: champion(state)?.name ?? null },
          'event finished',
        )
    }
  })
