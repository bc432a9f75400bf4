import { describe, expect, it } from 'vitest'
import {
  type Beat,
  type Dancer,
  danceBattle,
  danceOn,
  danceRound,
  type Floor,
  type Step,
} from './dance-battle.ts'
import { Dice } from './dice.ts'
import {
  type Game,
  type GameEvent,
  illegal,
  isIllegal,
  type Json,
  stateAfter,
  stateOf,
} from './game.ts'

const floorOf = (...rounds: Beat[][]): Floor => ({
  width: 17,
  height: 17,
  walls: [{ x: 2, y: 2 }],
  spawns: [],
  rounds,
})

// "4,4 right rock | 6,4 left paper": where each dancer stands, then its steps.
const readDancers = (text: string) =>
  text.split(' | ').map(side => {
    const [tile = '', ...steps] = side.split(' ')
    const [x = 0, y = 0] = tile.split(',').map(Number)
    return { dancer: { ...resting, x, y }, steps: steps as Step[] }
  })

const resting: Dancer = {
  x: 0,
  y: 0,
  stunned: false,
  score: 0,
  motto: '',
  eliminatedAt: null,
  forfeited: false,
}

const write = ({ x, y, stunned, score, eliminatedAt }: Dancer) =>
  [
    `${x},${y}`,
    stunned ? 'stunned' : '',
    score > 0 ? `+${score}` : '',
    eliminatedAt ? `out@${eliminatedAt.beatIndex}` : '',
  ]
    .filter(Boolean)
    .join(' ')

const dance = (beats: Beat[], text: string) => {
  const sides = readDancers(text)
  return danceRound(
    floorOf(beats),
    1,
    sides.map(({ dancer }) => dancer),
    sides.map(({ steps }) => steps),
  )
}

describe('a move beat', () => {
  it.each([
    ['two for one tile', '4,4 right | 6,4 left', '4,4 stunned | 6,4 stunned'],
    ['into one who holds', '4,4 right | 5,4 hold', '4,4 stunned | 5,4'],
    ['a swap', '4,4 right | 5,4 left', '4,4 stunned | 5,4 stunned'],
    [
      'a collision blocks the dancer that follows',
      '4,4 right | 5,4 right | 7,4 left',
      '4,4 stunned | 5,4 stunned | 7,4 stunned',
    ],
    ['a tile being vacated', '4,4 right | 5,4 right', '5,4 | 6,4'],
    ['a chain onto a wall', '4,2 left | 3,2 left | 9,9 hold', '4,2 stunned | 3,2 stunned | 9,9'],
    ['off the map', '0,0 up | 16,16 right', '0,0 stunned | 16,16 stunned'],
    ['a rotation of four', '4,4 right | 5,4 down | 5,5 left | 4,5 up', '5,4 | 5,5 | 4,5 | 4,4'],
    ['past each other on other rows', '4,4 right | 5,5 left', '5,4 | 4,5'],
    ['one step each way', '4,4 up | 9,9 down', '4,3 | 9,10'],
  ])('%s', (_, before, after) => {
    expect(dance(['move'], before).dancers.map(write).join(' | ')).toBe(after)
  })

  it('leaves the stunned where they are, in the way of others', () => {
    const { dancers } = dance(['move', 'move'], '0,4 left right | 1,5 hold up | 0,6 up up')
    expect(dancers.map(write).join(' | ')).toBe('0,4 stunned | 1,4 | 0,5 stunned')
  })
})

describe('a stress beat', () => {
  it.each([
    ['rock beats scissors', '4,4 rock | 5,4 scissors', '4,4 +1 | 5,4 out@0'],
    ['scissors beat paper', '4,4 paper | 4,5 scissors', '4,4 out@0 | 4,5 +1'],
    ['paper beats rock', '4,4 paper | 4,3 rock', '4,4 +1 | 4,3 out@0'],
    ['the same sign', '4,4 rock | 5,4 rock', '4,4 | 5,4'],
    ['corners do not touch', '4,4 rock | 5,5 scissors', '4,4 | 5,5'],
    [
      'scoring and going out at once',
      '4,4 rock | 5,4 scissors | 6,4 paper',
      '4,4 +1 | 5,4 +1 out@0 | 6,4 out@0',
    ],
    ['scoring twice', '4,4 scissors | 5,4 rock | 6,4 scissors', '4,4 out@0 | 5,4 +2 | 6,4 out@0'],
    ['beaten twice', '4,4 rock | 5,4 scissors | 6,4 rock', '4,4 +1 | 5,4 out@0 | 6,4 +1'],
  ])('%s', (_, before, after) => {
    expect(dance(['stress'], before).dancers.map(write).join(' | ')).toBe(after)
  })

  it.each([
    [
      'the stunned go out, and no dancer scores',
      '1,0 hold rock | 0,0 left rock | 9,9 hold rock',
      '1,0 | 0,0 stunned out@1 | 9,9',
    ],
    [
      'two stunned leave each other alone',
      '0,0 up rock | 1,0 up scissors',
      '0,0 stunned | 1,0 stunned',
    ],
  ])('%s', (_, before, after) => {
    expect(dance(['move', 'stress'], before).dancers.map(write).join(' | ')).toBe(after)
  })
})

