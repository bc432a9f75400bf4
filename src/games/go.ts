import {
  type CatalogueGame,
  type Final,
  type Illegal,
  illegal,
  type Json,
  type Seat,
} from './game.ts'
import { cellAt, linesOfBoard, put, rowsOf, withStars } from './grid.ts'
import { got } from './json.ts'
import { lastMoveWords, line, stones } from './look.ts'
import {
  about,
  always,
  bySeat,
  either,
  grid,
  oneOf,
  orNull,
  stoneMark,
  textLike,
  upTo,
  whole,
} from './schema.ts'
import { readText } from './text-move.ts'

type Go = {
  /** A character a point, row by row from the top: X is black, O is white. */
  readonly board: string
  readonly toMove: Seat
  readonly moves: number
  /** Passes in a row. */
  readonly passes: number
  /** Stones that each seat has taken. */
  readonly captures: readonly [number, number]
  readonly last: number | 'pass' | null
  /** The hashes of all positions so far, the present one last, each in two numbers of 32 bits. */
  readonly seen: readonly number[]
  /** Left out where all stones count as alive. */
  readonly marking?: Marking
}

/** How far the two have come with agreeing on what is dead. */
type Marking = {
  /** `later`: while they play. `refused`: one of them wanted to play on, so that all stones will count as alive. */
  readonly stage: 'later' | 'now' | 'agreed' | 'refused'
  /** Every stone of the chains that are marked as dead, in ascending order. */
  readonly dead: readonly number[]
  /** Whether the other side has agreed to just these. */
  readonly isOffered: boolean
  /** Whose move it is if they play on. */
  readonly next: Seat
}

const unmarked: Marking = { stage: 'later', dead: [], isOffered: false, next: 0 }

export const go9 = goOn(9, 6.5)
export const go13 = goOn(13, 7.5)
export const go19 = goOn(19, 7.5)

/**
 * Area scoring, no suicide, positional superko: no position of the board comes twice. All stones on the board count
 * as alive at the end, so dead stones must be taken before both pass. People are used to marking dead stones instead:
 * with the setup `{"dead":"agreed"}` both mark them after two passes, and play on, once, where they disagree.
 */
