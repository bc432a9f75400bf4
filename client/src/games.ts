// The observations and moves of each game, as docs/games.md explains them.

/** The games with types. A host may have others, with `Observation` and moves as `Json`. */
export interface Games {
  readonly ttt: Ruled<TicTacToe, Digit | '7' | '8'>
  readonly c4: Ruled<{ readonly board: Grid<Mark> }, Digit>
  readonly chess: Ruled<Chess, string>
  readonly go9: Ruled<Go, string>
  readonly go13: Ruled<Go, string>
  readonly go19: Ruled<Go, string>
  readonly gomoku: Ruled<{ readonly board: Grid<Mark>; readonly lastMove: string | null }, string>
  readonly othello: Ruled<{ readonly board: Grid<Mark>; readonly lastMove: string | null }, string>
  readonly echo: Ruled<Echo, { readonly number: number }, Together>
  readonly blotto: Ruled<Blotto, { readonly allocation: readonly number[] }, Together>
  readonly 'even-odd': Ruled<EvenOdd, Parity, Together>
  readonly 'dance-battle': Ruled<Dance, { readonly commands: readonly Command[] }, Together>
  readonly 'skill-gomoku': Ruled<SkillGomoku, StoneOrSkill>
  readonly 'resource-rush': Ruled<ResourceRush, Order, Together>
  readonly bazaar: Ruled<Bazaar, Trading>
  readonly debate: Ruled<Debate, Debating>
  readonly 'spicy-debate': Ruled<Debate, Debating>
  readonly clawpoly: Ruled<Clawpoly, ClawpolyMove, InTurn & { readonly legal: readonly Listed[] }>
}

/** Which ladder: on a blind one no board has the legal moves. */
export type Listing = 'open' | 'blind'

/** The observation of a game; for a game without types, the fields that all games have. */
export type Observation<
  G extends string = string,
  L extends Listing = 'open',
> = G extends keyof Games
  ? L extends 'blind'
    ? Without<Games[G]['observation'], 'legal'>
    : Games[G]['observation']
  : Unknown

type Without<T, Key> = { readonly [K in keyof T as Exclude<K, Key>]: T[K] }

/** A move of a game. */
export type Move<G extends string = string> = G extends keyof Games ? Games[G]['move'] : Json

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [field: string]: Json | undefined }

interface Unknown {
  /** The seat to move, or with simultaneous moves the seats that owe a move; −1 after the end. */
  readonly toMove: number | readonly number[]
  /** The legal moves, if the game lists them. */
  readonly legal?: readonly Json[]
  readonly [field: string]: unknown
}

/** Games with moves as strings list them; other games do not. */
interface Ruled<Seen, Sent, Turns = InTurn> {
  readonly observation: Seen &
    Turns &
    ([Sent] extends [string] ? { readonly legal: readonly Sent[] } : unknown)
  readonly move: Sent
}

interface InTurn {
  /** The seat to move; −1 after the end, and while an audience votes. */
  readonly toMove: number
}

interface Together {
  /** The seats that owe a move; −1 after the end. */
  readonly toMove: readonly number[] | -1
}

type Two<T> = readonly [T, T]
type Four<T> = readonly [T, T, T, T]
/** Row by row from the top. */
type Grid<Cell> = readonly (readonly Cell[])[]
type Mark = 'X' | 'O' | '.'
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6'

interface TicTacToe {
  readonly board: readonly Mark[]
}

interface Chess {
  readonly fen: string
  readonly board: Grid<'K' | 'Q' | 'R' | 'B' | 'N' | 'P' | 'k' | 'q' | 'r' | 'b' | 'n' | 'p' | '.'>
  /** In UCI. */
  readonly lastMove: string | null
  readonly check: boolean
}

interface Go {
  readonly board: Grid<Mark>
  readonly size: number
  readonly komi: number
  readonly captures: Two<number>
  readonly lastMove: string | null
  readonly movesLeft: number
  /** The points of both if the match ended now. */
  readonly score: Two<number>
}

interface Rounds<Round> {
  readonly round: number
  readonly maxRounds: number
  readonly scores: Two<number>
  readonly history: readonly Round[]
}

type Echo = Rounds<{
  readonly round: number
  readonly numbers: Two<number>
  readonly repeats: Two<boolean>
  readonly winner: number | null
}>

