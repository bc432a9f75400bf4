import { Dice, type DiceState } from './dice.ts'
import {
  type CatalogueGame,
  type Illegal,
  illegal,
  isFinal,
  isIllegal,
  type Json,
  type Moved,
  moved,
  type Seat,
  type Status,
} from './game.ts'
import {
  cellAt,
  linesOf,
  linesOfBoard,
  longestRun,
  prospects,
  put,
  rowsOf,
  withStars,
} from './grid.ts'
import { type Fields, got, isRecord, isWhole } from './json.ts'
import { lastMoveWords, line, seatPart, stones, toned } from './look.ts'
import {
  about,
  always,
  bySeat,
  either,
  flag,
  grid,
  oneOf,
  orNull,
  record,
  seatNumber,
  upTo,
  whole,
} from './schema.ts'
import { safeLayouts } from './uproot.ts'

/** A character a cell, row by row: 0 empty, 1 black, 2 white. */
type Board = string
type Seal = { readonly cell: number; readonly owner: Seat; readonly expiresAtMove: number }
type Position = { readonly board: Board; readonly seals: readonly Seal[] }

const skillNames = ['uproot', 'stillwater', 'sandstorm', 'rewind'] as const
type SkillName = (typeof skillNames)[number]
type Stone = { readonly seat: Seat; readonly cell: number }
type Effect = {
  readonly seat: Seat
  readonly skill: SkillName
  readonly target: number | null
  /** Cells that an uproot or a sandstorm changed, with the value before; null for the other skills. */
  readonly changed: readonly (readonly [cell: number, before: number])[] | null
}

type SkillEvent =
  | ({ readonly kind: 'skill' } & ReturnType<typeof showEffect>)
  /** The seat had no move and was passed over, which counts as a move. */
  | { readonly kind: 'passed'; readonly seat: Seat }

type Played = SkillGomoku | Moved<SkillGomoku, SkillEvent> | Illegal

type SkillGomoku = {
  readonly dice: DiceState
  /** Moves made so far, passes among them. */
  readonly moves: number
  /** The position now and after each of the four moves before, newest first: all that a rewind can reach. */
  readonly past: readonly Position[]
  readonly energy: readonly number[]
  readonly rewound: readonly boolean[]
  /** By seat: whether its own last turn was a sandstorm. */
  readonly stormed: readonly boolean[]
  readonly last: Stone | Effect | null
  /** The seats that had no move after that and were passed over. */
  readonly passed: readonly Seat[]
}

const width = 15
const numbers = Array.from({ length: width }, (_, n) => `${n}`)
const allCells = Array.from({ length: width * width }, (_, cell) => cell)

const lines = linesOf(width, width, 5)

const maxMoves = 300
const firstEnergy = 3
const movesPerEnergy = 8
const sealedMoves = 6
const rewoundMoves = 4

const pointSchema = { row: whole(0, width - 1), col: whole(0, width - 1) }

