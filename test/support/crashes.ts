import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Migrator } from 'kysely'
import { migrations } from '../../migrations/index.ts'
import { systemClock } from '../../src/clock.ts'
import { verified } from '../../src/commands/verify.ts'
import type { Dice } from '../../src/games/dice.ts'
import { openDatabase } from '../../src/store/database.ts'
import { migrateStore, type Tables, visitStore } from '../../src/store/store.ts'
import { Host, program } from './host.ts'
import { type Begun, Crowd, type Load, type Told } from './load.ts'
import { newAccount } from './played.ts'

/** Where a process can be killed. */
export const moments = ['load', 'load', 'load', 'drain', 'start', 'migration', 'command'] as const
export type Moment = (typeof moments)[number]

/** Kills a host again and again, and checks what has to hold after each start. */
export class Crashes {
  readonly #dice: Dice
  readonly #crowd = new Crowd(24)
  readonly #told: Told[] = []
  /** Tokens of two agents that start a match and never move. */
  #sleepers: readonly string[] = []
  readonly #begun: Begun[] = []
  #host: Host
  /** Announced results, and how many were checked after a crash. All are checked after every crash. */
  results = 0
  compared = 0
  /** Seats in matches with an announced number. */
  numbers = 0
  /** Matches that a kill interrupted. */
  cut = 0

  constructor(dice: Dice) {
    this.#dice = dice
    this.#host = Host.at(settings, run)
  }

  /** Makes a new data folder, because the checks take longer with more matches. */
  async begin(): Promise<void> {
    await this.end()
    this.#host = Host.at(settings, run)
    await migrateStore(this.#folder)
    this.#settle()
    await this.#host.serve()
  }

  async end(): Promise<void> {
    this.#forget()
    await this.#host.stop()
  }

  /** Kills once, starts again, and returns all errors. */
  async crash(moment: Moment): Promise<readonly string[]> {
    await this.#kill[moment]()
    const since = systemClock.date()
    await this.#host.serve()
    return this.#look(since)
  }

  get #folder(): string {
    return this.#host.env.AGENTBBS_DATA!
  }

  readonly #kill: Readonly<Record<Moment, () => Promise<void>>> = {
    load: async () => {
      await this.#play(async () => {
        await this.#seatSleepers()
        await this.#wait(20, 500)
        await this.#host.kill()
      })
    },
    drain: async () => {
      await this.#play(async () => {
        await this.#wait(50, 300)
        this.#host.process.kill('SIGTERM')
        await this.#wait(0, 400)
        await this.#host.kill()
      })
    },
    start: async () => {
      await this.#host.kill()
      await this.#startAndDie()
    },
    migration: async () => {
      await this.#host.kill()
      // Announcements belong to the old folder.
      this.#forget()
      rmSync(this.#folder, { recursive: true, force: true })
      const matches = await oldDatabase(this.#folder)
      await this.#startAndDie()
      await migrateStore(this.#folder)
      this.#settle()
      const left = count(this.#folder)
      if (left !== matches) throw new Error(`${left} of ${matches} matches are left`)
    },
    command: async () => {
      await this.#play(async () => {
        const name = `new-${this.#dice.step()}`
        const children = [
          this.#command('add-user', name),
          this.#command('mint-token', this.#dice.pick(this.#crowd.names)),
          this.#command('backup', `${this.#folder}/${name}.db`),
        ]
        await this.#wait(100, 700)
        await Promise.all(children.map(killed))
        await this.#host.kill()
      })
    },
  }

  /** Makes all accounts in a new data folder. */
  #settle(): void {
    this.#crowd.settle(this.#folder)
    const { users, tokens, db } = visitStore(this.#folder, systemClock)
    this.#sleepers = ['sleeper-1', 'sleeper-2'].map(
      name => tokens.mint(newAccount(users, name), '').token,
    )
    db.file.close()
  }

  /** Starts a match, so that there is always one on disk that a kill interrupts. */
  async #seatSleepers(): Promise<void> {
    const agents = this.#sleepers.map(token => this.#host.agent(token, '?game=go19'))
    const [hello] = await Promise.all(agents.map(agent => agent.next('hello')))
    const { matches, db } = visitStore(this.#folder, systemClock)
    try {
      while (matches.find(hello!.match) === undefined) await pause(5)
    } finally {
      db.file.close()
    }
  }

  /** Lets all agents play during `meanwhile`, and records their messages until the process ended. */
  async #play(meanwhile: () => Promise<void>): Promise<void> {
    const load: Load = this.#crowd.dial(this.#host)
    await meanwhile()
    // Messages that the process sent before it died may still arrive.
    await load.over
    this.#told.push(...load.told)
    this.#begun.push(...load.begun)
    this.numbers += load.begun.length
    this.results += load.told.length
  }

  #look(since: number): readonly string[] {
    const store = visitStore(this.#folder, systemClock)
    try {
      const { differences } = verified(store)
      const aborted = store.matches.newest({ status: 'aborted', limit: 100 })
      this.cut += aborted.filter(({ end }) => end!.at >= since).length
      return [
        ...structure(store),
        ...differences,
        ...limbo(store),
        ...this.#missing(store),
        ...reused(store, this.#begun),
      ]
    } finally {
      store.db.file.close()
    }
  }

  #missing(store: Tables): readonly string[] {
    this.compared += this.#told.length
    return missing(store, this.#told)
  }

  #forget(): void {
    this.#told.length = 0
    this.#begun.length = 0
  }

  async #startAndDie(): Promise<void> {
    this.#host.launch()
    await this.#wait(100, 600)
    await this.#host.kill()
  }

  #command(...args: string[]): ChildProcess {
    return spawn(process.execPath, [program, ...args], { env: this.#host.env, stdio: 'ignore' })
  }

  #wait(least: number, most: number): Promise<void> {
    return pause(least + this.#dice.roll(most - least))
  }
}

