import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../test/support/play-agent.ts'
import { type Paired, PlayHouse, post } from '../../../test/support/play-house.ts'
import { strictTerms } from '../../../test/support/played.ts'
import { TestPlayer } from '../../../test/support/test-player.ts'

describe('join', () => {
  it('waits for an opponent, and answers with the first board', async () => {
    const house = new PlayHouse()
    const waiting = await house.call('ada', 'join', { game: 'ttt' })
    expect(waiting.answer).toBe(null)
    await house.call('bert', 'join', { game: 'ttt' })
    expect(waiting.answer).toEqual({
      ...{ status: expect.stringMatching(/^(your_turn|matched)$/), seat: expect.any(String) },
      ...{ game: 'ttt', match: 1, you: expect.any(Number), ply: 1, since: [] },
      ...{ ladder: 'ttt+thinking', rated: true, clock: { move_s: 20, bank_s: 600 } },
      ...(waiting.answer.you === 0 && { time_left_s: 620 }),
      players: expect.arrayContaining(['ada', 'bert']),
      board: { board: Array(9).fill('.'), toMove: 0 },
      ...(waiting.answer.you === 0 && { legal: expect.arrayContaining(['4']) }),
      next: expect.stringContaining(post(waiting.answer.you === 0 ? 'move' : 'wait')),
    })
  })

  it('answers that it waits after wait_s, and wait goes on with its seat', async () => {
    const house = new PlayHouse()
    const call = await house.call('ada', 'join', { game: 'ttt', wait_s: 5 })
    await house.pass(4_999)
    expect(call.answer).toBe(null)
    await house.pass(1)
    const { seat } = call.answer
    const next = `${post('wait')} with seat`
    expect(call.answer).toEqual({
      ...{ status: 'waiting', seat, game: 'ttt', ladder: 'ttt+thinking', for: 'opponent', next },
    })
    const wait = await house.call('ada', 'wait', { seat })
    await house.call('bert', 'join', { game: 'ttt' })
    expect(wait.answer).toMatchObject({ seat, match: 1 })
  })

  it('gives the same seat again until a call names it, as its answer may be lost', async () => {
    const house = new PlayHouse()
    await (await house.call('ada', 'join', { game: 'ttt' })).cut()
    const open = await house.call('ada', 'join', { game: 'ttt' })
    const { seat } = await house.ask('ada', 'join', { game: 'ttt', wait_s: 0 })
    expect(open.answer).toMatchObject({ status: 'superseded', seat })
    expect((await house.ask('ada', 'join', { game: 'ttt', wait_s: 0 })).seat).toBe(seat)
    expect((await house.ask('ada', 'join', { game: 'c4', wait_s: 0 })).seat).not.toBe(seat)
    await house.ask('ada', 'wait', { seat, wait_s: 0 })
    expect((await house.ask('ada', 'join', { game: 'ttt', wait_s: 0 })).seat).not.toBe(seat)
    expect(house.arena.waiting.length).toBe(3)
  })

  it('tells the terms of the match again until a call names the seat', async () => {
    const house = new PlayHouse()
    const join = (name: string) => house.ask(name, 'join', { game: 'ttt', wait_s: 0 })
    await join('ada')
    await join('bert')
    for (let n = 0; n < 2; n++)
      expect(await join('ada')).toMatchObject({ rated: true, clock: { move_s: 20, bank_s: 600 } })
    const { seat } = await join('ada')
    expect(await house.ask('ada', 'wait', { seat, wait_s: 0 })).not.toHaveProperty('clock')
  })

  it('ends without an opponent after the time of the queue', async () => {
    const house = new PlayHouse()
    const { seat } = await house.ask('ada', 'join', { game: 'ttt', wait_s: 0 })
    for (let n = 0; n < 3; n++) {
      await house.call('ada', 'wait', { seat })
      await house.pass(40_000)
    }
    expect(await house.ask('ada', 'wait', { seat })).toMatchObject({
      ...{ status: 'closed', code: 'no-opponent', detail: 'no opponent came' },
      next: expect.stringContaining(post('join')),
    })
  })

  it.each([
    [{ game: 'tttt' }, 400, 'game is "tttt"; expected: one of ttt, c4,'],
    [{}, 400, 'game is missing; expected: one of ttt'],
    [
      { game: 'ttt', sped: 'fast' },
      400,
      'there is no parameter "sped"; expected: game, event, speed',
    ],
    [{ game: 'ttt', speed: 'slow' }, 400, 'speed is "slow"; expected: fast or thinking'],
    [{ game: 'ttt', ladder: 'ttt' }, 400, 'ladder is "ttt"; expected: open or blind'],
    [{ game: 'echo', ladder: 'blind' }, 400, 'no list of moves is given in echo'],
    [{ game: 'ttt', wait_s: 46 }, 400, 'wait_s is "46"; expected: seconds from 0 to 45'],
    [{ game: 'ttt', detail: 'all' }, 400, 'detail is "all"; expected: brief, full, legal'],
    [{ game: 'ttt', practice: 2 }, 400, 'practice is "2"; expected: true, or the level'],
    [{ game: 'ttt', practice: true, opponent: 'bert' }, 400, 'exclude each other'],
    [{ game: 'dance-battle', opponent: 'bert' }, 400, 'has more than two seats'],
    [{ game: 'ttt', opponent: 'Ada' }, 404, 'an account cannot play against itself'],
    [{ game: 'ttt', practice: 'level-99' }, 404, 'no house player "level-99" plays ttt'],
    ['{', 400, 'the body is "{"; expected: JSON'],
    ['[]', 400, 'the body is "[]"; expected: an object with a game'],
  ])('%j is refused with what can be done', async (body, status, error) => {
    const house = new PlayHouse()
    const call = await house.call('ada', 'join', body)
    expect(call.status).toBe(status)
    expect(call.answer).toMatchObject({
      ...{ status: 'refused', error: expect.stringContaining(error) },
      next: expect.stringMatching(/\w/),
    })
    expect(house.arena.waiting).toEqual([])
  })
})

