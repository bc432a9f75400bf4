import { describe, expect, it } from 'vitest'
import { lookText } from '../drawing/look-text.ts'
import { chess, chessFrom } from './chess.ts'
import { fromFen, legalMoves, moved, type Position, toFen } from './chess-moves.ts'
import { sanOf } from './chess-san.ts'
import { illegal, isIllegal } from './game.ts'

type State = ReturnType<typeof chess.start>

const positions = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
  'r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1',
  'rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8',
  'r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10',
] as const

describe('chess', () => {
  it.each([
    [positions[0], [20, 400, 8902, 197_281]],
    [positions[1], [48, 2039, 97_862, 4_085_603]],
    [positions[2], [14, 191, 2812, 43_238, 674_624]],
    [positions[3], [6, 264, 9467, 422_333]],
    [positions[4], [44, 1486, 62_379, 2_103_487]],
    [positions[5], [46, 2079, 89_890, 3_894_594]],
  ])('has as many lines from %s as have been published', (fen, published) => {
    const lines = (position: Position, depth: number): number => {
      const moves = legalMoves(position)
      return depth === 1
        ? moves.length
        : moves.reduce((sum, move) => sum + lines(moved(position, move), depth - 1), 0)
    }
    expect(published.map((_, i) => lines(fromFen(fen), i + 1))).toEqual(published)
  })

  it.each([
    ['fool’s mate', '', 'f3 e5 g4 Qh4', [2, 1], 'checkmate'],
    ['smothered mate', '6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1', 'Nf7', [1, 2], 'checkmate'],
    ['no move left', '7k/8/8/5Q2/8/8/8/K7 w - - 0 1', 'Qf7', [1, 1], 'stalemate'],
    [
      'the position for the third time',
      '',
      'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8',
      [1, 1],
      'threefold repetition',
    ],
    [
      'a hundred quiet half moves',
      '7k/8/8/8/8/8/R7/K7 w - - 99 80',
      'Rb2',
      [1, 1],
      'fifty moves without a capture or a pawn move',
    ],
    ['mate on the last of them', '7k/8/6K1/8/8/8/8/R7 w - - 99 80', 'Ra8', [1, 2], 'checkmate'],
    ['bare kings', 'k7/8/8/8/8/8/1r6/K7 w - - 0 1', 'Kxb2', [1, 1], 'insufficient material'],
    ['a lone knight', 'k7/8/8/8/8/2N5/1r6/K7 w - - 0 1', 'Kxb2', [1, 1], 'insufficient material'],
    [
      'bishops of one colour',
      'k4b2/8/8/8/1b1B4/8/1r6/K7 w - - 0 1',
      'Kxb2',
      [1, 1],
      'insufficient material',
    ],
  ])('ends: %s', (_, fen, moves, places, because) => {
    const list = moves.split(' ')
    expect(chess.status(played(fen, list))).toEqual({ places, because })
    expect(chess.status(played(fen, list.slice(0, -1)))).toHaveProperty('toMove')
  })

  it.each([
    ['a knight against a knight', 'kn6/8/8/8/8/8/8/KN6 w - - 0 1'],
    ['bishops of both colours', 'kb6/8/8/8/8/8/8/KB6 w - - 0 1'],
    ['a pawn', 'k7/8/8/8/8/8/P7/K7 w - - 0 1'],
  ])('goes on with %s', (_, fen) => {
    expect(chess.status(chessFrom(fen))).toEqual({ toMove: [0] })
  })

  it('counts a position apart as long as a pawn could be taken in passing', () => {
    const there = ['Ke7', 'Ke2', 'Ke8', 'Ke1']
    const state = played('4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1', ['e4', ...there, ...there])
    expect(chess.status(state)).toEqual({ toMove: [1] })
    const again = chess.play(state, 1, 'e8e7') as State
    expect(chess.status(again)).toMatchObject({ because: 'threefold repetition' })
  })

  it.each([
    ['e4', 'a pawn that cannot be taken', 'KQkq -'],
    ['e4 a6 e5 d5', 'a pawn that can', 'KQkq d6'],
    ['e4 e5 Ke2', 'a king that moved', 'kq -'],
    ['h4 g5 hxg5 h6 Rxh6', 'a rook that moved', 'Qkq -'],
    ['h4 g5 hxg5 h6 Rxh6 Bg7 Rxh8', 'a rook that was taken', 'Qq -'],
  ])('after %s writes %s into the FEN', (moves, _, fields) => {
    expect(chess.view(played('', moves.split(' ')), 0).fen).toContain(` ${fields} `)
  })

  it('keeps the FEN it was given', () => {
    for (const fen of positions) expect(toFen(fromFen(fen))).toBe(fen)
  })

  it.each([
    ['O-O', 'e1g1'],
    ['0-0-0+', 'e1c1'],
    ['Rad1', 'a1d1'],
    ['Ra1d1', 'a1d1'],
    ['Qxf6', 'f3f6'],
    ['Q3xf6!?', 'f3f6'],
    ['dxe6', 'd5e6'],
    ['dxe6#', 'd5e6'],
    ['e1g1', 'e1g1'],
    ['Rd9', 'Rd9'],
    ['Nc3', 'Nc3'],
    ['nonsense', 'nonsense'],
    [7, 7],
  ])('reads %s', (text, uci) => {
    expect(chess.read!(chessFrom(positions[1]), 0, text)).toBe(uci)
  })

  it.each([
    ['8/P6k/8/8/8/8/8/K7 w - - 0 1', 'a8=Q', 'a7a8q'],
    ['8/P6k/8/8/8/8/8/K7 w - - 0 1', 'a8=N', 'a7a8n'],
    ['1n5k/P7/8/8/8/8/8/K7 w - - 0 1', 'axb8=R+', 'a7b8r'],
    ['7k/8/8/3pP3/8/8/8/K7 w - d6 0 1', 'exd6', 'e5d6'],
    ['7k/8/8/8/1N3N2/8/8/K7 w - - 0 1', 'Nbd5', 'b4d5'],
    ['7k/1N6/8/8/8/1N6/8/K7 w - - 0 1', 'N3c5', 'b3c5'],
    ['7k/8/8/1Q1Q4/8/1Q6/8/6K1 w - - 0 1', 'Qb5c4', 'b5c4'],
    ['7k/8/6K1/8/8/8/8/R7 w - - 0 1', 'Ra8#', 'a1a8'],
    ['r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1', 'O-O-O', 'e8c8'],
  ])('in %s writes %s', (fen, san, uci) => {
    const state = chessFrom(fen)
    expect(sanOf(state, uci)).toBe(san)
    expect(chess.read!(state, state.toMove, san)).toBe(uci)
  })

  it('writes every move so that it reads the same move back', () => {
    for (const fen of positions) {
      const state = chessFrom(fen)
      const moves = chess.moves!(state, state.toMove)
      const written = moves.map(move => sanOf(state, move))
      expect(new Set(written).size).toBe(moves.length)
      expect(written.map(san => chess.read!(state, state.toMove, san))).toEqual(moves)
    }
  })

  it('tells what was wrong with a move', () => {
    expect(chess.play(chessFrom(positions[0]), 0, 'e2e5')).toEqual(
      illegal('"e2e5" is not possible here'),
    )
    expect(chess.play(chessFrom(positions[0]), 0, ['e2e4'])).toEqual(
      illegal('a move is from square to square, such as "e2e4" or "e7e8q", got a list of 1'),
    )
  })

  const knights = '7k/8/8/8/1N3N2/8/8/K7 w - - 0 1'
  const pawn = '8/4P2k/8/8/8/8/8/K7 w - - 0 1'
  const castling = '7k/8/8/8/8/8/8/R3K2R w KQ - 0 1'
  it.each([
    [knights, 'Nd5', '"Nd5" is ambiguous: Nbd5 or Nfd5'],
    [knights, 'nd5', '"nd5" is ambiguous: Nbd5 or Nfd5'],
    [knights, 'Nd6', '"Nd6" is not possible here'],
    [pawn, 'e8', '"e8" needs a promotion piece: e8=Q, e8=R, e8=B or e8=N'],
    [pawn, ' e7e8 ', '" e7e8 " needs a promotion piece: e7e8q, e7e8r, e7e8b or e7e8n'],
    [castling, 'Kg1', '"Kg1" would be castling: write O-O or e1g1'],
    [castling, 'Kc1', '"Kc1" would be castling: write O-O-O or e1c1'],
    [
      castling,
      '\ufeffe1g1',
      'a move is from square to square, such as "e2e4" or "e7e8q", got "<U+FEFF>e1g1"',
    ],
    [
      castling,
      'castle\u001b[2J',
      'a move is from square to square, such as "e2e4" or "e7e8q", got "castle<U+001B>[2J"',
    ],
  ])('in %s says of %j what to write', (fen, sent, reason) => {
    const state = chessFrom(fen)
    expect(chess.read!(state, 0, sent)).toBe(sent)
    expect(chess.play(state, 0, sent)).toEqual(illegal(reason))
  })

  // A bishop and a pawn of file b that both can take on c3.
  const both = '7k/8/8/8/8/2p5/1P6/B3K3 w - - 0 1'
  it.each([
    [both, 'bxc3', 'b2c3'],
    [both, 'Bxc3', undefined],
    ['7k/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1', 'bxc3', 'b2c3'],
    ['7k/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1', 'Bxc3', 'd2c3'],
    ['7k/8/8/8/8/2p5/3B4/4K3 w - - 0 1', 'bxc3', 'd2c3'],
    ['7k/8/8/8/8/2p5/1P6/4K3 w - - 0 1', 'BXC3', 'b2c3'],
    ['7k/8/8/8/8/8/1P1B4/4K3 w - - 0 1', 'B2c3', 'd2c3'],
    ['7k/8/8/8/8/8/1P1B4/4K3 w - - 0 1', 'B2B3', 'b2b3'],
    [castling, ' E1G1\n', 'e1g1'],
    [castling, '0-0-0', 'e1c1'],
    [castling, 'o-o', 'e1g1'],
    [castling, 'rA8+', 'a1a8'],
    [pawn, 'E8=q', 'e7e8q'],
    [pawn, 'e8n', 'e7e8n'],
    [pawn, 'E7E8R', 'e7e8r'],
  ])('in %s reads %j as it is written, then whatever its capitals', (fen, sent, uci) => {
    expect(chess.read!(chessFrom(fen), 0, sent)).toBe(uci ?? sent)
  })

  it('shows the board from White’s side, and marks where the last move went', () => {
    const state = played('', ['e4', 'e5', 'Qh5', 'Nc6', 'Qxf7'])
    expect(chess.view(state, 1)).toMatchObject({ lastMove: 'h5f7', check: true })
    expect(lookText(chess.look(state, 1))).toBe(
      [
        '  a b c d e f g h',
        '8 r . b q(k)b n r 8',
        '7 p p p p .[Q]p p 7',
        '6 . . n . . . . . 6',
        '5 . . . . p . . . 5',
        '4 . . . . P . . . 4',
        '3 . . . . . . . . 3',
        '2 P P P P . P P P 2',
        '1 R N B . K B N R 1',
        '  a b c d e f g h',
        '',
        '( ) in check',
      ].join('\n'),
    )
  })
})

function played(fen: string, moves: readonly string[]): State {
  let state = fen ? chessFrom(fen) : chess.start(1, 2)
  for (const move of moves) {
    const next = chess.play(state, state.toMove, chess.read!(state, state.toMove, move))
    if (isIllegal(next)) throw new Error(`${move}: ${next.reason}`)
    state = next
  }
  return state
}
