import { debateTopics, spicyTopics } from './debate-topics.ts'
import { Dice, type Seed } from './dice.ts'
import {
  type CatalogueGame,
  type Illegal,
  illegal,
  type Json,
  type Moved,
  moved,
  type Seat,
  type Setup,
  type Status,
  votesOf,
} from './game.ts'
import { got, isRecord, isWhole } from './json.ts'
import { line, type Panel, type Part, seatPart, toned } from './look.ts'
import {
  about,
  always,
  bySeat,
  either,
  flag,
  oneOf,
  orNull,
  record,
  seatNumber,
  text,
  upTo,
  whole,
} from './schema.ts'
import { placesOf, tally } from './scores.ts'
import { cleaned, clip, cut } from './words.ts'

type Message = { readonly seat: Seat; readonly content: string; readonly truncated: boolean }
type Left = { readonly seat: Seat; readonly words: string | null }

type DebateEvent =
  | ({ readonly kind: 'message'; readonly number: number } & Message)
  | ({ readonly kind: 'left' } & Left)
  | { readonly kind: 'tally'; readonly votes: readonly number[] }

type Played = Moved<Debate, DebateEvent> | Illegal

type Debate = {
  readonly topic: string
  readonly messages: readonly Message[]
  readonly left: Left | null
  /** By seat; null until the audience has voted. */
  readonly votes: readonly number[] | null
}

const sides = ['for', 'against'] as const
const maxMessages = 20
const maxCharacters = 2000
const maxWords = 280
const maxTopic = 200
const mostVotes = 1_000_000

/** What `cleaned` leaves of a text that has something in it to read. */
const hidden =
  '\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const plain = `[^${hidden}]`
const written = `^${plain}*[^\\s${hidden}]${plain}*$`

const debateOf = (
  names: Pick<CatalogueGame, 'id' | 'title' | 'summary'>,
  topics: readonly string[],
  /** How many of them the list had at first: what a match without a setup draws from. */
  oldest: number,
): CatalogueGame<Debate, DebateEvent> => ({
  ...names,
  seats: 2,
  sides: ['For', 'Against'],
  // The seed gives the topic and nothing else.
  facts: { turns: 'alternate', luck: false, secrets: false, outOfTurn: true, moveBytes: 16_384 },
  setup: { topics: topics.length },

  start: (seed, _seats, setup) => ({
    topic: topicOf(topics, oldest, seed, setup),
    messages: [],
    left: null,
    votes: null,
  }),

  status: (state): Status => {
    const { messages, left, votes } = state
    if (votes !== null) return finalOf(votes)
    if (left !== null) return { toMove: [], vote: { between: [0, 1], after: 'leaving' } }
    if (messages.length === maxMessages)
      return { toMove: [], vote: { between: [0, 1], after: 'message' } }
    const writer = writerOf(state)
    return { toMove: [writer], mayAct: [1 - writer] }
  },

  read: (_state, _seat, move) => readMove(move),

  play: (state, seat, sent): Played => {
    const move = readMove(sent)
    if (state.left !== null || state.messages.length === maxMessages) return count(state, move)
    const action = isRecord(move) ? move.action : move
    if (isRecord(move)) {
      if (action === 'message') return write(state, seat, move.content)
      if (action === 'leave') return leave(state, seat, move.words)
    }
    return illegal(
      `a move is a message, as text or with "action": message, or has "action": leave, ${got(action)}`,
    )
  },

  freeText: move =>
    isRecord(move) ? [move.content, move.words].filter(text => typeof text === 'string') : [],

  label: (_state, move) => {
    const votes = votesOf(move)
    if (votes !== null) return `the audience votes ${votes.join(' : ')}`
    const { action, content, words } = isRecord(move) ? move : {}
    if (action === 'leave')
      return typeof words === 'string' ? `leaves: ${clip(words, labelColumns)}` : 'leaves'
    return typeof content === 'string' ? shortened(content) : JSON.stringify(move)
  },

  view: state => {
    const { topic, messages, left, votes } = state
    return {
      topic,
      sides,
      maxMessages,
      maxCharacters,
      messages: messages.map((message, i) => ({ number: i + 1, ...message })),
      left,
      voting: votes === null && (left !== null || messages.length === maxMessages),
      votes,
    }
  },

  schema: {
    move: either(
      about(
        `Writes a message, when it is your turn. What is beyond ${maxCharacters} characters is cut off. The text alone is the same move.`,
        record({
          action: always('message'),
          content: { ...text(2 * maxCharacters), pattern: written },
        }),
      ),
      about(
        'Leaves the debate, at any time before the vote, with a few last words. The vote follows.',
        record({ action: always('leave'), words: { ...text(maxWords), pattern: written } }, [
          'words',
        ]),
      ),
    ),
    view: {
      topic: about('What is debated.', text(maxTopic)),
      sides: about('What each player argues: for the topic, or against it.', bySeat(oneOf(sides))),
      maxMessages: about('The number of messages.', always(maxMessages)),
      maxCharacters: about('The longest message, in characters.', always(maxCharacters)),
      messages: about(
        'The messages so far. Truncated ones were longer.',
        upTo(
          maxMessages,
          record({
            number: whole(1, maxMessages),
            seat: seatNumber,
            content: text(maxCharacters),
            truncated: flag,
          }),
        ),
      ),
      left: about(
        'The player who has left, with its last words; null if neither has.',
        orNull(record({ seat: seatNumber, words: orNull(text(maxWords)) })),
      ),
      voting: about('Whether the audience votes: no player can do anything.', flag),
      votes: about(
        'The votes for each player; null until the audience has voted.',
        orNull(bySeat(whole(0, mostVotes))),
      ),
    },
  },

  look: state => ({
    panels: [
      { kind: 'line', text: state.topic, tone: 'strong' },
      line('For: ', seatPart(0), '. Against: ', seatPart(1), '.'),
      {
        kind: 'talk',
        messages: state.messages.map(({ seat, content }) => ({ seat, text: content })),
      },
      ...(state.left === null ? [] : [leftWords(state.left)]),
      standing(state),
    ],
  }),

  anyMove: (state, seat, dice) => {
    const isWriter = seat === writerOf(state)
    if (isWriter && dice.roll(40) > 0) return { action: 'message', content: dice.pick(phrases) }
    return dice.roll(2) === 0
      ? { action: 'leave' }
      : { action: 'leave', words: 'You have convinced me.' }
  },
})

