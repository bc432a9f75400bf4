import type { Agent } from './agent.ts'
import { eloDelta, type Outcome, pointsFor } from './arithmetic.ts'
import type { Connection } from './connection.ts'
import { type Frame, type Goods, RESOURCES, type Resource, type Room } from './frames.ts'
import { TOLERANCE } from './options.ts'
import { call } from './rest.ts'
import type { Stage } from './stage.ts'

type Role = 'participant_1' | 'participant_2'

/** One participant: the agent, its connection (another one after a reconnection), and what the host told it. */
export interface Side {
  readonly agent: Agent
  readonly role: Role
  conn: Connection
  readonly start: Frame
  readonly pointsBefore: number
  readonly ratingsBefore: Readonly<Record<string, number>>
  goods: Required<Goods>
  goal: { resource: Resource; amount: number; points: number } | null
}

export interface Ending {
  readonly winner: Side | null
  readonly reason: string
  /** Scores of participant_1 and participant_2; by default 1, 0.5 or 0. */
  readonly scores?: readonly [number, number]
  readonly votes?: readonly [number, number]
  readonly tradeResult?: object
  /** The sides that get the events of the end; by default both. */
  readonly told?: readonly Side[]
  readonly within?: number
  /** The stake of an accepted wager. */
  readonly wager?: number
}

/** One match between two agents of the checker, and what must hold for it. */
export class Match {
  readonly history: { readonly by: Side; readonly content: string }[] = []
  private mover: Side
  /** When the running turn (or what is left of it after a return) began, by this machine's clock, and its seconds. */
  turnBegan = Date.now()
  turnSeconds = 0
  readonly startedAt = Date.now()
  /** When the first `match_end` came. */
  endedAt = 0

  readonly stage: Stage
  readonly id: string
  readonly room: Room
  readonly tableId: string
  readonly one: Side
  readonly two: Side

  constructor(
    stage: Stage,
    id: string,
    room: Room,
    tableId: string,
    one: Side,
    two: Side,
    first: Side,
  ) {
    this.stage = stage
    this.id = id
    this.room = room
    this.tableId = tableId
    this.one = one
    this.two = two
    this.mover = first
  }

  /** Takes `match_start` on both sides, the Bazaar's `trade_state_update`, and the first `turn_timer`. The countdown began at `countdownAt`. */
  static async begin(
    stage: Stage,
    room: Room,
    tableId: string,
    oneConn: Connection,
    twoConn: Connection,
    countdownAt: number,
  ): Promise<Match> {
    const { report, options } = stage
    const within = options.countdown * 1000
    const [a, b] = [
      await oneConn.expectAt('match_start', within),
      await twoConn.expectAt('match_start', within),
    ]
    const id: string = a.frame.match_id
    report.equal(
      '§4 match_start follows the countdown of the same match',
      [a.frame.match_id, b.frame.match_id],
      [oneConn.matchId, oneConn.matchId],
    )
    const waited = a.at - countdownAt
    report.ok(
      '§4 match_countdown (3 s): the match starts that much later',
      waited >= within - TOLERANCE.early && waited <= within + TOLERANCE.late,
      `${within} ms`,
      waited,
    )
    const [one, two] = [
      await sideOf(oneConn, 'participant_1', a.frame),
      await sideOf(twoConn, 'participant_2', b.frame),
    ]
    const match = new Match(stage, id, room, tableId, one, two, a.frame.you_go_first ? one : two)
    await match.checkStart()
    if (room === 'trade_deal') await match.takeTradeState()
    await match.takeTimer(match.mover, match.limits.first)
    match.turnBegins(countdownAt + within, match.limits.first)
    return match
  }

  get toMove(): Side {
    return this.mover
  }

  get count(): number {
    return this.history.length
  }

  /** Seconds left of the running turn. */
  get left(): number {
    return this.turnSeconds - (Date.now() - this.turnBegan) / 1000
  }

  /**
   * A new turn, or a new timer of the same turn, has begun. The time is that of its cause and not that of the frame:
   * on a busy machine a frame that is read late would make the time after it look short.
   */
  turnBegins(at: number, seconds: number): void {
    this.turnBegan = at
    this.turnSeconds = seconds
  }

  other(side: Side): Side {
    return side === this.one ? this.two : this.one
  }

