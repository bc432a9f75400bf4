import { startOf } from '../../arena/opening.ts'
import { messagesIn } from '../../arena/points.ts'
import { roomOf } from '../../arena/room-setup.ts'
import { stateAfter } from '../../games/game.ts'
import { gameOf } from '../../games/index.ts'
import { personOf } from './people.ts'
import type { KeptMatch } from './records.ts'
import { type MatchResult, resultOf } from './result.ts'

/** The result of a match as its record has it; null for one that no room has opened, or that has not ended. */
export const keptResult = ({ record, moves, elo, earned }: KeptMatch): MatchResult | null => {
  const room = roomOf(record.setup)
  const game = gameOf(record.game)
  if (room === null || game === undefined || record.end === null) return null
  const { end, players, seed, setup } = record
  let state = startOf(game, seed, players.length, setup)
  for (const [seat, move, , fault] of moves)
    if (fault === undefined) state = stateAfter(game, state, seat, move)
  const scores = players.flatMap(({ score }) => score ?? [])
  return resultOf({
    ...{ room, game },
    people: players.map(({ account, name, protocol }) => personOf({ id: account, name }, protocol)),
    finalView: game.view(state, 'replay'),
    messages: messagesIn(moves),
    duration: Math.floor((end.at - record.startedAt) / 1000),
    outcome:
      end.ending === 'aborted'
        ? null
        : {
            ...{ ending: end.ending, detail: end.detail },
            places: players.map(({ place }) => place ?? 1),
            faults: players.map(({ fault }) => fault),
            ...(scores.length === players.length && { scores }),
          },
    elo,
    points:
      earned.length === 0
        ? null
        : players.map(
            ({ account }) => earned.find(entry => entry.account === account)?.amount ?? 0,
          ),
  })
}