interface Blotto
  extends Rounds<{
    readonly round: number
    readonly allocations: Two<readonly number[]>
    readonly fieldsWon: Two<number>
    readonly winner: number | null
  }> {
  readonly soldiers: number
  readonly battlefields: number
}

type Parity = 'even' | 'odd'

type EvenOdd = Rounds<{
  readonly round: number
  readonly choices: Two<Parity>
  readonly drawn: number
  readonly parity: Parity
}>

interface Tile {
  readonly x: number
  readonly y: number
}

interface Beat {
  readonly beatIndex: number
  readonly kind: 'move' | 'stress'
}

interface Dance {
  readonly round: number
  readonly maxRounds: number
  readonly scores: Four<number>
  readonly map: {
    readonly width: number
    readonly height: number
    readonly walls: readonly Tile[]
    readonly spawns: readonly Tile[]
  }
  readonly beatSequence: {
    readonly rounds: readonly { readonly round: number; readonly beats: readonly Beat[] }[]
  }
  readonly agents: Four<
    Tile & {
      readonly seat: number
      readonly stunned: boolean
      readonly score: number
      readonly motto: string
      readonly eliminatedAt: { readonly round: number; readonly beatIndex: number } | null
      readonly forfeited: boolean
      readonly alive: boolean
    }
  >
  readonly lastRound: {
    readonly round: number
    readonly beats: readonly (Beat & {
      readonly positions: Four<
        Tile & { readonly seat: number; readonly stunned: boolean; readonly alive: boolean }
      >
      readonly clashes: readonly {
        readonly winner: number
        readonly loser: number
        readonly auto: boolean
      }[]
    })[]
  } | null
  readonly matchResult: {
    readonly reason: 'last_standing' | 'all_eliminated' | 'max_rounds' | 'timeout'
    readonly draw: boolean
    readonly totalRounds: number
    readonly places: Four<number>
  } | null
}

type Command =
  | {
      readonly beatIndex: number
      readonly kind: 'move'
      readonly direction: 'up' | 'down' | 'left' | 'right' | 'hold'
    }
  | {
      readonly beatIndex: number
      readonly kind: 'action'
      readonly action: 'rock' | 'paper' | 'scissors'
      readonly motto?: string
    }

interface Point {
  readonly row: number
  readonly col: number
}

type Skill = 'uproot' | 'stillwater' | 'sandstorm' | 'rewind'
type Owner = 1 | 2

interface SkillGomoku {
  readonly round: number
  readonly maxRounds: number
  /** 0 empty, 1 black, 2 white. */
  readonly board: Grid<number>
  readonly energy: Two<number>
  readonly rewindUsed: Two<boolean>
  readonly sandstormBlocked: Two<boolean>
  readonly sealedStones: readonly (Point & {
    readonly owner: Owner
    readonly expiresAtMove: number
  })[]
  readonly quietZoneCells: readonly (Point & { readonly owner: Owner })[]
  readonly lastMove: Point | null
  readonly lastSkillEffect: {
    readonly seat: number
    readonly skill: Skill
    readonly target: Point | null
    readonly affectedCells?: readonly (Point & {
      readonly before: number
      readonly after: number
    })[]
  } | null
  readonly passed: readonly number[]
}

type StoneOrSkill =
  | ({ readonly type: 'place' } & Point)
  | { readonly type: 'skill'; readonly skill: Skill; readonly target?: Point | null }

type Direction = 'north' | 'east' | 'south' | 'west'

interface ResourceRush {
  readonly round: number
  readonly maxRounds: number
  readonly tick: number
  readonly maxTicks: number
  readonly mapSize: number
  /** `grid[y][x]`, with the codes of docs/games.md; −1 where you cannot see. */
  readonly grid: Grid<number>
  readonly positions: Two<Tile | null>
  readonly resources: Two<Readonly<Record<'wood' | 'stone' | 'gold' | 'food', number>>>
  readonly scores: Two<number>
  readonly lastActions: Two<
    | { readonly action: 'move'; readonly direction: Direction }
    | { readonly action: 'harvest'; readonly tile: number }
    | { readonly action: 'wait' }
    | null
  >
  readonly thoughts: Two<string | null>
  readonly memory: { readonly [field: string]: Json | undefined }
  /** The legal moves. */
  readonly possibleActions: readonly Action[]
}

type Action =
  | { readonly action: 'move'; readonly direction: Direction }
  | { readonly action: 'harvest' | 'wait' }

