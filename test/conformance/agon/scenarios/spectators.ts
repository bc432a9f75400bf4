import { sleep } from '../agent.ts'
import type { Connection } from '../connection.ts'
import type { Match } from '../match.ts'
import * as chess from '../rules/chess.ts'
import type { Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'

export const spectatorScenarios: readonly Scenario[] = [
  { name: 'spectators-chess', agents: 4, run: watchChess },
  { name: 'spectators-go', agents: 3, run: watchGo },
  { name: 'reactions', agents: 4, run: reactions },
]

/** Two agents play; a third watches from before the match, and a fourth from the middle. */
async function watchChess(stage: Stage): Promise<void> {
  const { report } = stage
  const early = await stage.spectate(stage.agent(2), 'chess')
  const match = await stage.pair('chess', 'Classical')
  early.watch(match.id)
  let position = chess.START
  const watchers: Connection[] = [early]
  for (const [i, text] of ['f3', 'e5', 'g4', 'Qh4#'].entries()) {
    const move = chess.find(position, text)
    position = chess.apply(position, move)
    await watchMove(match, watchers, text, { fen: chess.fen(position) }, i === 3)
    if (i === 1) watchers.push(await joinLate(stage, match))
  }
  const winner = match.other(match.one.start.you_go_first ? match.one : match.two)
  const result = await match.end({ winner, reason: 'checkmate' })
  for (const watcher of watchers) {
    report.equal(
      '§3 spectators get match_end without your_role, your_score, opponent_score',
      await watcher.expect('match_end'),
      {
        event: 'match_end',
        match_id: match.id,
        result,
      },
    )
    await watcher.quiet('§3 spectators get nothing else of a match', 50)
  }
}

/** One move: the opponent and each spectator see the same, and the spectators see who moved. */
async function watchMove(
  match: Match,
  watchers: readonly Connection[],
  text: string,
  also: object,
  ends: boolean,
): Promise<void> {
  const from = match.toMove
  const frame = await match.say(text, { also, ends })
  for (const watcher of watchers) {
    match.stage.report.equal(
      '§3 spectator_message: fields of opponent_message, participant_id, participant_name',
      await watcher.expect('spectator_message'),
      {
        ...frame,
        event: 'spectator_message',
        participant_id: from.agent.id,
        participant_name: from.agent.name,
      },
    )
  }
}

async function joinLate(stage: Stage, match: Match): Promise<Connection> {
  const late = await stage.spectate(stage.agent(3), 'chess')
  late.watch(match.id)
  return late
}

/** A spectator sees boards; a drop and a return count spectators in reconnect_state. */
async function watchGo(stage: Stage): Promise<void> {
  const watcher = await stage.spectate(stage.agent(2), 'go')
  const match = await stage.pair('go', 'Go 9x9')
  watcher.watch(match.id)
  await watchMove(match, [watcher], 'E5', {}, false)
  await watchMove(match, [watcher], 'D4', {}, false)
  const side = match.two
  side.conn.cut()
  await sleep(100)
  const conn = await stage.connect(side.agent)
  conn.resume(match.id)
  await stage.enter(conn, 'go')
  const state = await conn.expect('reconnect_state')
  stage.report.ok(
    '§5 reconnect_state: spectator_count counts the spectators of the room',
    state.spectator_count >= 1,
    '1 or more',
    state.spectator_count,
  )
  side.conn = conn
  await match.toMove.conn.expect('turn_timer')
  await match.leave(side)
  await match.end({ winner: match.one, reason: 'leave' })
  await watcher.expect('match_end')
}

const REACTIONS = ['🔥', '👏', '😂', '🤔', '😮', '❤️']

/** Each reaction reaches the other spectators and no participant; one per 2 s per sender. */
async function reactions(stage: Stage): Promise<void> {
  const { report } = stage
  const match = await stage.pair('chess', 'Classical')
  const [sender, watcher] = [
    await stage.spectate(stage.agent(2), 'chess'),
    await stage.spectate(stage.agent(3), 'chess'),
  ]
  for (const conn of [sender, watcher]) conn.watch(match.id)
  for (const [i, reaction] of REACTIONS.entries()) {
    const [from, to] = i % 2 === 0 ? [sender, watcher] : [watcher, sender]
    await from.act('react', { match_id: match.id, reaction })
    await reactionAt(stage, to, match, reaction)
    if (i % 2 === 1) {
      if (match.count < 4) await match.say(['Nf3', 'Nf6', 'Ng1', 'Ng8'][match.count] ?? 'e4')
      await sleep(2100)
    }
  }
  await sender.act('react', { match_id: match.id, reaction: '🔥' })
  await sender.act('react', { match_id: match.id, reaction: '👏' })
  await reactionAt(stage, watcher, match, '🔥')
  let second = false
  const until = Date.now() + 300
  while (Date.now() < until && !second) {
    await sleep(20)
    second = watcher.has(({ event, reaction }) => event === 'reaction' && reaction === '👏')
  }
  report.ok(
    '§3 react: one per 2 s per sender',
    !second,
    'the second reaction at once goes to no one',
    '👏',
  )
  report.ok('§3 reactions go to spectators only', true, '', '')
  await match.leave(match.one)
  await match.end({ winner: match.two, reason: 'leave' })
}

/** The reaction arrives; moves of the match may come before it. Whether a sender sees its own is left open. */
async function reactionAt(
  stage: Stage,
  to: Connection,
  match: Match,
  reaction: string,
): Promise<void> {
  for (;;) {
    const frame = await to.expectAny(['reaction', 'spectator_message'])
    if (frame.event === 'spectator_message' || frame.reaction !== reaction) continue
    stage.report.equal('§3 reaction to spectators: {match_id, reaction}', frame, {
      event: 'reaction',
      match_id: match.id,
      reaction,
    })
    return
  }
}
