import { sleep } from '../agent.ts'
import type { Received } from '../frames.ts'
import { isSeconds, type Match, type Side } from '../match.ts'
import { TOLERANCE } from '../options.ts'
import * as chess from '../rules/chess.ts'
import { Random } from '../rules/random.ts'
import type { Scenario } from '../scenario.ts'
import type { Prompt, Stage } from '../stage.ts'

/** Lines as they are sent: SAN with and without marks, 0-0, coordinates. The checker knows the canonical form and the FEN. */
const MATES: readonly (readonly [string, Prompt, string])[] = [
  ['chess-mate-white', 'Classical', 'e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7'],
  ['chess-mate-black', 'Blitz', 'f2f3 e7e5 g2g4 Qh4#'],
]

const LOYD = 'e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6'
const THREEFOLD = 'Nf3 Nf6 Ng1 Ng8 g1f3 g8f6 f3g1 f6g8'
/** Both castlings, en passant, captures, promotions to Q and N, two knights for one square. */
const OPENINGS: readonly string[] = [
  'e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 0-0 Bg4 d3 Qd7 Nbd2 0-0-0 h3 h5',
  'd4 Nf6 c4 e6 Nc3 Bb4 e3 O-O Bd3 d5 Nf3 c5 e1g1 Nc6 a3 Bxc3 bxc3 dxc4 Bxc4',
  'e2e4 h7h6 e4e5 d7d5 exd6 g5 dxc7 h5 cxb8=N Rxb8 h4 g4 f4 gxf3 Nxf3 a5 g4 hxg4 h5 a4 h6 a3 h7 axb2 hxg8=Q b2a1q',
]

export const chessScenarios: readonly Scenario[] = [
  ...MATES.map(
    ([name, prompt, line]): Scenario => ({
      name,
      agents: 2,
      run: stage => mate(stage, prompt, line),
    }),
  ),
  { name: 'chess-stalemate', agents: 2, run: stalemate },
  { name: 'chess-threefold', agents: 2, run: threefold },
  { name: 'chess-openings', agents: 2, run: openings },
  { name: 'chess-bare-kings', agents: 2, run: bareKings },
  { name: 'chess-fifty-moves', agents: 2, run: fiftyMoves },
  { name: 'chess-illegal', agents: 2, run: illegal },
  { name: 'chess-timeouts', agents: 2, run: timeouts },
  { name: 'chess-timeout-reset', agents: 2, run: timeoutReset },
]

/** Plays a line to its last move. Every move is checked for its canonical SAN and its FEN. */
export async function playLine(
  match: Match,
  line: string,
  ends: boolean,
  from = chess.START,
): Promise<chess.Position> {
  const moves = line.split(' ')
  let position = from
  for (const [i, text] of moves.entries()) {
    const move = chess.find(position, text)
    const as = chess.san(position, move)
    position = chess.apply(position, move)
    await match.say(text, {
      as,
      also: { fen: chess.fen(position) },
      ends: ends && i === moves.length - 1,
    })
  }
  return position
}

async function mate(stage: Stage, prompt: Prompt, line: string): Promise<void> {
  const match = await stage.pair('chess', prompt)
  const white = match.toMove
  await playLine(match, line, true)
  const winner = line.split(' ').length % 2 === 1 ? white : match.other(white)
  await match.end({ winner, reason: 'checkmate' })
  await afterTheEnd(match)
}

async function afterTheEnd(match: Match): Promise<void> {
  await match.refused(
    match.one,
    '§10 NOT_IN_MATCH `Match not found.` when the match is over',
    'send_message',
    { content: 'e4' },
    'NOT_IN_MATCH',
    'Match not found.',
  )
  await match.refused(
    match.two,
    '§10 NOT_IN_MATCH `Match not found.` when the match is over',
    'leave_match',
    {},
    'NOT_IN_MATCH',
    'Match not found.',
  )
}

async function stalemate(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Classical')
  await playLine(match, LOYD, true)
  await match.end({ winner: null, reason: 'stalemate' })
}

async function threefold(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Blitz')
  await playLine(match, THREEFOLD, true)
  await match.end({ winner: null, reason: 'draw' })
  await rematch(stage, match)
}

/** The same two connections play again, without leaving the room. */
async function rematch(stage: Stage, before: Match): Promise<void> {
  const match = await stage.pair('chess', 'Classical', [before.two.conn, before.one.conn])
  stage.report.ok(
    '§4.4 both stay connected with their seats freed, and can play again',
    match.id !== before.id,
    'a new match',
    match.id,
  )
  await match.leave(match.one)
  await match.end({ winner: match.two, reason: 'leave' })
}