const settings = { AGENTBBS_DRAIN: '0.3', AGENTBBS_PAIR_CAP: '1000000' }
const run = { constants: { copyCap: 0 } }

const killed = async (child: ChildProcess) => {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Makes a database of the first release, with so many matches. */
const oldDatabase = async (folder: string): Promise<number> => {
  const db = openDatabase(folder, 10_000)
  const [first] = Object.entries(migrations)
  const provider = { getMigrations: async () => Object.fromEntries([first!]) }
  const { error } = await new Migrator({ db: db.sql, provider }).migrateToLatest()
  if (error !== undefined) throw error
  db.file.exec(`
    insert into accounts (name, kind, created_at) values ('old-0', 'player', 0), ('old-1', 'player', 0);
    with recursive n (id) as (select 1 union all select id + 1 from n where id < ${past})
    insert into matches (id, game, seed, started_at, ended_at, ending, detail, move_count, moves)
      select id, 'ttt', id, 0, 1, 'aborted', 'a fault', 0, '[]' from n;
    insert into match_seats (match, seat, account, game)
      select id, 0, 1, game from matches union all select id, 1, 2, game from matches;
  `)
  db.file.close()
  return past
}
const past = 2_000

const count = (folder: string): number => {
  const { file } = openDatabase(folder, 10_000)
  try {
    return file.prepare('select count(*) from matches').pluck().get() as number
  } finally {
    file.close()
  }
}

const structure = ({ db: { file } }: Tables): readonly string[] => {
  const integrity = file.pragma('integrity_check', { simple: true })
  const strays = file.pragma('foreign_key_check') as unknown[]
  return [
    ...(integrity === 'ok' ? [] : [`integrity: ${integrity}`]),
    ...strays.map(stray => `foreign key: ${JSON.stringify(stray)}`),
  ]
}

/** Announced results that the database does not have. */
export const missing = ({ matches }: Tables, told: readonly Told[]): readonly string[] =>
  told.flatMap(({ agent, match, rated, rating }) => {
    const player = matches.find(match)?.players.find(({ name }) => name === agent)
    const kept = player?.place == null ? undefined : (player.rating?.after ?? null)
    return kept === (rated ? rating : null)
      ? []
      : [`${agent} was told ${rating} for match ${match}, where ${kept} is kept`]
  })

/** Announced match numbers that now belong to matches of other agents. */
export const reused = ({ matches }: Tables, begun: readonly Begun[]): readonly string[] =>
  begun.flatMap(({ agent, match }) => {
    const players = matches.find(match)?.players.map(({ name }) => name)
    return players === undefined || players.includes(agent)
      ? []
      : [`${agent} was told match ${match}, which is now that of ${players.join(' and ')}`]
  })

/** No agent plays, so matches that are live now never end. */
const limbo = ({ matches }: Tables): readonly string[] =>
  matches.newest({ status: 'live', limit: 100 }).map(({ id }) => `match ${id} is in limbo`)
