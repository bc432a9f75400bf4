import type { Dice } from './dice.ts'
import {
  type CatalogueGame,
  type Game,
  type Illegal,
  illegal,
  isIllegal,
  type Json,
  type Moved,
  moved,
  type Seat,
  type Status,
} from './game.ts'
import { linesOfBoard, put } from './grid.ts'
import { got, isRecord } from './json.ts'
import { line, type Panel, type Piece, seatPart, toned } from './look.ts'
import {
  about,
  always,
  flag,
  type GameSchema,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  upTo,
  whole,
} from './schema.ts'
import { owing, type Sealed } from './together.ts'
import { cut, printable } from './words.ts'

const directions = ['up', 'down', 'left', 'right', 'hold'] as const
const signs = ['rock', 'paper', 'scissors'] as const
const longestMotto = 60
export type Step = (typeof directions)[number] | (typeof signs)[number]
export type Beat = 'move' | 'stress'
type Tile = { readonly x: number; readonly y: number }

/** Where and to which beats is danced. */
export type Floor = {
  readonly width: number
  readonly height: number
  readonly walls: readonly Tile[]
  readonly spawns: readonly Tile[]
  readonly rounds: readonly (readonly Beat[])[]
}

export type Dancer = Tile & {
  readonly stunned: boolean
  readonly score: number
  readonly motto: string
  readonly eliminatedAt: { readonly round: number; readonly beatIndex: number } | null
  readonly forfeited: boolean
}

/** One step a beat, and the motto that comes with them, null where it stays. */
type Plan = { readonly steps: readonly Step[]; readonly motto: string | null }

type Clash = { readonly winner: Seat; readonly loser: Seat; readonly auto: boolean }

type Danced = {
  readonly beatIndex: number
  readonly kind: Beat
  readonly positions: readonly (Tile & {
    readonly seat: Seat
    readonly stunned: boolean
    readonly alive: boolean
  })[]
  readonly clashes: readonly Clash[]
}

const reasons = {
  last_standing: 'last one standing',
  all_eliminated: 'nobody is left standing',
  max_rounds: 'the last round is danced',
  timeout: 'all others forfeited',
} as const
type Reason = keyof typeof reasons

type Dance = {
  readonly round: number
  readonly dancers: readonly Dancer[]
  readonly sealed: Sealed<Plan>
  readonly lastRound: { readonly round: number; readonly beats: readonly Danced[] } | null
  readonly reason: Reason | null
}

type DanceEvent =
  | {
      readonly kind: 'round'
      readonly round: number
      /** The steps that each dancer had planned, null for those who were out before. */
      readonly steps: readonly (readonly Step[] | null)[]
      readonly beats: readonly {
        readonly beatIndex: number
        readonly kind: Beat
        /** Dancers who ran into a wall or into each other, and are stunned. */
        readonly collided: readonly Seat[]
        readonly clashes: readonly Clash[]
      }[]
      readonly scores: readonly number[]
    }
  | {
      readonly kind: 'eliminated'
      readonly seat: Seat
      readonly round: number
      readonly beatIndex: number
      /** Who beat or caught the dancer. */
      readonly by: readonly Seat[]
    }

