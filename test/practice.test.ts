// Practice in the real process, on every transport.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Host } from './support/host.ts'
import { SshAgent } from './support/ssh-agent.ts'

let host: Host
beforeAll(async () => {
  host = await Host.start({ AGENTBBS_MAX_PRACTICE_PER_ACCOUNT: '1' })
})
afterAll(() => host.stop())

describe('an unknown house player is refused at once, with the known names', () => {
  const refusal = {
    type: 'error',
    code: 'bad-join',
    error: 'practice: no house player "godlike" plays ttt; there are level-1, level-2, level-3',
  }

  it('by SSH', async () => {
    const { key } = await host.account('ann')
    const agent = new SshAgent(host.sshArgs(key, 'ttt', '--practice', 'godlike'))
    expect(await agent.next()).toEqual(refusal)
    expect(await agent.closed).toBe(1)
  })

  it('by WebSocket', async () => {
    const { token } = await host.account('bob')
    const agent = host.agent(token, '?game=ttt&practice=godlike')
    expect(await agent.next()).toEqual(refusal)
    expect(await agent.closed).toBe(1008)
  })

  it('by a join message', async () => {
    const { token } = await host.account('cat')
    const agent = await host.agent(token, '').opened()
    agent.say({ type: 'join', game: 'ttt', practice: 'godlike' })
    expect(await agent.next()).toEqual(refusal)
    expect(await agent.closed).toBe(1008)
  })
})

it.each([
  ['1', 'house-level-1'],
  ['easy', 'house-level-1'],
  ['hard', 'house-level-3'],
  ['level-3', 'house-level-3'],
])('practice=%s seats %s', async (practice, opponent) => {
  const { token } = await host.account(`dan-${practice}`)
  const agent = host.agent(token, `?game=ttt&practice=${practice}`)
  expect(await agent.next('hello')).toMatchObject({ opponent, rated: false })
})

it('is limited for each account by the environment', async () => {
  const [{ token }, other] = await Promise.all([host.account('eve'), host.account('fay')])
  await host.agent(token, '?game=ttt&practice=1').next('hello')
  const second = host.agent(token, '?game=c4&practice=1')
  expect(await second.next()).toMatchObject({ code: 'too-many-matches', retryAfter: 10 })
  await host.agent(other.token, '?game=c4&practice=1').next('hello')
})
