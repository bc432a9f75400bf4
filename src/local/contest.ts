import type { Account } from '../arena/account.ts'
import { Arena } from '../arena/arena.ts'
import type { ArenaEvent } from '../arena/arena-event.ts'
import type { Played } from '../arena/match-store.ts'
import type { Notes } from '../arena/note.ts'
import type { Opening } from '../arena/opening.ts'
import type { Player } from '../arena/player.ts'
import { quickFalls } from '../arena/quick.ts'
import { noAudience } from '../arena/voting.ts'
import { house } from '../bots/house.ts'
import type { MoveWorker } from '../bots/move-worker.ts'
import type { Clock } from '../clock.ts'
import { Dice } from '../games/dice.ts'
import type { Game } from '../games/game.ts'
import { agentGames } from '../protocols/agentgames/index.ts'
import { liveRecord, type MatchRecord } from '../record/match-record.ts'
import { OneMatchStore } from './one-match-store.ts'
import { Program, type ProgramEnd } from './program.ts'

/** Who plays: a program, by its words, or a house player, by its level. */
export type Contestant = { readonly name: string } & (
  | { readonly words: readonly string[] }
  | { readonly level: string }
)

export interface ContestOptions {
  readonly game: Game
  /** As many as the game has seats. */
  readonly contestants: readonly Contestant[]
  readonly matches: number
  /** All luck of the matches and of house players grows from it. */
  readonly seed: number
  /** Each round of two matches begins with one of these; with the start of the rules where there is none. */
  readonly openings: readonly Opening[]
  /** How many matches are played at a time. */
  readonly concurrency: number
  readonly moveTimeout: number
  readonly clock: Clock
  readonly moveWorker: Pick<MoveWorker, 'ask'>
  readonly stderr: (name: string, text: string) => void
  /** A program has failed in the middle of a match, and is started again for the next one. */
  readonly failed: (why: string) => void
  /** Called in the order of the matches. Returns whether that is enough. */
  readonly played: (match: PlayedMatch) => boolean
}

export interface PlayedMatch {
  readonly record: MatchRecord
  readonly moves: readonly Played[]
  readonly notes: Notes
  /** By seat, which contestant had it. */
  readonly seats: readonly number[]
}

/** A program that could not be started, or ended before it said anything. */
export class UnusableProgram extends Error {}

/**
 * Matches of the same contestants, one after the other or several at a time. In each round of as many matches as there are
 * seats everyone has each seat once, with the same luck. A match depends on the seed and on its number alone.
 */
export class Contest {
  readonly options: ContestOptions
  readonly #slots: Slot[] = []
  #begun = 0
  /** Those that came to their end before an earlier one did. */
  readonly #early = new Map<number, PlayedMatch>()
  #counted = 0
  #isOver = false
  #error: unknown = null
  #settle: () => void = () => {}

  constructor(options: ContestOptions) {
    this.options = options
  }

