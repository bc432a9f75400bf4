import { describe, expect, it } from 'vitest'
import { lookText } from '../drawing/look-text.ts'
import { debate, spicyDebate } from './debate.ts'
import { debateTopics, spicyTopics } from './debate-topics.ts'
import { type Game, isIllegal, isVoting, type Json, Moved, type Seat, stateAfter } from './game.ts'

type State = ReturnType<typeof debate.start>

const topic = 'Tea is only leaf soup.'
const start = debate.start(1, 2, { topic })

/** Plays moves as they come, each read first; throws where one is refused. */
const playedTo = (...moves: readonly (readonly [Seat, Json])[]): State =>
  moves.reduce<State>((state, [seat, sent]) => {
    const next = stateAfter(debate as Game, state, seat, debate.read!(state, seat, sent))
    if (isIllegal(next)) throw new Error(next.reason)
    return next as State
  }, start)
const said = (count: number) =>
  Array.from({ length: count }, (_, n) => [n % 2, `Argument ${n + 1}.`] as const)
const refusal = (state: State, seat: Seat, move: Json): string => {
  const result = debate.play(state, seat, debate.read!(state, seat, move))
  return isIllegal(result) ? result.reason : 'accepted'
}
const eventsAfter = (state: State, seat: Seat, move: Json) => {
  const result = debate.play(state, seat, debate.read!(state, seat, move))
  return result instanceof Moved ? result.events : []
}

