// All who come to a house during a soak, in a process of their own.

import { connect } from 'node:net'
import type { ParsedKey } from 'ssh2'
import { dialSsh } from '../dial-ssh.ts'
import { dialWebSocket } from '../dial-websocket.ts'
import type { Dial } from '../load-agent.ts'
import { newKey, publicKeyOf } from '../new-key.ts'
import { followEvents, openHub } from '../onlooker.ts'
import { answerParent } from '../question.ts'
import type { BenchAccount, Reaches } from '../server.ts'
import { type Manner, manners, SoakAgent, type SoakTally } from '../soak-agent.ts'

/** What became of all who came. */
export interface SoakSeen {
  readonly agents: number
  /** Who was due and did not come, because too many others were still there. */
  readonly stayedAway: number
  readonly results: number
  readonly done: Record<Manner, number>
  readonly watched: { readonly streams: number; readonly screens: number; readonly bytes: number }
  readonly faults: readonly (readonly [what: string, times: number])[]
}

/** How many of a hundred agents come by SSH, and how many look on at a time. */
const bySsh = 25
const streams = 20
const screens = 4
/** Of a hundred; the others play. */
const rude = { illegal: 4, late: 2, lost: 4, resigns: 4, leaves: 4 } as const
const tick = 20
const mostAtOnce = 2_000

let keys: readonly ParsedKey[] = []
let house: Reaches
let tally = newTally()
let deck: number[] = []
let came = 0
let stayedAway = 0
const agents = new Set<SoakAgent>()
let timer: NodeJS.Timeout | undefined
let lastMatch = '1'
let watched = { streams: 0, screens: 0, bytes: 0 }
/** Takes one more of those away who look on. */
let watchers: (() => void)[] = []
let watching = false

answerParent({
  accounts: (count: number): BenchAccount[] => {
    keys = Array.from({ length: count }, newKey)
    return keys.map((key, i) => ({ name: `bench-${i + 1}`, publicKey: publicKeyOf(key) }))
  },
  /** How many matches a second there are when as many come as the house can take. */
  full: async ({ at, pairs, seconds }: { at: Reaches; pairs: number; seconds: number }) => {
    house = at
    tally = newTally()
    startWatching()
    let open = true
    const again = () => {
      if (open) come('plays', again)
    }
    for (let i = 0; i < 2 * pairs; i++) come('plays', again)
    await sleep((seconds * 1000) / 3)
    const [before, since] = [tally.results, performance.now()]
    await sleep((seconds * 2000) / 3)
    const speed = (tally.results - before) / 2 / ((performance.now() - since) / 1000)
    open = false
    await allGone()
    stopWatching()
    return speed
  },
  /** From now on so many matches a second are begun, in every manner, and people look on. */
  begin: (matchesPerSecond: number) => {
    tally = newTally()
    came = 0
    stayedAway = 0
    watched = { streams: 0, screens: 0, bytes: 0 }
    startWatching()
    let due = 0
    let last = performance.now()
    timer = setInterval(() => {
      const now = performance.now()
      due += ((now - last) / 1000) * 2 * matchesPerSecond
      last = now
      while (due >= 1) {
        due--
        // On a machine that has something else to do for a while, nobody is made to wait in ever longer lines.
        if (agents.size < mostAtOnce) come(manner())
        else stayedAway++
      }
    }, tick)
  },
  /** Nobody comes any more; answers once all have left. */
  end: async (): Promise<SoakSeen> => {
    clearInterval(timer)
    await allGone()
    stopWatching()
    return {
      agents: came,
      stayedAway,
      results: tally.results,
      done: tally.done,
      watched,
      faults: [...tally.faults],
    }
  },
})

const come = (manner: Manner, then: () => void = () => {}): void => {
  came++
  const matches = manner === 'plays' && came % 20 === 0 ? 3 : 1
  // Whoever leaves out of turn can have a move refused that was already on its way: they are among themselves.
  const game = manner === 'leaves' ? 'othello' : came % 10 === 0 ? 'c4' : 'ttt'
  const practice = manner === 'plays' && came % 50 === 0
  const agent: SoakAgent = new SoakAgent(
    tally,
    manner,
    matches,
    dialler(game, matches, practice),
    () => {
      agents.delete(agent)
      then()
    },
  )
  agents.add(agent)
}

const dialler = (game: string, matches: number, practice: boolean): Dial => {
  const account = Math.floor(Math.random() * keys.length)
  return ear =>
    Math.random() * 100 < bySsh
      ? dialSsh(
          house.ssh.port,
          keys[account]!,
          `${game} --matches ${matches}${practice ? ' --practice easy' : ''}`,
          ear,
        )
      : dialWebSocket(
          house.ws.port,
          `/play?game=${game}&matches=${matches}${practice ? '&practice=easy' : ''}`,
          house.ws.tokens[account]!,
          ear,
        )
}

/** Whoever waits goes, whoever plays plays to the end. */
const allGone = async () => {
  for (const agent of agents) agent.stop()
  while (agents.size > 0) await sleep(50)
}

const startWatching = () => {
  watching = true
  for (let i = 0; i < streams; i++) followStream()
  for (let i = 0; i < screens; i++) followScreen()
}

const stopWatching = () => {
  watching = false
  for (const stop of watchers.splice(0)) stop()
}

const count = (chunk: Buffer) => {
  watched.bytes += chunk.length
}

/** Follows a match that has just begun, or all of them, for some seconds, and then another one. */
const followStream = (): void => {
  const path = Math.random() < 0.5 ? '/api/v1/live/events' : `/api/v1/matches/${lastMatch}/events`
  watched.streams++
  look(followEvents(house.ws.port, path, count), followStream)
}

/** The same by SSH, at the screen of the hub that shows what goes on. */
const followScreen = (): void => {
  const socket = connect(house.ssh.port, '127.0.0.1')
  look(socket, followScreen)
  openHub(socket, count).then(
    stream => {
      watched.screens++
      stream.write('n\r')
    },
    // Those that leave early tear the connection.
    (error: Error) => socket.destroyed || fault(error.message),
  )
}

const look = (socket: ReturnType<typeof connect>, again: () => void): void => {
  const away = setTimeout(() => socket.destroy(), 2_000 + Math.random() * 8_000)
  const stop = () => socket.destroy()
  watchers.push(stop)
  socket.on('error', () => {})
  socket.on('close', () => {
    clearTimeout(away)
    watchers = watchers.filter(other => other !== stop)
    if (watching) setTimeout(() => watching && again(), 200)
  })
}

/** As cards are drawn: of each hundred just as many in each manner as it says above. */
const manner = (): Manner => {
  if (deck.length === 0) deck = Array.from({ length: 100 }, (_, i) => i)
  let die = deck.splice(Math.floor(Math.random() * deck.length), 1)[0]!
  for (const manner of manners) {
    if (manner === 'plays') continue
    die -= rude[manner]
    if (die < 0) return manner
  }
  return 'plays'
}

function newTally(): SoakTally {
  return {
    queued: 0,
    results: 0,
    done: { plays: 0, illegal: 0, late: 0, lost: 0, resigns: 0, leaves: 0 },
    faults: new Map(),
    began: match => {
      lastMatch = match
    },
  }
}

const fault = (what: string) => void tally.faults.set(what, (tally.faults.get(what) ?? 0) + 1)

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