  /** Resolves when all matches are played, or enough of them, or it is told to stop. Rejects if it cannot go on. */
  async run(): Promise<void> {
    const { concurrency, matches } = this.options
    const over = new Promise<void>(resolve => {
      this.#settle = resolve
    })
    for (let i = 0; i < Math.min(concurrency, matches); i++) this.#slots.push(new Slot(this))
    try {
      for (const slot of this.#slots) slot.open()
    } catch (error) {
      this.fail(error)
    }
    await over
    await Promise.all(this.#slots.map(slot => slot.close()))
    if (this.#error !== null) throw this.#error
  }

  stop(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#settle()
  }

  fail(error: unknown): void {
    if (!this.#isOver) this.#error = error
    this.stop()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The index of the next match; null if there is none. */
  next(): number | null {
    return this.#isOver || this.#begun >= this.options.matches ? null : this.#begun++
  }

  get hasMore(): boolean {
    return !this.#isOver && this.#begun < this.options.matches
  }

  note(index: number, match: PlayedMatch): void {
    this.#early.set(index, match)
    for (let next = this.#early.get(this.#counted); next && !this.#isOver; ) {
      this.#early.delete(this.#counted++)
      if (this.options.played(next) || this.#counted === this.options.matches) this.stop()
      next = this.#early.get(this.#counted)
    }
  }
}

/** One of the matches that are played at a time, with a process of each program. */
class Slot {
  readonly #contest: Contest
  readonly #accounts: readonly Account[]
  readonly #programs: (Program | null)[]
  /** The players that ask for a match, by contestant. */
  readonly #asking = new Map<number, Player>()
  #arena: Arena | null = null

  constructor(contest: Contest) {
    this.#contest = contest
    this.#accounts = contest.options.contestants.map((contestant, i) => ({
      id: i + 1,
      name: contestant.name,
      kind: 'level' in contestant ? 'house' : 'player',
    }))
    this.#programs = this.#accounts.map(() => null)
  }

  /** Starts the programs that do not run. */
  open(): void {
    for (const [i, contestant] of this.#contest.options.contestants.entries())
      if ('words' in contestant && this.#programs[i] === null) {
        const program = this.#start(i, contestant.words)
        this.#programs[i] = program
        program.open()
      }
    this.#deal()
  }

  async close(): Promise<void> {
    await this.#arena?.close(0)
    await Promise.all(this.#programs.map(program => program?.close()))
  }

  #start(i: number, words: readonly string[]): Program {
    const { clock, game, moveTimeout, stderr } = this.#contest.options
    const account = this.#accounts[i]!
    return new Program({
      name: account.name,
      words,
      clock,
      stderr,
      ended: how => this.#programEnded(i, how),
      open: connection =>
        agentGames(
          // A program that has ended does not come back to its seat.
          { seatsOf: () => [], leave: () => {} },
          { seek: player => this.#seek(i, player, game), waiting: [] },
          clock,
          moveTimeout,
        ).open(connection, account, {
          kind: 'command',
          text: `${game.id} --matches ${matchesOfSession}`,
        }),
    })
  }

  #seek(i: number, player: Player, game: Game): (cause?: string) => void {
    let hasLeft = false
    this.#contest.options.clock.soon.do(() => {
      if (hasLeft || this.#contest.isOver) return
      this.#programs[i]!.asks()
      player.tell({ kind: 'queued', game })
      this.#asking.set(i, player)
      this.#deal()
    })
    return cause => {
      hasLeft = true
      if (!this.#asking.delete(i)) this.#arena?.leave(player, cause)
    }
  }

  #programEnded(i: number, how: ProgramEnd): void {
    if (this.#contest.isOver) return
    const { name } = this.#accounts[i]!
    this.#programs[i] = null
    if (how.kind === 'broken') this.#contest.fail(how.error)
    else if (how.kind === 'never began')
      this.#contest.fail(new UnusableProgram(`${name} ${how.why}`))
    else if (how.kind === 'failed') this.#contest.options.failed(`${name} ${how.why}`)
    // Otherwise it is started when the match is over.
    if (this.#arena === null && this.#contest.hasMore) this.open()
  }

  /** Begins the next match, if all programs ask for one. */
  #deal(): void {
    if (this.#arena !== null) return
    const { contestants } = this.#contest.options
    if (contestants.some((contestant, i) => 'words' in contestant && !this.#asking.has(i))) return
    const index = this.#contest.next()
    if (index === null) void this.close()
    else this.#play(index).catch(error => this.#contest.fail(error))
  }

  async #play(index: number): Promise<void> {
    const { contestants, seed, clock, game, openings } = this.#contest.options
    const round = Math.floor(index / contestants.length)
    const dice = diceOf(seed, round, 0)
    const arena = new Arena({
      clock,
      matchStore: new OneMatchStore(index + 1),
      failed: error => this.#contest.fail(error),
      roll: n => dice.roll(n),
      voting: noAudience,
    })
    this.#arena = arena
    const seats = contestants.map((_, seat) => (seat + index) % contestants.length)
    arena.watch(event => this.#hear(event, index, seats))
    const players = seats.map(i => this.#playerOf(i, round))
    this.#asking.clear()
    await arena.open({
      game,
      players,
      opening: openings[(round + seed) % openings.length] ?? null,
      unrated: contestants.some(contestant => 'level' in contestant)
        ? 'practice against the house'
        : 'a casual match',
    })
  }

  #playerOf(i: number, round: number): Player {
    const { contestants, seed, game, moveWorker } = this.#contest.options
    const contestant = contestants[i]!
    if ('words' in contestant) return this.#asking.get(i)!
    const dice = diceOf(seed, round, i + 1)
    const make = house(
      () => this.#accounts[i]!,
      (question, account, unwanted) => moveWorker.ask(question, account, unwanted),
      n => dice.roll(n),
    )(game, contestant.level)
    if (typeof make !== 'function') throw new Error(`no house player ${contestant.level}`)
    return make()
  }

  #hear(event: ArenaEvent, index: number, seats: readonly number[]): void {
    if (this.#contest.isOver) return
    if (event.kind === 'aborted')
      this.#contest.fail(new Error(`match ${index + 1} was aborted: ${event.detail}`))
    if (event.kind !== 'ended') return
    const { table } = event
    this.#arena = null
    this.#contest.note(index, {
      record: finishedRecord(event, this.#contest.options.clock.date()),
      moves: table.moves,
      notes: table.notes,
      seats,
    })
    if (this.#contest.hasMore) this.open()
    else void this.close()
  }
}

/** More than a join may ask for has to be asked for by another process. */
const matchesOfSession = 1000

/** Generators that have nothing in common, one for each purpose of a round. */
const diceOf = (seed: number, round: number, purpose: number): Dice =>
  Dice.fromSeed(
    seed.toString(16).padStart(14, '0') +
      round.toString(16).padStart(14, '0') +
      purpose.toString(16).padStart(4, '0'),
  )

const finishedRecord = (
  { table, outcome, unrated }: Extract<ArenaEvent, { kind: 'ended' }>,
  at: number,
): MatchRecord => {
  const live = liveRecord(table)
  const quick = quickFalls(outcome.faults, table.moves)
  return {
    ...live,
    unrated,
    end: { at, ending: outcome.ending, detail: outcome.detail },
    players: live.players.map((player, seat) => ({
      ...player,
      place: outcome.places[seat]!,
      fault: outcome.faults[seat]!,
      quick: quick[seat]!,
      score: outcome.scores?.[seat] ?? null,
    })),
  }
}
