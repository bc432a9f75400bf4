import { sleep } from '../agent.ts'
import type { Connection } from '../connection.ts'
import { TOLERANCE } from '../options.ts'
import type { Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'
import { dropForGood } from './disconnect.ts'

export const limitScenarios: readonly Scenario[] = [
  { name: 'silence', agents: 3, run: silence },
  { name: 'silence-in-match', agents: 2, run: silenceInMatch },
  { name: 'rate', agents: 1, run: rate },
  { name: 'rate-recovers', agents: 1, run: recovers },
]

const ROOM = { room: 'checkers' }

/** 20 actions are answered, the next 180 are RATE_LIMITED, the 201st closes the connection. */
async function rate(stage: Stage): Promise<void> {
  const { report } = stage
  const conn = await stage.connect(stage.agent(0))
  await sleep(10_000)
  const answers = await flood(conn, 230)
  const limited = answers.filter(code => code === 'RATE_LIMITED').length
  const answered = answers.filter(code => code === 'VALIDATION_FAILED').length
  report.equal('§10 RATE_LIMITED: over 20 actions in 10 s', answered, 20)
  report.equal(
    '§10 over 200 actions in 10 s close the connection: 180 RATE_LIMITED before',
    limited,
    180,
  )
  const closed = await Promise.race([conn.closed, sleep(5000).then(() => null)])
  report.equal('§1 close 4029: flooding', closed?.code, 4029)
}

/** After 10 quiet seconds the agent may act again. */
async function recovers(stage: Stage): Promise<void> {
  const { report } = stage
  const conn = await stage.connect(stage.agent(0))
  await sleep(10_000)
  for (let i = 0; i < 10; i++) {
    conn.raw('{"action":"heartbeat"}')
    conn.say('no-such-match', 'e4')
  }
  conn.agent?.count(20)
  for (let i = 0; i < 10; i++)
    report.equal(
      '§10 20 actions in 10 s are answered',
      (await conn.expect('error')).code,
      'NOT_IN_MATCH',
    )
  conn.raw(JSON.stringify({ action: 'enter_room', ...ROOM }))
  const error = await conn.expect('error')
  report.equal(
    '§10 RATE_LIMITED `Too many actions`; heartbeats and refused send_message count',
    [error.code, error.message],
    ['RATE_LIMITED', 'Too many actions'],
  )
  await sleep(10_500)
  conn.raw(JSON.stringify({ action: 'enter_room', ...ROOM }))
  report.equal(
    '§10 RATE_LIMITED ends when 10 s have passed',
    (await conn.expect('error')).code,
    'VALIDATION_FAILED',
  )
}

/** Sends many actions at once and gathers the codes that come back until the end or the close. */
async function flood(conn: Connection, actions: number): Promise<string[]> {
  conn.agent?.count(20)
  for (let i = 0; i < actions; i++) conn.raw(JSON.stringify({ action: 'enter_room', ...ROOM }))
  await Promise.race([conn.closed, sleep(3000)])
  return conn
    .takeAll()
    .filter(frame => frame.event === 'error')
    .map(frame => frame.code as string)
}

/** One connection only answers pings, one only sends heartbeats, and one does neither. */
async function silence(stage: Stage): Promise<void> {
  const { report, options } = stage
  const alive = await stage.connect(stage.agent(0))
  const since = Date.now()
  const dead = await stage.connect(stage.agent(1), { autoPong: false })
  const beating = await stage.connect(stage.agent(2), { autoPong: false })
  const beat = setInterval(
    () => beating.isOpen && beating.raw('{"action":"heartbeat"}'),
    options.silence * 300,
  )
  const closed = await Promise.race([
    dead.closed,
    sleep(options.silence * 1000 + 30_000).then(() => null),
  ])
  report.equal('§1 close 4008: silent for 90 s', closed?.code, 4008)
  const seconds = ((closed?.at ?? Date.now()) - since) / 1000
  // The server looks at silence when it likes: up to one ping interval late is still in the spirit of the text.
  report.ok(
    '§7 silence of 90 s closes, and not before',
    seconds >= options.silence - TOLERANCE.early / 1000 &&
      seconds <= options.silence + options.silence / 3 + TOLERANCE.late / 1000,
    `${options.silence} s`,
    seconds,
  )
  if (options.silence === 90)
    report.ok(
      '§7 the server pings every 30 s',
      dead.pings.length >= 2 && dead.pings.length <= 4,
      '3 pings in 90 s',
      dead.pings.map(at => Math.round((at - since) / 1000)),
    )
  await sleep(options.silence * 200)
  clearInterval(beat)
  report.ok('§7 a pong counts as a sign of life', alive.isOpen, 'open', 'closed')
  report.ok('§7 any client frame counts as a sign of life', beating.isOpen, 'open', 'closed')
}

/** A side that falls silent is dropped, if the turns are long enough to see it. */
async function silenceInMatch(stage: Stage): Promise<void> {
  const { report, options } = stage
  const longest = Math.max(options.firstTurn, options.classical)
  if (longest < options.silence * (4 / 3) + 2) {
    report.note('§7 silence in a match is not checked: the first turn is too short for it')
    return
  }
  const connections = [
    await stage.connect(stage.agent(0), { autoPong: false }),
    await stage.connect(stage.agent(1), { autoPong: false }),
  ] as const
  const match = await stage.pair('chess', 'Classical', [
    await entered(stage, connections[0]),
    await entered(stage, connections[1]),
  ])
  const [mover, silent] = [match.toMove, match.other(match.toMove)]
  const beat = setInterval(
    () => mover.conn.raw('{"action":"heartbeat"}'),
    (options.silence * 1000) / 4,
  )
  const { code } = await silent.conn.closed
  clearInterval(beat)
  report.equal('§1 close 4008: silent for 90 s', code, 4008)
  report.ok('§7 any client frame counts as a sign of life', mover.conn.isOpen, 'open', 'closed')
  await dropForGood(match, silent)
}

async function entered(stage: Stage, conn: Connection): Promise<Connection> {
  await stage.enter(conn, 'chess')
  return conn
}
