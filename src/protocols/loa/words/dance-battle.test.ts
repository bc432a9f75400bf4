import { describe, expect, it } from 'vitest'
import { endOf, Worded } from '../../../../test/support/worded.ts'
import { type Beat, danceBattle, danceOn, type Floor } from '../../../games/dance-battle.ts'
import type { Json, Viewer } from '../../../games/game.ts'
import { danceBattle as words } from './dance-battle.ts'

const move = (direction: string) => ({ kind: 'move', direction })
const act = (action: string, motto?: string) => ({
  kind: 'action',
  action,
  ...(motto !== undefined && { motto }),
})

const commands: Readonly<Record<string, Json>> = {
  up: move('up'),
  down: move('down'),
  left: move('left'),
  right: move('right'),
  hold: move('hold'),
  rock: act('rock'),
  paper: act('paper'),
  scissors: act('scissors'),
}

/** "up hold rock still here": a command a beat, and a motto after the last. */
const plan = (text: string, beats = 3) => {
  const steps = text.split(' ').slice(0, beats)
  const motto = text.split(' ').slice(beats).join(' ')
  return {
    commands: steps.map((step, beatIndex) => ({
      beatIndex,
      ...(commands[step] as object),
      ...(motto !== '' && beatIndex === beats - 1 && { motto }),
    })),
  }
}

/** Five by three tiles with a wall in the middle, and the dancers in two rows beside it. */
const floorOf = (...rounds: Beat[][]): Floor => ({
  width: 5,
  height: 3,
  walls: [{ x: 2, y: 1 }],
  spawns: [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 0, y: 2 },
    { x: 4, y: 2 },
  ],
  rounds,
})

const on = (floor: Floor, viewer: Viewer = 0) => new Worded(danceOn(floor), viewer)

const play = (match: Worded, ...plans: string[]) =>
  match.round(...plans.map(text => plan(text, text.split(' ').length)))

const beatsText = (...kinds: Beat[]) =>
  kinds.map((kind, beatIndex) => `{"beatIndex":${beatIndex},"kind":"${kind}"}`).join()

const names = ['Nova', 'Pike', 'Rook', 'Wren']

const agentText = (seat: number, rest: string) =>
  `{"agentId":"a-${seat + 1}","agentName":"${names[seat]}","seat":${seat},${rest}}`

/** `4,4 true 0 "" null`: where it is, whether it is alive, its score, its motto and its end. */
const agentsText = (...dancers: (readonly [number, number, boolean, number, string, string])[]) =>
  dancers
    .map(([x, y, alive, score, motto, out], seat) =>
      agentText(
        seat,
        `"x":${x},"y":${y},"alive":${alive},"stunned":false,"score":${score},"motto":"${motto}","eliminatedAt":${out}`,
      ),
    )
    .join()

const out = (round: number, beatIndex: number) => `{"round":${round},"beatIndex":${beatIndex}}`

/** Of one beat: "0,0 stunned" is where each dancer is then. */
const beatText = (beatIndex: number, kind: Beat, positions: readonly string[], clashes = '') => {
  const places = positions.map((text, seat) => {
    const [tile = '', ...flags] = text.split(' ')
    const [x, y] = tile.split(',')
    return `{"agentId":"a-${seat + 1}","x":${x},"y":${y},"stunned":${flags.includes('stunned')},"alive":${!flags.includes('out')}}`
  })
  return `{"beatIndex":${beatIndex},"kind":"${kind}","positions":[${places}],"clashes":[${clashes}]}`
}

const clash = (winner: number, loser: number, auto = false) =>
  `{"winner":"a-${winner + 1}","loser":"a-${loser + 1}","auto":${auto}}`

const floorText = (...rounds: Beat[][]) => {
  const sequence = rounds.map((beats, i) => `{"round":${i + 1},"beats":[${beatsText(...beats)}]}`)
  return (
    '"map":{"width":5,"height":3,"walls":[{"x":2,"y":1}],"spawns":[{"x":0,"y":0},{"x":1,"y":0},{"x":0,"y":2},{"x":4,"y":2}]},' +
    `"beatSequence":{"rounds":[${sequence}]}`
  )
}

