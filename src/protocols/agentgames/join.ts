// A join, in any of its three forms: a message, a command, a query.

import { z } from 'zod'
import type { Code as ArenaCode, Refusal } from '../../arena/codes.ts'
import { agentsLadder, type Ladder, listings, speeds } from '../../arena/ladder.ts'
import { commandWords } from '../../command-words.ts'
import type { EventId } from '../../events/plan.ts'
import { type Game, type Json, listsMoves, seatRange } from '../../games/game.ts'
import { gameOf, games } from '../../games/index.ts'
import { openingsOf } from '../../games/openings.ts'
import { cut, quoted } from '../../games/words.ts'
import { readValue } from '../../http-input.ts'
import { didYouMean } from '../../nearest.ts'
import type { DeclaredVersion } from '../credentials.ts'
import { type Events, noEvents } from '../no-events.ts'
import { declaredVersion, versionSchema } from '../version-words.ts'
import type { Code } from './codes.ts'
import type { JoinWords } from './messages.ts'

/** What a client asked for in the command or the address that it connected with. */
export type Opening =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'query'; readonly params: URLSearchParams }

export interface Join {
  readonly game: Game
  /** How many matches to play on this connection, one after the other. */
  readonly matches: number
  /** Level of the house player to practise with; undefined for a match against another player. */
  readonly practice: string | undefined
  readonly opponent: string | undefined
  /** Of the speed and the listing that it asks for. */
  readonly ladder: Ladder
  /** Whether it asks for matches that begin with openings. */
  readonly openings: boolean
  /** The id or the code of the table at which it sits down; undefined where it does not ask for one. */
  readonly table: string | undefined
  /** The event that it takes part in, whose game and ladder those are; null for a match of its own. */
  readonly event: EventId | null
  /** The version that the agent says it is; null where it says none. */
  readonly version: DeclaredVersion | null
}

const common = [
  ...(['game', 'matches', 'practice', 'opponent'] as const),
  ...(['speed', 'ladder', 'openings', 'event', 'table'] as const),
] as const
/** What the plan of an event says, not the join. */
const planned = ['practice', 'opponent', 'speed', 'ladder', 'openings', 'table'] as const
/** What a table says, and what is of other matches. */
const notAtTables = ['practice', 'opponent', 'speed', 'ladder', 'openings'] as const
/** Of a message, and of an address. */
const options = [...common, 'agent'] as const
const flatOptions = [...common, 'version', 'model', 'harness'] as const

/** The level of practice that names none. */
const defaultLevel = 'default'
const maxMatches = 1000
const ids = games.map(game => game.id)
const gamesWithOpenings = ids.filter(id => openingsOf(id).length > 0)

/** `find`: the event of this name, or why one cannot take part in it. */
export const readJoin = (
  words: JoinWords,
  find = noEvents.find,
): Join | Refusal<Code | ArenaCode> => {
  const unknown = Object.keys(words).find(name => name !== 'type' && !isOneOf(options, name))
  if (unknown !== undefined) return noOption(unknown, options)
  return words.event === undefined ? readMatch(words) : readEvent(words, find)
}

const readEvent = (
  { event: id, ...words }: JoinWords,
  find: Events['find'],
): Join | Refusal<Code | ArenaCode> => {
  if (typeof id !== 'string') return wrong(`event: the name of an event, got ${shown(id)}`)
  const given = planned.find(option => words[option] !== undefined)
  if (given !== undefined) return wrong(`event and ${given} exclude each other: the event says it`)
  const found = find(id)
  if ('code' in found) return found
  const { game, variant } = found.plan
  if (words.game !== undefined && words.game !== game)
    return wrong(`game: ${id} is an event of ${game}, got ${shown(words.game)}; leave it out`)
  const join = readMatch({ matches: maxMatches, ...words, game })
  return 'code' in join ? join : { ...join, event: id, ladder: agentsLadder(game, variant) }
}

const readMatch = (words: JoinWords): Join | Refusal<Code> => {
  const { game: id, matches = 1, practice = false, opponent } = words
  const { speed = 'fast', ladder = 'open', openings = false, table } = words
  if (typeof id !== 'string') return wrong(`name a game: "game" is one of ${ids.join(', ')}`)
  const game = gameOf(id)
  if (game === undefined)
    return {
      code: 'unknown-game',
      detail: `there is no game ${quoted(id)}${didYouMean(id, ids)}; there are ${ids.join(', ')}`,
    }
  if (
    typeof matches !== 'number' ||
    !Number.isInteger(matches) ||
    matches < 1 ||
    matches > maxMatches
  )
    return wrong(`matches: a whole number from 1 to ${maxMatches}, got ${shown(matches)}`)
  if (typeof practice !== 'boolean' && typeof practice !== 'string')
    return wrong(
      `practice: true, or the level of the house player, such as "level-2", got ${shown(practice)}`,
    )
  if (opponent !== undefined && (typeof opponent !== 'string' || opponent === ''))
    return wrong(`opponent: the name of an account, got ${shown(opponent)}`)
  if (opponent !== undefined && practice !== false)
    return wrong('practice and opponent exclude each other')
  if (opponent !== undefined && seatRange(game).min > 2)
    return wrong(`opponent: ${game.id} has more than two seats`)
  if (!isOneOf(speeds, speed)) return wrong(`speed: ${speeds.join(' or ')}, got ${shown(speed)}`)
  if (!isOneOf(listings, ladder))
    return wrong(`ladder: ${listings.join(' or ')}, got ${shown(ladder)}`)
  if (ladder === 'blind' && !listsMoves(game))
    return wrong(`ladder: no list of moves is given in ${game.id}, so it has no blind ladder`)
  if (typeof openings !== 'boolean') return wrong(`openings: true or false, got ${shown(openings)}`)
  if (openings && practice !== false) return wrong('practice and openings exclude each other')
  if (openings && openingsOf(game.id).length === 0)
    return wrong(`openings: ${game.id} has none; ${gamesWithOpenings.join(', ')} have some`)
  if (table !== undefined && (typeof table !== 'string' || table === ''))
    return wrong(
      `table: the id or the code of a table, such as "t-kmwqzabc" or "REEF42", got ${shown(table)}`,
    )
  const other = notAtTables.find(option => words[option] !== undefined && words[option] !== false)
  if (table !== undefined && other !== undefined)
    return wrong(`table and ${other} exclude each other, got ${other} ${shown(words[other])}`)
  if (table !== undefined && matches > 1)
    return wrong(`table and matches exclude each other: one is played there, got ${matches}`)
  const read = readValue(agentWords, words.agent === undefined ? {} : { agent: words.agent })
  if ('error' in read) return wrong(read.error)
  const { agent } = read.value
  return {
    game,
    matches,
    practice: practice === true ? defaultLevel : practice || undefined,
    opponent,
    ladder: agentsLadder(game.id, { speed, listing: ladder }),
    openings,
    table,
    event: null,
    version: agent === undefined ? null : declaredVersion(agent),
  }
}