describe('a round', () => {
  it('takes any beats in any order, and dancers that are out block no cell', () => {
    const { dancers, beats } = dance(
      ['stress', 'move', 'move', 'stress', 'move', 'move'],
      [
        '4,4 rock right down paper left up',
        '5,4 scissors hold hold rock hold hold',
        '5,6 rock hold hold rock hold hold',
        '9,9 rock up up rock up up',
      ].join(' | '),
    )
    expect(dancers.map(write)).toEqual(['4,4 +2', '5,4 out@0', '5,6 out@3', '9,5'])
    expect(beats.flatMap(({ clashes }) => clashes)).toEqual([
      { winner: 0, loser: 1, auto: false },
      { winner: 0, loser: 2, auto: false },
    ])
  })

  it('ends with the beat that leaves one standing', () => {
    const { beats } = dance(['stress', 'move', 'stress'], '4,4 rock up rock | 5,4 scissors up rock')
    expect(beats.map(({ beatIndex }) => beatIndex)).toEqual([0])
  })
})

// Dancers in two pairs of neighbours, far from each other.
const pairs = (...rounds: Beat[][]) =>
  danceOn({
    ...floorOf(...rounds),
    spawns: [
      { x: 4, y: 4 },
      { x: 5, y: 4 },
      { x: 12, y: 4 },
      { x: 13, y: 4 },
    ],
  })

const sign = (action: string, motto?: Json) => ({
  commands: [{ beatIndex: 0, kind: 'action', action, ...(motto !== undefined && { motto }) }],
})

const playAll = <State>(
  game: Pick<Game<State, GameEvent>, 'play'>,
  from: State,
  moves: [number, Json][],
): State =>
  moves.reduce((state, [seat, move]) => {
    const next = stateAfter(game, state, seat, move)
    if (isIllegal(next)) throw new Error(next.reason)
    return next
  }, from)

const signs = (...actions: string[]) =>
  actions.map((action, seat): [number, Json] => [seat, sign(action)])

const isOut = (move: Json) => JSON.stringify(move).includes('"-"')

describe('dance-battle', () => {
  const stress = pairs(['stress'], ['stress'], ['stress'])
  const start = stress.start(1, 4)
  const others = signs('rock', 'rock', 'rock', 'rock').slice(1)

  it('waits for the living and lets the eliminated send a motto', () => {
    const one = playAll(stress, start, signs('rock', 'scissors', 'rock', 'rock'))
    expect(stress.status(one)).toEqual({ toMove: [0, 2, 3], mayAct: [1] })
    const heard = playAll(stress, one, [[1, sign('rock', ' so close\u0007 ')]])
    expect(stress.status(heard)).toEqual({ toMove: [0, 2, 3] })
    expect(stress.view(heard, 1)).toEqual(stress.view(one, 1))
    const two = playAll(stress, heard, [
      [3, sign('rock', 'x'.repeat(99))],
      [0, sign('rock', '')],
      [2, sign('rock', 7)],
    ])
    expect(two.dancers.map(({ motto }) => motto.length)).toEqual([0, 8, 0, 60])
    expect(stress.status(two)).toEqual({ toMove: [0, 2, 3], mayAct: [1] })
  })

  it.each<[Json | undefined, string]>([
    [undefined, 'first'],
    [7, 'first'],
    ['second', 'second'],
    ['  ', ''],
  ])('a motto followed by %j is %j', (motto, after) => {
    const one = playAll(stress, start, [[0, sign('rock', 'first')], ...others])
    const two = playAll(stress, one, [[0, sign('rock', motto)], ...others])
    expect([one, two].map(({ dancers }) => dancers[0]!.motto)).toEqual(['first', after])
  })

  // Rounds of one sign a seat, "-" for who is out already.
  it.each([
    [
      ['rock rock rock rock', 'rock rock rock rock', 'rock rock rock rock'],
      [1, 1, 1, 1],
    ],
    [
      ['rock rock rock rock', 'rock rock rock rock', 'rock rock rock scissors'],
      [2, 2, 1, 4],
    ],
    [
      ['rock scissors rock rock', 'rock - rock rock', 'rock - rock scissors'],
      [1, 4, 1, 3],
    ],
  ])('%j is danced to the places %j', (rounds, places) => {
    const moves = rounds.flatMap(round => signs(...round.split(' ')))
    const end = playAll(
      stress,
      start,
      moves.filter(([, move]) => !isOut(move)),
    )
    expect(stress.status(end)).toMatchObject({ because: 'the last round is danced', places })
    const draw = places.filter(place => place === 1).length > 1
    expect(stress.view(end, 0).matchResult).toMatchObject({ reason: 'max_rounds', draw, places })
  })

  it('puts the last one standing first, even with fewer points', () => {
    const cross = danceOn({
      ...floorOf(['stress'], ['stress']),
      spawns: [
        { x: 4, y: 4 },
        { x: 5, y: 4 },
        { x: 6, y: 4 },
        { x: 5, y: 5 },
      ],
    })
    const end = playAll(cross, cross.start(1, 4), [
      ...signs('scissors', 'rock', 'scissors', 'rock'),
      [1, sign('rock')],
      [3, sign('paper')],
    ])
    expect(cross.status(end)).toEqual({
      places: [3, 2, 3, 1],
      scores: [0, 2, 0, 1],
      because: 'last one standing',
    })
  })
})