/** Five in a row, where a turn is a stone or a skill paid for with energy. */
export const skillGomoku: CatalogueGame<SkillGomoku, SkillEvent> = {
  id: 'skill-gomoku',
  title: 'Skill Gomoku',
  summary: 'Five in a row, with skills that scatter, seal, remove and take back stones.',
  seats: 2,
  sides: ['Black', 'White'],
  facts: { turns: 'alternate', luck: true, secrets: false, moveBytes: 128 },

  start: seed => ({
    dice: Dice.fromSeed(seed).state,
    moves: 0,
    past: [{ board: '0'.repeat(allCells.length), seals: [] }],
    energy: [firstEnergy, firstEnergy],
    rewound: [false, false],
    stormed: [false, false],
    last: null,
    passed: [],
  }),

  status: state => statusOf(state),

  read: (_state, _seat, move) => {
    if (!isRecord(move)) return move
    const { type } = move
    if (type === 'place') {
      const cell = cellOf(move)
      return isIllegal(cell) ? move : { type, ...pointOf(cell) }
    }
    const skill = skillNames.find(name => name === move.skill)
    if (type !== 'skill' || !skill) return move
    const target = targetOf(skill, move.target)
    if (isIllegal(target)) return move
    return { type, skill, ...(target !== null && { target: pointOf(target) }) }
  },

  play: (state, seat, move): Played => {
    const type = isRecord(move) ? move.type : move
    if (isRecord(move) && type === 'place') return place(state, seat, move)
    if (isRecord(move) && type === 'skill') return invoke(state, seat, move)
    return illegal(`a move is {"type":"place",…} or {"type":"skill",…}, ${got(type)}`)
  },

  view: state => {
    const { moves, energy, rewound, stormed, last, passed } = state
    const { board, seals } = nowOf(state)
    return {
      round: isFinal(statusOf(state)) ? moves : moves + 1,
      maxRounds: maxMoves,
      board: rowsOf(board, width).map(row => row.map(Number)),
      energy,
      rewindUsed: rewound,
      sandstormBlocked: stormed,
      sealedStones: seals.map(({ cell, owner, expiresAtMove }) => ({
        ...pointOf(cell),
        owner: colourOf(owner),
        expiresAtMove,
      })),
      quietZoneCells: quietOf(seals).map(({ cell, owner }) => ({
        ...pointOf(cell),
        owner: colourOf(owner),
      })),
      lastMove: last && 'cell' in last ? pointOf(last.cell) : null,
      lastSkillEffect: last && 'skill' in last ? showEffect(last, board) : null,
      passed,
    }
  },

  schema: {
    move: either(
      about('Places a stone on an empty cell.', record({ type: always('place'), ...pointSchema })),
      about(
        'Uses a skill that needs a target.',
        record({
          type: always('skill'),
          skill: oneOf(skillNames.filter(name => name !== 'rewind')),
          target: record(pointSchema),
        }),
      ),
      about(
        'Uses the rewind, which needs no target.',
        record({ type: always('skill'), skill: always('rewind'), target: record(pointSchema) }, [
          'target',
        ]),
      ),
    ),
    view: {
      round: about('The number of the move to be made, from 1.', whole(1, maxMoves)),
      maxRounds: about('The move after which the match is a draw.', always(maxMoves)),
      board: about(
        'board[row][col], row 0 on top: 0 is empty, 1 is black (player 0), 2 is white (player 1).',
        grid(width, width, oneOf([0, 1, 2])),
      ),
      energy: about('What each player can spend on skills.', bySeat(whole(0))),
      rewindUsed: about('Whether each player has used the rewind.', bySeat(flag)),
      sandstormBlocked: about(
        'Whether each player may not use a sandstorm now, after one in the turn before.',
        bySeat(flag),
      ),
      sealedStones: about(
        'Sealed stones, the colour of each, and the move after which its seal ends.',
        upTo(
          width * width,
          record({ ...pointSchema, owner: oneOf([1, 2]), expiresAtMove: whole(1) }),
        ),
      ),
      quietZoneCells: about(
        'Cells beside sealed stones, closed to the side that is not their owner (1 is black, 2 is white).',
        upTo(4 * width * width, record({ ...pointSchema, owner: oneOf([1, 2]) })),
      ),
      lastMove: about(
        'The last stone; null if the last turn placed none.',
        orNull(record(pointSchema)),
      ),
      lastSkillEffect: about(
        'The skill of the last turn and the cells that it changed; null if the last turn used none.',
        orNull(
          record(
            {
              seat: seatNumber,
              skill: oneOf(skillNames),
              target: orNull(record(pointSchema)),
              affectedCells: upTo(
                9,
                record({ ...pointSchema, before: oneOf([0, 1, 2]), after: oneOf([0, 1, 2]) }),
              ),
            },
            ['affectedCells'],
          ),
        ),
      ),
      passed: about(
        'Players that could do nothing and were passed over since the last turn.',
        upTo(maxMoves, seatNumber),
      ),
    },
  },

  look: state => {
    const { energy, rewound, last } = state
    const { board, seals } = nowOf(state)
    const cells = (found: readonly { readonly cell: number }[]) =>
      found.map(({ cell }) => cellAt(cell, width))
    return {
      board: {
        surface: 'crossings',
        rows: linesOfBoard(withStars(written(board), width), width),
        pieces: stones,
        columns: numbers,
        rowNames: numbers,
        last: touchedBy(last).map(cell => cellAt(cell, width)),
        marks: [
          { kind: 'light', cells: cells(quietOf(seals)), means: 'quiet zone' },
          { kind: 'ring', cells: cells(seals), means: 'sealed' },
        ],
        turns: 'free',
        move: '{"type":"place","row":{y},"col":{x}}',
      },
      panels: [
        {
          kind: 'table',
          head: ['Agent', 'Energy', 'Rewind'],
          rows: energy.map((left, seat) => [
            [seatPart(seat)],
            left,
            rewound[seat] ? 'used' : 'left',
          ]),
        },
        ...(last && 'skill' in last
          ? [line('Last skill: ', toned(last.skill, 'strong'), ' by ', seatPart(last.seat), '.')]
          : []),
      ],
      alt: lastMoveWords(last && ('skill' in last ? last.skill : nameOf(last.cell))),
    }
  },

  anyMove: (state, seat, dice) => {
    const free = freeFor(nowOf(state), seat)
    const skills = dice.roll(4) === 0 || free.length === 0 ? usableSkills(state, seat) : []
    if (skills.length > 0) {
      const { skill, targets } = dice.pick(skills)
      return { type: 'skill', skill, target: pointOf(dice.pick(targets)) }
    }
    // Beside a stone of its own, mostly: scattered stones make no five and no game ends.
    const near = free.filter(cell => hasNeighbour(nowOf(state).board, cell, colourOf(seat)))
    const cell = dice.pick(near.length > 0 && dice.roll(4) > 0 ? near : free)
    return { type: 'place', ...pointOf(cell) }
  },

  guess: (state, seat) =>
    prospects(nowOf(state).board.replaceAll('0', '.'), lines, `${colourOf(seat)}`),
}

