import { type Agent, sleep } from './agent.ts'
import type { Tally } from './arithmetic.ts'
import { Connection } from './connection.ts'
import { type Frame, ROOMS, type Room } from './frames.ts'
import { Match } from './match.ts'
import type { Options } from './options.ts'
import { type Report, Stop } from './report.ts'

/** What all scenarios of a run share. */
export interface Run {
  readonly options: Options
  readonly report: Report
  readonly tally: Tally
  /** Pairing takes the lock of the room, so that two scenarios do not sit down at one table. */
  readonly locks: Map<Room, Promise<void>>
  /** For each match of the run, whether participant_1 went first. */
  readonly coinFlips: boolean[]
  /** For each Bazaar match, the goals of participant_1 and participant_2. */
  readonly bazaarStarts: string[]
  /** Whether the host's spec documents say that AP wagers are on. */
  wagers: boolean
}

/** The table each prompt title is played at; debates have topics of their own. */
export type Prompt = 'Classical' | 'Blitz' | 'Go 9x9' | 'Bazaar' | null

/** What a scenario plays with: its agents, and the connections it opened. */
export class Stage {
  private readonly connections: Connection[] = []

  readonly run: Run
  readonly agents: readonly Agent[]

  constructor(run: Run, agents: readonly Agent[]) {
    this.run = run
    this.agents = agents
  }

  get options(): Options {
    return this.run.options
  }

  get report(): Report {
    return this.run.report
  }

  agent(index: number): Agent {
    const agent = this.agents[index]
    if (agent === undefined) throw new Error(`the scenario has no agent ${index}`)
    return agent
  }

  /** Opens a connection and takes the welcome. */
  async connect(agent: Agent, { spectator = false, autoPong = true } = {}): Promise<Connection> {
    const connection = await this.dial(agent, await agent.session(), { spectator, autoPong })
    const welcome = await connection.expect('welcome')
    const rooms = (welcome.rooms as { room: string }[]).map(({ room }) => room).sort()
    this.report.equal('§5 welcome lists the five rooms', rooms, [...ROOMS].sort())
    return connection
  }

  /** Opens a connection with any token, or none. */
  async dial(
    agent: Agent | null,
    token: string | null,
    { spectator = false, autoPong = true } = {},
  ): Promise<Connection> {
    const base = spectator ? this.options.voterBase : this.options.base
    const query = token === null ? '' : `?token=${encodeURIComponent(token)}`
    const connection = new Connection(
      this.report,
      agent,
      `${base.replace(/^http/, 'ws')}/ws/v1/connect${query}`,
      spectator,
      autoPong,
    )
    this.connections.push(connection)
    await connection.opened
    return connection
  }

  async enter(connection: Connection, room: Room): Promise<Frame> {
    await connection.act('enter_room', { room })
    let answer = await connection.expectAny(['room_state', 'error'])
    if (
      answer.event === 'error' &&
      answer.code === 'RECONNECT_EXPIRED' &&
      connection.agent?.mayBeExpired
    ) {
      connection.agent.mayBeExpired = false
      answer = await connection.expectAny(['room_state', 'error'])
    }
    if (
      !this.report.equal(
        '§3 enter_room answers room_state of that room',
        [answer.event, answer.room],
        ['room_state', room],
      )
    ) {
      this.report.stop('§3 enter_room answers room_state of that room', room, answer)
    }
    return answer
  }

  /** Opens a connection in a room that is not to be seated. */
  async spectate(agent: Agent, room: Room): Promise<Connection> {
    const connection = await this.connect(agent, { spectator: true })
    await this.enter(connection, room)
    return connection
  }

  /** Sits two agents down at one table and plays the countdown; both are at their `match_start`. */
  async pair(
    room: Room,
    prompt: Prompt,
    connections?: readonly [Connection, Connection],
  ): Promise<Match> {
    const [one, two] = connections ?? [
      await this.connect(this.agent(0)),
      await this.connect(this.agent(1)),
    ]
    await one.agent?.budget(15)
    await two.agent?.budget(15)
    const seated = await this.locked(room, () =>
      this.sitDown(room, prompt, one, two, connections !== undefined),
    )
    return Match.begin(this, room, seated.tableId, one, two, seated.countdownAt)
  }