/** Four dancers send a plan for the whole round; the beats carry the plans out, and clashes put dancers out. */
export const danceOn = (floor: Floor): Game<Dance, DanceEvent> => {
  const { rounds, ...map } = floor
  const beatsOf = (round: number) => rounds[round - 1] ?? []
  const beatSequence = {
    rounds: rounds.map((beats, i) => ({
      round: i + 1,
      beats: beats.map((kind, beatIndex) => ({ beatIndex, kind })),
    })),
  }

  const resolve = (state: Dance): Dance | Moved<Dance, DanceEvent> => {
    const { round, sealed } = state
    if (owingOf(state).length > 0) return state
    const plans = sealed.map(plan => plan?.steps ?? [])
    const danced = danceRound(floor, round, state.dancers, plans)
    const dancers = danced.dancers.map((dancer, seat) => ({
      ...dancer,
      motto: sealed[seat]?.motto ?? dancer.motto,
      stunned: false,
    }))
    const reason = endOf(dancers) ?? (round === rounds.length ? 'max_rounds' : null)
    const next: Dance = {
      round: reason ? round : round + 1,
      dancers,
      sealed: dancers.map(() => null),
      lastRound: { round, beats: danced.beats },
      reason,
    }
    return moved(next, eventsOfRound(state, next, danced.beats))
  }

  return {
    id: 'dance-battle',
    title: 'Dance Battle',
    summary: 'Four dancers plan each round ahead and clash with rock, paper and scissors.',
    seats: 4,
    facts: { turns: 'together', luck: false, secrets: false, outOfTurn: true, moveBytes: 4096 },

    start: (_seed, seats) => ({
      round: 1,
      dancers: floor.spawns.slice(0, seats).map(tile => ({
        ...tile,
        stunned: false,
        score: 0,
        motto: '',
        eliminatedAt: null,
        forfeited: false,
      })),
      sealed: Array(seats).fill(null),
      lastRound: null,
      reason: null,
    }),

    status: (state): Status => {
      const { dancers, reason, sealed } = state
      if (reason)
        return {
          places: placesOf(dancers),
          scores: dancers.map(({ score }) => score),
          because: reasons[reason],
        }
      const mayAct = owing(sealed).filter(seat => isSpectre(dancers[seat]!))
      return { toMove: owingOf(state), ...(mayAct.length > 0 && { mayAct }) }
    },

    read: (state, _seat, move) => {
      const beats = beatsOf(state.round)
      const plan = planOf(beats, move)
      return isIllegal(plan) ? move : { commands: commandsOf(beats, plan) }
    },

    play: (state, seat, move): Dance | Moved<Dance, DanceEvent> | Illegal => {
      const plan = planOf(beatsOf(state.round), move)
      return isIllegal(plan) ? plan : resolve({ ...state, sealed: state.sealed.with(seat, plan) })
    },

    view: ({ round, dancers, lastRound, reason }) => ({
      round,
      maxRounds: rounds.length,
      scores: dancers.map(({ score }) => score),
      map,
      beatSequence,
      agents: dancers.map((dancer, seat) => ({ seat, ...dancer, alive: isAlive(dancer) })),
      lastRound,
      matchResult: reason && {
        reason,
        draw: placesOf(dancers).filter(place => place === 1).length > 1,
        totalRounds: lastRound?.round ?? 0,
        places: placesOf(dancers),
      },
    }),

    look: ({ round, dancers, lastRound }) => ({
      board: { surface: 'squares', rows: floorRows(floor, dancers), pieces },
      panels: [
        line(`Round ${round} of ${rounds.length}`),
        {
          kind: 'table',
          head: ['Dancer', 'Points', 'State'],
          rows: dancers.map((dancer, seat) => [
            [seatPart(seat)],
            dancer.score,
            [whereIs(dancer), ...(dancer.motto === '' ? [] : [' ', toned(dancer.motto, 'quote')])],
          ]),
        },
        clashLine(lastRound),
      ],
      alt: `Round ${round} of ${rounds.length}. ${standingWords(dancers)}`,
    }),

    anyMove: ({ round, dancers }, seat, dice) => improvise(dancers, beatsOf(round), seat, dice),

    fallback: ({ round }) => ({
      commands: beatsOf(round).map((beat, beatIndex) =>
        beat === 'move'
          ? { beatIndex, kind: 'move', direction: 'hold' }
          : { beatIndex, kind: 'action', action: 'rock' },
      ),
    }),

    guess: ({ dancers }, seat) => {
      const own = standingOf(dancers[seat]!)
      const others = dancers.filter((_, other) => other !== seat)
      const leads = others.map(other => Math.tanh(own - standingOf(other)))
      return leads.reduce((sum, lead) => sum + lead, 0) / others.length
    },

    drop: (state, seat): Dance | Moved<Dance, DanceEvent> => {
      // Several may be late in the same moment: that the first of them ended it does not save the last.
      if (state.reason && state.reason !== 'timeout') return state
      const left = state.dancers[seat]!
      const eliminatedAt = left.eliminatedAt ?? { round: state.round, beatIndex: 0 }
      const dancers = state.dancers.with(seat, { ...left, forfeited: true, eliminatedAt })
      const next: Dance = { ...state, dancers, sealed: state.sealed.with(seat, null) }
      if (dancers.filter(({ forfeited }) => !forfeited).length <= 1)
        return { ...next, reason: 'timeout' }
      // A sole survivor still owes the plan whose first beat makes it the last one standing.
      return dancers.some(isAlive) ? resolve(next) : { ...next, reason: 'all_eliminated' }
    },
  }
}

