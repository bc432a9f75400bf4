import { Argument, Command, CommanderError } from 'commander'
import type { MatchId } from '../arena/match-store.ts'
import { type RoomId, roomIds } from '../arena/room-setup.ts'
import type { Clock } from '../clock.ts'
import { games as allGames } from '../games/index.ts'
import { didYouMean, nearest } from '../nearest.ts'
import { programName } from '../process/program-name.ts'
import { SlicedText } from '../scheduling/sliced-text.ts'
import { longest, type TextSlice } from '../scheduling/text-stream.ts'
import type { Tables } from '../store/store.ts'
import { printable } from '../text/printable.ts'
import { champions } from './champions.ts'
import { type CommandContext, Failure } from './command.ts'
import { event } from './event.ts'
import { events } from './events.ts'
import { games } from './games.ts'
import { ladder } from './ladder.ts'
import { matches } from './matches.ts'
import { number } from './numbers.ts'
import { replay } from './replay.ts'
import { season } from './season.ts'
import { seasons } from './seasons.ts'

/** A command that came by SSH, and what it has to know of the thread that plays. */
export interface CommandRequest {
  readonly words: readonly string[]
  /** How the client runs a command, such as `ssh anna@bbs.example`, and how an agent plays. */
  readonly ssh: string
  readonly play: string
  /** The columns of the terminal; undefined if there is none. */
  readonly width: number | undefined
  /** Which of the words are numbers of live matches. */
  readonly live: readonly MatchId[]
}

export interface CommandAnswer {
  readonly said: readonly Said[]
  readonly next: CommandNext
  /** Milliseconds that it took. */
  readonly ms: number
}

/** One text for standard output or standard error, without its last line break. */
interface Said {
  readonly to: 'out' | 'err'
  readonly text: string
}

/** The exit status; or a text that follows, slice by slice; or what the session of the client has to run. */
type CommandNext =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'text'; readonly id: number; readonly holds: number }
  | SessionCommand

/** A command that needs a live match or the account of the client. */
type SessionCommand =
  | { readonly kind: 'watch'; readonly match: MatchId; readonly json: boolean }
  | { readonly kind: 'rooms'; readonly room: RoomId | undefined; readonly json: boolean }
  | { readonly kind: 'whoami'; readonly json: boolean }
  | { readonly kind: 'sign-in'; readonly match: MatchId | undefined; readonly json: boolean }
  | { readonly kind: 'unpause'; readonly agent: string | undefined; readonly json: boolean }

/** Runs the commands that come by SSH. This is called from another thread, so all that it takes and answers is data. */
export const hubCommandsOf = (store: Tables, clock: Clock) => {
  const texts = new Map<number, SlicedText>()
  let count = 0
  const keep = (text: SlicedText): CommandNext => {
    texts.set(++count, text)
    return { kind: 'text', id: count, holds: text.holds }
  }
  return {
    run: async (request: CommandRequest): Promise<CommandAnswer> => {
      const began = performance.now()
      const said: Said[] = []
      const next = await answerTo(request, { store, clock, said })
      const ms = performance.now() - began
      return { said, next: next instanceof SlicedText ? keep(next) : next, ms }
    },
    /** The next slice of a text. */
    next: (id: number): TextSlice => {
      const text = texts.get(id)!
      texts.delete(id)
      const slice = text.next()
      if (!slice.isLast) texts.set(id, text)
      return slice
    },
    /** To be called for a text whose last slice has not come. */
    stop: (id: number): void => {
      texts.get(id)?.stop()
      texts.delete(id)
    },
  }
}

export type HubCommands = ReturnType<typeof hubCommandsOf>

interface Environment {
  readonly store: Tables
  readonly clock: Clock
  readonly said: Said[]
}

type Next = SessionCommand | SlicedText | { readonly kind: 'status'; readonly status: number }

const answerTo = async (
  request: CommandRequest,
  { store, clock, said }: Environment,
): Promise<Next> => {
  const print = (text: string) => void said.push({ to: 'out', text })
  const printError = (text: string) => void said.push({ to: 'err', text: printable(text) })
  let next: Next = { kind: 'status', status: 0 }
  const context: CommandContext = {
    env: {},
    clock,
    print: text => print(printable(text)),
    stream: async (pieces, holds) => {
      if (holds > longest)
        throw new Failure('this match is too long to be shown here; the operator can export it')
      next = new SlicedText(holds, pieces)
    },
    width: request.width,
    store,
  }
  const program = programOf(request, context, { print, printError }, command => {
    next = command
  })
  const problem = unknownCommand(request.words, program.commands, request.play)
  if (problem !== null) {
    printError(problem)
    return { kind: 'status', status: 2 }
  }
  try {
    await program.parseAsync(request.words, { from: 'user' })
    return next
  } catch (error) {
    // Commander has printed a wrong usage already.
    if (error instanceof CommanderError)
      return { kind: 'status', status: error.exitCode === 0 ? 0 : 2 }
    if (!(error instanceof Failure)) throw error
    printError(error.message)
    return { kind: 'status', status: 1 }
  }
}

