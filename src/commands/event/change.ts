import { add } from '../../events/fold.ts'
import type { EventState } from '../../events/state.ts'
import type { Decision } from '../../events/taking-part.ts'
import { type CommandContext, Failure } from '../../queries/command.ts'
import { eventNamed } from '../../queries/known-event.ts'
import type { Deed } from '../../store/audit.ts'
import type { Tables } from '../../store/store.ts'
import { audited } from '../audited.ts'

/**
 * Writes what is decided of an event into its log, and the deed into the audit log, in one transaction. A running host
 * hears of it within a second. Answers with the state that follows, and whether anything has changed.
 */
export const changeEvent = (
  context: CommandContext,
  store: Tables,
  name: string,
  decide: (state: EventState) => Decision,
  deed: Omit<Deed, 'target'>,
): { readonly state: EventState; readonly changed: boolean } =>
  audited(
    context,
    store,
    () => {
      const state = eventNamed(store, name)
      const decided = decide(state)
      if ('code' in decided) throw new Failure(decided.detail)
      const { entries } = store.events.append(state.plan.id, state.entries, decided)
      return { state: entries.reduce(add, state), changed: entries.length > 0 }
    },
    ({ state, changed }) => (changed ? [{ ...deed, target: state.plan.id }] : []),
  )