export function goOn(size: number, komi: number): CatalogueGame<Go> {
  const area = size * size
  const columns = [...'ABCDEFGHJKLMNOPQRST'.slice(0, size)]
  const rows = Array.from({ length: size }, (_, row) => String(size - row))
  const points = rows.flatMap(row => columns.map(column => column + row))
  const cells = new Map<unknown, number>(points.map((point, cell) => [point, cell]))
  const neighbours = points.map((_, cell) => neighboursOf(cell, size))
  const point = `[${columns.join('')}](${rows.join('|')})`

  return {
    id: `go${size}`,
    title: `Go ${size} × ${size}`,
    summary: `Stones surround points on a board of ${size} × ${size}; more points win.`,
    seats: 2,
    sides: ['Black', 'White'],
    facts: { turns: 'alternate', luck: false, secrets: false },

    setupForPeople: { dead: 'agreed' },

    start: (_seed, _seats, setup) => ({
      board: '.'.repeat(area),
      toMove: 0,
      moves: 0,
      passes: 0,
      captures: [0, 0],
      last: null,
      seen: [0, 0],
      ...(setup?.dead === 'agreed' && { marking: unmarked }),
    }),

    status: state => {
      const { toMove, moves, passes, marking } = state
      if (!isOver(state)) return { toMove: [toMove] }
      const dead = marking?.dead.length ?? 0
      const end =
        marking?.stage === 'agreed'
          ? `both agreed on ${dead} dead ${dead === 1 ? 'stone' : 'stones'}`
          : passes >= 2
            ? 'both passed'
            : `${moves} moves were made`
      return finalOf(scoresOf(countedBoard(state), neighbours, komi), end)
    },

    standings: state =>
      finalOf(scoresOf(countedBoard(state), neighbours, komi), 'counted as it stands'),

    moves: ({ board, toMove, seen, marking }, seat) => {
      if (seat !== toMove) return []
      if (marking?.stage === 'now') {
        const stones = [...board].flatMap((mark, cell) => (mark === '.' ? [] : [cell]))
        return [...stones.map(stone => markingOf(marking, stone)), 'agree', 'play on']
      }
      const chainAt = chainsOn(board, neighbours)
      const listed: string[] = []
      remember(seen)
      for (let cell = 0; cell < area; cell++) {
        if (board[cell] !== '.') continue
        const result = tryOut(board, seen, seat, cell, neighbours, chainAt)
        if (result && !(mayBeSeen(result) && isSeen(seen, result))) listed.push(points[cell]!)
      }
      forget(seen)
      listed.push('pass')
      return listed
    },

    read: ({ marking }, _seat, move) =>
      readText(move, text => {
        if (marking?.stage === 'now') return readMarking(text, marking)
        const name = text.toUpperCase()
        return name === 'PASS' ? 'pass' : points[cells.get(name) ?? -1]
      }),

    play: (state, seat, move): Go | Illegal => {
      const { board, captures, seen, marking } = state
      if (marking?.stage === 'now') return mark(state, marking, seat, move)
      const next = { toMove: 1 - seat, moves: state.moves + 1 }
      if (move === 'pass') {
        const passed = { ...state, ...next, passes: state.passes + 1, last: 'pass' } as const
        return passed.passes >= 2 && marking?.stage === 'later'
          ? { ...passed, marking: { ...marking, stage: 'now', next: next.toMove } }
          : passed
      }
      const cell = cells.get(move)
      if (cell === undefined)
        return illegal(
          `a move is a point from "A1" to "${points[size - 1]}", or "pass", ${got(move)}`,
        )
      if (board[cell] !== '.') return illegal(`${points[cell]} is taken`)
      const result = tryOut(board, seen, seat, cell, neighbours, chainsOn(board, neighbours))
      if (!result) return illegal(`${points[cell]} would have no liberty`)
      if (isSeen(seen, result)) return illegal(`${points[cell]} repeats an earlier position`)
      const taken = result.taken.flatMap(chain => chain.stones)
      return {
        ...next,
        board: taken.reduce((left, stone) => put(left, stone, '.'), put(board, cell, markOf(seat))),
        passes: 0,
        captures:
          seat === 0
            ? [captures[0] + taken.length, captures[1]]
            : [captures[0], captures[1] + taken.length],
        last: cell,
        seen: seen.concat(result.low, result.high),
        ...(marking && { marking }),
      }
    },

    view: state => ({
      board: rowsOf(state.board, size),
      size,
      komi,
      captures: state.captures,
      lastMove: typeof state.last === 'number' ? points[state.last]! : state.last,
      movesLeft: 3 * area - state.moves,
      score: scoresOf(countedBoard(state), neighbours, komi),
      ...(state.marking && {
        marking: state.marking.stage,
        dead: state.marking.dead.map(stone => points[stone]!),
      }),
    }),

    schema: {
      move: either(
        about(
          `A point, its column ${columns[0]} to ${columns.at(-1)} (without I) from the left and its row 1 to ${size} from the bottom; or "pass".`,
          textLike(`${point}|pass`),
        ),
        about(
          'Only in matches with people, after two passes: marks the chain of a stone, agrees to what is marked, or plays on.',
          textLike(`(dead|alive) ${point}|agree|play on`),
        ),
      ),
      view: {
        board: about(
          `board[row][column], row 0 on top, which is row ${size}: X is Black (player 0), O is White (player 1), "." is empty.`,
          grid(size, size, stoneMark),
        ),
        size: about('Rows and columns of the board.', always(size)),
        komi: about('Points that White is given.', always(komi)),
        captures: about('Stones that each player has taken.', bySeat(whole(0))),
        lastMove: about(
          'The last point, or "pass"; null before the first move.',
          orNull(textLike(`${point}|pass`)),
        ),
        movesLeft: about('Moves until the match ends by itself.', whole(0, 3 * area)),
        score: about(
          'The points of each player if the match ended now, with all stones alive.',
          bySeat({ type: 'number', minimum: 0, multipleOf: 0.5 }),
        ),
        marking: about(
          'Only in matches with people: how far both are with marking dead stones.',
          oneOf(['later', 'now', 'agreed', 'refused']),
        ),
        dead: about(
          'Only in matches with people: the stones that are marked as dead.',
          upTo(area, textLike(point)),
        ),
      },
      optional: ['marking', 'dead'],
    },

    look: state => {
      const { board, captures, last, marking } = state
      const dead = marking?.dead ?? []
      const [black, white] = scoresOf(countedBoard(state), neighbours, komi)
      return {
        board: {
          surface: 'crossings',
          rows: linesOfBoard(withStars(board, size), size),
          pieces: stones,
          columns,
          rowNames: rows,
          last: typeof last === 'number' ? [cellAt(last, size)] : [],
          marks: [{ kind: 'cross', cells: dead.map(stone => cellAt(stone, size)), means: 'dead' }],
          turns: 'free',
          move: '{column}{row}',
        },
        panels: [
          line(
            `${isOver(state) ? 'Score' : 'If it ended now'}: Black ${black}, White ${white}. `,
            `Stones taken: ${captures[0]} by Black, ${captures[1]} by White.`,
          ),
          ...(last === 'pass' && !isOver(state) ? [line('Passed.')] : []),
          ...(dead.length > 0
            ? [line(`Marked as dead: ${dead.map(stone => points[stone]).join(' ')}.`)]
            : []),
          ...(marking?.stage === 'now' ? [line('Mark dead stones, then agree; or play on.')] : []),
        ],
        alt: lastMoveWords(typeof last === 'number' ? points[last]! : last),
      }
    },

    guess: ({ board, toMove }, seat) => {
      const lead = influence(board, neighbours, toMove) - komi
      return Math.tanh((seat === 0 ? lead : -lead) / 20)
    },
  }

  function isOver({ moves, passes, marking }: Go): boolean {
    if (moves >= 3 * area || marking?.stage === 'agreed') return true
    return passes >= 2 && marking?.stage !== 'now'
  }

  /** Without what is dead, once both have agreed and as long as they may; otherwise all stones count. */
  function countedBoard(state: Go): string {
    const { board, marking } = state
    const isMarked = marking?.stage === 'agreed' || (marking?.stage === 'now' && !isOver(state))
    return isMarked ? marking.dead.reduce((left, stone) => put(left, stone, '.'), board) : board
  }

  function markingOf({ dead }: Marking, stone: number): string {
    return `${dead.includes(stone) ? 'alive' : 'dead'} ${points[stone]!}`
  }

  /** A point alone changes what its chain is marked as; to pass is to agree. */
  function readMarking(move: string, marking: Marking): string | undefined {
    const [, word = '', name = ''] = /^(?:(dead|alive) +)?([a-z]\d+)$/i.exec(move) ?? []
    const stone = cells.get(name.toUpperCase())
    if (stone !== undefined)
      return word === '' ? markingOf(marking, stone) : `${word.toLowerCase()} ${points[stone]!}`
    const lower = move.toLowerCase()
    if (lower === 'pass') return 'agree'
    return lower === 'agree' || lower === 'play on' ? lower : undefined
  }

  function mark(state: Go, marking: Marking, seat: Seat, move: Json): Go | Illegal {
    const moves = state.moves + 1
    const { dead, isOffered, next } = marking
    if (move === 'agree')
      return isOffered
        ? { ...state, moves, marking: { ...marking, stage: 'agreed' } }
        : { ...state, moves, toMove: 1 - seat, marking: { ...marking, isOffered: true } }
    if (move === 'play on')
      return {
        ...state,
        moves,
        toMove: next,
        passes: 0,
        marking: { ...unmarked, stage: 'refused' },
      }
    const stone =
      typeof move === 'string' ? cells.get(move.replace(/^(dead|alive) /, '')) : undefined
    if (stone === undefined || state.board[stone] === '.' || move !== markingOf(marking, stone))
      return illegal(
        `both have passed: a move is "dead" or "alive" with the point of a stone that is not marked so, "agree", or "play on", ${got(move)}`,
      )
    const { stones } = chainsOn(state.board, neighbours)(stone)
    const marked = dead.includes(stone)
      ? dead.filter(other => !stones.includes(other))
      : [...dead, ...stones].sort((a, b) => a - b)
    return { ...state, moves, marking: { ...marking, dead: marked, isOffered: false } }
  }
}