async function openings(stage: Stage): Promise<void> {
  let before: Match | null = null
  for (const [i, line] of OPENINGS.entries()) {
    const match: Match = await stage.pair(
      'chess',
      i === 1 ? 'Blitz' : 'Classical',
      before === null ? undefined : [before.one.conn, before.two.conn],
    )
    await playLine(match, line, false)
    // Leaving is tried by both seats, in turn and out of turn, with and without a parting shot.
    const leaver = i === 0 ? match.one : i === 1 ? match.toMove : match.other(match.toMove)
    await match.leave(leaver, i === 0 ? undefined : 'Well played.')
    await match.end({ winner: match.other(leaver), reason: 'leave' })
    before = match
  }
}

/** A game of captures, from the seed, to bare kings or one minor piece. */
async function bareKings(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Classical')
  const line = captureGame(new Random(stage.options.seed))
  const began = Date.now()
  await playLine(match, line, true)
  checkRate(stage, match, began)
  await match.end({ winner: null, reason: 'draw' })
}

function captureGame(random: Random): string {
  for (;;) {
    const line: string[] = []
    const seen = new Map<string, number>()
    let position = chess.START
    for (let ply = 0; ply < 400; ply++) {
      const legal = chess.legalMoves(position)
      const captures = legal.filter(m => chess.isCapture(position, m))
      const pawns = legal.filter(
        m => chess.isPawnMove(position, m) && !['R', 'B', 'N'].includes(m.promotion),
      )
      const from =
        captures.length > 0 ? captures : pawns.length > 0 && random.below(3) === 0 ? pawns : legal
      if (from.length === 0) break
      const move = random.pick(from)
      line.push(random.below(3) === 0 ? chess.coordinates(move) : chess.san(position, move, legal))
      position = chess.apply(position, move)
      const times = (seen.get(chess.keyOf(position)) ?? 0) + 1
      seen.set(chess.keyOf(position), times)
      if (times === 3 || position.halfmoves >= 100 || isDoubtful(position)) break
      if (chess.isInsufficient(position) && chess.legalMoves(position).length > 0)
        return line.join(' ')
    }
  }
}

/** Two minor pieces: the reference does not say which of these are insufficient. */
function isDoubtful(position: chess.Position): boolean {
  const pieces = position.board
    .filter(p => p !== '.' && p.toUpperCase() !== 'K')
    .map(p => p.toUpperCase())
  return pieces.length >= 2 && pieces.every(p => p === 'N' || p === 'B')
}

/** A hundred moves without a pawn move or a capture, and no position three times. */
async function fiftyMoves(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Classical')
  const line = wanderings(new Random(stage.options.seed + 1))
  const began = Date.now()
  await playLine(match, line, true)
  checkRate(stage, match, began)
  await match.end({ winner: null, reason: 'draw' })
}

function wanderings(random: Random): string {
  for (;;) {
    // The rooks come out first: with knights alone positions repeat soon.
    const line = ['a2a4', 'h7h5']
    let position = line.reduce((p, text) => chess.apply(p, chess.find(p, text)), chess.START)
    const seen = new Map([[chess.keyOf(position), 1]])
    while (position.halfmoves < 100) {
      const found = chess
        .legalMoves(position)
        .filter(m => !chess.isPawnMove(position, m) && !chess.isCapture(position, m))
        .map(move => ({ move, after: chess.apply(position, move) }))
        .filter(
          ({ after }) =>
            (seen.get(chess.keyOf(after)) ?? 0) < 2 &&
            !chess.inCheck(after) &&
            chess.legalMoves(after).length > 0,
        )
      if (found.length === 0) break
      const { move, after } = random.pick(found)
      line.push(chess.san(position, move))
      position = after
      seen.set(chess.keyOf(after), (seen.get(chess.keyOf(after)) ?? 0) + 1)
    }
    if (position.halfmoves === 100) return line.join(' ')
  }
}

function checkRate(stage: Stage, match: Match, began: number): void {
  if (Date.now() - began < 10_000 && match.count > 42) {
    stage.report.ok(
      '§10 accepted send_message does not count towards 20 actions in 10 s',
      true,
      '',
      match.count,
    )
  }
}

