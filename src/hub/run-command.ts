import type { RoomId } from '../arena/room-setup.ts'
import { commandWords } from '../command-words.ts'
import { quoted } from '../games/words.ts'
import type { Connection } from '../protocols/connection.ts'
import { Failure } from '../queries/command.ts'
import { jsonText } from '../record/json-text.ts'
import { capital } from '../record/result-text.ts'
import { roomsBody } from '../record/room-record.ts'
import { roomText } from '../record/room-text.ts'
import { tablesBody } from '../record/table-record.ts'
import type { Reader, TextSource } from '../scheduling/text-stream.ts'
import { printable } from '../text/printable.ts'
import { table } from '../text/table.ts'
import type { Login } from '../wire/accounts.ts'
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
  #isClosed = false

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
    this.#isClosed = true
    this.#stop()
  }

  get isClosed(): boolean {
    return this.#isClosed
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

  printJson(value: unknown): void {
    this.print(printable(jsonText(value, 2)))
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
    return await (request.user === 'join' ? join : run)(running, text)
  } catch (error) {
    // When the host stops, the thread with the database ends after the connections.
    if (running.isClosed) return 1
    if (!(error instanceof Failure)) throw error
    running.printError(printable(error.message))
    return 1
  }
}

/** Runs a command where the database is read, and prints its answer. Its time counts as that of pages does. */
const run = async (running: RunningCommand, text: string): Promise<number> => {
  const { hub, request } = running
  const words = commandWords(text)
  const { said, next, ms } = await hub.commands.run({
    words,
    ssh: sshCommand(hub.addresses, request.user),
    play: sshCommand(hub.addresses, 'game'),
    width: running.width,
    live: words.map(Number).filter(id => hub.arena.tables.has(id)),
  })
  hub.pageTime.use(request.source, ms)
  if (running.isClosed) {
    if (next.kind === 'text') await hub.commands.stop(next.id)
    return 1
  }
  for (const { to, text } of said)
    if (to === 'out') running.print(text)
    else running.printError(text)
  switch (next.kind) {
    case 'status':
      return next.status
    case 'text':
      await stream(running, next)
      return 0
    case 'watch':
      await watchMatch(running, next.match, next.json)
      return 0
    case 'rooms':
      listRooms(running, next.room, next.json)
      return 0
    case 'whoami':
      whoami(running, next.json)
      return 0
    case 'sign-in':
      signIn(running, next.match, next.json)
      return 0
    case 'unpause':
      await unpause(running, next.agent, next.json)
      return 0
  }
}

/** Prints a long text as fast as the client reads it. */
const stream = async (
  running: RunningCommand,
  { id, holds }: { readonly id: number; readonly holds: number },
): Promise<void> => {
  const { commands, textStreamer } = running.hub
  const text: TextSource = {
    holds,
    next: () => commands.next(id),
    // This can only fail with its thread, which is logged, and leaves nothing to stop.
    stop: () => void commands.stop(id).catch(() => {}),
  }
  const textStream = textStreamer.stream(running.request.source, text, running)
  running.setControls(
    () => textStream.gone(),
    () => textStream.drained(),
  )
  const stopped = await textStream.done
  if (stopped === 'too-slow') running.cut()
  if (stopped === 'too-long') throw new Failure('this text is too long: the rest is left out')
}

const listRooms = (running: RunningCommand, room: RoomId | undefined, json: boolean): void => {
  const all = roomsBody(running.hub.rooms).rooms.filter(
    ({ id }) => room === undefined || id === room,
  )
  const set = room === undefined ? tablesBody(running.hub.parties).tables : []
  if (json) {
    running.printJson({ rooms: all, ...(room === undefined && { tables: set }) })
    return
  }
  const ofRooms = all.flatMap(({ id, tables }) =>
    tables.map(({ id: at, title, status, seats, match }) => [
      roomText(id),
      at,
      seats.map(seat => seat?.name ?? 'free').join(' – '),
      status === 'waiting'
        ? match === null
          ? 'waiting'
          : 'begins'
        : `${status === 'in_match' ? 'live' : 'over'}: ${match}`,
      title,
    ]),
  )
  const ofPlayers = set.map(({ code, name, game, seats, status, match }) => [
    'by code',
    code,
    seats.map(seat => seat?.name ?? 'free').join(' – '),
    status === 'waiting' ? 'waiting' : `${status === 'playing' ? 'live' : 'over'}: ${match}`,
    `${game}: ${name}`,
  ])
  const rows = [...ofRooms, ...ofPlayers]
  running.print(
    printable(
      table(
        [
          { title: 'ROOM' },
          { title: 'TABLE' },
          { title: 'SEATS' },
          { title: 'MATCH' },
          { title: 'PROMPT', long: true },
        ],
        rows,
        running.width,
      ),
    ),
  )
}

const whoami = (running: RunningCommand, json: boolean): void => {
  const { request, hub } = running
  const account = request.login?.account
  if (json) running.printJson({ account: account?.name ?? null, guest: account === undefined })
  else if (account !== undefined) running.print(printable(account.name))
  else running.print(`guest: to register an account, ${sshCommand(hub.addresses, 'join')}`)
}

const signIn = (running: RunningCommand, match: number | undefined, json: boolean): void => {
  const path = match === undefined ? '/' : `/match/${match}`
  const link = running.hub.signIns.linkFor(loginOf(running), path)
  if (json) running.printJson({ link })
  else running.print(`${link}\nOpen it in a browser. It works once, and for 10 minutes.`)
}

/** The login of the client, which has to be one. */
const loginOf = ({ request, hub }: RunningCommand): Login => {
  if (request.login === null)
    throw new Failure(
      `you are a guest: connect with the key of an account, or register one with ${sshCommand(hub.addresses, 'join')}`,
    )
  return request.login
}

const unpause = async (
  running: RunningCommand,
  name: string | undefined,
  json: boolean,
): Promise<void> => {
  const { acts, onAccountChanged } = running.hub
  const { account } = loginOf(running)
  const answer = await acts.unpause(account, name ?? account.name)
  if ('problem' in answer) throw new Failure(answer.problem)
  if (answer.lifted) await onAccountChanged(answer.name)
  if (json) running.printJson({ name: answer.name, paused: false })
  else running.print(`${answer.name} ${answer.lifted ? 'may play again' : 'was not paused'}.`)
}

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