const statusOf = (state: SkillGomoku): Status => {
  const { moves, last } = state
  const { board } = nowOf(state)
  if (last && 'cell' in last && longestRun(board, width, last.cell) >= 5) {
    const [places, scores] =
      last.seat === 0
        ? [
            [1, 2],
            [1, 0],
          ]
        : [
            [2, 1],
            [0, 1],
          ]
    return { places, scores, because: 'five in a row' }
  }
  const draw = { places: [1, 1], scores: [0, 0] }
  if (!board.includes('0')) return { ...draw, because: 'the board is full' }
  if (moves >= maxMoves) return { ...draw, because: `${maxMoves} moves without five in a row` }
  return { toMove: [moves % 2] }
}

/** The board with the characters of stones. */
const written = (board: Board): string =>
  board.replaceAll('0', '.').replaceAll('1', 'X').replaceAll('2', 'O')

/** The cells that the last move changed, or that a skill was used on. */
const touchedBy = (last: Stone | Effect | null): readonly number[] => {
  if (last === null) return []
  if ('cell' in last) return [last.cell]
  if (last.changed && last.changed.length > 0) return last.changed.map(([cell]) => cell)
  return last.target === null ? [] : [last.target]
}

const nowOf = ({ past }: SkillGomoku): Position => past[0]!

const place = (state: SkillGomoku, seat: Seat, move: Fields): Played => {
  const cell = cellOf(move)
  if (isIllegal(cell)) return cell
  const { board, seals } = nowOf(state)
  if (board[cell] !== '0') return illegal(`${nameOf(cell)} is taken`)
  if (closedTo(seals, seat).has(cell))
    return illegal(`${nameOf(cell)} is in a quiet zone of the other side`)
  const after = { board: put(board, cell, `${colourOf(seat)}`), seals }
  return withPasses(advance(state, seat, after, { last: { seat, cell } }))
}

const cellOf = ({ row, col }: Fields): number | Illegal => {
  for (const [name, value] of Object.entries({ row, col }))
    if (!isWhole(value, 0, width - 1))
      return illegal(`${name} must be a whole number from 0 to ${width - 1}, ${got(value)}`)
  // The sum with 0 takes the sign from -0, which would not come back from JSON.
  return Number(row) * width + Number(col) + 0
}

const freeFor = ({ board, seals }: Position, seat: Seat): number[] => {
  const closed = closedTo(seals, seat)
  return allCells.filter(cell => board[cell] === '0' && !closed.has(cell))
}

