import type { Host } from './host.ts'
import type { WebSocketAgent } from './websocket-agent.ts'

/** Two agents in the middle of a match; the first is to move. */
export const livePair = async (
  host: Host,
  query = '?game=ttt',
  names = ['ann', 'bob'],
): Promise<readonly [WebSocketAgent, WebSocketAgent]> => {
  const agents: WebSocketAgent[] = []
  for (const name of names) agents.push(await agentOf(host, name, query))
  const states = await Promise.all(agents.map(agent => agent.next('state')))
  const [one, other] = agents as [WebSocketAgent, WebSocketAgent]
  return states[0]!.yourTurn ? [one, other] : [other, one]
}

/** A new account, and its agent. */
export const agentOf = async (host: Host, name: string, query: string): Promise<WebSocketAgent> => {
  const { token } = await host.account(name)
  return host.agent(token, query)
}
