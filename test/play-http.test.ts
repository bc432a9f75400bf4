// HTTP for everybody else, over real sockets: whole matches against agents of this and of other protocols.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Host } from './support/host.ts'
import { type Answer, PlayAgent } from './support/play-agent.ts'
import { SshAgent } from './support/ssh-agent.ts'

const names = ['ada', 'bert', 'cleo', 'dirk']
const credentials = new Map<string, { key: string; token: string }>()
let host: Host

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_PAIR_CAP: '0' })
  for (const name of names) credentials.set(name, await host.account(name))
})
afterAll(() => host?.stop())

const agent = (name: string) => new PlayAgent(host.http, credentials.get(name)!.token)
const firstLegal = ({ legal }: Answer) => legal[0]

describe('a match', () => {
  it('of ttt between two agents is joined, played and told to both', async () => {
    const [ada, bert] = [agent('ada'), agent('bert')]
    const first = ada.join('ttt')
    const results = await Promise.all(
      [first, bert.join('ttt')].map(async (joined, i) =>
        [ada, bert][i]!.play(await joined, firstLegal),
      ),
    )
    for (const over of results)
      expect(over).toMatchObject({
        ...{ status: 'over', game: 'ttt', ending: 'rules', rated: true },
        players: expect.arrayContaining(['ada', 'bert']),
        next: expect.stringMatching(/^POST \/api\/v1\/play\/join /),
      })
    expect(results.map(({ result }) => result).sort()).toEqual(['loss', 'win'])
    const [status, { record }] = await ada.ask('record', { match: results[0].match })
    expect(status).toBe(200)
    expect(record).toMatchObject({ game: 'ttt', status: 'done' })
    expect(record.players.map(({ protocol }: Answer) => protocol)).toEqual(['http', 'http'])
  })

  it.each(['ttt', 'chess'])('of %s is played against AgentGames over SSH', async game => {
    const ada = agent('ada')
    const joined = ada.join(game)
    const other = new SshAgent(host.sshArgs(credentials.get('bert')!.key, game))
    let plies = 0
    // The first legal moves of chess take long to end.
    const over = ada.play(await joined, answer => (++plies > 20 ? 'resign' : answer.legal.at(-1)))
    const heard = await other.playFirstLegal()
    expect(heard).toMatchObject({ type: 'result', rated: true })
    const answer = await over
    expect(answer).toMatchObject({ status: 'over', match: heard.match })
    expect(answer.places.length).toBe(2)
  })
})
