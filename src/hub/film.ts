import type { Played } from '../arena/keeper.ts'
import { replayMove } from '../arena/replay.ts'
import { type Game, isIllegal, type Seed, type Setup } from '../games/game.ts'
import type { Turns } from '../turns.ts'

/** Every position of a match as the game draws it, made a few at a time: a long match must not hold up the house. */
export class Film {
  readonly frames: string[] = []
  readonly length: number
  #gone = false

  constructor(
    game: Game,
    seed: Seed,
    setup: Setup | null,
    seats: number,
    moves: readonly Played[],
    turns: Turns,
    grown: () => void,
  ) {
    this.length = moves.length + 1
    let state = game.start(seed, seats, setup)
    this.frames.push(game.draw(state, 'audience'))
    const develop = () => {
      for (let n = 0; n < atOnce && this.frames.length < this.length; n++) {
        const next = replayMove(game, state, moves[this.frames.length - 1]!)
        if (isIllegal(next))
          throw new Error(`a kept match of ${game.id} is refused: ${next.reason}`)
        state = next
        this.frames.push(game.draw(state, 'audience'))
      }
      grown()
      if (this.frames.length < this.length && !this.#gone) turns.add(develop)
    }
    develop()
  }

  close(): void {
    this.#gone = true
  }
}

const atOnce = 8
