import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SshHouse } from '../testing/ssh-house.ts'

let house: SshHouse
beforeEach(async () => {
  house = await SshHouse.open()
})
afterEach(() => house.close())

describe('over SSH', () => {
  it('two agents play a match, named by command or by a join line', async () => {
    const a = house.agent('anna')
    const b = house.agent('bert')
    const one = house.ssh(['-i', a.key], 'ttt')
    const two = house.ssh(['-i', b.key])
    two.send({ type: 'join', game: 'ttt' })
    const exits = await Promise.all([one.play(), two.play()])
    expect(exits.map(exit => exit.stderr)).toEqual(['', expect.stringContaining('join line')])
    for (const { code, messages } of exits) {
      expect(messages.map(message => message.type)).toEqual([
        'queued',
        'hello',
        ...Array.from({ length: 7 }, () => 'state'),
        'result',
      ])
      expect(code).toBe(0)
    }
  })
})
