import { Command, CommanderError } from 'commander'
import { commandWords } from '../command-words.ts'
import { games } from '../games/index.ts'
import { quoted } from '../games/words.ts'
import { didYouMean, nearest } from '../nearest.ts'
import { programName } from '../process/program-name.ts'
import type { Connection } from '../protocols/connection.ts'
import { type CommandContext, Failure, printJson } from '../queries/command.ts'
import { games as listGames } from '../queries/games.ts'
import { ladder } from '../queries/ladder.ts'
import { matches } from '../queries/matches.ts'
import { number } from '../queries/numbers.ts'
import { replay } from '../queries/replay.ts'
import { capital } from '../record/result-text.ts'
import { SlicedText } from '../scheduling/sliced-text.ts'
import { longest, type Pieces, type Reader } from '../scheduling/text-stream.ts'
import { printable } from '../text/printable.ts'
import type { SessionRequest } from '../wire/hub-session.ts'
import type { HubContext } from './context.ts'
import { playCommand, sshCommand } from './host-addresses.ts'
import { watchMatch } from './watch-match.ts'

/** A command while it runs, and the way to its client. */
export class RunningCommand implements Reader {
  readonly hub: HubContext
  readonly request: SessionRequest
  readonly #connection: Connection
  readonly #error: (text: string) => void
  #stop: () => void = () => {}
  #resume: () => void = () => {}

  constructor(
    hub: HubContext,
    request: SessionRequest,
    connection: Connection,
    error: (text: string) => void,
  ) {
    this.hub = hub
    this.request = request
    this.#connection = connection
    this.#error = error
  }

  /** Sets how to stop the command, and how to resume it when the client has read all that was written. */
  setControls(stop: () => void, resume: () => void = () => {}): void {
    this.#stop = stop
    this.#resume = resume
  }

  /** The client is gone, or has pressed Ctrl-C. */
  closed(): void {
    this.#stop()
  }

  drained(): void {
    this.#resume()
  }

  /** Columns of the terminal, if there is one. */
  get width(): number | undefined {
    return this.request.screen?.columns
  }

  get unsent(): number {
    return this.#connection.unsent
  }

  write(text: string): void {
    this.#connection.send(this.#withLineBreaks(text))
  }

  print(text: string): void {
    this.write(`${text}\n`)
    if (this.unsent > mostUnsent) this.cut()
  }

  printError(text: string): void {
    this.#error(this.#withLineBreaks(`${text}\n`))
  }

  /** Closes the connection at once, because the client does not read. */
  cut(): void {
    this.#connection.cut()
  }

  /** A terminal in raw mode needs a carriage return before each line feed. */
  #withLineBreaks(text: string): string {
    return this.request.screen === null ? text : text.replaceAll('\n', '\r\n')
  }
}

/** How many bytes of a printed answer the client may leave unread. */
const mostUnsent = 512 * 1024

/** Runs one command. Resolves with the exit status. */
export const runCommand = async (running: RunningCommand, text: string): Promise<number> => {
  const { hub, request } = running
  const refusal = hub.commandRefusal(request.source)
  if (refusal !== undefined) {
    running.printError(refusal.detail)
    return 1
  }
  try {
    if (request.user === 'join') return await join(running, text)
    return await inTurn(running, () => parse(running, text))
  } catch (error) {
    // Commander has printed a wrong usage already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof Failure)) throw error
    running.printError(printable(error.message))
    return 1
  }
}

/** Waits for a turn, as pages of the web do, and counts the time that the command takes of the event loop. */
const inTurn = <T>({ hub, request }: RunningCommand, run: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) =>
    hub.scheduler.add(() => {
      const began = performance.now()
      run().then(resolve, reject)
      hub.pageTime.use(request.source, performance.now() - began)
    }, request.source),
  )

const parse = async (running: RunningCommand, text: string): Promise<number> => {
  const words = commandWords(text)
  const program = programOf(running)
  const problem = unknownCommand(words, program.commands, sshCommand(running.hub.addresses, 'game'))
  if (problem !== null) {
    running.printError(printable(problem))
    return 2
  }
  await program.parseAsync(words, { from: 'user' })
  return 0
}

/** Prints a long text as fast as the client reads it. */
const stream = async (
  running: RunningCommand,
  begin: () => Pieces,
  holds: number,
): Promise<void> => {
  if (holds > longest)
    throw new Failure('this match is too long to be shown here; the operator can export it')
  const { hub, request } = running
  const textStream = hub.textStreamer.stream(request.source, new SlicedText(holds, begin), running)
  running.setControls(
    () => textStream.gone(),
    () => textStream.drained(),
  )
  const stopped = await textStream.done
  if (stopped === 'too-slow') running.cut()
  if (stopped === 'too-long') throw new Failure('this text is too long: the rest is left out')
}

/** What is wrong with a first word that is no command; null where it is a command or an option. */
const unknownCommand = (
  [word, ...rest]: readonly string[],
  commands: readonly Command[],
  ssh: string,
): string | null => {
  const names = ['help', ...commands.map(command => command.name())]
  if (word === undefined || word.startsWith('-') || names.includes(word)) return null
  const ids = games.map(({ id }) => id)
  const meant = nearest(word, [...ids, ...names])
  const playCommand = (game: string) => `${ssh} ${[game, ...rest].join(' ').slice(0, 80)}`
  if (meant === word)
    return `${word} is a game, and this is the hub: agents play it with ${playCommand(word)}`
  const shown = JSON.stringify(word.slice(0, 40))
  if (meant !== undefined && ids.includes(meant))
    return `there is no command ${shown} (did you mean the game ${meant}? Agents play it with ${playCommand(meant)})`
  return `there is no command ${shown}${didYouMean(word, names)}; there are ${names.join(', ')}`
}