describe('move', () => {
  it('plays, and waits for the board after the answer', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair()
    const answered = house.call(other!.name, 'wait', { seat: other!.seat })
    const call = await house.call(one!.name, 'move', { seat: one!.seat, ply: 1, move: '4' })
    expect(call.answer).toBe(null)
    expect((await answered).answer).toMatchObject({
      ...{ status: 'your_turn', ply: 2, time_left_s: 620, since: [{ seat: 0, move: '4' }] },
      board: { board: ['.', '.', '.', '.', 'X', '.', '.', '.', '.'] },
      next: `${post('move')} with seat, ply 2 and one of legal`,
    })
    await house.pass(30_000)
    await house.call(other!.name, 'move', { seat: other!.seat, ply: 2, move: '0' })
    expect(call.spaces).toBe(2)
    expect(call.answer).toMatchObject({
      ...{ status: 'your_turn', ply: 3 },
      since: [
        { seat: 0, move: '4' },
        { seat: 1, move: '0' },
      ],
    })
  })

  it('of the same ply again is played once, and answered alike', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair()
    const move = { seat: one!.seat, ply: 1, move: '4' }
    const first = await house.call(one!.name, 'move', move)
    await first.cut()
    const again = await house.call(one!.name, 'move', move)
    await house.call(other!.name, 'move', { seat: other!.seat, ply: 2, move: '0' })
    expect(again.answer).toMatchObject({ status: 'your_turn', ply: 3 })
    expect(await house.ask(one!.name, 'move', move)).toEqual(again.answer)
    expect(house.arena.tables.get(1)!.moves.length).toBe(2)
  })

  it('keeps the note that came first with it', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair()
    const move = { seat: one!.seat, ply: 1, move: '4' }
    await house.call(one!.name, 'move', { ...move, note: 'the\ncentre', wait_s: 0 })
    await house.call(one!.name, 'move', { ...move, note: 'on second thoughts' })
    await house.call(other!.name, 'move', { seat: other!.seat, ply: 2, move: '0', note: '  ' })
    await house.call(one!.name, 'move', { ...move, note: 'on third thoughts' })
    await house.call(other!.name, 'leave', { seat: other!.seat })
    expect(house.matchStore.matches[0]!.notes).toEqual({ 1: 'the centre' })
  })

  it.each([
    [{ ply: 1, move: '5' }, 409, 'ply-played', 'ply 1 was answered by "4", which stands'],
    [{ ply: 2, move: '5' }, 409, 'wrong-ply', 'the board is at ply 3, not 2'],
    [{ ply: 9, move: '5' }, 409, 'wrong-ply', 'the board is at ply 3, not 9'],
    [{ ply: 3, move: '4' }, 422, 'illegal-move', 'cell 4 is'],
    [{ ply: 3, move: 5 }, 400, 'unreadable', 'move is 5; expected: a string'],
    [{ ply: 3 }, 400, 'unreadable', 'move is missing; expected: as the rules of the game say'],
    [{ ply: '3', move: '5' }, 400, 'unreadable', 'ply is "3"; expected: the ply of the board'],
    [{ ply: 3, move: '5', why: 'hi' }, 400, 'unreadable', 'there is no parameter "why"'],
    [
      { ply: 3, move: '5', note: 7 },
      400,
      'unreadable',
      'note is "7"; expected: text of at most 280',
    ],
    [
      { ply: 3, move: '5', note: 'n'.repeat(281) },
      400,
      'unreadable',
      `a note has at most 280 characters, got 281: "${'n'.repeat(40)}"…`,
    ],
  ])('%j is refused, and the match goes on', async (body, status, code, error) => {
    const house = new PlayHouse()
    const [one, other] = await house.pair('ttt', { ladder: 'blind' })
    const { seat, name } = one!
    await house.call(name, 'move', { seat, ply: 1, move: '4', wait_s: 0 })
    await house.call(other!.name, 'move', { seat: other!.seat, ply: 2, move: '0' })
    const call = await house.call(name, 'move', { seat, ...body })
    expect(call.status).toBe(status)
    expect(call.answer).toMatchObject({ code, error: expect.stringContaining(error) })
    expect(await house.ask(name, 'wait', { seat })).toMatchObject({ status: 'your_turn', ply: 3 })
  })

  it('that is illegal is counted once for each on a blind ladder, and the third one loses', async () => {
    const house = new PlayHouse()
    const pair = await house.pair('ttt', { ladder: 'blind' })
    const [{ seat, name, first }] = pair as [Paired, Paired]
    expect(first).toMatchObject({ ladder: 'ttt+thinking+blind', status: 'your_turn' })
    expect(first).not.toHaveProperty('legal')
    const bad = (move: unknown) => house.ask(name, 'move', { seat, ply: 1, move })
    expect((await bad('9')).strikes).toEqual({ made: 1, lost_at: 3 })
    expect((await bad('9')).strikes).toEqual({ made: 1, lost_at: 3 })
    expect(await bad('a1')).toMatchObject({
      strikes: { made: 2, lost_at: 3 },
      next: `${post('move')} with seat, the same ply and a legal move; the clock runs on`,
    })
    expect((await house.call(name, 'move', { seat, ply: 1, move: '' })).answer).toMatchObject({
      ...{ status: 'over', result: 'loss', ending: 'illegal', ladder: 'ttt+thinking+blind' },
      next: expect.stringContaining(`${post('record')} with match 1`),
    })
    expect(house.refusals).toEqual(Array(3).fill('illegal-move'))
  })

  it('that is illegal loses on an open ladder, where the legal ones are given', async () => {
    const house = new PlayHouse()
    const [{ seat, name }] = (await house.pair()) as [Paired, Paired]
    const { answer } = await house.call(name, 'move', { seat, ply: 1, move: '9' })
    expect(answer).toMatchObject({ status: 'over', result: 'loss', ending: 'illegal' })
  })

  it('too deep to be written is malformed, which costs nothing', async () => {
    const house = new PlayHouse()
    const [{ seat, name }] = (await house.pair()) as [Paired, Paired]
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const body = `{"seat":"${seat}","ply":1,"move":${deep}}`
    expect(await house.ask(name, 'move', body)).toMatchObject({
      ...{ code: 'unreadable', error: 'a move may be nested 128 deep' },
    })
    for (const body of [`{"seat":${deep}}`, deep, `{"wait_s":${deep}}`])
      expect(await house.ask(name, 'wait', body)).toMatchObject({ code: 'unreadable' })
    expect(house.failures).toEqual([])
  })

  it('before the match is refused', async () => {
    const house = new PlayHouse()
    const { seat } = await house.ask('ada', 'join', { game: 'ttt', wait_s: 0 })
    expect(await house.ask('ada', 'move', { seat, ply: 1, move: '4' })).toMatchObject({
      ...{ code: 'no-match-yet', next: `${post('wait')} with seat` },
    })
  })
})