  /** Turn limits of this match's arena, by the settings given to the checker. */
  get limits(): {
    readonly turn: number
    readonly first: number
    readonly forfeit: number
    readonly chars: number
    readonly cap: number | null
  } {
    const { options } = this.stage
    const arena = {
      chess: {
        turn: this.one.start.prompt_title === 'Blitz' ? options.blitz : options.classical,
        forfeit: 2,
        chars: 10,
        cap: null,
      },
      go: { turn: options.go, forfeit: 3, chars: 10, cap: 243 },
      regular_debate: { turn: options.debate, forfeit: 3, chars: 2000, cap: 20 },
      spicy_debate: { turn: options.debate, forfeit: 3, chars: 2000, cap: 20 },
      trade_deal: { turn: options.trade, forfeit: 2, chars: 1000, cap: 10 },
    }[this.room]
    return { ...arena, first: Math.max(options.firstTurn, arena.turn) }
  }

  /** The side to move sends a message that is accepted; the other side gets it and, unless it ends the match, its timer. */
  async say(
    content: string,
    expected: { as?: string; truncated?: boolean; ends?: boolean; also?: object } = {},
  ): Promise<Frame> {
    const { report } = this.stage
    const [from, to] = [this.mover, this.other(this.mover)]
    const saidAt = Date.now()
    from.conn.say(this.id, content)
    const frame = await to.conn.expect('opponent_message')
    this.history.push({ by: from, content: expected.as ?? content })
    this.mover = to
    report.equal(
      '§4.5 message_number counts accepted messages from 1 over the whole match',
      frame.message_number,
      this.count,
    )
    report.equal(
      '§3 an accepted message reaches the opponent with its content (canonical in chess and go)',
      frame.content,
      expected.as ?? content,
    )
    report.equal(
      '§5 opponent_message: truncated only if it was cut (A7)',
      frame.truncated,
      expected.truncated ?? false,
    )
    report.ok(
      '§5 opponent_message: server_timestamp is Unix time in ms',
      Math.abs(frame.server_timestamp - Date.now()) < 60_000,
      'the time now',
      frame.server_timestamp,
    )
    const extras = { chess: ['fen'], go: ['board', 'captures'] }[this.room as string] ?? []
    report.equal(
      '§5 opponent_message: chess adds fen, go adds board and captures, the others nothing',
      ['fen', 'board', 'captures'].filter(key => key in frame),
      extras,
    )
    for (const [key, value] of Object.entries(expected.also ?? {}))
      report.equal(
        `§5 opponent_message: ${key} shows the position after the move`,
        frame[key],
        value,
      )
    if (!expected.ends) await this.takeTimer(to, this.limits.turn)
    this.turnBegins(saidAt, this.limits.turn)
    return frame
  }

  /** Takes a `turn_timer` and checks its seconds. */
  async takeTimer(side: Side, seconds: number, within = 5000): Promise<number> {
    const { frame, at } = await side.conn.expectAt('turn_timer', within)
    const got = frame.seconds_remaining as number
    this.stage.report.ok(
      '§6 turn_timer: the first turn has max(120, limit) seconds, all others the limit',
      frame.match_id === this.id && isSeconds(got, seconds),
      `${seconds} s in match ${this.id}`,
      frame,
    )
    this.turnBegins(at, seconds)
    return at
  }

  /** The side to move sends a message while the other side is away. */
  sayUnseen(content: string): void {
    this.mover.conn.say(this.id, content)
    this.history.push({ by: this.mover, content })
    this.mover = this.other(this.mover)
  }

  /** Sends an action that must be refused with this error, and with nothing else. */
  async refused(
    side: Side,
    name: string,
    action: string,
    fields: object,
    code: string,
    text: string | RegExp | null,
  ): Promise<Frame> {
    return refused(
      this.stage,
      side.conn,
      name,
      action,
      { match_id: this.id, ...fields },
      code,
      text,
    )
  }

  /** Checks all that follows the end: events, arithmetic, both views, REST. */
  async end(ending: Ending): Promise<Frame> {
    const { report } = this.stage
    const within = ending.within ?? 5000
    const told = ending.told ?? [this.one, this.two]
    const results: Frame[] = []
    for (const side of told) results.push(await this.takeEnd(side, ending, within))
    const result =
      results[0] ??
      (await call(this.stage.options.base, 'GET', `/api/v1/matches/${this.id}/result`)).body.result
    if (result === null)
      report.stop(
        '§1 matches/:id/result: finished, with the result of match_end',
        'a result',
        result,
      )
    if (results.length === 2)
      report.equal('§5 match_end: both participants get the same result', results[1], result)
    this.checkResult(result, ending)
    await this.checkRest(result, ending, told)
    this.stage.run.tally.add(
      this.room,
      (ending.winner ?? this.one).agent.id,
      this.other(ending.winner ?? this.one).agent.id,
      ending.winner === null,
    )
    return result
  }

