import type { Clock } from '../../src/clock.ts'
import { agentGames as undriven } from '../../src/protocols/agentgames/index.ts'

/** The AgentGames protocol with sessions that are driven as a wire does it: one message is answered before the next is read. */
export const agentGames = (...args: Parameters<typeof undriven>): ReturnType<typeof undriven> => {
  const [, , clock] = args
  const protocol = undriven(...args)
  return {
    ...protocol,
    open: (...opening) => {
      const session = turn(clock, () => protocol.open(...opening))
      return {
        receive: message => turn(clock, () => session.receive(message)),
        dismiss: refusal => turn(clock, () => session.dismiss(refusal)),
        closed: () => turn(clock, () => session.closed()),
      }
    },
  }
}

const turn = <T>({ soon }: Clock, run: () => T): T => {
  let result: { readonly value: T } | undefined
  soon.turn(() => {
    result = { value: run() }
  })
  return result!.value
}