describe('wait', () => {
  it('is superseded by a newer one, and by a move', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair()
    const { name, seat } = other!
    const first = await house.call(name, 'wait', { seat })
    const second = await house.call(name, 'wait', { seat })
    expect(first.answer).toMatchObject({ status: 'superseded', seat })
    expect(second.answer).toBe(null)
    await house.call(one!.name, 'move', { seat: one!.seat, ply: 1, move: '4' })
    expect(second.answer).toMatchObject({ status: 'your_turn', ply: 2 })
    const move = await house.call(name, 'move', { seat, ply: 2, move: '0' })
    const third = await house.call(name, 'wait', { seat })
    expect([move.answer.status, third.answer]).toEqual(['superseded', null])
  })

  it('answers by 45 s, after a sign of life each 15 s', async () => {
    const house = new PlayHouse()
    const [, other] = await house.pair()
    const call = await house.call(other!.name, 'wait', { seat: other!.seat })
    for (const spaces of [0, 1, 2]) {
      expect(call.spaces).toBe(spaces)
      await house.pass(14_999)
      expect(call.answer).toBe(null)
      await house.pass(1)
    }
    expect(call.status).toBe(200)
    expect(call.answer).toMatchObject({ status: 'waiting', ply: 1, since: [] })
  })

  it.each([
    ['brief', ['since'], ['board', 'legal', 'players']],
    ['legal', ['since', 'legal'], ['board', 'players']],
    ['full', ['since', 'legal', 'board', 'players'], []],
  ])('of detail %s has %j', async (detail, has, lacks) => {
    const house = new PlayHouse()
    const [one] = await house.pair()
    const answer = await house.ask(one!.name, 'wait', { seat: one!.seat, detail })
    expect(Object.keys(answer)).toEqual(expect.arrayContaining(has))
    for (const field of lacks) expect(answer).not.toHaveProperty(field)
  })

  it('answers with the result for 10 minutes', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair()
    await house.call(one!.name, 'leave', { seat: one!.seat })
    const { name, seat } = other!
    const over = await house.ask(name, 'wait', { seat })
    expect(over).toMatchObject({ status: 'over', result: 'win', ending: 'resigned', rated: true })
    await house.pass(600_000)
    expect(await house.ask(name, 'wait', { seat })).toEqual(over)
    await house.pass(1)
    expect(await house.ask(name, 'wait', { seat })).toMatchObject({ code: 'no-seat' })
    expect((await house.ask(name, 'lobby', {})).seats).toEqual([])
  })
})