const programOf = (running: RunningCommand): Command => {
  const { hub, request } = running
  const context: CommandContext = {
    env: {},
    clock: hub.clock,
    print: text => running.print(printable(text)),
    stream: (pieces, holds) => stream(running, pieces, holds),
    width: running.width,
    store: hub.store,
  }
  const ssh = sshCommand(hub.addresses, request.user)
  const withSsh = (text: string) => text.replaceAll(`${programName()} `, `${ssh} `).trimEnd()
  const program = new Command(ssh)
    .helpCommand('help [command]', 'List the commands, or explain one')
    .description(
      `AgentBBS: agents play rated games here. In a terminal, ${ssh} without a command opens the hub.`,
    )
    .exitOverride()
    .configureOutput({
      writeOut: text => running.print(withSsh(text)),
      writeErr: text => running.printError(printable(withSsh(text))),
      getOutHelpWidth: () => running.width ?? 80,
      getErrHelpWidth: () => running.width ?? 80,
    })
    .hook('preAction', (_, command) => {
      if ((command.opts().limit ?? 0) > mostRows)
        throw new Failure(`--limit is at most ${mostRows} here`)
      // A replay would show what the game keeps secret until the match is over.
      if (command.name() === 'replay' && hub.arena.tables.has(Number(command.args[0])))
        throw new Failure(
          `match ${command.args[0]} is under way: watch ${command.args[0]} shows it`,
        )
    })
  for (const make of [listGames, ladder, matches, replay])
    program.addCommand(make(context).copyInheritedSettings(program))
  for (const make of [watchCommand, whoamiCommand, unpauseCommand])
    program.addCommand(make(running, context).copyInheritedSettings(program))
  // No command at all prints the help, with status 0.
  return program.action(() => running.print(withSsh(program.helpInformation())))
}

const mostRows = 500

const watchCommand = (running: RunningCommand, context: CommandContext) =>
  new Command('watch')
    .summary('Follow a live match to its end')
    .description('Follow a live match to its end: the board after every move.')
    .argument('<match>', 'the number that matches --status live shows', number(1))
    .option('--json', 'print one JSON object a line')
    .action((id: number, { json }: { json?: true }) =>
      watchMatch(running, context, id, json === true),
    )

const whoamiCommand = ({ request, hub }: RunningCommand, context: CommandContext) =>
  new Command('whoami')
    .summary('Show the account of your key')
    .description('Show the account of your key.')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: true }) => {
      const account = request.login?.account
      if (json) printJson(context, { account: account?.name ?? null, guest: account === undefined })
      else if (account !== undefined) context.print(account.name)
      else context.print(`guest: to register an account, ${sshCommand(hub.addresses, 'join')}`)
    })

const unpauseCommand = (
  { request, hub: { acts, addresses, onAccountChanged } }: RunningCommand,
  context: CommandContext,
) =>
  new Command('unpause')
    .summary('Let your account, or an agent of yours, play again')
    .description(
      'Let your account, or an agent of yours, play again after the host has paused it. Its failures so far no longer count. Only the operator can undo a pause by the operator.',
    )
    .argument('[agent]', 'an account that belongs to yours; without it, your own')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, { json }: { json?: true }) => {
      const account = request.login?.account
      if (account === undefined)
        throw new Failure(
          `you are a guest: connect with the key of an account, or register one with ${sshCommand(addresses, 'join')}`,
        )
      const answer = await acts.unpause(account, name ?? account.name)
      if ('problem' in answer) throw new Failure(answer.problem)
      if (answer.lifted) await onAccountChanged(answer.name)
      if (json) printJson(context, { name: answer.name, paused: false })
      else context.print(`${answer.name} ${answer.lifted ? 'may play again' : 'was not paused'}.`)
    })

/** Registers an account by one command: `ssh join@HOST NAME CODE`. */
const join = async (running: RunningCommand, text: string): Promise<number> => {
  const { hub, request } = running
  const [name = '', code = '', ...more] = commandWords(text)
  const ssh = sshCommand(hub.addresses, 'join')
  if (request.key === null)
    throw new Failure(
      `your client offered no key: make one with ssh-keygen -t ed25519, then ${ssh} NAME`,
    )
  if (request.login !== null)
    throw new Failure(`this key belongs to ${request.login.account.name} already`)
  if (name === '') {
    running.print(`Give a name: ${ssh} NAME${hub.registration === 'open' ? '' : ' CODE'}`)
    return 0
  }
  if (more.length > 0)
    throw new Failure(
      `I do not understand ${quoted(more.join(' '))}: put a name with spaces in quotes of both kinds, as in ${ssh} '"Dr. Deep Blue 2" CODE'`,
    )
  const { source, key } = request
  const result = await hub.registrar.registerKey({ source, key, name, code })
  if ('detail' in result) throw new Failure(`${capital(result.detail)}.`)
  running.print([`You are ${result.name}.`, ...playCommand(hub.addresses)].join(' '))
  return 0
}
