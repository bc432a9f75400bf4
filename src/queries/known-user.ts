import { splitName } from '../arena/account.ts'
import type { Tables } from '../store/store.ts'
import type { User } from '../store/users.ts'
import { Failure } from './command.ts'

/** The account of this name, or the version of one. */
export const userNamed = ({ users }: Tables, name: string): User => {
  const user = users.find(name)
  if (user === undefined) throw new Failure(`no account is called ${name}`)
  return user
}

/** An account that can log in. */
export const agentNamed = (store: Tables, name: string): User => {
  const user = userNamed(store, name)
  if (user.parent != null)
    throw new Failure(`${user.name} is a version of ${splitName(user.name).agent}: name that`)
  return user
}