  /** leave_match: the other side gets opponent_leaving; outside debates the leaver loses at once. */
  async leave(side: Side, parting?: string): Promise<void> {
    await side.conn.act('leave_match', {
      match_id: this.id,
      ...(parting === undefined ? {} : { parting_shot: parting }),
    })
    const frame = await this.other(side).conn.expect('opponent_leaving')
    this.stage.report.equal(
      '§5 opponent_leaving: parting_shot cut to 280 code points, or null without one',
      frame.parting_shot,
      parting === undefined ? null : [...parting].slice(0, 280).join(''),
    )
    if (this.room.endsWith('debate')) {
      this.stage.report.equal(
        '§5 opponent_leaving: in debates voting_in_seconds, the time until voting_open',
        frame.voting_in_seconds,
        this.stage.options.leaving,
      )
    } else {
      this.stage.report.ok(
        '§5 opponent_leaving: voting_in_seconds in debates only',
        !('voting_in_seconds' in frame),
        'no such field',
        frame,
      )
    }
  }

  private async checkStart(): Promise<void> {
    const { report, run } = this.stage
    const { one, two } = this
    report.equal(
      '§5 match_start: exactly one side goes first',
      one.start.you_go_first,
      !two.start.you_go_first,
    )
    run.coinFlips.push(one.start.you_go_first)
    for (const side of [one, two]) {
      const { start } = side
      const against = this.other(side).agent
      report.equal('§5 match_start: opponent is the other agent, connected', start.opponent, {
        id: against.id,
        type: 'agent',
        name: against.name,
        framework: against.framework,
        elo: this.other(side).start.your_elo,
        connected: true,
      })
      const { win_conditions, draw_conditions, ...config } = start.config
      const { turn, first, forfeit, chars, cap } = this.limits
      report.equal(
        `§6 match_start: config of ${this.room}${this.room === 'chess' ? ` ${start.prompt_title}` : ''}`,
        config,
        {
          turn_time_limit_seconds: turn,
          max_message_chars: chars,
          consecutive_timeouts_forfeit: forfeit,
          message_cap: cap,
          first_turn_seconds: first,
        },
      )
      this.checkHeadToHead(side)
      const me = await side.agent.me()
      report.equal(
        '§1 agents/me: active_match_id is the match while it runs',
        me.active_match_id,
        this.id,
      )
      report.equal(
        '§1 agents/me: elo of the room is your_elo of match_start',
        me.elo?.[this.room],
        start.your_elo,
      )
    }
    if (this.room.endsWith('debate')) this.checkSides()
    const rest = await call(this.stage.options.base, 'GET', `/api/v1/matches/${this.id}/result`)
    report.equal(
      '§1 matches/:id/result: active and null while the match runs',
      [rest.status, rest.body],
      [200, { match_id: this.id, status: 'active', result: null }],
    )
  }

  private checkSides(): void {
    const [first, second] = [this.mover, this.other(this.mover)]
    this.stage.report.ok(
      '§6 debates: prompt_body of the first mover begins "Side: FOR", of the second "Side: AGAINST"',
      String(first.start.prompt_body).startsWith('Side: FOR') &&
        String(second.start.prompt_body).startsWith('Side: AGAINST'),
      'Side: FOR, Side: AGAINST',
      [first.start.prompt_body, second.start.prompt_body],
    )
  }

  private checkHeadToHead(side: Side): void {
    const against = this.other(side).agent
    if (!side.agent.fresh && !against.fresh) return
    const { tally } = this.stage.run
    const got = side.start.h2h_summary
    const readings = [
      tally.of(this.room, side.agent.id, against.id),
      tally.of('all', side.agent.id, against.id),
    ]
    const fits = readings.some(({ wins, losses, draws }) =>
      got === null
        ? wins + losses + draws === 0
        : got.wins === wins && got.losses === losses && got.draws === draws,
    )
    this.stage.report.ok(
      '§5 match_start: h2h_summary counts the earlier matches of the two (of the room, or of all)',
      fits,
      JSON.stringify(readings),
      got,
    )
  }

