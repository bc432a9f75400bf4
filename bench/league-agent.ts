import type { AgentConnection, AgentListener, Begin, Dial } from './agent.ts'
import { type LeagueGame, moverOf } from './league-moves.ts'
import { Tally, type Timing } from './tally.ts'

/** The way to a server of League of Agents, and the token that it is told. */
export interface LeagueDial {
  readonly dial: Dial
  readonly token: string
}

export const leaguePath = '/loa/api/v1/ws?type=agent'

export const leagueAgentOf =
  (dial: LeagueDial, game: LeagueGame, think = 0): Begin =>
  (tally, onClosed) =>
    new LeagueAgent(tally, dial, { game, think }, onClosed)

/** In milliseconds: by then an agent that waits would have been seated with another that waits. */
const waitsOn = 500

/** Speaks League of Agents: connects once, plays a match and disconnects. */
class LeagueAgent implements AgentListener {
  readonly #tally: Tally
  readonly #token: string
  readonly #game: LeagueGame
  /** Milliseconds before each move. */
  readonly #think: number
  readonly #onClosed: () => void
  readonly #connection: AgentConnection
  readonly #dialledAt = performance.now()
  readonly #movesOf: ReturnType<typeof moverOf>
  #agentId = ''
  #match = ''
  /** Null while it waits. */
  #timing: Timing | null = null
  #state = ''
  #isFirst = true
  #isLeaving = false

  constructor(
    tally: Tally,
    { dial, token }: LeagueDial,
    { game, think }: { readonly game: LeagueGame; readonly think: number },
    onClosed: () => void,
  ) {
    this.#tally = tally
    this.#token = token
    this.#game = game
    this.#think = think
    this.#movesOf = moverOf(game)
    this.#onClosed = onClosed
    this.#connection = dial(this)
  }

  /** Disconnects after its match, or if there is no other agent to play. To leave a match would not end it. */
  stop(): void {
    setTimeout(() => {
      if (this.#timing === null) this.#leave()
    }, waitsOn)
  }

  opened(): void {
    this.#connection.send(`{"type":"authenticate","token":"${this.#token}"}`)
  }

  received(message: string): void {
    this.#tally.heard(message.length)
    switch (typeOf(message)) {
      case 'authenticated':
        this.#agentId = /"agentId":"([^"]+)"/.exec(message)![1]!
        this.#connection.send(`{"type":"join_queue","gameType":"${this.#game}"}`)
        break
      case 'queue_status':
        this.#tally.queued(performance.now() - this.#dialledAt)
        break
      case 'matched':
        this.#match = /"gameId":"g-(\d+)"/.exec(message)![1]!
        this.#timing = this.#tally.seated(this.#match)
        break
      case 'game_state':
        this.#state = message
        break
      case 'your_turn':
        this.#move(Number(/"round":(\d+)/.exec(message)![1]))
        break
      case 'thinking':
      case 'turn_update':
        break
      case 'move_result':
        if (!message.includes('"success":true')) this.#tally.fault(message)
        break
      case 'game_over':
        this.#over(message)
        break
      default:
        this.#tally.fault(message)
    }
  }

  closed(): void {
    if (!this.#isLeaving) this.#tally.fault('closed before the game was over')
    this.#onClosed()
  }

  #move(round: number): void {
    if (!this.#isFirst) this.#tally.moved(this.#tally.now() - this.#timing!.movedAt)
    this.#isFirst = false
    const move = this.#movesOf({
      match: Number(this.#match),
      round,
      agentId: this.#agentId,
      state: this.#state,
    })
    const text = `{"type":"submit_move","gameId":"g-${this.#match}","move":${move}}`
    if (this.#think === 0) this.#send(text)
    else setTimeout(() => this.#send(text), this.#think)
  }

  #send(text: string): void {
    // The match may have been aborted while the agent thought.
    if (this.#timing === null) return
    this.#timing.movedAt = this.#tally.now()
    this.#connection.send(text)
  }

  #over(message: string): void {
    const lastMoves = this.#game === 'skill-gomoku' ? 1 : 2
    const isRated = message.includes('"rated":true')
    this.#tally.resulted(this.#match, this.#timing!, isRated, lastMoves)
    if (message.includes('"reason"')) this.#tally.fault(message)
    this.#leave()
  }

  #leave(): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    this.#connection.close()
  }
}

const typeOf = (message: string) => message.slice(9, message.indexOf('"', 9))

/** What a match consists of, for a relay that sends the same messages. */
export interface LeagueRecording {
  /** By seat. */
  readonly authenticated: readonly string[]
  readonly queued: string
  readonly accepted: string
  /** What both are told of a move of this seat. */
  readonly thinking: readonly string[]
  readonly movesPerRound: number
  /** For each seat, the messages when it is seated, and those of each round that is resolved. */
  readonly boards: readonly (readonly (readonly string[])[])[]
}

export const recordLeague = async (
  game: LeagueGame,
  dials: readonly LeagueDial[],
): Promise<LeagueRecording> => {
  const tally = new Tally()
  const heard = await Promise.all(dials.map(dial => recordAgent(tally, game, dial)))
  for (const fault of tally.faults.keys()) throw new Error(fault)
  const ofType = (messages: readonly string[], type: string) =>
    messages.filter(message => typeOf(message) === type)
  const idOf = (messages: readonly string[]) => JSON.parse(messages[0]!).agentId
  const { players } = JSON.parse(ofType(heard[0]!, 'game_state')[0]!)
  const seats = players.map(({ agentId }: { agentId: string }) =>
    heard.find(messages => idOf(messages) === agentId),
  ) as string[][]
  const boards = seats.map(boardsOf)
  const thinking = ofType(seats[0]!, 'thinking')
  return {
    authenticated: seats.map(messages => messages[0]!),
    queued: ofType(heard.flat(), 'queue_status')[0]!,
    accepted: ofType(seats[0]!, 'move_result')[0]!,
    thinking: seats.map(messages => thinking.find(text => text.includes(idOf(messages)))!),
    movesPerRound: thinking.length / (boards[0]!.length - 1),
    boards,
  }
}

const recordAgent = (
  tally: Tally,
  game: LeagueGame,
  { dial, token }: LeagueDial,
): Promise<readonly string[]> =>
  new Promise(resolve => {
    const heard: string[] = []
    const tapped: Dial = listener =>
      dial({
        opened: () => listener.opened?.(),
        received: message => {
          heard.push(Buffer.from(message, 'latin1').toString())
          listener.received(message)
        },
        closed: () => listener.closed(),
      })
    leagueAgentOf({ dial: tapped, token }, game)(tally, () => resolve(heard))
  })

const boardsOf = (messages: readonly string[]): readonly (readonly string[])[] => {
  const boards: string[][] = []
  for (const message of messages) {
    const type = typeOf(message)
    if (type === 'matched' || type === 'turn_update') boards.push([])
    if (type !== 'move_result' && type !== 'thinking') boards.at(-1)?.push(message)
  }
  return boards
}
