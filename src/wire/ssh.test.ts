import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SshHost } from '../../test/support/ssh-host.ts'

let host: SshHost
beforeEach(async () => {
  host = await SshHost.open()
})
afterEach(() => host.close())

const states = (count: number) => Array.from({ length: count }, () => 'state')

describe('over SSH', () => {
  it('two agents play a match, the game named by command or by a join line', async () => {
    const anna = host.ssh(['-i', host.agent('anna').key], 'ttt')
    const bert = host.ssh(['-i', host.agent('bert').key])
    bert.send({ type: 'join', game: 'ttt' })
    const exits = await Promise.all([anna.play(), bert.play()])
    for (const { code, messages } of exits) {
      const types = messages.map(message => message.type)
      expect(types).toEqual(['queued', 'hello', ...states(7), 'result'])
      expect(code).toBe(0)
    }
    expect(exits.map(({ messages }) => messages.at(-1)?.rating).sort()).toEqual([1484, 1516])
  })

  it('words for people go to stderr, and only where no game was named', async () => {
    const anna = host.ssh(['-i', host.agent('anna').key], 'ttt')
    const bert = host.ssh(['-i', host.agent('bert').key])
    bert.send({ type: 'join', game: 'ttt' })
    const exits = await Promise.all([anna.play(), bert.play()])
    expect(exits.map(exit => exit.stderr)).toEqual(['', expect.stringContaining('join line')])
  })

  it('several matches are played on one connection', async () => {
    const anna = host.ssh(['-i', host.agent('anna').key], 'ttt', '--matches', '2')
    const bert = host.ssh(['-i', host.agent('bert').key], 'ttt --matches=2')
    for (const { code, messages } of await Promise.all([anna.play(), bert.play()])) {
      expect(messages.filter(message => message.type === 'result')).toHaveLength(2)
      expect(code).toBe(0)
    }
  })

  it('two sessions of one connection are two agents', async () => {
    const { key } = host.agent('anna')
    const control = `${host.folder}/control`
    const shared = ['-o', `ControlPath=${control}`, '-o', 'ControlMaster=auto', '-i', key]
    const one = host.ssh(shared, 'ttt')
    await one.until('queued')
    const two = host.ssh(shared, 'ttt')
    await two.until('queued')
    const bert = host.ssh(['-i', host.agent('bert').key], 'ttt --matches 2')
    for (const { code, messages } of await Promise.all([one.play(), two.play(), bert.play()])) {
      expect(messages.at(-1)?.type).toBe('result')
      expect(code).toBe(0)
    }
    await expect.poll(() => host.logged).toHaveLength(2)
  })

  it.each([
    ['a game that does not exist', 'whist', 'unknown-game'],
    ['an option that does not exist', 'ttt --colour red', 'bad-join'],
    ['a count that is none', 'ttt --matches many', 'bad-join'],
  ])('%s is refused with one error and exit status 1', async (_, command, code) => {
    const exit = await host.ssh(['-i', host.agent('anna').key], ...command.split(' ')).exit
    expect(exit.messages).toMatchObject([{ type: 'error', code }])
    expect(exit.code).toBe(1)
  })

  it('an agent that finds no opponent is told so, with exit status 1', async () => {
    const patience = await SshHost.open({ queueWait: 100 })
    const exit = await patience.ssh(['-i', patience.agent('anna').key], 'ttt').exit
    expect(exit.messages).toMatchObject([{ type: 'queued' }, { code: 'no-opponent' }])
    expect(exit.code).toBe(1)
    await patience.close()
  })

  it('an agent that is dismissed is told why, with exit status 1', async () => {
    const { account, key } = host.agent('anna')
    const anna = host.ssh(['-i', key], 'ttt')
    await anna.until('queued')
    expect(host.roster.size).toBe(1)
    host.accounts.ban(account)
    await host.roster.review()
    expect(await anna.exit).toMatchObject({ code: 1, messages: [{}, { code: 'banned' }] })
    expect(host.roster.size).toBe(0)
    expect(host.arena.waiting).toEqual([])
  })

  it('a last line counts, without a line break and with the input closed after it', async () => {
    const anna = host.ssh(['-i', host.agent('anna').key], 'ttt')
    const bert = host.ssh(['-i', host.agent('bert').key], 'ttt')
    await Promise.all([anna.until('state'), bert.until('state')])
    bert.process.stdin.end('{"type":"resign"}')
    expect((await anna.exit).messages.at(-1)).toMatchObject({
      outcome: 'win',
      reason: 'resignation',
    })
  })

  it('a refusal and the end of a connection are each logged, with the same id', async () => {
    const anna = host.ssh(['-i', host.agent('anna').key], 'whist')
    await anna.exit
    await expect.poll(() => host.logged).toHaveLength(2)
    const who = {
      wire: 'ssh',
      connection: 'run-ssh-1',
      address: '127.0.0.1',
      account: 'anna',
    }
    expect(host.logged).toMatchObject([
      { ...who, msg: 'refused', code: 'unknown-game' },
      {
        ...who,
        msg: 'connection ended',
        ms: expect.any(Number),
        bytesRead: expect.any(Number),
        bytesWritten: expect.any(Number),
        refused: 1,
        reason: 'sent away',
      },
    ])
  })

  it('a host that stops accepting keeps the connections that it has', async () => {
    const anna = host.ssh(['-i', host.agent('anna').key], 'ttt')
    const bert = host.ssh(['-i', host.agent('bert').key], 'ttt')
    await Promise.all([anna.until('state'), bert.until('state')])
    host.wire.stopAccepting()
    const carl = host.ssh(['-i', host.agent('carl').key], 'ttt')
    expect(await carl.exit).toMatchObject({ code: 255, stderr: /Connection refused/ })
    bert.send({ type: 'resign' })
    expect(await anna.until('result')).toMatchObject({ outcome: 'win' })
  })

  it('closing lets clients read their last message, and cuts those that have none', async () => {
    const anna = host.ssh(['-i', host.agent('anna').key], 'ttt')
    const bert = host.ssh(['-i', host.agent('bert').key])
    await anna.until('queued')
    await host.arena.close(0)
    await Promise.all([host.wire.close(), anna.exit, bert.exit])
    expect(await anna.exit).toMatchObject({ code: 1, messages: [{}, { code: 'shutting-down' }] })
    expect(await bert.exit).toMatchObject({ code: 255 })
    host.wire = { ...host.wire, close: async () => {} }
  })
})