describe('a seat', () => {
  it('of another account, or unknown, is refused', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair()
    for (const [verb, more] of [
      ['wait', {}],
      ['move', { ply: 1, move: '4' }],
      ['leave', {}],
    ] as const)
      for (const seat of [one!.seat, 'x'.repeat(100)]) {
        const call = await house.call(other!.name, verb, { seat, ...more })
        expect(call.status).toBe(404)
        expect(call.answer).toMatchObject({ code: 'no-seat', next: expect.any(String) })
      }
    expect(house.arena.tables.get(1)!.moves).toEqual([])
  })

  it('is one of several of its account', async () => {
    const house = new PlayHouse()
    const seats = []
    for (const game of ['ttt', 'c4']) {
      const { seat } = await house.ask('ada', 'join', { game, wait_s: 0 })
      seats.push(seat)
      await house.call('bert', 'join', { game })
    }
    for (const [i, seat] of seats.entries())
      expect(await house.ask('ada', 'wait', { seat, wait_s: 0 })).toMatchObject({ match: i + 1 })
    const listed = (await house.ask('ada', 'lobby', {})).seats
    expect(listed.map(({ game }: { game: string }) => game)).toEqual(['ttt', 'c4'])
  })

  it('leaves the queue when no call comes for 60 s', async () => {
    const house = new PlayHouse()
    const { seat } = await house.ask('ada', 'join', { game: 'ttt', wait_s: 0 })
    await house.pass(59_999)
    expect(house.arena.waiting.length).toBe(1)
    await house.pass(1)
    expect(house.arena.waiting).toEqual([])
    expect(await house.ask('ada', 'wait', { seat })).toMatchObject({ code: 'silent' })
  })

  it('loses when its clock is over', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair()
    for (const ms of Array(31).fill(20_000)) {
      void house.call(other!.name, 'wait', { seat: other!.seat })
      await house.pass(ms)
    }
    expect(house.arena.tables.size).toBe(1)
    await house.pass(25)
    expect(await house.ask(one!.name, 'wait', { seat: one!.seat })).toMatchObject({
      ...{ status: 'over', result: 'loss', ending: 'late' },
    })
  })

  it('of a fast match has 15 s for a move', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair('ttt', { speed: 'fast' })
    expect(one!.first).toMatchObject({ ladder: 'ttt', clock: { move_s: 15 }, time_left_s: 15 })
    await house.call(one!.name, 'move', { seat: one!.seat, ply: 1, move: '4', wait_s: 0 })
    await house.pass(15_000)
    await house.call(other!.name, 'move', { seat: other!.seat, ply: 2, move: '0', wait_s: 0 })
    await house.pass(15_026)
    expect(await house.ask(one!.name, 'wait', { seat: one!.seat })).toMatchObject({
      ...{ status: 'over', result: 'loss', ending: 'late' },
    })
  })

  it('of a fast match loses as soon as it is absent, and hears so', async () => {
    const house = new PlayHouse()
    const terms = { ...strictTerms, move: 180_000 }
    const other = new TestPlayer(house.arena, 50, { terms }).seek()
    const { answer } = await house.call('ada', 'join', { game: 'ttt', speed: 'fast' })
    const { seat } = answer
    if (other.seated!.seat === 0) other.handle.move('4')
    const { ply } = await house.ask('ada', 'wait', { seat, wait_s: 0 })
    await house.call('ada', 'move', { seat, ply, move: '0', wait_s: 0 })
    await house.pass(59_999)
    expect(house.arena.tables.size).toBe(1)
    await house.pass(1)
    expect(house.arena.tables.size).toBe(0)
    expect(await house.ask('ada', 'wait', { seat })).toMatchObject({
      ...{ status: 'over', result: 'loss', ending: 'gone' },
    })
  })

  it('meets no seat of another speed or ladder', async () => {
    const house = new PlayHouse()
    const seats = []
    for (const speed of ['fast', 'thinking'])
      for (const ladder of ['open', 'blind']) {
        const request = { game: 'ttt', speed, ladder, wait_s: 0 }
        seats.push((await house.ask('ada', 'join', request)).seat)
        await house.ask('bert', 'join', { ...request, game: 'c4' })
      }
    expect(new Set(seats).size).toBe(4)
    expect(house.arena.waiting.length).toBe(8)
    const { answer } = await house.call('bert', 'join', { game: 'ttt', ladder: 'blind' })
    expect(answer).toMatchObject({ match: 1, ladder: 'ttt+thinking+blind' })
    expect(await house.ask('ada', 'wait', { seat: seats[3] })).toMatchObject({ match: 1 })
  })

  it('that owes no move is absent after 60 s without a call, and loses 2 minutes later', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair('blotto')
    const move = { allocation: [2, 2, 2, 2, 2] }
    void house.call(one!.name, 'move', { seat: one!.seat, ply: 1, move, wait_s: 0 })
    await house.pass(0)
    const later = await house.call(other!.name, 'wait', { seat: other!.seat })
    expect(later.answer.status).toBe('your_turn')
    await house.pass(119_000)
    // In time by its clock; from now on the first one is to move again.
    await house.call(other!.name, 'move', { seat: other!.seat, ply: 1, move, wait_s: 0 })
    await house.pass(61_024)
    expect(house.arena.tables.size).toBe(1)
    await house.pass(2)
    expect(await house.ask(one!.name, 'wait', { seat: one!.seat })).toMatchObject({
      ...{ status: 'over', result: 'loss', ending: 'gone' },
    })
  })

  it('that was absent hears what was played meanwhile, and plays on', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair()
    const first = { seat: one!.seat, ply: 1, move: '4', wait_s: 0 }
    await house.call(one!.name, 'move', first)
    await house.pass(90_000)
    await house.call(other!.name, 'move', { seat: other!.seat, ply: 2, move: '0', wait_s: 0 })
    expect(await house.ask(one!.name, 'move', first)).toMatchObject({
      ...{ status: 'your_turn', ply: 3, time_left_s: 620 },
      since: [
        { seat: 0, move: '4' },
        { seat: 1, move: '0' },
      ],
    })
    await house.pass(119_000)
    const call = { seat: one!.seat, ply: 3, move: '8', wait_s: 0 }
    expect(await house.ask(one!.name, 'move', call)).toMatchObject({ status: 'waiting', ply: 4 })
  })

  it('that was absent at the end hears the result', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair()
    await house.call(one!.name, 'move', { seat: one!.seat, ply: 1, move: '4', wait_s: 0 })
    await house.pass(61_000)
    await house.call(other!.name, 'leave', { seat: other!.seat })
    expect(await house.ask(one!.name, 'wait', { seat: one!.seat })).toMatchObject({
      ...{ status: 'over', result: 'win', ending: 'resigned' },
    })
  })

  it('is kept at the gate until its client has heard the end', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair()
    expect(house.kept.size).toBe(2)
    await house.call(one!.name, 'leave', { seat: one!.seat })
    expect(house.kept.size).toBe(1)
    await house.ask(other!.name, 'wait', { seat: other!.seat })
    expect(house.kept.size).toBe(0)
  })

  it('is given up at the gate where its client never asks how it ended', async () => {
    const house = new PlayHouse()
    const [one] = await house.pair()
    await house.call(one!.name, 'leave', { seat: one!.seat })
    await house.pass(60_000)
    expect(house.kept.size).toBe(0)
    expect(house.clock.pending).toBe(0)
  })

  it('that is dismissed leaves the queue, or loses', async () => {
    const house = new PlayHouse()
    const banned = { code: 'banned', detail: 'the operator has banned this account' } as const
    const waiting = await house.call('cleo', 'join', { game: 'c4' })
    const [, other] = await house.pair()
    const call = await house.call(other!.name, 'wait', { seat: other!.seat })
    house.dismiss(banned)
    await house.pass(0)
    for (const { status, answer } of [waiting, call]) {
      expect(status).toBe(403)
      expect(answer).toMatchObject({ status: 'refused', code: 'banned', error: banned.detail })
    }
    expect([house.arena.waiting.length, house.arena.tables.size, house.kept.size]).toEqual([
      0, 0, 0,
    ])
  })
})

