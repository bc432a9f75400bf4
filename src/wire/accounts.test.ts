import { expect, it } from 'vitest'
import { MemoryAccounts } from '../../test/support/memory-accounts.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import { Roster } from './accounts.ts'

/** A roster with so many accounts, each with a session that keeps what it was dismissed for. */
const present = (count: number) => {
  const accounts = new MemoryAccounts()
  const roster = new Roster(accounts)
  const sessions = Array.from({ length: count }, (_, i) => {
    const account = accounts.add(`agent-${i}`)
    const login = accounts.addToken(account, `token-${i}`)
    const told: string[] = []
    const session = { dismiss: ({ code }: WireRefusal) => void told.push(code) }
    roster.enter(login, session)
    return { account, login, told, session }
  })
  return { accounts, roster, sessions }
}

it('a review dismisses the sessions whose login is not valid any more, however many there are', async () => {
  const { accounts, roster, sessions } = present(1_200)
  for (const i of [0, 499, 500, 1_199]) accounts.ban(sessions[i]!.account)
  accounts.revoke(sessions[700]!.login)
  await roster.review()
  const told = sessions.flatMap((session, i) => session.told.map(code => [i, code]))
  expect(told).toEqual([
    ...[0, 499, 500].map(i => [i, 'banned']),
    ...[[700, 'revoked']],
    ...[[1_199, 'banned']],
  ])
})

it('a review of one account asks for its sessions alone, and a review of all covers it', async () => {
  const { accounts, roster, sessions } = present(3)
  for (const { account } of sessions) accounts.ban(account)
  await Promise.all([roster.review('agent-1'), roster.review('agent-2')])
  expect(sessions.map(({ told }) => told)).toEqual([[], ['banned'], ['banned']])
  await Promise.all([roster.review('agent-1'), roster.review()])
  expect(sessions[0]!.told).toEqual(['banned'])
})

it('reviews go on one after the other, and a change during one is followed by one more', async () => {
  const { accounts, roster, sessions } = present(1)
  let asked = 0
  const { objections } = accounts
  accounts.objections = logins => {
    asked++
    return objections.call(accounts, logins)
  }
  accounts.hold()
  const reviews = [roster.review()]
  await expect.poll(() => accounts.waiting).toBe(1)
  reviews.push(roster.review(), roster.review())
  expect(accounts.waiting).toBe(1)
  accounts.release()
  await Promise.all(reviews)
  expect(asked).toBe(2)
  accounts.ban(sessions[0]!.account)
  await roster.review()
  expect([asked, sessions[0]!.told]).toEqual([3, ['banned']])
})

it('a session that has left during a review is not dismissed by it', async () => {
  const { accounts, roster, sessions } = present(2)
  for (const { account } of sessions) accounts.ban(account)
  accounts.hold()
  const review = roster.review()
  await expect.poll(() => accounts.waiting).toBe(1)
  roster.leave(sessions[0]!.session)
  accounts.release()
  await review
  expect(sessions.map(({ told }) => told)).toEqual([[], ['banned']])
})

it('a review that fails is followed by others', async () => {
  const { accounts, roster, sessions } = present(1)
  accounts.hold()
  const review = roster.review()
  await expect.poll(() => accounts.waiting).toBe(1)
  accounts.release(new Error('no answer'))
  await expect(review).rejects.toThrow('no answer')
  accounts.ban(sessions[0]!.account)
  await roster.review()
  expect(sessions[0]!.told).toEqual(['banned'])
})