/** Connected stones of one colour. */
type Chain = {
  readonly stones: readonly number[]
  readonly liberties: number
  readonly low: number
  readonly high: number
}
type Neighbours = readonly (readonly number[])[]
type Hash = { readonly low: number; readonly high: number }

function neighboursOf(cell: number, size: number): number[] {
  const x = cell % size
  const found: number[] = []
  if (cell >= size) found.push(cell - size)
  if (x > 0) found.push(cell - 1)
  if (x < size - 1) found.push(cell + 1)
  if (cell < size * (size - 1)) found.push(cell + size)
  return found
}

function finalOf(scores: readonly [number, number], end: string): Final {
  const [more, less] = scores[0] > scores[1] ? scores : scores.toReversed()
  return {
    places: scores[0] > scores[1] ? [1, 2] : [2, 1],
    scores,
    because: `${end}, ${more} points to ${less}`,
  }
}

/** The area of both, as if all stones were alive. */
function scoresOf(board: string, neighbours: Neighbours, komi: number): readonly [number, number] {
  const area = { X: 0, O: 0 }
  const done = new Set<number>()
  for (let cell = 0; cell < board.length; cell++) {
    const mark = board[cell]!
    if (mark !== '.') area[mark as 'X' | 'O']++
    else if (!done.has(cell)) {
      const { points, borders } = regionAt(board, neighbours, cell)
      for (const point of points) done.add(point)
      if (borders === 'X' || borders === 'O') area[borders] += points.length
    }
  }
  return [area.X, area.O + komi]
}