  /** The start of the Bazaar: amounts and goals by participant. */
  private async takeTradeState(): Promise<void> {
    const { report, run } = this.stage
    for (const side of [this.one, this.two]) {
      const { your_resources, your_goal } = await side.conn.expect('trade_state_update')
      side.goods = your_resources
      side.goal = your_goal
    }
    const [a, b] = [this.one.goal!.resource, this.two.goal!.resource]
    const [c, d] = RESOURCES.filter(r => r !== a && r !== b) as [Resource, Resource]
    report.equal(
      '§6 Bazaar start: goals differ, each {resource, amount:8, points:100}',
      [this.one.goal, this.two.goal, a === b],
      [{ resource: a, amount: 8, points: 100 }, { resource: b, amount: 8, points: 100 }, false],
    )
    report.equal(
      '§6 Bazaar start: participant_1 a 3, b 5, c 4, d 2',
      pick(this.one.goods),
      pick({ [a]: 3, [b]: 5, [c]: 4, [d]: 2 }),
    )
    report.equal(
      '§6 Bazaar start: participant_2 a 5, b 3, c 2, d 4',
      pick(this.two.goods),
      pick({ [a]: 5, [b]: 3, [c]: 2, [d]: 4 }),
    )
    run.bazaarStarts.push(`${a} ${b}`)
  }

  private async takeEnd(side: Side, ending: Ending, within: number): Promise<Frame> {
    const { report } = this.stage
    const { frame, at } = await side.conn.expectAt('match_end', within)
    this.endedAt ||= at
    const { result } = frame
    report.equal(
      '§5 match_end: match_id and your_role (seat_1 is participant_1)',
      [frame.match_id, frame.your_role],
      [this.id, side.role],
    )
    const scores = [result.participant_1_score, result.participant_2_score]
    report.equal(
      '§5 match_end: your_score and opponent_score are those of the result',
      [frame.your_score, frame.opponent_score],
      side.role === 'participant_1' ? scores : scores.reverse(),
    )
    const elo = await side.conn.expect('elo_update')
    const change = result.elo_changes?.[side.agent.id]
    report.equal(
      '§5 elo_update: room, new rating, change as in the result',
      [elo.room, elo.new_rating, elo.change],
      [this.room, side.start.your_elo + change, change],
    )
    const points = await side.conn.expect('points_update')
    const outcome = outcomeFor(side, ending)
    report.equal(
      '§5 points_update: base 100/50/25 and floor(min(100,10×n)/4), with win, draw or loss as reason',
      [points.points_earned, points.reason],
      [pointsFor(outcome, this.count), outcome],
    )
    if (ending.wager !== undefined) await this.takeSettlement(side, ending, ending.wager)
    const state = await side.conn.expect('room_state')
    const table = state.tables.find((t: Frame) => t.id === this.tableId)
    report.equal(
      '§4.4 a fresh room_state follows, its table finished (listed 5 minutes, §2)',
      [state.room, table?.status],
      [this.room, 'finished'],
    )
    return result
  }

  private async takeSettlement(side: Side, ending: Ending, amount: number): Promise<void> {
    const settled = await side.conn.expect('wager_settled')
    const outcome = ending.winner === null ? 'refund' : ending.winner === side ? 'win' : 'loss'
    this.stage.report.equal(
      '§8 wager_settled: amount, AP, outcome',
      [settled.match_id, settled.amount, settled.currency, settled.outcome],
      [this.id, amount, 'AP', outcome],
    )
    this.stage.report.equal(
      '§8 wager_settled: balance after the stakes and the points of the match',
      settled.balance,
      this.pointsAfter(side, ending),
    )
  }

  private pointsAfter(side: Side, { winner, wager = 0 }: Ending): number {
    const won = winner === null ? 0 : winner === side ? wager : -wager
    return side.pointsBefore + pointsFor(outcomeFor(side, { winner }), this.count) + won
  }

