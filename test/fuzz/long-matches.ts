import type { Played } from '../../src/arena/match-store.ts'
import { Dice } from '../../src/games/dice.ts'
import {
  type Game,
  isFinal,
  isIllegal,
  isVoting,
  type Json,
  stateAfter,
} from '../../src/games/game.ts'
import { gameOf } from '../../src/games/index.ts'
import type { Store } from '../support/open-store.ts'

/** Plays very long matches between two new accounts, and returns their numbers. */
export const keepLongMatches = async (store: Store): Promise<readonly number[]> => {
  const accounts = ['long-1', 'long-2'].map(name => {
    const added = store.users.add(name)
    if ('problem' in added) throw new Error(added.problem)
    return added.id
  })
  const ids: number[] = []
  for (const [id, most] of [
    ['go19', 700],
    ['chess', 500],
    ['resource-rush', 1_000],
  ] as const) {
    const game = gameOf(id)!
    const seed = 5
    const moves = longMatch(game, seed, most)
    const match = store.matchStore.begin({
      game: id,
      ...{ seed, accounts },
      unrated: 'practice against the house',
      startedAt: Date.now(),
    })
    const outcome = { ending: 'resigned', places: [1, 2], faults: [null, 'resigned'] } as const
    await store.matchStore.finish(match, { ...outcome, detail: 'resignation' }, moves)
    ids.push(match)
  }
  return ids
}

/** Random moves that delay the end, with the largest memory and thought that a move may carry. */
const longMatch = (game: Game, seed: number, most: number): readonly Played[] => {
  const dice = Dice.fromSeed(seed)
  const played: Played[] = []
  let state = game.start(seed, 2)
  while (played.length < most) {
    const status = game.status(state)
    if (isFinal(status) || isVoting(status)) break
    const seat = status.toMove[0]!
    const legal = game.moves?.(state, seat)
    const going = legal?.filter(move => move !== 'pass')
    const move: Json =
      legal === undefined
        ? { ...(game.anyMove!(state, seat, dice) as object), ...luggage }
        : dice.pick(going?.length ? going : legal)
    const next = stateAfter(game, state, seat, move)
    if (isIllegal(next)) throw new Error(`${game.id}: ${JSON.stringify(next)}`)
    state = next
    played.push([seat, move, 12])
  }
  return played
}

const luggage = {
  memory: { a: Array.from({ length: 3_300 }, () => []) },
  thought: 'x'.repeat(90),
}