const rankingsText = (...order: (readonly [seat: number, score: number])[]) =>
  order
    .map(
      ([seat, score], i) =>
        `{"agentId":"a-${seat + 1}","agentName":"${names[seat]}","finalScore":${score},"rank":${i + 1}}`,
    )
    .join()

const gridOf = (...rows: string[]) => JSON.stringify(rows.map(row => row.split(' ')))

describe('a state of dance-battle', () => {
  it('begins with all dancers on the standard floor', () => {
    const sequence = Array.from(
      { length: 30 },
      (_, i) => `{"round":${i + 1},"beats":[${beatsText('move', 'move', 'stress')}]}`,
    )
    const publicState =
      '{"gameType":"dance-battle","status":"active","round":1,"maxRounds":30,' +
      '"map":{"width":17,"height":17,"walls":[],"spawns":[{"x":4,"y":4},{"x":12,"y":4},{"x":4,"y":12},{"x":12,"y":12}]},' +
      `"beatSequence":{"rounds":[${sequence}]},` +
      `"agents":[${agentsText(
        [4, 4, true, 0, '', 'null'],
        [12, 4, true, 0, '', 'null'],
        [4, 12, true, 0, '', 'null'],
        [12, 12, true, 0, '', 'null'],
      )}],"lastRound":null,"matchResult":null}`
    const empty = Array(17).fill('·').join(' ')
    const pair = (a: string, b: string) => `· · · · ${a} · · · · · · · ${b} · · · ·`
    const rows = Array(17).fill(empty).with(4, pair('1️⃣', '2️⃣')).with(12, pair('3️⃣', '4️⃣'))
    const match = new Worded(danceBattle, 2)
    expect(match.state()).toEqual({
      round: 1,
      scores: [0, 0, 0, 0],
      grid: gridOf(...rows),
      extra: `{"currentRound":1,"maxRounds":30,"scores":{"a-1":0,"a-2":0,"a-3":0,"a-4":0},"publicState":${publicState}}`,
      publicState,
    })
    expect(match.resolved).toBe(0)
  })

  it('has what happened in the last round, walls, mottos, and no eliminated dancer on the board', () => {
    const beats: Beat[] = ['move', 'stress', 'move', 'stress']
    const match = on(floorOf(beats, ['move']), 'audience')
    // Pike runs into Nova and is caught; Rook and Wren go their ways.
    match.round(
      plan('hold rock hold rock Ha "ha"', 4),
      plan('left rock hold rock', 4),
      plan('right paper up rock', 4),
      plan('up paper left rock bye', 4),
    )
    const publicState =
      `{"gameType":"dance-battle","status":"active","round":2,"maxRounds":2,${floorText(beats, ['move'])},` +
      `"agents":[${agentsText(
        [0, 0, true, 0, 'Ha \\"ha\\"', 'null'],
        [1, 0, false, 0, '', out(1, 1)],
        [1, 1, true, 0, '', 'null'],
        [3, 1, true, 0, 'bye', 'null'],
      )}],"lastRound":{"round":1,"beats":[` +
      [
        beatText(0, 'move', ['0,0', '1,0 stunned', '1,2', '4,1']),
        beatText(1, 'stress', ['0,0', '1,0 stunned out', '1,2', '4,1'], clash(0, 1, true)),
        beatText(2, 'move', ['0,0', '1,0 stunned out', '1,1', '3,1']),
        beatText(3, 'stress', ['0,0', '1,0 stunned out', '1,1', '3,1']),
      ].join() +
      ']},"matchResult":null}'
    expect(match.state()).toEqual({
      round: 2,
      scores: [0, 0, 0, 0],
      grid: gridOf('1️⃣ · · · ·', '· 3️⃣ 🧱 4️⃣ ·', '· · · · ·'),
      extra: `{"currentRound":2,"maxRounds":2,"scores":{"a-1":0,"a-2":0,"a-3":0,"a-4":0},"publicState":${publicState}}`,
      publicState,
    })
  })

  it('draws a stunned dancer as one', () => {
    const seen = {
      map: { width: 2, height: 1, walls: [] },
      beatSequence: {},
      agents: [
        { seat: 0, x: 0, y: 0, alive: true, stunned: true },
        { seat: 1, x: 1, y: 0, alive: true, stunned: false },
      ],
      scores: [0, 0],
      lastRound: null,
      matchResult: null,
      toMove: [0, 1],
    }
    const two = [1, 2].map(n => ({ agentId: `a-${n}`, agentName: `${n}` }))
    expect(words.state(seen, two, null).grid).toBe(gridOf('💫 2️⃣'))
  })

  it('changes by the motto of a dancer that is out', () => {
    const match = on(floorOf(['stress'], ['stress'], ['stress']))
    play(match, 'rock', 'scissors', 'rock', 'rock')
    match.play(1, plan('rock boo', 1))
    expect(JSON.parse(match.state().publicState!).agents[1].motto).toBe('')
    for (const seat of [0, 2, 3]) match.play(seat, plan('rock', 1))
    expect(JSON.parse(match.state().publicState!).agents[1].motto).toBe('boo')
  })
})