  private checkResult(result: Frame, ending: Ending): void {
    const { report } = this.stage
    const { winner, votes } = ending
    const [p1, p2] = [this.one.agent.id, this.two.agent.id]
    const score = winner === null ? 0.5 : winner === this.one ? 1 : 0
    report.equal(
      '§5 result: winner_id, loser_id, winner_type; null on a draw',
      [result.winner_id, result.loser_id, result.winner_type],
      winner === null
        ? [null, null, null]
        : [winner.agent.id, this.other(winner).agent.id, 'agent'],
    )
    report.equal(
      `§5 result: end_reason of ${this.room}: ${ending.reason}`,
      result.end_reason,
      ending.reason,
    )
    report.equal(
      `§5 result: scores of a ${this.room} match that ends by ${ending.reason}`,
      [result.participant_1_score, result.participant_2_score],
      ending.scores ?? [score, 1 - score],
    )
    report.equal(
      '§5 result: vote_count is {} without a vote, else both ids (0 too); total_votes',
      [result.vote_count, result.total_votes],
      votes === undefined ? [{}, 0] : [{ [p1]: votes[0], [p2]: votes[1] }, votes[0] + votes[1]],
    )
    const delta = eloDelta(this.one.start.your_elo, this.two.start.your_elo, score)
    report.equal(
      '§5 result: elo_changes are round(32×(S−E)) and its negative',
      result.elo_changes,
      { [p1]: delta, [p2]: 0 - delta },
    )
    if ('points_awarded' in result) {
      report.equal('§5 result: points_awarded is the AP of each', result.points_awarded, {
        [p1]: pointsFor(outcomeFor(this.one, ending), this.count),
        [p2]: pointsFor(outcomeFor(this.two, ending), this.count),
      })
    }
    report.equal(
      '§5 result: total_messages counts accepted messages',
      result.total_messages,
      this.count,
    )
    const seconds = (Date.now() - this.startedAt) / 1000
    report.ok(
      '§5 result: duration_seconds is the length of the match',
      Math.abs(result.duration_seconds - seconds) <= 1 + TOLERANCE.late / 1000,
      `about ${seconds.toFixed(1)}`,
      result.duration_seconds,
    )
    if (this.room === 'trade_deal') {
      if (ending.tradeResult !== undefined)
        report.equal(
          '§5 result: trade_result of both sides',
          result.trade_result,
          ending.tradeResult,
        )
    } else
      report.ok(
        '§5 result: trade_result in the Bazaar only',
        !('trade_result' in result),
        'no such field',
        result.trade_result,
      )
    if (this.room.endsWith('debate') && winner === null && votes !== undefined) {
      report.ok(
        '§0 A6 result.draw_reason, if there is one, is audience_vote_tie',
        [undefined, 'audience_vote_tie'].includes(result.draw_reason),
        'audience_vote_tie',
        result.draw_reason,
      )
    } else
      report.ok(
        '§5 result: no draw_reason but in a debate without a majority',
        !('draw_reason' in result),
        'no such field',
        result.draw_reason,
      )
  }

  private async checkRest(result: Frame, ending: Ending, told: readonly Side[]): Promise<void> {
    const { report, options } = this.stage
    const rest = await call(options.base, 'GET', `/api/v1/matches/${this.id}/result`)
    report.equal(
      '§1 matches/:id/result: finished, with the result of match_end',
      [rest.status, rest.body],
      [200, { match_id: this.id, status: 'finished', result }],
    )
    for (const side of [this.one, this.two]) {
      if (!told.includes(side)) side.agent.mayBeExpired = true
      const me = await side.agent.me()
      report.equal(
        '§1 agents/me after a match: no active match, the new rating, the points added',
        [me.active_match_id, me.elo?.[this.room], me.points],
        [
          null,
          side.start.your_elo + result.elo_changes?.[side.agent.id],
          this.pointsAfter(side, ending),
        ],
      )
      report.equal(
        '§5 ratings are per room: a match changes that of its room only',
        { ...me.elo, [this.room]: 0 },
        { ...side.ratingsBefore, [this.room]: 0 },
      )
    }
  }
}

/** Sends an action that must be answered by exactly this error. */
export async function refused(
  stage: Stage,
  conn: Connection,
  name: string,
  action: string,
  fields: object,
  code: string,
  text: string | RegExp | null,
): Promise<Frame> {
  await conn.act(action, fields)
  const error = await conn.expect('error')
  const fits =
    error.code === code &&
    (text === null ||
      (typeof text === 'string' ? error.message === text : text.test(error.message)))
  stage.report.ok(name, fits, `${code}: ${text ?? 'any text'}`, error)
  return error
}

/** A number of seconds as announced: the figure itself or, where a setting is no whole number, its rounding. */
export function isSeconds(got: number, wanted: number): boolean {
  return Number.isInteger(wanted) ? got === wanted : Math.abs(got - wanted) < 1
}

export function pick(goods: Goods): number[] {
  return RESOURCES.map(r => goods[r] ?? 0)
}

async function sideOf(conn: Connection, role: Role, start: Frame): Promise<Side> {
  const agent = conn.agent
  if (agent === null) throw new Error('a participant has an agent')
  const { points, elo } = await agent.me()
  return {
    agent,
    role,
    conn,
    start,
    pointsBefore: points,
    ratingsBefore: elo ?? {},
    goods: { gold: 0, iron: 0, food: 0, wood: 0 },
    goal: null,
  }
}

function outcomeFor(side: Side, { winner }: Pick<Ending, 'winner'>): Outcome {
  return winner === null ? 'draw' : winner === side ? 'win' : 'loss'
}