describe('the topics', () => {
  it.each([
    ['regular', debateTopics, 40],
    ['playful', spicyTopics, 20],
  ])('the %s ones are enough, different, and short', (_, topics, least) => {
    expect(topics.length).toBeGreaterThanOrEqual(least)
    expect(new Set(topics).size).toBe(topics.length)
    for (const topic of topics) expect(topic).toMatch(/^[A-Z][^"“]{10,100}\.$/)
  })

  it('differ from game to game', () => {
    expect(debateTopics.filter(topic => spicyTopics.includes(topic))).toEqual([])
  })

  it('are drawn by the seed from the first so many of the list', () => {
    const drawn = (topics: number) =>
      new Set(
        Array.from(
          { length: 300 },
          (_, n) => debate.start((n * 0x9e3779b1) >>> 0, 2, { topics }).topic,
        ),
      )
    expect([...drawn(3)].sort()).toEqual(debateTopics.slice(0, 3).toSorted())
    expect(drawn(debateTopics.length).size).toBeGreaterThan(40)
  })

  // A match without a setup, and any that is kept, is debated again on the topic that it had.
  it('of a kept match stay what they were', () => {
    const topicsOf = (game: typeof debate, setup: { topics: number } | null) =>
      [1, 2, 3].map(seed => game.start(seed, 2, setup).topic)
    expect(topicsOf(debate, { topics: 48 })).toMatchInlineSnapshot(`
      [
        "Zoos do more for animals than against them.",
        "Anonymity on the net protects more than it harms.",
        "Libraries are the best investment that a town can make.",
      ]
    `)
    expect(topicsOf(debate, null)).toEqual(topicsOf(debate, { topics: 48 }))
    expect(topicsOf(spicyDebate, { topics: 24 })).toMatchInlineSnapshot(`
      [
        "Socks in sandals are the height of elegance.",
        "Garden gnomes are the only honest art.",
        "Zombies would make better neighbours than vampires.",
      ]
    `)
    expect(topicsOf(spicyDebate, null)).toEqual(topicsOf(spicyDebate, { topics: 24 }))
  })

  it.each([[{ topics: 0 }], [{ topics: 10_000 }], [{ topic: ' ' }], [{ topic: 7 }]])(
    'are those of the list where the setup makes no sense: %j',
    setup => {
      expect(debateTopics).toContain(debate.start(5, 2, setup as never).topic)
    },
  )

  it('may be named by the setup', () => {
    expect(debate.start(1, 2, { topic: ' Tea \u202e is\nsoup. ' }).topic).toBe('Tea is soup.')
  })
})

describe('a debate', () => {
  it('begins with the one who argues for the topic', () => {
    expect(debate.status(start)).toEqual({ toMove: [0], mayAct: [1] })
    expect(debate.view(start, 'audience')).toEqual({
      topic,
      sides: ['for', 'against'],
      maxMessages: 20,
      maxCharacters: 2000,
      messages: [],
      left: null,
      voting: false,
      votes: null,
    })
  })

  it('takes messages in turn, as text or as an object', () => {
    const state = playedTo([0, 'It is.'], [1, { action: 'message', content: 'It is not.' }])
    expect(debate.view(state, 0).messages).toEqual([
      { number: 1, seat: 0, content: 'It is.', truncated: false },
      { number: 2, seat: 1, content: 'It is not.', truncated: false },
    ])
    expect(debate.read!(start, 0, 'It is.')).toEqual({ action: 'message', content: 'It is.' })
  })

  it('asks for a vote after twenty messages, and for none before', () => {
    expect(isVoting(debate.status(playedTo(...said(19))))).toBe(false)
    expect(debate.status(playedTo(...said(20)))).toEqual({
      toMove: [],
      vote: { between: [0, 1], after: 'message' },
    })
  })

  it.each([0, 1] as const)('asks for a vote when seat %i leaves, on its turn or not', seat => {
    for (const messages of [0, 1, 19])
      expect(debate.status(playedTo(...said(messages), [seat, { action: 'leave' }]))).toEqual({
        toMove: [],
        vote: { between: [0, 1], after: 'leaving' },
      })
  })

  it('keeps the last words of the one who leaves', () => {
    const words = 'You have convinced me.'
    const state = playedTo([1, { action: 'leave', words: ` ${words}\u2066 ` }])
    expect(debate.view(state, 0)).toMatchObject({ left: { seat: 1, words }, voting: true })
    expect(eventsAfter(start, 1, { action: 'leave' })).toEqual([
      { kind: 'left', seat: 1, words: null },
    ])
    const long = playedTo([0, { action: 'leave', words: '💥'.repeat(300) }])
    expect(long.left?.words).toBe('💥'.repeat(280))
  })

  it.each([
    [[3, 1], [1, 2], '3 votes to 1'],
    [[0, 1], [2, 1], '1 vote to 0'],
    [[2, 2], [1, 1], '2 votes each'],
    [[0, 0], [1, 1], 'no votes'],
  ])('with votes %j has places %j: %s', (votes, places, because) => {
    const state = playedTo(...said(20), [0, { votes }])
    expect(debate.status(state)).toEqual({ places, scores: votes, because })
    expect(debate.view(state, 1)).toMatchObject({ voting: false, votes })
    expect(eventsAfter(playedTo(...said(20)), 0, { votes })).toEqual([{ kind: 'tally', votes }])
  })

  it('refuses with a reason', () => {
    const voting = playedTo(...said(20))
    expect([
      refusal(start, 0, ''),
      refusal(start, 0, ' \u202e\n'),
      refusal(start, 1, 'Me first.'),
      refusal(start, 0, { action: 'message' }),
      refusal(start, 0, { action: 'shout', content: 'Hey' }),
      refusal(start, 0, 7),
      refusal(start, 0, { votes: [1, 0] }),
      refusal(voting, 0, 'One more.'),
      refusal(voting, 0, { action: 'leave' }),
      refusal(voting, 0, { votes: [1] }),
      refusal(start, 0, 'x'.repeat(4001)),
    ]).toMatchInlineSnapshot(`
      [
        "the message is empty",
        "the message is empty",
        "the other player writes the next message",
        "a message has a text as content, got nothing",
        "a move is a message, as text or with "action": message, or has "action": leave, got "shout"",
        "a move is a message, as text or with "action": message, or has "action": leave, got 7",
        "a move is a message, as text or with "action": message, or has "action": leave, got nothing",
        "the audience votes",
        "the audience votes",
        "the audience votes",
        "too long: 4001 characters, at most 2000",
      ]
    `)
  })
})

describe('the length of a message', () => {
  it.each([
    [2000, 2000, false],
    [2001, 2000, true],
    [4000, 2000, true],
  ])('%i characters are %i of the record, truncated: %s', (sent, kept, truncated) => {
    const [message] = playedTo([0, '💥'.repeat(sent)]).messages
    expect([[...message!.content].length, message!.truncated]).toEqual([kept, truncated])
  })

  it('is counted after what is removed', () => {
    expect(playedTo([0, `${'\u200e'.repeat(5000)}x`]).messages[0]).toMatchObject({ content: 'x' })
  })

  it('fits into the bytes that a move may have, in the widest letters', () => {
    const read = debate.read!(start, 0, '💥'.repeat(4000))
    expect(Buffer.byteLength(JSON.stringify(read))).toBeLessThanOrEqual(debate.facts.moveBytes!)
  })
})

describe('what is removed from a message', () => {
  const cleanedBy = (content: string) =>
    (debate.read!(start, 0, { action: 'message', content }) as { content: string }).content

  it.each([
    ['colours of a terminal', '\u001b[31mred\u0007', '[31mred'],
    ['marks that turn the direction of text', 'a\u202eb\u2066c\u200fd\u061ce', 'abcde'],
    ['carriage returns', 'one\r\ntwo', 'one\ntwo'],
    ['halves of characters', 'a\ud83db', 'ab'],
    ['C1 controls', 'a\u009bb', 'ab'],
  ])('%s', (_, sent, kept) => {
    expect(cleanedBy(sent)).toBe(kept)
  })

  it('is nothing of what people write', () => {
    const text = 'Line\n\tindented – “quoted”, <b>bold</b> & שלום, 你好 👩‍👩‍👧'
    expect(cleanedBy(text)).toBe(text)
  })
})

it('the operator’s words are looked for in messages and last words', () => {
  expect(debate.freeText!({ action: 'message', content: 'a' })).toEqual(['a'])
  expect(debate.freeText!({ action: 'leave', words: 'b' })).toEqual(['b'])
  expect(debate.freeText!({ action: 'leave' })).toEqual([])
})

describe('the label of a move', () => {
  it.each([
    [{ action: 'message', content: 'Short\nand sweet.' }, 'Short and sweet.'],
    [{ action: 'message', content: 'x'.repeat(100) }, `${'x'.repeat(70)}…`],
    [{ action: 'leave' }, 'leaves'],
    [{ action: 'leave', words: 'Bye.' }, 'leaves: Bye.'],
    [{ votes: [3, 1] }, 'the audience votes 3 : 1'],
  ])('of %j is %s', (move, label) => {
    expect(debate.label!(start, move)).toBe(label)
  })
})

it('a debate looks like a transcript', () => {
  const state = playedTo(
    [0, 'It is.'],
    [1, 'It is not.'],
    [0, { action: 'leave', words: 'Enough.' }],
  )
  expect(lookText(debate.look(state, 'audience'))).toMatchInlineSnapshot(`
    "Tea is only leaf soup.
    For: seat 0. Against: seat 1.
    seat 0: It is.
    seat 1: It is not.
    seat 0 has left: "Enough."
    The audience votes."
  `)
})
