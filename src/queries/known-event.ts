import type { EventState } from '../events/state.ts'
import { didYouMean } from '../nearest.ts'
import type { Tables } from '../store/store.ts'
import { Failure } from './command.ts'

/** The event of this name, as its log has it. */
export const eventNamed = ({ events, eventStates }: Tables, name: string): EventState => {
  const state = eventStates.find(name.toLowerCase())
  if (state !== undefined) return state
  const ids = events.list().map(({ plan }) => plan.id)
  throw new Failure(`no event is called ${name}${didYouMean(name, ids)}`)
}