const closedTo = (seals: readonly Seal[], seat: Seat) =>
  new Set(quietOf(seals).flatMap(({ cell, owner }) => (owner === seat ? [] : [cell])))

/** Beside each seal, north, south, west and east. They bind the seat that does not own the seal. */
const quietOf = (seals: readonly Seal[]): { cell: number; owner: Seat }[] => {
  const zones = seals.flatMap(({ cell, owner }) =>
    besides(cell).map(beside => ({ cell: beside, owner })),
  )
  return zones.filter(
    (zone, i) =>
      zones.findIndex(({ cell, owner }) => cell === zone.cell && owner === zone.owner) === i,
  )
}

const besides = (cell: number) =>
  [
    [-1, 0],
    [1, 0],
    [0, -1],
    [0, 1],
  ].flatMap(([down = 0, right = 0]) => shifted(cell, down, right))

/** The cell so many rows and columns on, or none beyond the edge. */
const shifted = (cell: number, down: number, right: number): number[] => {
  const row = Math.floor(cell / width) + down
  const col = (cell % width) + right
  return row < 0 || col < 0 || row >= width || col >= width ? [] : [row * width + col]
}

/** The state once a move is made, whatever it was. */
const advance = (
  state: SkillGomoku,
  seat: Seat,
  { board, seals }: Position,
  more: Partial<SkillGomoku>,
): SkillGomoku => {
  const moves = state.moves + 1
  const gain = moves % movesPerEnergy === 0 ? 1 : 0
  const after = { board, seals: seals.filter(({ expiresAtMove }) => expiresAtMove > moves) }
  const next = { ...state, stormed: state.stormed.with(seat, false), passed: [], ...more }
  return {
    ...next,
    moves,
    past: [after, ...state.past].slice(0, rewoundMoves + 1),
    energy: next.energy.map(energy => energy + gain),
  }
}

const withPasses = (state: SkillGomoku, skill?: SkillEvent): Played => {
  const next = passOver(state)
  const passes = next.passed.map((seat): SkillEvent => ({ kind: 'passed', seat }))
  const events = skill === undefined ? passes : [skill, ...passes]
  return events.length === 0 ? next : moved(next, events)
}

/** Passes for a seat that can neither place a stone nor use a skill. There is no other way to pass. */
const passOver = (state: SkillGomoku): SkillGomoku => {
  const status = statusOf(state)
  if (isFinal(status)) return state
  const seat = status.toMove[0]!
  if (freeFor(nowOf(state), seat).length > 0 || usableSkills(state, seat).length > 0) return state
  return passOver(advance(state, seat, nowOf(state), { passed: [...state.passed, seat] }))
}

const invoke = (state: SkillGomoku, seat: Seat, move: Fields): Played => {
  const skill = skillNames.find(name => name === move.skill)
  if (!skill) return illegal(`skill must be one of ${skillNames.join(', ')}, ${got(move.skill)}`)
  const target = targetOf(skill, move.target)
  if (isIllegal(target)) return target
  const { cost, why, use } = skills[skill]
  const energy = state.energy[seat]!
  if (energy < cost) return illegal(`${skill} costs ${cost} energy, you have ${energy}`)
  // Only a rewind may come without a target, and it looks at none.
  const wrong = why(state, seat, target ?? 0)
  if (wrong) return illegal(wrong)
  const { changed = null, more, ...after } = use(state, seat, target ?? 0)
  const paid = state.energy.with(seat, energy - cost)
  const last = { seat, skill, target, changed }
  const event: SkillEvent = { kind: 'skill', ...showEffect(last, after.board) }
  return withPasses(advance(state, seat, after, { energy: paid, last, ...more }), event)
}

const targetOf = (skill: SkillName, target: Json | undefined): number | null | Illegal => {
  if (skill === 'rewind' && (target === undefined || target === null)) return null
  return isRecord(target)
    ? cellOf(target)
    : illegal(`target must be {"row":…,"col":…}, ${got(target)}`)
}