const beatsOfRound: readonly Beat[] = ['move', 'move', 'stress']
const battleFloor: Floor = {
  width: 17,
  height: 17,
  walls: [],
  spawns: [
    { x: 4, y: 4 },
    { x: 12, y: 4 },
    { x: 4, y: 12 },
    { x: 12, y: 12 },
  ],
  rounds: Array(30).fill(beatsOfRound),
}

const schema = (): GameSchema => {
  const { width, height, rounds, walls, spawns } = battleFloor
  const tile = { x: whole(0, width - 1), y: whole(0, height - 1) }
  const round = whole(1, rounds.length)
  const seat = whole(0, spawns.length - 1)
  const byDancer = (items: object) => listOf(spawns.length, { ...items })
  const beatIndex = whole(0, beatsOfRound.length - 1)
  const motto = text(longestMotto)
  const beats = beatsOfRound.map((kind, index) =>
    record({ beatIndex: always(index), kind: always(kind) }),
  )
  const inOrder = (items: readonly object[]) => ({
    type: 'array',
    prefixItems: items,
    items: false,
    minItems: items.length,
  })
  return {
    move: about(
      'Your plan for all beats of the round: one command for each beat, in order.',
      record({
        commands: inOrder(
          beatsOfRound.map((kind, index) =>
            kind === 'move'
              ? about(
                  'A step: up is y−1, down is y+1; hold stays.',
                  record({
                    beatIndex: always(index),
                    kind: always('move'),
                    direction: oneOf(directions),
                  }),
                )
              : about(
                  'What you show to neighbours. A motto is shown to all until another comes.',
                  record(
                    {
                      beatIndex: always(index),
                      kind: always('action'),
                      action: oneOf(signs),
                      motto,
                    },
                    ['motto'],
                  ),
                ),
          ),
        ),
      }),
    ),
    view: {
      round: about('The round that you plan for, from 1.', round),
      maxRounds: about('The number of rounds.', always(rounds.length)),
      scores: about('Clashes that each player has won.', byDancer(whole(0))),
      map: about(
        'The floor: x to the right, y downwards, and where the dancers started.',
        record({
          width: always(width),
          height: always(height),
          walls: listOf(walls.length, record(tile)),
          spawns: byDancer(record(tile)),
        }),
      ),
      beatSequence: about(
        'The beats of every round: rounds[round - 1].beats are those to plan for.',
        record({ rounds: listOf(rounds.length, record({ round, beats: inOrder(beats) })) }),
      ),
      agents: about(
        'The dancers by player: where each stands, and whether and when it was put out.',
        byDancer(
          record({
            seat,
            ...tile,
            stunned: flag,
            score: whole(0),
            motto,
            eliminatedAt: orNull(record({ round, beatIndex })),
            forfeited: flag,
            alive: flag,
          }),
        ),
      ),
      lastRound: about(
        'The round before: after each beat where the dancers stood, and who beat whom (auto: the loser was stunned). Null before the first.',
        orNull(
          record({
            round,
            beats: upTo(
              beatsOfRound.length,
              record({
                beatIndex,
                kind: oneOf(['move', 'stress']),
                positions: byDancer(record({ seat, ...tile, stunned: flag, alive: flag })),
                clashes: upTo(12, record({ winner: seat, loser: seat, auto: flag })),
              }),
            ),
          }),
        ),
      ),
      matchResult: about(
        'How the match ended; null until then.',
        orNull(
          record({
            reason: oneOf(Object.keys(reasons)),
            draw: flag,
            totalRounds: whole(0, rounds.length),
            places: byDancer(whole(1, spawns.length)),
          }),
        ),
      ),
    },
  }
}

export const danceBattle: CatalogueGame<Dance, DanceEvent> = {
  ...danceOn(battleFloor),
  schema: schema(),
}

