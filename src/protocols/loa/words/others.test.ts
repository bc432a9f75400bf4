import { describe, expect, it } from 'vitest'
import { endOf, Worded } from '../../../../test/support/worded.ts'
import { bazaar } from '../../../games/bazaar.ts'
import { chess } from '../../../games/chess.ts'
import { debate } from '../../../games/debate.ts'
import { evenOdd } from '../../../games/even-odd.ts'
import { games } from '../../../games/index.ts'
import { ttt } from '../../../games/ttt.ts'
import { wordsOf } from './index.ts'

const updateText = (
  moves: readonly (readonly [number, string])[],
  round: number,
  scores: string,
) => {
  const actions = moves.map(
    ([seat, action]) =>
      `{"agentId":"a-${seat + 1}","agentName":"${['Nova', 'Pike'][seat]}","action":${JSON.stringify(action)}}`,
  )
  return `{"type":"turn_update","gameId":"g-19","round":${round},"moves":[${actions}],"roundSummary":"Round ${round}","scores":${scores}}`
}
const open = '{"Nova":0,"Pike":0}'

describe('the rounds of a game', () => {
  it('are those of League of Agents, and unknown elsewhere', () => {
    const counted = games.flatMap(game => {
      const { maxRounds, spectators } = wordsOf(game)
      return maxRounds === null ? [] : [[game.id, maxRounds, spectators]]
    })
    expect(counted).toEqual([
      ['echo', 5, 'audience'],
      ['blotto', 5, 'audience'],
      ['dance-battle', 30, 'audience'],
      ['skill-gomoku', 300, 'audience'],
      ['resource-rush', 500, 'replay'],
    ])
  })
})

describe('a state of another game', () => {
  it('has the observation, and the legal moves beside it', () => {
    expect(new Worded(ttt, 1).play(0, { move: '4' }).state()).toEqual({
      round: 1,
      scores: [0, 0],
      grid: 'null',
      extra:
        '{"currentRound":1,"maxRounds":null,"scores":{"a-1":0,"a-2":0},' +
        '"observation":{"board":[".",".",".",".","X",".",".",".","."],"toMove":1},' +
        '"legal":["0","1","2","3","5","6","7","8"]}',
    })
  })

  it('has the scores and rounds that the game shows', () => {
    const words = new Worded(evenOdd, 0)
    expect([words.resolved, words.state().round]).toEqual([0, 1])
    words.round({ move: 'even' }, { move: 'odd' })
    expect(words.resolved).toBe(1)
    const { scores, extra } = words.state(endOf(1, [7, 7], [1, 0]))
    const { history } = JSON.parse(extra).observation
    expect(scores).toEqual(history[0].parity === 'odd' ? [0, 1] : [1, 0])
  })

  it('has the final scores where the game shows none', () => {
    const words = new Worded(ttt, 0).fall(0)
    const end = endOf(0, [0, 1], [1, 0], { reason: 'timeout' })
    expect(words.state(end)).toMatchObject({ round: 0, scores: [0, 1] })
  })

  it('has no legal moves where the game lists none', () => {
    const { extra } = new Worded(bazaar, 0).state()
    expect(Object.keys(JSON.parse(extra))).toEqual([
      'currentRound',
      'maxRounds',
      'scores',
      'observation',
    ])
  })
})

describe('a turn_update of another game', () => {
  it('has the move as people write it, or as it is', () => {
    const knight = new Worded(chess, 1).play(0, { move: 'g1f3' })
    expect(knight.updates()).toEqual([updateText([[0, 'Played Nf3']], 1, open)])
    expect(new Worded(ttt, 1).play(0, { move: '4' }).updates()).toEqual([
      updateText([[0, 'Played 4']], 1, open),
    ])
  })

  it('shows a secret move to its own seat alone', () => {
    const first = bazaar.start(1, 2).first
    const other = 1 - first
    const said = { action: 'message', content: 'Hello' }
    const [own, seen] = [first, other].map(viewer =>
      new Worded(bazaar, viewer).play(first, { move: said }).updates(),
    )
    expect(own).toEqual([updateText([[first, `Played ${JSON.stringify(said)}`]], 1, open)])
    expect(seen).toEqual([updateText([[first, 'Acted']], 1, open)])
  })

  it('waits for all where seats move together, and shows each its own move', () => {
    const words = new Worded(evenOdd, 0).play(0, { move: 'even' })
    expect(new Worded(evenOdd, 0).play(0, { move: 'even' }).updates()).toEqual([])
    words.play(1, { move: 'even' })
    const { scores } = words.state()
    expect(words.updates()).toEqual([
      updateText(
        [
          [0, 'Played even'],
          [1, 'Acted'],
        ],
        1,
        `{"Nova":${scores[0]},"Pike":${scores[1]}}`,
      ),
    ])
  })

  it('has no action for what an audience has voted', () => {
    const words = new Worded(debate, 0).play(1, { move: { action: 'leave' } })
    expect(words.updates()).toEqual([updateText([[1, 'Played leaves']], 1, open)])
    words.play(0, { move: { votes: [3, 1] } })
    expect(words.updates()).toEqual([updateText([], 1, open)])
  })

  it('does not follow from a fall', () => {
    expect(new Worded(ttt, 0).fall(0).updates(endOf(0, [0, 1], [1, 0]))).toEqual([])
  })
})