type Skill = {
  readonly cost: number
  /** Why it cannot be used there, null where it can. */
  readonly why: (state: SkillGomoku, seat: Seat, cell: number) => string | null
  readonly use: (state: SkillGomoku, seat: Seat, cell: number) => Outcome
}

/** What a skill does besides costing energy. */
type Outcome = Position & {
  readonly changed?: Effect['changed']
  readonly more?: Partial<SkillGomoku>
}

const skills: Readonly<Record<SkillName, Skill>> = {
  uproot: {
    cost: 2,
    why: () => null,
    use: (state, _seat, cell) => {
      const { board, seals } = nowOf(state)
      const slots = areaOf(cell).filter(slot => seals.every(seal => seal.cell !== slot))
      const layouts = safeLayouts(board, width, slots)
      if (layouts.length === 0) return { board, seals, changed: [] }
      const dice = Dice.resume(state.dice)
      const layout = dice.pick(layouts)
      const moved = slots.filter((slot, i) => board[slot] !== `${layout[i]}`)
      return {
        board: slots.reduce((next, slot, i) => put(next, slot, `${layout[i]}`), board),
        seals,
        changed: moved.map(slot => [slot, Number(board[slot])]),
        more: { dice: dice.state },
      }
    },
  },

  stillwater: {
    cost: 1,
    why: (state, seat, cell) => whyNoStone(nowOf(state), seat, cell),
    use: (state, seat, cell) => {
      const { board, seals } = nowOf(state)
      const seal = { cell, owner: seat, expiresAtMove: state.moves + 1 + sealedMoves }
      return { board, seals: [...seals, seal] }
    },
  },

  sandstorm: {
    cost: 2,
    why: (state, seat, cell) =>
      state.stormed[seat]
        ? 'a sandstorm cannot follow your own sandstorm'
        : whyNoStone(nowOf(state), 1 - seat, cell),
    use: (state, seat, cell) => {
      const { board, seals } = nowOf(state)
      return {
        board: put(board, cell, '0'),
        seals,
        changed: [[cell, colourOf(1 - seat)]],
        more: { stormed: state.stormed.with(seat, true) },
      }
    },
  },

  rewind: {
    cost: 3,
    why: ({ rewound, past }, seat) => {
      if (rewound[seat]) return 'you have used your rewind'
      return past.length > rewoundMoves ? null : `a rewind needs ${rewoundMoves} moves to take back`
    },
    use: (state, seat) => ({
      ...state.past[rewoundMoves]!,
      more: { rewound: state.rewound.with(seat, true) },
    }),
  },
}

/** The nine cells around and including this one, fewer at the edge, row by row. */
const areaOf = (cell: number) =>
  [-1, 0, 1].flatMap(down => [-1, 0, 1].flatMap(right => shifted(cell, down, right)))

const areas = allCells.map(areaOf)

const whyNoStone = ({ board, seals }: Position, owner: Seat, cell: number): string | null => {
  if (board[cell] !== `${colourOf(owner)}`)
    return `${nameOf(cell)} holds no ${owner === 0 ? 'black' : 'white'} stone`
  return seals.some(seal => seal.cell === cell) ? `${nameOf(cell)} is sealed` : null
}

const usableSkills = (state: SkillGomoku, seat: Seat) =>
  skillNames.flatMap(skill => {
    const { cost, why } = skills[skill]
    if (state.energy[seat]! < cost) return []
    const targets = allCells.filter(cell => why(state, seat, cell) === null)
    return targets.length > 0 ? [{ skill, targets }] : []
  })

const hasNeighbour = (board: Board, cell: number, value: number) =>
  areas[cell]!.some(other => board[other] === `${value}`)

const showEffect = ({ changed, target, ...effect }: Effect, board: Board) => ({
  ...effect,
  target: target === null ? null : pointOf(target),
  ...(changed && {
    affectedCells: changed.map(([cell, before]) => ({
      ...pointOf(cell),
      before,
      after: Number(board[cell]),
    })),
  }),
})

/** How a seat's stones are written on the board. */
const colourOf = (seat: Seat) => seat + 1

const pointOf = (cell: number) => ({ row: Math.floor(cell / width), col: cell % width })

const nameOf = (cell: number) => `row ${pointOf(cell).row}, col ${pointOf(cell).col}`