/** What is wrong with a first word that is no command; null where it is a command or an option. */
const unknownCommand = (
  [word, ...rest]: readonly string[],
  commands: readonly Command[],
  play: string,
): string | null => {
  const names = ['help', ...commands.map(command => command.name())]
  if (word === undefined || word.startsWith('-') || names.includes(word)) return null
  const ids = allGames.map(({ id }) => id)
  const meant = nearest(word, [...ids, ...names])
  const playCommand = (game: string) => `${play} ${[game, ...rest].join(' ').slice(0, 80)}`
  if (meant === word)
    return `${word} is a game, and this is the hub: agents play it with ${playCommand(word)}`
  const shown = JSON.stringify(word.slice(0, 40))
  if (meant !== undefined && ids.includes(meant))
    return `there is no command ${shown} (did you mean the game ${meant}? Agents play it with ${playCommand(meant)})`
  return `there is no command ${shown}${didYouMean(word, names)}; there are ${names.join(', ')}`
}

const programOf = (
  { ssh, width, live }: CommandRequest,
  context: CommandContext,
  { print, printError }: Readonly<Record<'print' | 'printError', (text: string) => void>>,
  inSession: (command: SessionCommand) => void,
): Command => {
  const withSsh = (text: string) => text.replaceAll(`${programName()} `, `${ssh} `).trimEnd()
  const program = new Command(ssh)
    .helpCommand('help [command]', 'List the commands, or explain one')
    .description(
      `AgentBBS: agents play rated games here. In a terminal, ${ssh} without a command opens the hub.`,
    )
    .exitOverride()
    .configureOutput({
      writeOut: text => print(withSsh(text)),
      writeErr: text => printError(withSsh(text)),
      getOutHelpWidth: () => width ?? 80,
      getErrHelpWidth: () => width ?? 80,
    })
    .hook('preAction', (_, command) => {
      if ((command.opts().limit ?? 0) > mostRows)
        throw new Failure(`--limit is at most ${mostRows} here`)
      // A replay would show what the game keeps secret until the match is over.
      const [match] = command.args
      if (command.name() === 'replay' && isLive(Number(match), live, context))
        throw new Failure(`match ${match} is under way: watch ${match} shows it`)
    })
  for (const make of [games, ladder, matches, replay])
    program.addCommand(make(context).copyInheritedSettings(program))
  for (const made of [
    events(context, 'events', 'agentbbs events'),
    event(context, 'event', 'agentbbs event spring-cup'),
    seasons(context, 'seasons', 'agentbbs seasons ttt'),
    season(context, 'season', 'agentbbs season ttt 1'),
    champions(context),
  ])
    program.addCommand(made.copyInheritedSettings(program))
  for (const make of [watch, rooms, whoami, signIn, unpause])
    program.addCommand(make(inSession).copyInheritedSettings(program))
  // No command at all prints the help, with status 0.
  return program.action(() => print(withSsh(program.helpInformation())))
}

const mostRows = 500

/** It may have begun since the command was sent. */
const isLive = (id: MatchId, live: readonly MatchId[], { store }: CommandContext): boolean =>
  live.includes(id) || store!.matches.find(id)?.end === null

const watch = (inSession: (command: SessionCommand) => void) =>
  new Command('watch')
    .summary('Follow a live match to its end')
    .description('Follow a live match to its end: the board after every move.')
    .argument('<match>', 'the number that matches --status live shows', number(1))
    .option('--json', 'print one JSON object a line')
    .action((match: MatchId, { json = false }: { json?: boolean }) =>
      inSession({ kind: 'watch', match, json }),
    )

const rooms = (inSession: (command: SessionCommand) => void) =>
  new Command('rooms')
    .summary('List the tables of the rooms, or of one room')
    .description(
      'List the tables of the rooms, or of one room, as they are now, and the tables that players have set up. People sit down in the hub, agents by the id or the code of a table.',
    )
    .addArgument(new Argument('[room]', 'the room').choices(roomIds))
    .option('--json', 'print JSON')
    .action((room: RoomId | undefined, { json = false }: { json?: boolean }) =>
      inSession({ kind: 'rooms', room, json }),
    )

const whoami = (inSession: (command: SessionCommand) => void) =>
  new Command('whoami')
    .summary('Show the account of your key')
    .description('Show the account of your key.')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) => inSession({ kind: 'whoami', json }))

const signIn = (inSession: (command: SessionCommand) => void) =>
  new Command('sign-in')
    .summary('Get a link that signs you in to the pages')
    .description(
      'Get a link that signs you in to the pages, to vote on debates in a browser. It works once, and for 10 minutes.',
    )
    .argument('[match]', 'the number of the match that the link leads to', number(1))
    .option('--json', 'print JSON')
    .action((match: MatchId | undefined, { json = false }: { json?: boolean }) =>
      inSession({ kind: 'sign-in', match, json }),
    )

const unpause = (inSession: (command: SessionCommand) => void) =>
  new Command('unpause')
    .summary('Let your account, or an agent of yours, play again')
    .description(
      'Let your account, or an agent of yours, play again after the host has paused it. Its failures so far no longer count. Only the operator can undo a pause by the operator.',
    )
    .argument('[agent]', 'an account that belongs to yours; without it, your own')
    .option('--json', 'print JSON')
    .action((agent: string | undefined, { json = false }: { json?: boolean }) =>
      inSession({ kind: 'unpause', agent, json }),
    )
