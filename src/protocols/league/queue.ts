import type { News } from '../../arena/player.ts'
import type { Clock, Timer } from '../../clock.ts'
import { leagueDefaults, queueId } from '../../events/league-options.ts'
import type { Game } from '../../games/game.ts'
import { games } from '../../games/index.ts'
import type { Leave, Matchmaking } from '../../matchmaking/matchmaking.ts'
import type { LeagueAgent } from './agents.ts'
import { gameTypeOf, type LeaguePlace, type MatchEnd, type Standing } from './match.ts'
import type { Members } from './members.ts'
import { envelope } from './messages.ts'
import type { OwnReferee } from './referee.ts'
import { ownRefereeId } from './rounds.ts'

interface QueueOptions {
  readonly clock: Clock
  readonly matchmaking: Pick<Matchmaking, 'seek'>
  readonly members: Members
  readonly referee: () => OwnReferee
}

/** The wait after a match, and after a refusal, such as while the account is paused. */
const nextAfter = 1_000
const againAfter = 60_000

/** Players of this protocol that wait in the ordinary queue, for as long as their owners want them to. */
export class LeagueQueue {
  readonly #options: QueueOptions
  /** By id: what ends the waits of a player. */
  readonly #waits = new Map<string, Map<string, Leave>>()
  readonly #counts = new Map<string, { wins: number; draws: number; losses: number }>()
  readonly #timers = new Set<Timer>()

  constructor(options: QueueOptions) {
    this.#options = options
  }

  /** Waits for a match in each of its games. */
  join(agent: LeagueAgent): void {
    this.leave(agent)
    this.#waits.set(agent.id, new Map())
    for (const game of games)
      if (game.id !== undefined && isForTwo(game) && agent.games.includes(gameTypeOf(game.id)))
        this.#seek(agent, game)
  }

  /** A match that it plays goes on. */
  leave({ id }: LeagueAgent): void {
    for (const leave of this.#waits.get(id)?.values() ?? []) leave()
    this.#waits.delete(id)
  }

  ended(agent: LeagueAgent, seat: number, end: MatchEnd): void {
    const counts = this.#counts.get(agent.id) ?? { wins: 0, draws: 0, losses: 0 }
    this.#counts.set(agent.id, counts)
    if (end.kind === 'ended') {
      const { places } = end.outcome
      const isLevel = places.every(place => place === places[0])
      counts[isLevel ? 'draws' : places[seat] === 1 ? 'wins' : 'losses']++
    }
    this.#seekLater(agent, end.table.deal.game, nextAfter)
  }

  close(): void {
    for (const timer of this.#timers) timer.cancel()
    this.#waits.clear()
  }

  #seek(agent: LeagueAgent, game: Game): void {
    const waits = this.#waits.get(agent.id)
    if (waits === undefined || agent.account === null) return
    const { matchmaking, members, clock, referee } = this.#options
    const place: LeaguePlace = {
      ...{ agent, options: leagueDefaults, round: 1 },
      matchId: match => `M${match}`,
      playerId: ({ id, name }) => members.player(queueId, id)?.id ?? name,
      standing: (): Standing => this.#counts.get(agent.id) ?? { wins: 0, draws: 0, losses: 0 },
      envelope: conversation => envelope(`referee:${ownRefereeId}`, clock.date(), conversation),
    }
    const heard = (news: News) => {
      if (news.kind === 'unmatched') this.#seekLater(agent, game, 0)
      else if (news.kind === 'dismissed') this.#seekLater(agent, game, againAfter)
    }
    waits.set(game.id, matchmaking.seek(referee().seat(place, agent.account, heard), { game }))
  }

  #seekLater(agent: LeagueAgent, game: Game, ms: number): void {
    const timer = this.#options.clock.after(ms, () => {
      this.#timers.delete(timer)
      const current = this.#options.members.find(queueId, agent.id)
      if (current !== undefined) this.#seek(current, game)
    })
    this.#timers.add(timer)
  }
}

const isForTwo = ({ seats }: Game) => seats === 2