const phrases = [
  'Experience speaks for it.',
  'I have seen no proof of that.',
  'The opposite is true more often.',
  'That is only half of the matter.\nThe other half is what it costs.',
  'Let us look at an example.',
]

/** Twenty messages in turn on a topic; then the audience votes. */
export const debate = debateOf(
  {
    id: 'debate',
    title: 'Debate',
    summary: 'Twenty messages for and against a topic; then the audience votes.',
  },
  debateTopics,
  48,
)

/** The same on playful topics. */
export const spicyDebate = debateOf(
  {
    id: 'spicy-debate',
    title: 'Spicy debate',
    summary: 'A debate on a playful provocation; then the audience votes.',
  },
  spicyTopics,
  24,
)

/** The topic that the setup names, or one that the seed picks from the first so many of the list. */
const topicOf = (
  topics: readonly string[],
  oldest: number,
  seed: Seed,
  setup: Setup | null | undefined,
): string => {
  const { topic, topics: count } = setup ?? {}
  if (typeof topic === 'string' && cleaned(topic).trim() !== '')
    return cut(cleaned(topic).replace(/\s+/gu, ' ').trim(), maxTopic)
  const first = isWhole(count, 1, topics.length) ? count : oldest
  return Dice.fromSeed(seed).pick(topics.slice(0, first))
}

const writerOf = ({ messages }: Debate): Seat => messages.length % 2

const readMove = (move: Json): Json => {
  if (typeof move === 'string') return { action: 'message', content: cleaned(move) }
  if (!isRecord(move)) return move
  const { action, content, words } = move
  if (action === 'message' && typeof content === 'string')
    return { action, content: cleaned(content) }
  if (action === 'leave') {
    const last = typeof words === 'string' ? cut(cleaned(words).trim(), maxWords).trim() : ''
    return last === '' ? { action } : { action, words: last }
  }
  const votes = votesOf(move)
  return votes === null ? move : { votes }
}

const write = (state: Debate, seat: Seat, content: Json | undefined): Played => {
  if (typeof content !== 'string')
    return illegal(`a message has a text as content, ${got(content)}`)
  if (content.trim() === '') return illegal('the message is empty')
  if (seat !== writerOf(state)) return illegal('the other player writes the next message')
  const length = [...content].length
  if (length > 2 * maxCharacters)
    return illegal(`too long: ${length} characters, at most ${maxCharacters}`)
  const message = { seat, content: cut(content, maxCharacters), truncated: length > maxCharacters }
  const messages = [...state.messages, message]
  return moved({ ...state, messages }, [{ kind: 'message', number: messages.length, ...message }])
}

const leave = (state: Debate, seat: Seat, words: Json | undefined): Played => {
  const left = { seat, words: typeof words === 'string' ? words : null }
  return moved({ ...state, left }, [{ kind: 'left', ...left }])
}

const count = (state: Debate, move: Json): Played => {
  const votes = votesOf(move)
  if (state.votes !== null || votes?.length !== 2) return illegal('the audience votes')
  return moved({ ...state, votes }, [{ kind: 'tally', votes }])
}

const finalOf = (votes: readonly number[]) => ({
  places: placesOf(votes),
  scores: votes,
  because: votes.every(count => count === 0) ? 'no votes' : tally(votes, 'vote'),
})

const leftWords = ({ seat, words }: Left): Panel =>
  line(seatPart(seat), ' has left', ...(words === null ? ['.'] : [': ', quote(words)]))

const quote = (words: string): Part => toned(words, 'quote')

const standing = (state: Debate): Panel => {
  const { messages, votes } = state
  if (votes !== null) return line(`The audience has voted: ${finalOf(votes).because}.`)
  if (state.left !== null || messages.length === maxMessages) return line('The audience votes.')
  return line(`Message ${messages.length + 1} of ${maxMessages}.`)
}

const labelColumns = 70

const shortened = (content: string): string => {
  const short = clip(content, labelColumns)
  return short === content.replace(/\s+/gu, ' ') ? short : `${short}…`
}
