import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { nameAsWord, nameProblem } from './names.ts'
import { migrateStore, visitStore } from './store.ts'

describe('a name', () => {
  it.each([
    ...['ab', 'Agent-Bob_1.2', '7x', 'a'.repeat(32), 'Dr. Deep Blue 2', 'a - b', 'bot.'],
    ...['-rf', '_ab', '.profile', '...', '. .', '--', 'a  b'],
    ...['household', 'house', 'menace'].map(name => `${name}s`),
  ])('may be %s', name => {
    expect(nameProblem(name)).toBeNull()
  })

  it.each([
    ['', 'bad-name', /2 to 32/],
    ['a', 'bad-name', /2 to 32/],
    ['a'.repeat(33), 'bad-name', /2 to 32/],
    ['bj\u00f6rn', 'bad-name', /2 to 32/],
    ['\u0430nna', 'bad-name', /2 to 32/],
    ['no\u00a0break', 'bad-name', /2 to 32/],
    ['red\u001b[31m', 'bad-name', /2 to 32.*, got "red<U\+001B>\[31m"$/],
    ['two\nlines', 'bad-name', /2 to 32/],
    ['ab\n', 'bad-name', /2 to 32/],
    ['a/b', 'bad-name', /2 to 32/],
    ['a"b', 'bad-name', /2 to 32/],
    [' ab', 'bad-name', /no space at its beginning/],
    ['ab ', 'bad-name', /no space at its beginning/],
    ['..', 'bad-name', /^a name is more than "\.\.", got "\.\."$/],
    ['-admin', 'reserved-name', /reserved/],
    ['Game', 'reserved-name', /reserved/],
    ['ROOT', 'reserved-name', /reserved/],
    ['Ad Min', 'reserved-name', /reserved/],
    ['r.o.o.t', 'reserved-name', /reserved/],
    ['house', 'reserved-name', /reserved/],
    ['House-Easy', 'reserved-name', /reserved/],
    ['House Easy', 'reserved-name', /reserved/],
    ['house.easy', 'reserved-name', /reserved/],
    ['-house-easy', 'reserved-name', /reserved/],
  ])('cannot be %j', (name, code, problem) => {
    expect(nameProblem(name)).toEqual({ code, problem: expect.stringMatching(problem) })
  })

  it('belongs to one account, whatever its case', async () => {
    const { users } = await visited()
    expect(users.add('Ann')).toMatchObject({ name: 'Ann', kind: 'player' })
    expect(users.add('aNN')).toEqual({ code: 'name-taken', problem: 'the name aNN is taken' })
    expect(users.find('ANN')).toMatchObject({ name: 'Ann' })
  })

  it('belongs to one account, whatever separates its words', async () => {
    const { users } = await visited()
    users.add('Dr. Deep Blue 2')
    for (const name of ['dr._deep_blue_2', 'Dr--Deep-Blue.2', 'DR._Deep Blue_2']) {
      expect(users.add(name)).toEqual({
        code: 'name-taken',
        problem: `the name ${name} is taken: it looks like Dr. Deep Blue 2`,
      })
      expect(users.find(name)).toMatchObject({ name: 'Dr. Deep Blue 2' })
    }
    expect(users.find('Dr Deep Blue 2')).toBeUndefined()
  })

  it('belongs to one account, however many spaces are in a row', async () => {
    const { users } = await visited()
    for (let n = 1; n <= 27; n++) {
      const name = `n${n}${' '.repeat(n)}x`
      expect(users.add(name)).toMatchObject({ name })
      for (const other of [`N${n} x`, `n${n}${' '.repeat(28 - n)}x`]) {
        expect(users.add(other)).toMatchObject({ code: 'name-taken' })
        expect(users.find(other)).toMatchObject({ name })
      }
      expect(users.find(nameAsWord(name))).toMatchObject({ name })
    }
  })

  it('is one word of a command line that is no option', () => {
    expect(['Dr. Deep Blue 2', '-rf  x', '_-x', 'a-b'].map(nameAsWord)).toEqual([
      ...['Dr._Deep_Blue_2', '_rf_x', '_-x', 'a-b'],
    ])
  })

  it('finds nobody where two accounts of an older version look like it', async () => {
    const { users, db } = await visited()
    for (const name of ['my-bot', 'my_bot'])
      db.file
        .prepare("insert into accounts (name, kind, created_at) values (?, 'player', 0)")
        .run(name)
    expect([users.find('MY-bot')?.name, users.find('my_bot')?.name]).toEqual(['my-bot', 'my_bot'])
    expect(users.find('my.bot')).toBeUndefined()
  })

  it('is looked for by its look in an index', async () => {
    const { db } = await visited()
    const plan = db.file
      .prepare(
        "explain query plan select id from accounts where replace(replace(replace(replace(replace(replace(replace(replace(lower(name), '  ', ' '), '  ', ' '), '  ', ' '), '  ', ' '), '  ', ' '), ' ', '_'), '.', '_'), '-', '_') = ?",
      )
      .all('x')
    expect(JSON.stringify(plan)).toContain('accounts_by_look')
  })
})

describe('a named opponent', () => {
  it('must exist, must not be banned, and must not be a house player', async () => {
    const { users } = await visited()
    for (let n = 0; n < 300; n++) users.add(`agent-${n}`)
    users.add('agent-bob')
    users.ban(users.find('agent-7')!.id, null)
    users.house('house-easy')
    expect(users.opponent('AGENT-bob')).toMatchObject({ name: 'agent-bob' })
    expect(users.opponent('agent bob')).toMatchObject({ name: 'agent-bob' })
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
      expect(users.opponent(name!)).toEqual({ why })
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

  it('is not the account of an older version whose name looks like it', async () => {
    const { users, db } = await visited()
    db.file.exec("insert into accounts (name, kind, created_at) values ('house_easy', 'player', 0)")
    expect(users.house('house-easy')).toMatchObject({ name: 'house-easy', kind: 'house' })
  })
})

const visited = async () => {
  const folder = dataFolder()
  await migrateStore(folder)
  const tables = visitStore(folder, new FakeClock())
  onTestFinished(() => void tables.db.file.close())
  return tables
}
