import { type Notes, noNotes } from '../../src/arena/note.ts'
import { type Clock, systemClock } from '../../src/clock.ts'
import type { Entry } from '../../src/events/entry.ts'
import type { EventPlan } from '../../src/events/plan.ts'
import { readRecurring } from '../../src/events/recurring.ts'
import { BatchBuilder } from '../../src/owner-log/batch.ts'
import { ownerLogPath } from '../../src/owner-log/log-paths.ts'
import { LogWriter } from '../../src/owner-log/log-writer.ts'
import { MessageLog } from '../../src/protocols/league/message-log.ts'
import { readPublicKeys } from '../../src/store/public-key.ts'
import { planOf } from './event-log.ts'
import { openStore } from './open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from './played.ts'

const annsKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIzS6dqN0eHbic/syQ/gUskI8+VB1orLZoB7zjekSXT7 ann@laptop'

/** A key that no account of the sample has. */
export const newKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKW9l+uxAan7+AIESc7VJpbIJ8rBvy7l2HRU8F9Qk5Yh my bot'

/** Fills a data folder with a few accounts, with matches of different endings, and with events that have none. */
export const sampleData = async (folder: string): Promise<void> => {
  await leagueLog(folder)
  const clock = new Manual()
  const { users, keys, tokens, matchStore, voids, audit, events, recurring, close } =
    await openStore(folder, clock)
  const [ann, bob, cat, dan] = ['ann', 'bob', 'cat', 'dan'].map(name => newAccount(users, name))
  const house = users.house('house-easy')
  users.setOwner(dan!, users.find('ann')!)
  users.ban(newAccount(users, 'spam-bot').id, 'floods the queue')
  audit.add(operator, { action: 'ban', target: 'spam-bot', reason: 'floods the queue' })
  const read = readPublicKeys(annsKey)
  if (!('problem' in read)) keys.add(ann!, read[0]!)
  tokens.mint(ann!, 'laptop')
  tokens.mint(bob!, 'server')

  const play = async (
    match: ReturnType<typeof tttMatch>,
    outcome: Parameters<typeof matchStore.finish>[1],
    moves: Parameters<typeof matchStore.finish>[2],
    notes: Notes = noNotes,
  ) => {
    const protocols = match.accounts.map(id => (id === house.id ? null : 'agentgames'))
    const id = matchStore.begin({ ...match, protocols, startedAt: clock.date() })
    clock.time += 60_000
    await matchStore.finish(id, outcome, moves, null, notes)
  }
  await play(tttMatch(ann!, bob!), outcomes.firstWins, ttt.firstWins, {
    5: 'the row at the top',
  })
  await play(tttMatch(bob!, ann!), outcomes.draw, ttt.draw)
  // At a table of a room: it earns points.
  const room = { id: 'chess', table: 't-a', title: 'Blitz', participants: [0, 1] } as const
  const atTable = { ...tttMatch(cat!, ann!), setup: { room } }
  await play(atTable, outcomes.secondWins, ttt.secondWins)
  await play(tttMatch(bob!, cat!), outcomes.secondLate, ttt.draw.slice(0, 3))
  await play(
    { ...tttMatch(dan!, house), unrated: 'practice against the house', practice: true },
    outcomes.draw,
    ttt.draw,
  )
  voids.void([5], 'a test of the house', operator)
  await play(
    { ...tttMatch(ann!, bob!, cat!, dan!), game: 'dance-battle' },
    {
      ending: 'resigned',
      places: [1, 3, 4, 2],
      faults: [null, 'resigned', 'resigned', 'resigned'],
      detail: 'resignation',
    },
    [
      [2, null, 0, 'resigned'],
      [1, null, 0, 'resigned'],
    ],
  )
  const aborted = matchStore.begin({ ...tttMatch(ann!, cat!), startedAt: clock.date() })
  await matchStore.abort(aborted, 'the host is stopping', ttt.draw.slice(0, 2))
  const live = matchStore.begin({ ...tttMatch(bob!, dan!), startedAt: clock.date() })
  matchStore.progress(live, ttt.draw.slice(0, 4))
  users.pause(dan!.id, 'it stalls in every endgame')
  audit.add(operator, { action: 'pause', target: 'dan', reason: 'it stalls in every endgame' })
  const entered = (...accounts: (typeof ann)[]): Entry[] =>
    accounts.map(who => ({ kind: 'entered', account: who!.id, name: who!.name, rating: 1500 }))
  const begun: Entry[] = [
    ...entered(ann, cat),
    {
      kind: 'started',
      entrants: [ann, cat].map(who => ({ account: who!.id, name: who!.name, rating: 1500 })),
    },
    {
      kind: 'drawn',
      round: 1,
      boards: [{ board: 1, accounts: [ann!.id, cat!.id] }],
      byes: [],
    },
  ]
  const format = { kind: 'series', bestOf: 3 } as const
  const series = (id: string) => planOf({ id, title: id.replace('-', ' '), format, game: 'ttt' })
  const create = (plan: EventPlan, ...entries: Entry[]) =>
    events.append(plan.id, 0, [{ kind: 'created', plan }, ...entries])
  create(planOf({ game: 'ttt', title: 'Spring cup' }), ...entered(ann, bob))
  create(series('winter-duel'), ...begun)
  create(series('autumn-duel'), ...begun, { kind: 'paused' })
  recurring.add(readRecurring('every Saturday 18:00 UTC, arena, ttt, 60 min'))
  await close()
  await logOf(folder, ann!.id)
}

/** Some lines of the log of an agent, of its first match. */
export const logOf = async (folder: string, account: number): Promise<void> => {
  const writer = new LogWriter({
    folder: ownerLogPath(folder),
    mostOfDay: 2 ** 20,
    after: () => {},
  })
  const at = Date.UTC(2026, 10, 1, 12)
  const batch = new BatchBuilder()
  const source = batch.addSource({ account, connection: 'tnv280ab-websocket-1', secret: null })
  const state = '{"type":"state","observation":{"legal":["2","5"]},"yourTurn":true}'
  const error =
    '{"type":"error","error":"there is no match yet, or no more","code":"not-your-turn"}'
  batch.add(source, 'opened', at, null, 'WebSocket, agentgames', '')
  batch.add(source, 'in', at, null, 'game=ttt', '')
  batch.add(source, 'out', at + 10, 1, state, '')
  batch.add(source, 'in', at + 24, 1, '{"type":"move","move":"2"}', '')
  batch.add(source, 'move', at + 24, 1, '2', '"seat":0,"ply":5,"ms":14')
  batch.add(source, 'out', at + 30, 1, error, '"code":"not-your-turn"')
  const written = writer.add(batch.take())
  writer.flush()
  await written
}

const operator = { by: 'root', via: 'command' } as const

/** Its date stands still while its timers run, so that the sample is always the same. */
class Manual implements Clock {
  time = Date.UTC(2026, 10, 1, 12)
  now = () => performance.now()
  elapsed = this.now
  date = () => this.time
  after = (ms: number, run: () => void) => {
    const timeout = setTimeout(run, ms)
    return { cancel: () => clearTimeout(timeout) }
  }
  soon = systemClock.soon
}

/** A message of a league. */
const leagueLog = (folder: string): Promise<void> => {
  const log = new MessageLog(folder, error => {
    throw error
  })
  log.write({
    at: Date.UTC(2026, 10, 1, 12),
    ...{ direction: 'out', league: 'winter-cup', agent: 'P01', conversation: 'conv-P01-5be2' },
    type: 'GAME_INVITATION',
    message: { message_type: 'GAME_INVITATION', match_id: 'R1M1' },
  })
  return log.close()
}