describe('a dancer who leaves', () => {
  const stress = pairs(['stress'], ['stress'])
  const start = stress.start(1, 4)
  const drop = (from: typeof start, ...seats: number[]) =>
    seats.reduce((state, seat) => stateOf(stress.drop!(state, seat)), from)

  it('is out, and the round no longer waits for it', () => {
    const waiting = playAll(stress, start, signs('rock', 'rock', 'rock'))
    const state = drop(waiting, 3)
    expect(stress.view(state, 0)).toMatchObject({
      round: 2,
      agents: [{}, {}, {}, { alive: false }],
    })
    expect(stress.status(state)).toEqual({ toMove: [0, 1, 2] })
  })

  it.each([
    ['all but one', [0, 1, 2], [2, 2, 2, 1], 'all others forfeited'],
    ['all', [0, 1, 2, 3], [1, 1, 1, 1], 'all others forfeited'],
  ])('ends it when %s leave', (_, seats, places, because) => {
    expect(stress.status(drop(start, ...seats))).toMatchObject({ places, because })
  })

  const twoLeft = playAll(stress, start, signs('rock', 'scissors', 'rock', 'scissors'))

  it('ranks behind those who were beaten, and the survivor dances one more beat', () => {
    const one = drop(twoLeft, 0)
    expect(stress.status(one)).toEqual({ toMove: [2], mayAct: [1, 3] })
    const end = playAll(stress, one, [[2, sign('rock')]])
    expect(stress.status(end)).toMatchObject({ places: [4, 2, 1, 2], because: 'last one standing' })
    expect(drop(end, 2)).toEqual(end)
  })

  it('ends without a dancer standing when the last two leave', () => {
    expect(stress.status(drop(twoLeft, 0, 2))).toMatchObject({
      places: [3, 1, 3, 1],
      because: 'nobody is left standing',
    })
  })
})

describe('a plan', () => {
  const move = (beatIndex: number, direction: Json) => ({ beatIndex, kind: 'move', direction })
  const action = { beatIndex: 2, kind: 'action', action: 'paper', motto: 'still here' }
  const start = danceBattle.start(1, 4)

  it('may list its beats in any order', () => {
    const commands = [action, move(1, 'hold'), move(0, 'up')]
    expect(danceBattle.play(start, 0, { commands })).not.toSatisfy(isIllegal)
  })

  it('keeps of a plan what it is made of, in the order of its beats', () => {
    const state = danceBattle.start(1, 4)
    const plain = danceBattle.anyMove!(state, 0, Dice.fromSeed(1)) as { commands: object[] }
    const loaded = plain.commands.map(command => ({ ...command, ballast: 'x'.repeat(9000) }))
    const move = JSON.parse(JSON.stringify({ commands: loaded.toReversed() }))
    expect(JSON.stringify(danceBattle.read!(state, 0, move))).toBe(JSON.stringify(plain))
  })

  it.each<[Json, string]>([
    ['up', 'a move is {"commands":[…]}, got "up"'],
    [{ commands: [] }, 'commands must be a list of 3, one a beat, got a list of 0'],
    [[move(0, 'up'), move(0, 'up'), action], 'beat 0 needs exactly one command, got 2'],
    [[move(0, 'up'), null, action], 'beat 1 needs exactly one command, got 0'],
    [[move(0, 'up'), move(1, 'up'), move(2, 'up')], 'beat 2 needs "kind":"action", got "move"'],
    [
      [move(0, 'north'), move(1, 'up'), action],
      'direction at beat 0 must be up, down, left, right, hold, got "north"',
    ],
    [
      [move(0, 'up'), move(1, 'up'), { ...action, action: 'lizard' }],
      'action at beat 2 must be rock, paper, scissors, got "lizard"',
    ],
  ])('%j is refused', (sent, reason) => {
    const plan = Array.isArray(sent) ? { commands: sent } : sent
    expect(danceBattle.play(start, 0, plan)).toEqual(illegal(reason))
  })

  it('is improvised into all that the rules know', () => {
    const dice = Dice.fromSeed(1)
    const plans = Array.from({ length: 100 }, () => danceBattle.anyMove?.(start, 0, dice))
    for (const word of [
      'up',
      'down',
      'left',
      'right',
      'hold',
      'rock',
      'paper',
      'scissors',
      'motto',
    ])
      expect(JSON.stringify(plans)).toContain(`"${word}"`)
  })
})
