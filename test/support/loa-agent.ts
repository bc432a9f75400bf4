import type { ClientOptions } from 'ws'
import { Dice } from '../../src/games/dice.ts'
import { type Heard, WebSocketAgent } from './websocket-agent.ts'

/** An agent of League of Agents that knows its messages alone. */
export class LoaAgent extends WebSocketAgent {
  readonly #dice: Dice

  constructor(port: number, seed = 1, options: ClientOptions = {}) {
    super(`ws://127.0.0.1:${port}/loa/api/v1/ws?type=agent`, options)
    this.#dice = Dice.fromSeed(seed)
  }

  /** Connects and authenticates. */
  static async as(token: string, port: number, seed?: number): Promise<LoaAgent> {
    const agent = await new LoaAgent(port, seed).opened()
    agent.say({ type: 'authenticate', token })
    await agent.next('authenticated')
    return agent
  }

  join(gameType: string): void {
    this.say({ type: 'join_queue', gameType })
  }

  subscribe(gameId: string): void {
    this.say({ type: 'subscribe_game', gameId })
  }

  submit(gameId: string, move: unknown): void {
    this.say({ type: 'submit_move', gameId, move })
  }

  /** Joins a game and makes legal moves until it is over. */
  async play(gameType: string): Promise<Heard> {
    this.join(gameType)
    for (let state: Heard | undefined; ; ) {
      const message = await this.next()
      if (message.type === 'game_over') return message
      if (message.type === 'game_state') state = message
      if (message.type === 'your_turn')
        this.submit(message.gameId, moveFor[gameType]!(state!, this.#dice, this.#id(state!)))
    }
  }

  #id({ players }: Heard): string {
    const { agentId } = this.heard.find(({ type }) => type === 'authenticated')!
    return players.find((player: Heard) => player.agentId === agentId).agentId
  }
}

type Mover = (state: Heard, dice: Dice, self: string) => unknown

/** A legal move of each game of its own, by its last game_state. */
export const moveFor: Readonly<Record<string, Mover>> = {
  echo: (_, dice) => ({ number: 1 + dice.roll(10) }),

  blotto: (_, dice) => {
    const allocation = [0, 0, 0, 0, 0]
    for (let soldier = 0; soldier < 10; soldier++) allocation[dice.roll(5)]!++
    return { allocation }
  },

  'skill-gomoku': ({ extra, players }, dice, self) => {
    const black = players[0].agentId === self
    const own = black ? 1 : 2
    const cells: { row: number; col: number; value: number }[] = extra.board.flatMap(
      (values: number[], row: number) => values.map((value, col) => ({ row, col, value })),
    )
    const isSealed = ({ row, col }: { row: number; col: number }) =>
      extra.sealedStones.some((seal: Heard) => seal.row === row && seal.col === col)
    const isClosed = ({ row, col }: { row: number; col: number }) =>
      extra.quietZoneCells.some(
        (zone: Heard) => zone.row === row && zone.col === col && zone.owner !== own,
      )
    const stones = cells.filter(cell => cell.value === own && !isSealed(cell))
    if (extra.energy[black ? 0 : 1] > 1 && stones.length > 0 && dice.roll(4) === 0) {
      const { row, col } = dice.pick(stones)
      const skill = dice.pick(['uproot', 'stillwater'])
      return { type: 'skill', skill, target: { row, col } }
    }
    // In the first rows, so that a five comes soon.
    const free = cells.filter(cell => cell.value === 0 && !isClosed(cell))
    const { row, col } = dice.pick(free.slice(0, 12))
    return { type: 'place', row, col }
  },

  'dance-battle': ({ publicState }, dice) => ({
    commands: publicState.beatSequence.rounds[publicState.round - 1].beats.map(
      ({ beatIndex, kind }: Heard) =>
        kind === 'move'
          ? {
              beatIndex,
              kind: 'move',
              direction: dice.pick(['up', 'down', 'left', 'right', 'hold']),
            }
          : {
              beatIndex,
              kind: 'action',
              action: dice.pick(['rock', 'paper', 'scissors']),
              motto: 'hop',
            },
    ),
  }),

  'resource-rush': ({ extra }, dice, self) => {
    const { x, y } = extra.playerPositions[self]
    const at = (dx: number, dy: number) => extra.grid[y + dy]?.[x + dx] ?? 5
    const notes = { thought: `tick ${extra.tick}`, memory: { tick: extra.tick } }
    if (at(0, 0) >= 1 && at(0, 0) <= 4) return { action: 'harvest', ...notes }
    const ways = Object.entries({ north: [0, -1], south: [0, 1], west: [-1, 0], east: [1, 0] })
    const open = ways.filter(([, [dx, dy]]) => ![5, 6].includes(at(dx!, dy!)))
    return { action: 'move', direction: dice.pick(open)[0], ...notes }
  },
}
