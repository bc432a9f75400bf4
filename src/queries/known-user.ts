import type { Tables } from '../store/store.ts'
import type { User } from '../store/users.ts'
import { Failure } from './command.ts'

export const userNamed = ({ users }: Tables, name: string): User => {
  const user = users.find(name)
  if (user === undefined) throw new Failure(`no account is called ${name}`)
  return user
}