/** Connected empty points, and the colours they touch. */
function regionAt(board: string, neighbours: Neighbours, from: number) {
  const points = [from]
  const found = new Set(points)
  const borders = new Set<string>()
  for (const point of points)
    for (const next of neighbours[point]!)
      if (board[next] !== '.') borders.add(board[next]!)
      else if (!found.has(next)) {
        found.add(next)
        points.push(next)
      }
  return { points, borders: [...borders].join('') }
}

/** How many more points are nearer to black, stones that can be taken at once being as good as taken. */
function influence(board: string, neighbours: Neighbours, toMove: Seat): number {
  const chainAt = chainsOn(board, neighbours)
  const owners = Array<number>(board.length).fill(0)
  const reached: number[] = []
  let sum = 0
  for (let cell = 0; cell < board.length; cell++) {
    if (board[cell] === '.') continue
    const { liberties } = chainAt(cell)
    const isLost = liberties === 1 && board[cell] !== markOf(toMove)
    owners[cell] = (board[cell] === 'X') !== isLost ? 1 : -1
    // Room to breathe decides where nothing else does.
    sum += owners[cell]! * (1 + Math.min(liberties, 8) / 50)
    reached.push(cell)
  }
  for (const from of reached)
    for (const next of neighbours[from]!)
      if (owners[next] === 0) {
        owners[next] = owners[from]!
        sum += owners[next]!
        reached.push(next)
      }
  return sum
}

const markOf = (seat: Seat) => (seat === 0 ? 'X' : 'O')

/** Looks chains up, each one followed only when first asked for. */
function chainsOn(board: string, neighbours: Neighbours): (cell: number) => Chain {
  const chains: Chain[] = []
  const visited = new Int16Array(board.length).fill(-1)
  return cell => {
    const known = chains[cell]
    if (known) return known
    const mark = board[cell]
    const stones = [cell]
    let liberties = 0
    let low = 0
    let high = 0
    visited[cell] = cell
    for (const stone of stones) {
      low ^= lowKey(stone, mark)
      high ^= highKey(stone, mark)
      for (const next of neighbours[stone]!) {
        if (visited[next] === cell) continue
        if (board[next] === '.') liberties++
        else if (board[next] === mark) stones.push(next)
        else continue
        visited[next] = cell
      }
    }
    const chain = { stones, liberties, low, high }
    for (const stone of stones) chains[stone] = chain
    return chain
  }
}

/** What a stone here would take, and the hash of the board after it; undefined where it would be suicide. */
function tryOut(
  board: string,
  seen: readonly number[],
  seat: Seat,
  cell: number,
  neighbours: Neighbours,
  chainAt: (cell: number) => Chain,
): (Hash & { readonly taken: readonly Chain[] }) | undefined {
  const mine = markOf(seat)
  const taken: Chain[] = []
  let breathes = false
  let low = seen.at(-2)! ^ lowKey(cell, mine)
  let high = seen.at(-1)! ^ highKey(cell, mine)
  for (const next of neighbours[cell]!) {
    if (board[next] === '.') breathes = true
    else if (board[next] === mine) breathes ||= chainAt(next).liberties > 1
    else {
      const chain = chainAt(next)
      if (chain.liberties > 1 || taken.includes(chain)) continue
      taken.push(chain)
      low ^= chain.low
      high ^= chain.high
    }
  }
  return breathes || taken.length > 0 ? { taken, low, high } : undefined
}

// One key for each point and colour, in two halves. They are not taken from the dice, which are linear: two numbers
// they give in a row say no more than one, and 32 bits are too few for a whole game.
const keys = Int32Array.from({ length: 2 * 2 * 19 * 19 }, (_, i) => mixed(i + 1))

const lowKey = (cell: number, mark: string | undefined) => keys[4 * cell + (mark === 'X' ? 0 : 2)]!
const highKey = (cell: number, mark: string | undefined) => keys[4 * cell + (mark === 'X' ? 1 : 3)]!

function mixed(i: number): number {
  let x = Math.imul(i, 0x9e3779b9)
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}

// To ask after every point of a board whether it repeats one of a thousand positions, a table says of most
// that they cannot. It is empty except while `moves` is at work.
const table = new Uint8Array(0x1_0000)

function remember(seen: readonly number[]): void {
  for (let i = 0; i < seen.length; i += 2) table[seen[i]! & 0xffff] = 1
}

function forget(seen: readonly number[]): void {
  for (let i = 0; i < seen.length; i += 2) table[seen[i]! & 0xffff] = 0
}

const mayBeSeen = ({ low }: Hash): boolean => table[low & 0xffff] === 1

function isSeen(seen: readonly number[], { low, high }: Hash): boolean {
  for (let i = 0; i < seen.length; i += 2) if (seen[i] === low && seen[i + 1] === high) return true
  return false
}
