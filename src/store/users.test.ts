import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { migrateStore, visitStore } from './store.ts'
import { nameProblem } from './users.ts'

describe('a name', () => {
  it.each(['ab', 'Agent-Bob_1.2', '7x', 'a'.repeat(32)])('may be %s', name => {
    expect(nameProblem(name)).toBeNull()
  })

  it.each([
    ['', /2 to 32/],
    ['a', /2 to 32/],
    ['a'.repeat(33), /2 to 32/],
    ['no space', /2 to 32/],
    ['bj\u00f6rn', /2 to 32/],
    ['red\u001b[31m', /2 to 32/],
    ['two\nlines', /2 to 32/],
    ['ab\n', /2 to 32/],
    ['..', /begins with/],
    ['-rf', /begins with/],
    ['Game', /reserved/],
    ['ROOT', /reserved/],
    ['house', /reserved/],
    ['House-Easy', /reserved/],
  ])('cannot be %j', (name, why) => {
    expect(nameProblem(name)).toMatch(why)
  })

  it('belongs to one account, whatever its case', async () => {
    const { users } = await visited()
    expect(users.add('Ann')).toMatchObject({ name: 'Ann', kind: 'player' })
    expect(users.add('aNN')).toEqual({ problem: 'the name aNN is taken' })
    expect(users.find('ANN')).toMatchObject({ name: 'Ann' })
  })
})

describe('a named opponent', () => {
  it('must exist, must not be banned, and must not be a house player', async () => {
    const { users } = await visited()
    for (let n = 0; n < 300; n++) users.add(`agent-${n}`)
    users.add('agent-bob')
    users.ban(users.find('agent-7')!.id, null)
    users.house('house-easy')
    expect(users.unavailable('AGENT-bob')).toBeNull()
    for (const [name, why] of [
      ['agent-bbo', 'no account is called "agent-bbo" (did you mean agent-bob?)'],
      ['agent-bo', 'no account is called "agent-bo" (did you mean agent-bob?)'],
      ['Agent-Bop', 'no account is called "Agent-Bop" (did you mean agent-bob?)'],
      ['stranger', 'no account is called "stranger"'],
      ['x\u001b[31m', 'no account is called "x<U+001B>[31m"'],
      ['x\u009b', 'no account is called "x<U+009B>"'],
      ['x'.repeat(9000), `no account is called "${'x'.repeat(40)}"…`],
      ['agent-7', 'the account "agent-7" is banned'],
      ['house-easy', '"house-easy" is a house player: join with practice'],
    ])
      expect(users.unavailable(name!)).toBe(why)
  })
})

describe('a house account', () => {
  it('is made when it is first needed', async () => {
    const { users } = await visited()
    const house = users.house('house-easy')
    expect(house).toMatchObject({ name: 'house-easy', kind: 'house' })
    expect(users.house('house-easy')).toMatchObject({ id: house.id })
    users.add('ann')
    expect(() => users.house('ann')).toThrow(/not of the house/)
  })
})

const visited = async () => {
  const folder = dataFolder()
  await migrateStore(folder)
  const tables = visitStore(folder, new FakeClock())
  onTestFinished(() => void tables.db.file.close())
  return tables
}