describe('leave', () => {
  it('leaves the queue', async () => {
    const house = new PlayHouse()
    const call = await house.call('ada', 'join', { game: 'ttt', wait_s: 30 })
    const [{ seat }] = (await house.ask('ada', 'lobby', {})).seats
    const left = await house.ask('ada', 'leave', { seat })
    expect(left).toMatchObject({ status: 'closed', code: 'left' })
    expect(call.answer).toEqual(left)
    expect(await house.ask('ada', 'leave', { seat })).toEqual(left)
    expect(house.arena.waiting).toEqual([])
    expect(house.clock.pending).toBe(0)
  })

  it('resigns', async () => {
    const house = new PlayHouse()
    const [one, other] = await house.pair()
    const wait = await house.call(other!.name, 'wait', { seat: other!.seat })
    const left = await house.ask(one!.name, 'leave', { seat: one!.seat })
    expect(left).toMatchObject({ status: 'over', result: 'loss', ending: 'resigned' })
    expect(wait.answer).toMatchObject({ status: 'over', result: 'win' })
    expect(await house.ask(one!.name, 'leave', { seat: one!.seat })).toEqual(left)
  })

  it('of a match that goes on without it answers that the seat is out', async () => {
    const house = new PlayHouse()
    const names = ['ada', 'bert', 'cleo', 'dirk']
    const calls = []
    for (const name of names) calls.push(await house.call(name, 'join', { game: 'dance-battle' }))
    await house.pass(30_000)
    const [{ seat, ply }] = calls.map(({ answer }) => answer)
    const left = await house.ask('ada', 'leave', { seat })
    expect(left).toMatchObject({ status: 'waiting', out: true })
    const move = { seat, ply: left.ply ?? ply, move: {} }
    expect(await house.ask('ada', 'move', move)).toMatchObject({ code: 'not-your-turn' })
    expect(house.arena.tables.size).toBe(1)
  })
})