describe('a match that is over', () => {
  const stress: Beat[] = ['stress']
  const beaten = '{"winner":"a-1","loser":"a-2","auto":false}'

  it('by its last round has the result', () => {
    const match = on(floorOf(stress))
    play(match, 'rock', 'scissors', 'rock', 'rock')
    const end = endOf(1, [1, 0, 0, 0], [0, 2, 3, 1])
    const publicState =
      `{"gameType":"dance-battle","status":"completed","round":1,"maxRounds":1,${floorText(stress)},` +
      `"agents":[${agentsText(
        [0, 0, true, 1, '', 'null'],
        [1, 0, false, 0, '', out(1, 0)],
        [0, 2, true, 0, '', 'null'],
        [4, 2, true, 0, '', 'null'],
      )}],"lastRound":{"round":1,"beats":[${beatText(0, 'stress', ['0,0', '1,0 out', '0,2', '4,2'], beaten)}]},` +
      '"matchResult":{"reason":"max_rounds","draw":false,"totalRounds":1,' +
      `"rankings":[${rankingsText([0, 1], [2, 0], [3, 0], [1, 0])}]}}`
    expect(match.resolved).toBe(1)
    expect(match.state(end)).toEqual({
      round: 1,
      scores: [1, 0, 0, 0],
      grid: gridOf('1️⃣ · · · ·', '· · 🧱 · ·', '3️⃣ · · · 4️⃣'),
      extra: `{"currentRound":1,"maxRounds":1,"scores":{"a-1":1,"a-2":0,"a-3":0,"a-4":0},"publicState":${publicState}}`,
      publicState,
    })
  })

  const lineUp = (...xs: number[]): Floor => ({
    ...floorOf(stress, stress),
    spawns: xs.map(x => ({ x, y: 0 })),
  })

  const ended = {
    last_standing: () =>
      play(on(lineUp(0, 1, 2, 3)), 'scissors', 'rock', 'scissors', 'rock')
        .fall(1)
        .play(3, plan('rock', 1)),
    // The last two who dance are late, while those whom they beat are still at the table.
    all_eliminated: () =>
      play(on(lineUp(0, 1, 3, 4)), 'rock', 'scissors', 'rock', 'scissors')
        .fall(0)
        .fall(2),
  }

  it.each(Object.entries(ended))('has its reason: %s', (reason, play) => {
    const match = play()
    const { publicState } = match.state(endOf(1, [0, 0, 0, 0], [0, 1, 2, 3]))
    expect(JSON.parse(publicState!).matchResult.reason).toBe(reason)
  })

  it.each(['timeout', 'error'] as const)('has the reason of the host: %s', reason => {
    const match = on(floorOf(stress, stress))
    if (reason === 'timeout') for (const seat of [1, 2, 3]) match.fall(seat)
    const end = endOf(0, [0, 0, 0, 0], [0, 3, 2, 1], { reason })
    const { publicState, round } = match.state(end)
    expect(round).toBe(0)
    expect(JSON.parse(publicState!)).toMatchObject({ status: 'completed', round: 0 })
    expect(JSON.stringify(JSON.parse(publicState!).matchResult)).toBe(
      `{"reason":"${reason}","draw":false,"totalRounds":0,"rankings":[${rankingsText([0, 0], [3, 0], [2, 0], [1, 0])}]}`,
    )
    expect(match.updates(end)).toEqual([])
  })

  it('has the reason of the host before that of the rules', () => {
    const end = endOf(1, [1, 0, 1, 0], [3, 1, 2, 0], { reason: 'timeout' })
    const { publicState } = ended.all_eliminated().state(end)
    expect(JSON.parse(publicState!).matchResult.reason).toBe('timeout')
  })

  it('in a draw says so', () => {
    const match = play(on(floorOf(stress)), 'rock', 'rock', 'rock', 'rock')
    const { publicState } = match.state(endOf(1, [0, 0, 0, 0], [0, 1, 2, 3], { draw: true }))
    expect(JSON.parse(publicState!).matchResult).toMatchObject({ reason: 'max_rounds', draw: true })
  })
})