/** Carries out the plans of one round until its beats, or all dancers but one, are done. */
export const danceRound = (
  floor: Floor,
  round: number,
  dancers: readonly Dancer[],
  plans: readonly (readonly Step[])[],
): { readonly dancers: readonly Dancer[]; readonly beats: readonly Danced[] } => {
  let now = dancers
  const beats: Danced[] = []
  for (const [beatIndex, kind] of (floor.rounds[round - 1] ?? []).entries()) {
    const steps = plans.map(plan => plan[beatIndex] ?? 'hold')
    const clashes = kind === 'stress' ? clashesOf(now, steps) : []
    now =
      kind === 'stress' ? settle(now, clashes, { round, beatIndex }) : moveBeat(floor, now, steps)
    const positions = now.map((dancer, seat) => {
      const { x, y, stunned } = dancer
      return { seat, x, y, stunned, alive: isAlive(dancer) }
    })
    beats.push({ beatIndex, kind, positions, clashes })
    if (endOf(now)) break
  }
  return { dancers: now, beats }
}

const eventsOfRound = (
  { round, dancers: before, sealed }: Dance,
  { dancers }: Dance,
  danced: readonly Danced[],
): DanceEvent[] => {
  const collided = ({ positions }: Danced, earlier: Danced | undefined) =>
    positions.flatMap(({ seat, stunned }) =>
      stunned && earlier?.positions[seat]?.stunned !== true ? [seat] : [],
    )
  return [
    {
      kind: 'round',
      round,
      steps: before.map((dancer, seat) => (isAlive(dancer) ? (sealed[seat]?.steps ?? null) : null)),
      beats: danced.map((beat, i) => {
        const { beatIndex, kind, clashes } = beat
        return { beatIndex, kind, collided: collided(beat, danced[i - 1]), clashes }
      }),
      scores: dancers.map(({ score }) => score),
    },
    ...danced.flatMap(({ beatIndex, clashes }) =>
      [...new Set(clashes.map(({ loser }) => loser))].map((seat): DanceEvent => {
        const by = clashes.flatMap(({ winner, loser }) => (loser === seat ? [winner] : []))
        return { kind: 'eliminated', seat, round, beatIndex, by }
      }),
    ),
  ]
}

const moveBeat = (
  floor: Floor,
  dancers: readonly Dancer[],
  steps: readonly Step[],
): readonly Dancer[] => {
  const goals = dancers.map((dancer, seat) => goalOf(dancer, steps[seat]!))
  const isOpen = (goal: Tile | null) => goal === null || !isWall(floor, goal)
  let free = goals.map(isOpen)
  for (;;) {
    // A blocked mover claims its origin, so that a dancer who followed it is blocked in the next pass.
    const claims = dancers.map((dancer, seat) => {
      if (!isAlive(dancer)) return null
      return free[seat] ? (goals[seat] ?? dancer) : dancer
    })
    const isContested = (goal: Tile | null, seat: Seat) =>
      goal !== null &&
      claims.some(
        (claim, other) =>
          other !== seat &&
          claim !== null &&
          (isSame(claim, goal) || (isSame(claim, dancers[seat]!) && isSame(dancers[other]!, goal))),
      )
    const next = free.map((isFree, seat) => isFree && !isContested(goals[seat]!, seat))
    if (next.every((isFree, seat) => isFree === free[seat])) break
    free = next
  }
  return dancers.map((dancer, seat) => {
    const goal = goals[seat]
    if (!goal) return dancer
    return free[seat] ? { ...dancer, ...goal } : { ...dancer, stunned: true }
  })
}

/** The tile a dancer is bound for, null for a dancer that stays where it is. */
const goalOf = (dancer: Dancer, step: Step): Tile | null => {
  const stride = strides[step]
  if (!stride || !isAlive(dancer) || dancer.stunned) return null
  return { x: dancer.x + stride.x, y: dancer.y + stride.y }
}

const strides: Partial<Record<Step, Tile>> = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
}

const isWall = ({ width, height, walls }: Floor, tile: Tile) =>
  tile.x < 0 ||
  tile.y < 0 ||
  tile.x >= width ||
  tile.y >= height ||
  walls.some(wall => isSame(wall, tile))

const isSame = (a: Tile, b: Tile) => a.x === b.x && a.y === b.y