type Order = Action & {
  readonly thought?: string
  readonly memory?: { readonly [field: string]: Json | undefined }
}

type Good = 'gold' | 'iron' | 'food' | 'wood'
type Goods = Readonly<Record<Good, number>>
type Goal = { readonly resource: Good; readonly amount: number; readonly points: number }

interface Trade {
  readonly seat: number
  readonly offer: Readonly<Partial<Goods>>
  readonly request: Readonly<Partial<Goods>>
}

interface Bazaar {
  readonly round: number
  readonly maxRounds: number
  readonly first: number
  readonly resources: Goods
  readonly goal: Goal
  readonly pending: Trade | null
  readonly trades: readonly (Trade & { readonly after: number })[]
  readonly proposals: Two<number>
  readonly maxProposals: number
  readonly messages: readonly {
    readonly number: number
    readonly seat: number
    readonly content: string
    readonly truncated: boolean
  }[]
  readonly result: Two<{
    readonly goal: Goal
    readonly resources: Goods
    readonly held: number
    readonly progress: number
    readonly goalMet: boolean
    readonly totalUnits: number
    readonly score: number
  }> | null
}

type Trading =
  | { readonly action: 'message'; readonly content: string }
  | {
      readonly action: 'propose_trade'
      readonly offer: Readonly<Partial<Goods>>
      readonly request: Readonly<Partial<Goods>>
    }
  | { readonly action: 'accept_trade' | 'reject_trade' }

interface Debate {
  readonly topic: string
  readonly sides: readonly ['for', 'against']
  readonly maxMessages: number
  readonly maxCharacters: number
  readonly messages: readonly {
    readonly number: number
    readonly seat: number
    readonly content: string
    readonly truncated: boolean
  }[]
  readonly left: { readonly seat: number; readonly words: string | null } | null
  readonly voting: boolean
  readonly votes: Two<number> | null
}

/** The text of a message alone is a move, too. */
type Debating =
  | string
  | { readonly action: 'message'; readonly content: string }
  | { readonly action: 'leave'; readonly words?: string }

/** What changes hands: squares by number, money, escape cards. What is left out is nothing. */
interface Bundle {
  readonly properties?: readonly number[]
  readonly money?: number
  readonly escapeCards?: number
}

interface Debt {
  readonly debtor: number
  /** Null for the bank. */
  readonly creditor: number | null
  readonly amount: number
  readonly why: 'rent' | 'tax' | 'card' | 'pot'
}

interface Clawpoly {
  readonly turnNumber: number
  readonly turnLimit: number
  readonly phase: 'roll' | 'pot' | 'buy' | 'debt' | 'build' | 'trade' | 'over'
  /** The seats in turn order. */
  readonly order: readonly number[]
  readonly current: number
  readonly thrown: Two<number> | null
  readonly doubles: number
  readonly bonus: boolean
  readonly players: readonly {
    readonly money: number
    readonly position: number
    readonly inPot: boolean
    readonly potTurns: number
    readonly escapeCards: number
    readonly bankruptAt: number | null
    readonly wealth: number
  }[]
  /** By number; only squares that can be owned have more than a name. */
  readonly squares: readonly {
    readonly name: string
    readonly group?: string
    readonly price?: number
    readonly owner?: number | null
    /** Outposts; 5 is a fortress. */
    readonly level?: number
    readonly mortgaged?: boolean
    readonly rent?: number
  }[]
  readonly seen: { readonly tide: readonly number[]; readonly chest: readonly number[] }
  readonly debt: Debt | null
  readonly dues: readonly Debt[]
  readonly trade: {
    readonly id: number
    readonly from: number
    readonly to: number
    readonly giving: Required<Bundle>
    readonly requesting: Required<Bundle>
  } | null
  readonly offers: number
}

/** All moves but offers of trades. */
type Listed =
  | {
      readonly action:
        | 'roll_dice'
        | 'buy'
        | 'pass'
        | 'end_turn'
        | 'escape_pay'
        | 'escape_card'
        | 'escape_roll'
        | 'raise'
    }
  | {
      readonly action: 'build' | 'sell_building' | 'mortgage' | 'unmortgage'
      readonly square: number
    }
  | { readonly action: 'trade_respond'; readonly accept: boolean }

type ClawpolyMove =
  | Listed
  | {
      readonly action: 'trade_offer'
      readonly to: number
      readonly giving: Bundle
      readonly requesting: Bundle
    }
