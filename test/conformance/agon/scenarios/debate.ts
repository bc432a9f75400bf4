import { sleep } from '../agent.ts'
import type { Connection } from '../connection.ts'
import { isSeconds, type Match, refused, type Side } from '../match.ts'
import { TOLERANCE } from '../options.ts'
import { call } from '../rest.ts'
import type { Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'
import { checkElapsed, forfeits, waitTimeout } from './chess.ts'
import { dropForGood } from './disconnect.ts'

export const debateScenarios: readonly Scenario[] = [
  { name: 'debate-cap', agents: 4, run: cap },
  { name: 'debate-no-votes', agents: 3, run: noVotes },
  { name: 'debate-tie', agents: 4, run: tie },
  { name: 'debate-leave', agents: 3, run: leave },
  { name: 'debate-lengths', agents: 2, run: lengths },
  { name: 'debate-voting-drop', agents: 3, run: votingDrop },
  { name: 'debate-timeouts', agents: 2, run: timeouts },
]

/** Twenty messages, the last of which ends the argument. */
async function argue(match: Match, voters: readonly Connection[] = []): Promise<void> {
  for (let i = 1; i <= 20; i++) {
    const from = match.toMove
    const frame = await match.say(`Argument ${i}.\n\tIt has a second line.`, { ends: i === 20 })
    for (const voter of voters) {
      const seen = await voter.expect('spectator_message')
      match.stage.report.equal(
        '§3 spectator_message: fields of opponent_message, participant_id, participant_name',
        seen,
        {
          ...frame,
          event: 'spectator_message',
          participant_id: from.agent.id,
          participant_name: from.agent.name,
        },
      )
    }
  }
}

/** `voting_open` to both, and to spectators with the participants. */
async function votingOpens(
  match: Match,
  voters: readonly Connection[],
  within = 5000,
): Promise<number> {
  const { report, options } = match.stage
  let at = Date.now()
  for (const side of [match.one, match.two]) {
    const opened = await side.conn.expectAt('voting_open', within)
    at = opened.at
    report.equal(
      '§6 voting_open: 60 s, to both',
      [opened.frame.match_id, opened.frame.duration_seconds],
      [match.id, options.voting],
    )
  }
  for (const voter of voters) {
    const frame = await voter.expect('voting_open')
    const participants = [match.one, match.two].map(({ agent }) => ({
      id: agent.id,
      name: agent.name,
      type: 'agent',
    }))
    report.equal(
      '§5 voting_open to spectators: duration and participants',
      [frame.match_id, frame.duration_seconds, frame.participants],
      [match.id, options.voting, participants],
    )
  }
  const rest = await call(options.base, 'GET', `/api/v1/matches/${match.id}/result`)
  report.equal(
    '§1 matches/:id/result: voting, and null, while the vote is open',
    [rest.status, rest.body],
    [200, { match_id: match.id, status: 'voting', result: null }],
  )
  return at
}

async function spectators(
  stage: Stage,
  match: Match,
  indices: readonly number[],
): Promise<Connection[]> {
  const found: Connection[] = []
  for (const index of indices) {
    const voter = await stage.spectate(stage.agent(index), match.room)
    voter.watch(match.id)
    found.push(voter)
  }
  return found
}

async function vote(voter: Connection, match: Match, side: Side): Promise<void> {
  await voter.act('vote', { match_id: match.id, participant_id: side.agent.id })
}

/** Two votes of which one is changed; all errors of voting; the side with more votes wins. */
async function cap(stage: Stage): Promise<void> {
  const match = await stage.pair('regular_debate', null)
  const voters = await spectators(stage, match, [2, 3])
  const [first, second] = voters as [Connection, Connection]
  await refused(
    stage,
    first,
    '§10 VALIDATION_FAILED `Voting is not open` before the vote',
    'vote',
    { match_id: match.id, participant_id: match.one.agent.id },
    'VALIDATION_FAILED',
    'Voting is not open',
  )
  await argue(match, voters)
  const opened = await votingOpens(match, voters)
  await match.refused(
    match.one,
    '§10 VALIDATION_FAILED `Participants cannot vote`',
    'vote',
    { participant_id: match.one.agent.id },
    'VALIDATION_FAILED',
    'Participants cannot vote',
  )
  await refused(
    stage,
    first,
    '§10 VALIDATION_FAILED `Unknown participant`',
    'vote',
    { match_id: match.id, participant_id: 'no-such-participant' },
    'VALIDATION_FAILED',
    'Unknown participant',
  )
  await refused(
    stage,
    first,
    '§10 MISSING_FIELD `Missing field: <name>`: vote',
    'vote',
    { match_id: match.id },
    'MISSING_FIELD',
    'Missing field: participant_id',
  )
  await refused(
    stage,
    first,
    '§10 NOT_IN_MATCH: vote in an unknown match',
    'vote',
    { match_id: 'no-such-match', participant_id: match.one.agent.id },
    'NOT_IN_MATCH',
    'Match not found.',
  )
  await silenced(match)
  await vote(first, match, match.one)
  await vote(second, match, match.one)
  await vote(second, match, match.two)
  await vote(first, match, match.two)
  await first.quiet('§0 A12 a vote has no ack', 100)
  const result = await match.end({
    winner: match.two,
    reason: 'cap',
    scores: [0, 2],
    votes: [0, 2],
    within: stage.options.voting * 1000,
  })
  checkElapsed(match, '§6 the vote lasts its 60 s', match.endedAt - opened, stage.options.voting)
  for (const voter of voters)
    stage.report.equal(
      '§3 spectators get match_end without your_role, your_score, opponent_score',
      await voter.expect('match_end'),
      {
        event: 'match_end',
        match_id: match.id,
        result,
      },
    )
  for (const voter of voters) voter.nothingLeft()
}

/** No messages are accepted while voting; the reference does not say with which code. */
async function silenced(match: Match): Promise<void> {
  await match.toMove.conn.act('send_message', { match_id: match.id, content: 'One more thing.' })
  const error = await match.toMove.conn.expect('error')
  match.stage.report.ok(
    '§6 no messages are accepted while voting',
    ['NOT_YOUR_TURN', 'NOT_IN_MATCH', 'VALIDATION_FAILED'].includes(error.code),
    'an error',
    error,
  )
}

async function noVotes(stage: Stage): Promise<void> {
  const match = await stage.pair('spicy_debate', null)
  await argue(match)
  await votingOpens(match, [])
  // A vote from outside the room does not count; the reference gives no code for it.
  const outside = await stage.connect(stage.agent(2))
  await vote(outside, match, match.one)
  stage.report.ok(
    '§3 vote: non-participants in the room only',
    (await outside.expect('error')).code !== '',
    'an error',
    'none',
  )
  await match.end({
    winner: null,
    reason: 'cap',
    scores: [0, 0],
    votes: [0, 0],
    within: stage.options.voting * 1000,
  })
}

async function tie(stage: Stage): Promise<void> {
  const match = await stage.pair('spicy_debate', null)
  const voters = await spectators(stage, match, [2, 3])
  const [first, second] = voters as [Connection, Connection]
  await argue(match, voters)
  await votingOpens(match, voters)
  await vote(first, match, match.one)
  await vote(second, match, match.two)
  const result = await match.end({
    winner: null,
    reason: 'cap',
    scores: [1, 1],
    votes: [1, 1],
    within: stage.options.voting * 1000,
  })
  for (const voter of voters)
    stage.report.equal(
      '§3 spectators get match_end without your_role, your_score, opponent_score',
      await voter.expect('match_end'),
      {
        event: 'match_end',
        match_id: match.id,
        result,
      },
    )
}

/** The second speaker leaves out of turn, with a parting shot of more than 280 code points; the vote goes to the leaver. */
async function leave(stage: Stage): Promise<void> {
  const match = await stage.pair('regular_debate', null)
  const [voter] = (await spectators(stage, match, [2])) as [Connection]
  await match.say('A first word.')
  await voter.expect('spectator_message')
  const leaver = match.toMove
  const left = Date.now()
  await match.leave(leaver, '🐟'.repeat(300))
  const opened = await votingOpens(match, [voter], stage.options.leaving * 1000)
  checkElapsed(
    match,
    '§6 debates: the vote opens 5 s after leave_match',
    opened - left,
    stage.options.leaving,
  )
  await vote(voter, match, leaver)
  const votes = leaver === match.one ? ([1, 0] as const) : ([0, 1] as const)
  await match.end({
    winner: leaver,
    reason: 'leave',
    scores: votes,
    votes,
    within: stage.options.voting * 1000,
  })
  await voter.expect('match_end')
}

/** 2000 code points pass, up to 4000 are cut, more is refused; all in characters outside the BMP too. */
async function lengths(stage: Stage): Promise<void> {
  const match = await stage.pair('regular_debate', null)
  for (const character of ['a', '𝒜']) {
    await match.say(character.repeat(2000))
    await match.say(character.repeat(2001), { as: character.repeat(2000), truncated: true })
    await match.say(character.repeat(4000), { as: character.repeat(2000), truncated: true })
    await match.refused(
      match.toMove,
      '§10 MESSAGE_TOO_LONG: over 2× the limit is refused in debates (A7), by code points',
      'send_message',
      { content: character.repeat(4001) },
      'MESSAGE_TOO_LONG',
      'Message too long: 4001 chars, limit 2000',
    )
  }
  await match.say('Lines\nand\ttabs pass.')
  for (const [name, control] of Object.entries({
    NUL: '\0',
    BEL: '\x07',
    CR: '\r',
    ESC: '\x1b',
    DEL: '\x7f',
    NEL: '\x85',
  })) {
    await match.refused(
      match.toMove,
      `§10 CONTENT_BLOCKED \`Message blocked\`: control character ${name}`,
      'send_message',
      { content: `a${control}b` },
      'CONTENT_BLOCKED',
      'Message blocked',
    )
  }
  await match.refused(
    match.toMove,
    '§10 check order: MESSAGE_TOO_LONG before CONTENT_BLOCKED',
    'send_message',
    { content: '\x07'.repeat(4001) },
    'MESSAGE_TOO_LONG',
    'Message too long: 4001 chars, limit 2000',
  )
  const side = match.toMove
  await dropForGood(match, side)
}

/** While voting, a drop has no effect; the side that returns gets the seconds left. */
async function votingDrop(stage: Stage): Promise<void> {
  const { options, report } = stage
  const match = await stage.pair('regular_debate', null)
  const [voter] = (await spectators(stage, match, [2])) as [Connection]
  await match.leave(match.one)
  const opened = await votingOpens(match, [voter], options.leaving * 1000)
  match.two.conn.cut()
  await vote(voter, match, match.two)
  await sleep(options.voting * 400)
  const conn = await stage.connect(match.two.agent)
  conn.resume(match.id)
  await stage.enter(conn, match.room)
  const { frame, at } = await conn.expectAt('voting_open')
  const left = options.voting - (at - opened) / 1000
  report.ok(
    '§7 while voting, a returning side gets voting_open with the seconds left',
    frame.match_id === match.id &&
      Math.abs(frame.duration_seconds - left) <= 1 + TOLERANCE.late / 1000,
    `about ${left.toFixed(1)}`,
    frame,
  )
  report.ok(
    '§7 while voting, duration_seconds of the return is less than the whole',
    frame.duration_seconds < options.voting || isSeconds(frame.duration_seconds, Math.ceil(left)),
    `about ${left.toFixed(1)}`,
    frame,
  )
  match.two.conn = conn
  await match.end({
    winner: match.two,
    reason: 'leave',
    scores: [0, 1],
    votes: [0, 1],
    within: options.voting * 1000,
  })
  report.ok('§7 while voting, a drop has no effect', true, '', '')
}

async function timeouts(stage: Stage): Promise<void> {
  const match = await stage.pair('spicy_debate', null)
  const { first, turn } = match.limits
  const side = match.toMove
  await waitTimeout(match, side, first)
  await waitTimeout(match, side, turn)
  await forfeits(match, side, turn)
}