const isAlive = ({ eliminatedAt }: Dancer) => eliminatedAt === null

/** All clashes of neighbours at once, so a dancer may win and be beaten in the same beat. */
const clashesOf = (dancers: readonly Dancer[], steps: readonly Step[]): Clash[] =>
  dancers.flatMap((a, seat) =>
    dancers.flatMap((b, other): Clash[] => {
      if (!isAlive(a) || !isAlive(b) || distance(a, b) !== 1 || a.stunned) return []
      if (b.stunned) return [{ winner: seat, loser: other, auto: true }]
      return beaten[steps[seat]!] === steps[other]
        ? [{ winner: seat, loser: other, auto: false }]
        : []
    }),
  )

const beaten: Partial<Record<Step, Step>> = { rock: 'scissors', scissors: 'paper', paper: 'rock' }

const distance = (a: Tile, b: Tile) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y)

const settle = (
  dancers: readonly Dancer[],
  clashes: readonly Clash[],
  at: NonNullable<Dancer['eliminatedAt']>,
): readonly Dancer[] =>
  dancers.map((dancer, seat) => ({
    ...dancer,
    score: dancer.score + clashes.filter(({ winner, auto }) => winner === seat && !auto).length,
    eliminatedAt: clashes.some(({ loser }) => loser === seat) ? at : dancer.eliminatedAt,
  }))

const endOf = (dancers: readonly Dancer[]): 'last_standing' | 'all_eliminated' | null => {
  const alive = dancers.filter(isAlive).length
  return alive > 1 ? null : alive === 1 ? 'last_standing' : 'all_eliminated'
}

/** The seats that the round waits for: alive, and without a plan. */
const owingOf = ({ dancers, sealed }: Dance) =>
  owing(sealed).filter(seat => isAlive(dancers[seat]!))

/** Out of the dance, but still at the table: of its plans only the motto has an effect. */
const isSpectre = (dancer: Dancer) => !isAlive(dancer) && !dancer.forfeited

/** The last one standing wins without a clash won, so clashes won only count among equals. */
const standingOf = (dancer: Dancer) => (isAlive(dancer) ? 2 : 0) + dancer.score / 40

const placesOf = (dancers: readonly Dancer[]): number[] => {
  const sole = endOf(dancers) === 'last_standing'
  const ranks = dancers.map(dancer => [
    dancer.forfeited ? 1 : 0,
    sole && isAlive(dancer) ? 0 : 1,
    -dancer.score,
    isAlive(dancer) ? 0 : 1,
    -(dancer.eliminatedAt?.round ?? 0),
    -(dancer.eliminatedAt?.beatIndex ?? 0),
  ])
  if (dancers.every(({ forfeited }) => forfeited)) return dancers.map(() => 1)
  return ranks.map(rank => 1 + ranks.filter(other => isBefore(other, rank)).length)
}

const isBefore = (a: readonly number[], b: readonly number[]) => {
  const at = a.findIndex((value, i) => value !== b[i])
  return at >= 0 && a[at]! < b[at]!
}

const planOf = (beats: readonly Beat[], move: Json): Plan | Illegal => {
  if (!isRecord(move)) return illegal(`a move is {"commands":[…]}, ${got(move)}`)
  const { commands } = move
  if (!Array.isArray(commands) || commands.length !== beats.length)
    return illegal(`commands must be a list of ${beats.length}, one a beat, ${got(commands)}`)
  const plan: { steps: Step[]; motto: string | null } = { steps: [], motto: null }
  for (const [beatIndex, kind] of beats.entries()) {
    const found = commands.filter(command => isRecord(command) && command.beatIndex === beatIndex)
    if (found.length !== 1)
      return illegal(`beat ${beatIndex} needs exactly one command, got ${found.length}`)
    const step = stepOf(kind, beatIndex, found[0])
    if (isIllegal(step)) return step
    plan.steps.push(step)
    const { motto } = found[0]
    if (kind === 'stress' && typeof motto === 'string')
      plan.motto = cut(printable(motto).trim(), longestMotto).trimEnd()
  }
  return plan
}