describe('a turn_update of dance-battle', () => {
  const updateText = (
    round: number,
    actions: readonly string[],
    summary: string,
    scores: readonly number[],
  ) => {
    const moves = actions.map(
      (action, seat) =>
        `{"agentId":"a-${seat + 1}","agentName":"${names[seat]}","action":"${action}"}`,
    )
    const points = scores.map((score, seat) => `"${names[seat]}":${score}`)
    return `{"type":"turn_update","gameId":"g-19","round":${round},"moves":[${moves}],"roundSummary":"${summary}","scores":{${points}}}`
  }

  it('has the plan of each dancer in the order of the beats', () => {
    const match = new Worded(danceBattle, 0)
    play(match, 'up down rock', 'left right paper', 'hold hold scissors', 'up up rock')
    expect(match.updates()).toEqual([
      updateText(
        1,
        ['⬆️ ⬇️ ✊', '⬅️ ➡️ ✋', '⏸️ ⏸️ ✌️', '⬆️ ⬆️ ✊'],
        'Round 1: No eliminations!',
        [0, 0, 0, 0],
      ),
    ])
  })

  it('waits for all, names the eliminated, and has no plan of a dancer that is out', () => {
    const match = on(floorOf(['stress', 'stress'], ['stress', 'move']), 'audience')
    match
      .play(0, plan('rock paper', 2))
      .play(1, plan('scissors rock', 2))
      .play(2, plan('rock rock', 2))
    expect(match.updates()).toEqual([])
    match.play(3, plan('rock rock', 2))
    expect(match.updates()).toEqual([
      updateText(1, ['✊ ✋', '✌️ ✊', '✊ ✊', '✊ ✊'], 'Round 1: Pike eliminated!', [1, 0, 0, 0]),
    ])
    match.play(1, plan('paper up boo', 2))
    for (const seat of [0, 2, 3]) match.play(seat, plan('rock hold', 2))
    expect(match.updates()).toEqual([
      updateText(2, ['✊ ⏸️', '—', '✊ ⏸️', '✊ ⏸️'], 'Round 2: No eliminations!', [1, 0, 0, 0]),
    ])
  })

  it('names several in the order of their elimination', () => {
    const match = on({
      ...floorOf(['stress', 'move', 'stress']),
      spawns: [0, 1, 3, 4].map(x => ({ x, y: 0 })),
    })
    play(match, 'rock hold rock', 'rock hold rock', 'scissors left rock', 'rock hold rock')
    expect(match.updates()[0]).toContain('"roundSummary":"Round 1: Rook eliminated!"')
    const both = on({
      ...floorOf(['stress', 'stress']),
      spawns: [0, 1, 3, 4].map(x => ({ x, y: 0 })),
    })
    play(both, 'rock rock', 'rock paper', 'rock rock', 'paper rock')
    expect(both.updates()[0]).toContain('"roundSummary":"Round 1: Rook, Nova eliminated!"')
  })

  it('follows from the fall of the last dancer that was waited for', () => {
    const match = on(floorOf(['stress'], ['stress']))
    for (const seat of [0, 1, 2]) match.play(seat, plan('rock', 1))
    expect(match.fall(3).updates()).toEqual([
      updateText(1, ['✊', '✊', '✊', '—'], 'Round 1: No eliminations!', [0, 0, 0, 0]),
    ])
    expect(match.state().round).toBe(2)
  })
})