const agentWords = z.object({ agent: versionSchema.optional() })

const isOneOf = <T extends string>(values: readonly T[], value: Json): value is T =>
  values.some(known => known === value)

/** The join in a command or an address; undefined where it names no game, so that a join message has to follow. */
export const readOpening = (opening: Opening): JoinWords | Refusal<Code> | undefined =>
  opening.kind === 'command' ? readCommand(opening.text) : readQuery(opening.params)

const readQuery = (params: URLSearchParams): JoinWords | Refusal<Code> | undefined => {
  // The token in the address has been read.
  const unknown = [...params.keys()].find(name => name !== 'token' && !isOneOf(flatOptions, name))
  if (unknown !== undefined) return noOption(unknown, flatOptions)
  return params.has('game') || params.has('event') ? readOptions([...params]) : undefined
}

/** An unknown option is refused: ignoring it could start, and rate, a match that the agent did not ask for. */
const noOption = (name: string, options: readonly string[]): Refusal<Code> =>
  wrong(
    `there is no option ${quoted(name)}${didYouMean(name, options)}; there are ${options.join(', ')}`,
  )

/** Reads a command such as `ttt --matches 20 --practice`; `--matches=20` means the same. */
const readCommand = (text: string): JoinWords | Refusal<Code> | undefined => {
  const words = commandWords(text)
  if (words.length === 0) return undefined
  const options: [string, string][] = []
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, name, value] = /^--([a-z]+)(?:=(.*))?$/.exec(word) ?? []
    if (name === undefined) {
      if (options.some(([name]) => name === 'game') || word.startsWith('-'))
        return wrong(
          `I do not understand ${quoted(word)}${didYouMean(word, commandOptions, '--')}; ${usage}`,
        )
      options.push(['game', word])
    } else if (!commandOptions.some(option => option === name)) {
      return wrong(
        `there is no option --${name.slice(0, 40)}${didYouMean(name, commandOptions, '--')}; ${usage}`,
      )
    } else {
      const next = words[0]?.startsWith('--') === false && takesWord(name, words[0])
      options.push([name, value ?? (next ? words.shift()! : '')])
    }
  }
  return readOptions(options)
}

const commandOptions = flatOptions.filter(name => name !== 'game')
const usage =
  'say GAME, or --event EVENT, [--matches N] [--practice [STRENGTH]] [--opponent NAME] [--speed SPEED] [--ladder LADDER] [--openings] [--table TABLE] [--version VERSION [--model MODEL] [--harness HARNESS]]'

/** The level may be left out; the next word may then be the game. */
const takesWord = (option: string, word: string) =>
  option === 'openings'
    ? switches.has(word.toLowerCase())
    : option !== 'practice' || gameOf(word) === undefined

/** Converts options that came as text. A value that cannot be converted stays text, and readJoin refuses it by name. */
const readOptions = (
  options: readonly (readonly [string, string])[],
): JoinWords | Refusal<Code> => {
  const words: Record<string, Json> = {}
  const agent: Record<string, string> = {}
  for (const [at, [name, text]] of options.entries()) {
    const [, before] = options.slice(0, at).find(([earlier]) => earlier === name) ?? []
    if (before !== undefined && isOneOf(flatOptions, name))
      return wrong(`${name} is given twice, as ${quoted(before)} and ${quoted(text)}`)
    if (name === 'game') words.game = text
    if (isOneOf(texts, name)) words[name] = text
    if (name === 'version' || name === 'model' || name === 'harness') agent[name] = text
    if (name === 'matches') words.matches = /^\d+$/.test(text) ? Number(text) : text
    if (name === 'practice' || name === 'openings')
      words[name] = switches.get(text.toLowerCase()) ?? text
  }
  return Object.keys(agent).length === 0 ? words : { ...words, agent }
}

/** The options that are taken as they come. */
const texts = ['opponent', 'speed', 'ladder', 'event', 'table'] as const

const switches = new Map([
  ['', true],
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])

/** A value from outside, quoted and cut to fit into a sentence. */
const shown = (value: Json | undefined): string =>
  typeof value === 'string' ? quoted(value) : cut(JSON.stringify(value), 40)

const wrong = (detail: string): Refusal<Code> => ({ code: 'bad-join', detail })