/** The plan as a move: a motto stands with the last action. */
const commandsOf = (beats: readonly Beat[], { steps, motto }: Plan) => {
  const last = beats.lastIndexOf('stress')
  return beats.map((kind, beatIndex) =>
    kind === 'move'
      ? { beatIndex, kind, direction: steps[beatIndex]! }
      : {
          beatIndex,
          kind: 'action',
          action: steps[beatIndex]!,
          ...(beatIndex === last && motto !== null && { motto }),
        },
  )
}

const stepOf = (kind: Beat, beatIndex: number, command: Json): Step | Illegal => {
  const { kind: sent, direction, action } = isRecord(command) ? command : {}
  const [name, field, known] =
    kind === 'move' ? ['move', direction, directions] : ['action', action, signs]
  if (sent !== name) return illegal(`beat ${beatIndex} needs "kind":"${name}", ${got(sent)}`)
  const what = kind === 'move' ? 'direction' : 'action'
  return (
    known.find(step => step === field) ??
    illegal(`${what} at beat ${beatIndex} must be ${known.join(', ')}, ${got(field)}`)
  )
}

const mottos = ['still here', 'rock never fails', 'nice try', '']

/** Mostly towards the nearest dancer, or clashes would be rare. */
const improvise = (
  dancers: readonly Dancer[],
  beats: readonly Beat[],
  seat: Seat,
  dice: Dice,
): Json => {
  const others = dancers.filter((dancer, other) => other !== seat && isAlive(dancer))
  let here: Tile = dancers[seat]!
  const commands = beats.map((beat, beatIndex) => {
    if (beat === 'stress') {
      const motto = dice.roll(6) === 0 ? { motto: dice.pick(mottos) } : {}
      return { beatIndex, kind: 'action', action: dice.pick(signs), ...motto }
    }
    const near = others.toSorted((a, b) => distance(here, a) - distance(here, b))[0]
    const direction = near && dice.roll(2) > 0 ? towards(here, near) : dice.pick(directions)
    const { x, y } = strides[direction] ?? { x: 0, y: 0 }
    here = { x: here.x + x, y: here.y + y }
    return { beatIndex, kind: 'move', direction }
  })
  return { commands }
}

const towards = (here: Tile, there: Tile) => {
  const [x, y] = [there.x - here.x, there.y - here.y]
  if (Math.abs(x) + Math.abs(y) <= 1) return 'hold'
  if (Math.abs(x) >= Math.abs(y)) return x > 0 ? 'right' : 'left'
  return y > 0 ? 'down' : 'up'
}

const floorRows = ({ width, height, walls }: Floor, dancers: readonly Dancer[]) => {
  const cell = ({ x, y }: Tile) => y * width + x
  const bare = walls.reduce(
    (drawn, wall) => put(drawn, cell(wall), '#'),
    '.'.repeat(width * height),
  )
  const board = dancers.reduce(
    (drawn, dancer, seat) => (isAlive(dancer) ? put(drawn, cell(dancer), `${seat}`) : drawn),
    bare,
  )
  return linesOfBoard(board, width)
}

const pieces: Readonly<Record<string, Piece>> = {
  '0': { kind: 'token', seat: 0 },
  '1': { kind: 'token', seat: 1 },
  '2': { kind: 'token', seat: 2 },
  '3': { kind: 'token', seat: 3 },
  '#': { kind: 'tile', ground: 'rock' },
}

const whereIs = ({ eliminatedAt, forfeited }: Dancer) =>
  forfeited ? 'gone' : eliminatedAt ? `out in round ${eliminatedAt.round}` : 'dancing'

const standingWords = (dancers: readonly Dancer[]) => {
  const standing = dancers.flatMap((dancer, seat) =>
    isAlive(dancer) ? [`seat ${seat} at column ${dancer.x}, row ${dancer.y}`] : [],
  )
  return `Dancing: ${standing.join('; ') || 'none'}.`
}

const clashLine = (lastRound: Dance['lastRound']): Panel => {
  const clashes = lastRound?.beats.flatMap(beat => beat.clashes) ?? []
  const words = clashes.flatMap(({ winner, loser, auto }, i) => [
    ...(i === 0 ? [] : [', ']),
    seatPart(winner),
    auto ? ' caught ' : ' beat ',
    seatPart(loser),
  ])
  return line('Last round: ', ...(words.length > 0 ? words : ['no clashes']), '.')
}