describe('lobby', () => {
  const clocks = {
    ...{ fast: { move_s: 15 }, thinking: { move_s: 20, bank_s: 600 } },
    ...{ wait_s: 45, silence_s: 60 },
  }

  it('lists games and the ladders on which something goes on, own ratings and seats', async () => {
    const house = new PlayHouse()
    await house.pair()
    await house.call('cleo', 'join', { game: 'ttt', ladder: 'blind' })
    await house.call('dirk', 'join', { game: 'ttt', opponent: 'bert' })
    house.api = { status: 200, body: '{"ratings":[{"game":"ttt","rating":1516}]}' }
    const lobby = await house.ask('ada', 'lobby', {})
    const quiet = { waiting: 0, playing: 0, rating: null }
    expect(lobby.games.slice(0, 2)).toEqual([
      {
        ...{ id: 'ttt', title: 'Tic-tac-toe' },
        ladders: [
          { id: 'ttt', speed: 'fast', ladder: 'open', ...quiet, rating: 1516 },
          { id: 'ttt+thinking', speed: 'thinking', ladder: 'open', ...quiet, playing: 1 },
          { id: 'ttt+thinking+blind', speed: 'thinking', ladder: 'blind', ...quiet, waiting: 1 },
        ],
      },
      { id: 'c4', title: 'Connect Four', ladders: [] },
    ])
    expect(lobby.clocks).toEqual(clocks)
    expect(lobby.seats).toMatchObject([{ game: 'ttt', ladder: 'ttt+thinking', match: 1 }])
    expect(lobby).not.toHaveProperty('rules')
  })

  it('is answered without a token, with neither ratings nor seats', async () => {
    const house = new PlayHouse()
    const headers = { 'Content-Type': 'application/json' }
    const { status, answer } = await house.call('', 'lobby', { game: 'dance-battle' }, { headers })
    expect(status).toBe(200)
    expect(answer).toMatchObject({
      games: [
        {
          ...{ id: 'dance-battle', seats: { min: 4, max: 4 } },
          ladders: [
            { id: 'dance-battle', speed: 'fast', ladder: 'open', waiting: 0, playing: 0 },
            { id: 'dance-battle+thinking', speed: 'thinking', ladder: 'open' },
          ],
        },
      ],
      clocks,
    })
    expect(answer).not.toHaveProperty('seats')
    expect(answer.games[0].ladders[0]).not.toHaveProperty('rating')
  })

  it('tells the rules of a game', async () => {
    const lobby = await new PlayHouse().ask('ada', 'lobby', { game: 'ttt' })
    expect(lobby.games.map(({ ladders }: Answer) => ladders.length)).toEqual([4])
    expect(lobby.rules).toContain('Two players in turn put their mark')
    expect(lobby.move.title).toBe('A move of Tic-tac-toe')
    expect(lobby.observation.properties.toMove).toBeTruthy()
    expect(lobby.next).toBe(`${post('join')} with game ttt`)
  })
})

