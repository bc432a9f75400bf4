import { readableError } from '../store/database-error.ts'
import { type Tables, visitStore } from '../store/store.ts'
import { type CommandContext, configOf } from './command.ts'

/** Runs `work` with the open database, and closes it afterwards. */
export const withStore = <T>(context: CommandContext, work: (store: Tables) => T): T => {
  if (context.store !== undefined) return work(context.store)
  const store = visitStore(configOf(context).data, context.clock)
  const close = () => store.db.file.close()
  try {
    const done = work(store)
    if (!(done instanceof Promise)) close()
    return done instanceof Promise ? (closing(done, store) as T) : done
  } catch (error) {
    const plain = readableError(error, store.db.file.name)
    close()
    throw plain
  }
}

const closing = async <T>(done: Promise<T>, { db }: Tables): Promise<T> => {
  try {
    return await done
  } catch (error) {
    throw readableError(error, db.file.name)
  } finally {
    db.file.close()
  }
}
