import { type Heard, HearingSocket } from './hearing-socket.ts'

export type { Heard }

/** Asks Clawpoly in HTTP. */
export const ask = async (
  port: number,
  path: string,
  body?: unknown,
  headers: { readonly [name: string]: string } = {},
): Promise<Heard> => {
  const answer = await fetch(`http://127.0.0.1:${port}/clawpoly/api/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { http: answer.status, ...((await answer.json()) as object) }
}

/** An agent of Clawpoly that knows its messages alone. */
export class ClawpolyAgent extends HearingSocket {
  constructor(port: number, query: string, path = 'agent') {
    super(`ws://127.0.0.1:${port}/clawpoly/ws/${path}?${query}`, 'type')
  }

  /** Joins a room as a guest, or as what is given besides, and connects. */
  static async join(
    port: number,
    roomId: string,
    join: object,
    query = '',
  ): Promise<ClawpolyAgent> {
    const { agentToken } = await ask(port, `rooms/${roomId}/join`, join)
    return new ClawpolyAgent(port, `roomId=${roomId}&agentToken=${agentToken}${query}`)
  }

  act(name: string, data: object = {}): void {
    this.socket.send(JSON.stringify({ type: `action:${name}`, data }))
  }

  /** Answers every prompt with its first action, buying what it can, until the game is over. */
  async play(): Promise<Heard> {
    for (;;) {
      const { type, data } = await this.next()
      if (type === 'agent:game_over') return data
      if (type === 'agent:trade_received')
        this.act('trade_respond', { tradeId: data.tradeId, accept: false })
      else if (type === 'agent:must_raise_funds') {
        const [building] = data.sellableBuildings
        const [square] = data.mortgageable
        if (building === undefined) this.act('mortgage', { squareIndex: square.index })
        else this.act('sell_building', { squareIndex: building.index })
      } else if (type === 'agent:build_decision' && data.availableActions[0] === 'build')
        this.act('build', { squareIndex: data.buildableProperties[0].index })
      else if (data.availableActions !== undefined) this.act(data.availableActions[0])
    }
  }
}