async function illegal(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Classical')
  const { report } = stage
  const wrong = (side: Side, text: string, nth: string): Promise<Received> =>
    match.refused(
      side,
      `§6 chess: illegal move ${nth}`,
      'send_message',
      { content: text },
      'VALIDATION_FAILED',
      new RegExp(`^Illegal move: ${text}${nth.includes('with') ? ' Legal moves: .+' : ''}$`),
    )
  const white = match.toMove
  for (const text of ['e5', 'Nf6'])
    checkPlain(stage, await wrong(white, text, '1 and 2: `Illegal move: <text>`'))
  checkList(stage, await wrong(white, 'e2e5', '3 and on, with ` Legal moves: …`'), chess.START)
  checkList(stage, await wrong(white, 'O-O', '3 and on, with ` Legal moves: …`'), chess.START)
  let position = await playLine(match, 'e4', false)
  await white.conn.quiet('§4.6 a rejected action changes neither turn nor timer', 100)
  const black = match.toMove
  for (const text of ['e4', 'Ke7'])
    checkPlain(stage, await wrong(black, text, '1 and 2: `Illegal move: <text>`'))
  checkList(stage, await wrong(black, 'hello', '3 and on, with ` Legal moves: …`'), position)
  position = await playLine(match, 'd5', false, position)
  checkPlain(stage, await wrong(white, 'exd6', '1 and 2: `Illegal move: <text>`'))
  position = await playLine(match, 'e5 f5', false, position)
  // En passant is among the legal moves: exf6.
  for (const text of ['exd6', 'Qh9'])
    checkPlain(stage, await wrong(white, text, '1 and 2: `Illegal move: <text>`'))
  checkList(stage, await wrong(white, 'e9', '3 and on, with ` Legal moves: …`'), position)
  await playLine(match, 'exf6', false, position)
  report.ok('§6 chess: an accepted move ends the row of illegal moves', true, '', '')
  await match.leave(white, 'x'.repeat(300))
  await match.end({ winner: black, reason: 'leave' })
}

function checkPlain(stage: Stage, error: Received): void {
  stage.report.ok(
    '§6 chess: no legal_moves before the third illegal move in a row',
    !('legal_moves' in error),
    'no such field',
    error,
  )
}

function checkList(stage: Stage, error: Received, position: chess.Position): void {
  stage.report.equal(
    '§6 chess: legal_moves from the third illegal move on lists every legal move in SAN',
    [...(error.legal_moves ?? [])].sort(),
    chess.sansOf(position).sort(),
  )
  stage.report.ok(
    '§6 chess: the message appends the same list, separated by ", "',
    error.message.endsWith(` Legal moves: ${(error.legal_moves ?? []).join(', ')}`),
    'the list of legal_moves',
    error.message,
  )
}

/** White lets its time run out twice: the first turn, then the plain limit. An illegal move in between does not help. */
async function timeouts(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Blitz')
  const { first, turn } = match.limits
  const white = match.toMove
  await waitTimeout(match, white, first)
  await sleep(turn * 400)
  await match.refused(
    white,
    '§6 chess: illegal move 1 and 2: `Illegal move: <text>`',
    'send_message',
    { content: 'e5' },
    'VALIDATION_FAILED',
    'Illegal move: e5',
  )
  await match.refused(
    match.other(white),
    '§10 NOT_YOUR_TURN `It is not your turn`',
    'send_message',
    { content: 'e5' },
    'NOT_YOUR_TURN',
    'It is not your turn',
  )
  await forfeits(match, white, turn)
}

/** A side that moves after a timeout starts its count again. */
async function timeoutReset(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Blitz')
  const { first, turn } = match.limits
  const white = match.toMove
  await waitTimeout(match, white, first)
  let position = await playLine(match, 'e4 e5', false)
  await waitTimeout(match, white, turn)
  position = await playLine(match, 'Nf3', false, position)
  await waitTimeout(match, match.other(white), turn)
  await playLine(match, 'Nc6', false, position)
  stage.report.ok('§6 any accepted message resets the count of timeouts', true, '', '')
  await match.leave(white)
  await match.end({ winner: match.other(white), reason: 'leave' })
}

/** Waits for a turn to run out: the same side gets a new timer with the plain limit, and stays to move. */
export async function waitTimeout(match: Match, side: Side, seconds: number): Promise<void> {
  const { report } = match.stage
  const began = match.turnBegan
  const { frame, at } = await side.conn.expectAt('turn_timer', seconds * 1000)
  report.ok(
    '§6 after a timeout the timer restarts at the plain limit, for the same side',
    isSeconds(frame.seconds_remaining, match.limits.turn),
    `${match.limits.turn}`,
    frame,
  )
  match.turnBegins(began + seconds * 1000, match.limits.turn)
  checkElapsed(match, '§6 a turn runs out when its seconds are over', at - began, seconds)
}

/** Waits for the last timeout: the other side wins by forfeit. */
export async function forfeits(match: Match, side: Side, seconds: number): Promise<void> {
  const began = match.turnBegan
  await match.end({ winner: match.other(side), reason: 'forfeit', within: seconds * 1000 })
  checkElapsed(
    match,
    '§6 forfeit when the count of timeouts reaches the threshold (A8)',
    match.endedAt - began,
    seconds,
  )
}

export function checkElapsed(match: Match, name: string, elapsed: number, seconds: number): void {
  const wanted = seconds * 1000
  match.stage.report.ok(
    name,
    elapsed >= wanted - TOLERANCE.early && elapsed <= wanted + TOLERANCE.late,
    `${wanted} ms`,
    elapsed,
  )
}
