import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { sendWithin } from './match-book.ts'
import type { Filter } from './matches.ts'

describe('the newest matches', () => {
  it.each<[string, Partial<Filter> & { agent?: string }, number[]]>([
    ['of all', {}, [8, 7, 6, 5, 4, 3, 2, 1]],
    ['as many as asked for', { limit: 3 }, [8, 7, 6]],
    ['before another', { before: 4, limit: 2 }, [3, 2]],
    ['of a game', { game: 'c4' }, [8, 6, 4, 2]],
    ['of a game without matches', { game: 'go' }, []],
    ['of an agent', { agent: 'cat' }, [8, 7, 3]],
    ['of an agent in a game', { agent: 'cat', game: 'c4' }, [8]],
    ['that are live', { status: 'live' }, [8, 7]],
    ['that are live in a game', { status: 'live', game: 'ttt' }, [7]],
    ['that were aborted', { status: 'aborted' }, [6, 5]],
    ['that have a result', { status: 'done', limit: 3 }, [4, 3, 2]],
    ['of an agent with a result', { status: 'done', agent: 'cat' }, [3]],
  ])('%s', async (_, { agent, ...filter }, ids) => {
    const store = await played()
    const account = agent === undefined ? undefined : store.users.find(agent)!.id
    const found = store.matches.newest({ limit: 99, account, ...filter })
    expect(found.map(({ id }) => id)).toEqual(ids)
  })

  it('are found by an index, whatever is asked for', async () => {
    const store = await played()
    const asked: string[] = []
    const { prepare } = store.db.file
    store.db.file.prepare = ((sql: string) => {
      asked.push(sql)
      return prepare.call(store.db.file, sql)
    }) as typeof prepare
    for (const game of [undefined, 'ttt'])
      for (const account of [undefined, 1])
        for (const status of [undefined, 'live', 'aborted'] as const)
          for (const before of [undefined, 5])
            store.matches.newest({ game, account, status, before, limit: 10 })
    store.db.file.prepare = prepare
    expect(asked.length).toBeGreaterThan(24)
    for (const sql of asked) {
      const plan = store.db.file.prepare(`explain query plan ${sql}`)
      const steps = plan.all(Array(sql.split('?').length - 1).fill(1)) as { detail: string }[]
      expect(steps.map(({ detail }) => detail).join('; ')).not.toMatch(/SCAN|TEMP B-TREE/)
    }
  })
})

/** 1 to 4 have results, 5 and 6 were aborted, 7 and 8 are live; odd ones are ttt, even ones c4; cat is in 3, 7 and 8. */
const played = async () => {
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock)
  onTestFinished(() => store.close())
  const [ann, bob, cat] = ['ann', 'bob', 'cat'].map(name => newAccount(store.users, name))
  for (let n = 1; n <= 8; n++) {
    const other = [3, 7, 8].includes(n) ? cat! : bob!
    const id = store.matchStore.begin({ ...tttMatch(ann!, other), game: n % 2 ? 'ttt' : 'c4' })
    if (n <= 4) void store.matchStore.finish(id, outcomes.draw, ttt.draw)
    else if (n <= 6) void store.matchStore.abort(id, 'a fault', [])
  }
  clock.pass(sendWithin)
  return store
}