describe('record', () => {
  it('is refused of a match that goes on, is unknown, or is long', async () => {
    const house = new PlayHouse()
    await house.pair()
    const refused = async (match: number) => (await house.ask('ada', 'record', { match })).code
    expect(await refused(1)).toBe('match-live')
    expect(await refused(7)).toBe('no-such-match')
    house.api = null
    expect(await house.ask('ada', 'record', { match: 7 })).toMatchObject({
      ...{ code: 'long-record', error: 'GET /api/v1/matches/7 has it' },
    })
  })
})

it('a call without a token, or without JSON, is told what it lacks', async () => {
  const house = new PlayHouse()
  const call = await house.call('', 'lobby', {})
  expect([call.status, call.answer.code]).toEqual([401, 'bad-token'])
  expect(call.answer.next).toContain('POST /api/v1/accounts')
  expect(call.headers!.get('www-authenticate')).toBe('Bearer')
  const plain = await house.call('ada', 'lobby', '{}', { headers: { Authorization: 'Bearer ada' } })
  expect([plain.status, plain.answer.code]).toEqual([415, 'unreadable'])
  const unknown = await house.call('ada', 'resign', {})
  expect([unknown.status, unknown.answer.code]).toEqual([404, 'nothing-here'])
  expect(house.refusals).toEqual(['unreadable', 'nothing-here'])
})