  /** Runs `work` while no other scenario sits down in the room. */
  async locked<T>(room: Room, work: () => Promise<T>): Promise<T> {
    const before = this.run.locks.get(room) ?? Promise.resolve()
    let release = (): void => {}
    this.run.locks.set(room, new Promise(resolve => (release = resolve)))
    await before
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** A waiting table with both seats free. Other agents on the host may keep the checker from finding one. */
  freeTable(state: Frame, prompt: Prompt): Frame {
    const tables = (state.tables as Frame[]).filter(
      t => prompt === null || t.prompt_title === prompt,
    )
    const waiting = tables.filter(
      t => t.status === 'waiting' && (t.seat_1 === null || t.seat_2 === null),
    )
    this.report.ok(
      '§2 each prompt of a room always keeps one waiting table with a free seat',
      waiting.length > 0,
      `a waiting table ${prompt ?? ''} in ${state.room}`,
      tables,
    )
    const table = waiting.find(t => t.seat_1 === null && t.seat_2 === null)
    if (table === undefined)
      throw new Stop(`no empty table in ${state.room}: are other agents on this host?`)
    return table
  }

  async sit(connection: Connection, room: Room, table: Frame): Promise<void> {
    await connection.act('sit_table', { room, table_id: table.id })
    const seated = await connection.expect('seated')
    const { table_id, prompt_title, prompt_body } = seated
    this.report.equal(
      "§3 sit_table answers seated, with the table's id and prompt",
      [table_id, prompt_title, prompt_body],
      [table.id, table.prompt_title, table.prompt_body],
    )
  }

  /** After the last step: no participant got more than the scenario took. */
  async finish(): Promise<void> {
    await sleep(50)
    for (const connection of this.connections) connection.nothingLeft()
  }

  /** Leaves no match running and no connection open, whatever became of the scenario. */
  async cleanUp(failed: boolean): Promise<void> {
    for (const connection of this.connections) await connection.close()
    if (failed) for (const agent of this.agents) await this.freeAgent(agent)
  }

  private async sitDown(
    room: Room,
    prompt: Prompt,
    one: Connection,
    two: Connection,
    inRoom: boolean,
  ): Promise<{ tableId: string; countdownAt: number }> {
    const table = this.freeTable(await this.stateOf(room, one, inRoom), prompt)
    await this.sit(one, room, table)
    const seen = (await this.stateOf(room, two, inRoom)).tables.find(
      (t: Frame) => t.id === table.id,
    )
    if (!inRoom) this.checkWaiting(one, table, seen)
    const countdownAt = Date.now()
    await this.sit(two, room, table)
    const [first, second] = [
      await one.expect('match_countdown'),
      await two.expect('match_countdown'),
    ]
    this.report.equal(
      '§5 match_countdown: the same match_id for both',
      first.match_id,
      second.match_id,
    )
    this.report.equal('§5 match_countdown: seconds', first.seconds, this.options.countdown)
    return { tableId: table.id, countdownAt }
  }

  private checkWaiting(one: Connection, table: Frame, seen: Frame | undefined): void {
    const agent = one.agent
    const seat = seen?.seat_1
    this.report.equal(
      '§2 the seat of a waiting table shows {id,type,name,elo} of the agent',
      seat && [seat.id, seat.type, seat.name],
      [agent?.id, 'agent', agent?.name],
    )
    this.report.equal(
      '§2 a table with one seat taken stays waiting',
      [seen?.id, seen?.status, seen?.seat_2],
      [table.id, 'waiting', null],
    )
  }

  /** The tables of a room: by entering it or, from inside, by a look through another room. */
  private async stateOf(room: Room, connection: Connection, inRoom: boolean): Promise<Frame> {
    if (inRoom) await this.enter(connection, room === 'chess' ? 'go' : 'chess')
    return this.enter(connection, room)
  }

  /** Ends what a failed scenario left behind: the agent's match, and the note that it missed the end. */
  private async freeAgent(agent: Agent): Promise<void> {
    agent.mayBeExpired = true
    const { active_match_id } = await agent.me()
    if (active_match_id === null || active_match_id === undefined) return
    const connection = await this.dial(agent, await agent.session())
    connection.resume(active_match_id)
    for (const room of ROOMS) {
      connection.raw(JSON.stringify({ action: 'enter_room', room }))
      connection.raw(JSON.stringify({ action: 'leave_match', match_id: active_match_id }))
      agent.count(2)
    }
    await sleep(500)
    await connection.close()
    for (
      let waited = 0;
      waited < 2 * this.options.grace + this.options.voting + this.options.leaving + 3;
      waited++
    ) {
      if ((await agent.me()).active_match_id === null) return
      await sleep(1000)
    }
  }
}
