import { Command, CommanderError } from 'commander'
import { games } from '../games/index.ts'
import { didYouMean, nearest } from '../nearest.ts'
import { programName } from '../process/program-name.ts'
import { type Desk, Failure, printJson } from '../queries/desk.ts'
import { games as listGames } from '../queries/games.ts'
import { ladder } from '../queries/ladder.ts'
import { matches } from '../queries/matches.ts'
import { number } from '../queries/numbers.ts'
import { replay } from '../queries/replay.ts'
import { longest, type Pieces, type Reader } from '../scheduling/text-stream.ts'
import { printable } from '../text/printable.ts'
import type { SessionRequest } from '../wire/hub-session.ts'
import { unpause } from './credentials.ts'
import { dial, type House } from './house.ts'
import { register } from './registration.ts'
import { watch } from './watch-lines.ts'

export interface Answerer {
  readonly house: House
  readonly visit: SessionRequest
  /** What the answer is written to: bytes that are not read yet are counted there. */
  readonly reader: Reader
  readonly complain: (text: string) => void
  readonly width: number | undefined
  /** Closes at once, for a visitor who does not read. */
  cut(): void
  /** Called back when the visitor goes before the answer is whole. */
  onGone(gone: () => void): void
  /** Called back whenever all that was written has been read. */
  onDrained(drained: () => void): void
}

/** What may be left unread of an answer that goes on and on. */
const mostUnread = 512 * 1024

/** Answers one command. Resolves with the exit status. */
export const answer = async (answerer: Answerer, text: string): Promise<number> => {
  const { house, visit, complain } = answerer
  const print = printing(answerer)
  const desk: Desk = {
    env: {},
    clock: house.clock,
    print: text => print(printable(text)),
    stream: (pieces, holds) => stream(answerer, pieces, holds),
    width: answerer.width,
    store: house.store,
  }
  const refusal = house.noAnswer(visit.source)
  if (refusal !== undefined) {
    complain(refusal.detail)
    return 1
  }
  try {
    if (visit.user === 'join') return await join(answerer, text)
    return await inTurn(answerer, () => run(answerer, desk, text))
  } catch (error) {
    // What is wrong with the usage it has said itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof Failure)) throw error
    complain(printable(error.message))
    return 1
  }
}

const run = async (answerer: Answerer, desk: Desk, text: string): Promise<number> => {
  const words = text.split(/\s+/).filter(word => word !== '')
  const known = commands(answerer, desk)
  const problem = noCommand(words, known.commands, dial(answerer.house.place, 'game'))
  if (problem === null) await known.parseAsync(words, { from: 'user' })
  else answerer.complain(printable(problem))
  return problem === null ? 0 : 2
}

const printing =
  ({ reader, cut }: Answerer) =>
  (text: string) => {
    reader.write(`${text}\n`)
    if (reader.unsent > mostUnread) cut()
  }

/** What a command does at once is done when it is its turn, as pages are made, and counted as they are. */
const inTurn = <T>({ house, visit }: Answerer, run: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) =>
    house.scheduler.add(() => {
      const began = performance.now()
      run().then(resolve, reject)
      house.pageTime.use(visit.source, performance.now() - began)
    }, visit.source),
  )

/** Text that is made as it is read. */
const stream = async (
  { house, visit, reader, cut, onGone, onDrained }: Answerer,
  begin: () => Pieces,
  holds: number,
): Promise<void> => {
  if (holds > longest)
    throw new Failure('this match is too long to be read here: the operator has it all')
  const textStream = house.textStreamer.stream(visit.source, { holds, begin }, reader)
  onGone(() => textStream.gone())
  onDrained(() => textStream.drained())
  const stopped = await textStream.done
  if (stopped === 'too-slow') cut()
  if (stopped === 'too-long') throw new Failure('this is too long: the rest is left out')
}

/** What was meant by a first word that is no command; null where it is one, or an option. */
const noCommand = (
  [word, ...rest]: readonly string[],
  commands: readonly Command[],
  play: string,
): string | null => {
  const names = ['help', ...commands.map(command => command.name())]
  if (word === undefined || word.startsWith('-') || names.includes(word)) return null
  const ids = games.map(({ id }) => id)
  const meant = nearest(word, [...ids, ...names])
  const as = (name: string) => `${play} ${[name, ...rest].join(' ').slice(0, 80)}`
  if (meant === word)
    return `${word} is a game, and this is the hub: agents play it with ${as(word)}`
  const shown = JSON.stringify(word.slice(0, 40))
  if (meant !== undefined && ids.includes(meant))
    return `there is no command ${shown} (did you mean the game ${meant}? Agents play it with ${as(meant)})`
  return `there is no command ${shown}${didYouMean(word, names)}; there are ${names.join(', ')}`
}

const commands = (answerer: Answerer, desk: Desk): Command => {
  const { house, visit, complain } = answerer
  const print = printing(answerer)
  const here = dial(house.place, visit.user)
  const local = (text: string) => text.replaceAll(`${programName()} `, `${here} `).trimEnd()
  const all = new Command(here)
    .helpCommand('help [command]', 'Say what there is, or explain a command')
    .description(
      `AgentBBS: agents play rated games here. With a terminal, ${here} opens the board.`,
    )
    .exitOverride()
    .configureOutput({
      writeOut: text => print(local(text)),
      writeErr: text => complain(printable(local(text))),
      getOutHelpWidth: () => answerer.width ?? 80,
      getErrHelpWidth: () => answerer.width ?? 80,
    })
    .hook('preAction', (_, command) => {
      if ((command.opts().limit ?? 0) > most) throw new Failure(`--limit is at most ${most} here`)
      // What is secret in a game stays so until it is over.
      if (command.name() === 'replay' && house.arena.tables.has(Number(command.args[0])))
        throw new Failure(
          `match ${command.args[0]} is under way: watch ${command.args[0]} shows it`,
        )
    })
  for (const make of [listGames, ladder, matches, replay])
    all.addCommand(make(desk).copyInheritedSettings(all))
  all.addCommand(watching(answerer, desk).copyInheritedSettings(all))
  all.addCommand(whoami(answerer, desk).copyInheritedSettings(all))
  all.addCommand(unpausing(answerer, desk).copyInheritedSettings(all))
  // Without a command: what there is, and no error.
  return all.action(() => print(local(all.helpInformation())))
}

const most = 500

const watching = (answerer: Answerer, desk: Desk) =>
  new Command('watch')
    .summary('Follow a live match to its end')
    .description('Follow a live match to its end: the board after every move.')
    .argument('<match>', 'the number that matches --status live shows', number(1))
    .option('--json', 'print one JSON object a line')
    .action((id: number, { json }: { json?: true }) => watch(answerer, desk, id, json === true))

const whoami = ({ visit, house }: Answerer, desk: Desk) =>
  new Command('whoami')
    .summary('Say whose key you came with')
    .description('Say whose key you came with.')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: true }) => {
      const account = visit.login?.account
      if (json) printJson(desk, { account: account?.name ?? null, guest: account === undefined })
      else if (account !== undefined) desk.print(account.name)
      else desk.print(`guest: for an account, ${dial(house.place, 'join')}`)
    })

const unpausing = ({ visit, house: { store, place } }: Answerer, desk: Desk) =>
  new Command('unpause')
    .summary('Let your account, or an agent of yours, play again')
    .description(
      'Let your account, or an agent of yours, play again after the host has paused it. What it failed at before is forgotten. What the operator has paused, the operator alone lets play again.',
    )
    .argument('[agent]', 'an account that belongs to yours; otherwise your own')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, { json }: { json?: true }) => {
      const account = visit.login?.account
      if (account === undefined)
        throw new Failure(`you came without the key of an account: ${dial(place, 'join')}`)
      const agent = store.users.find(name ?? account.name)
      if (agent === undefined || (agent.id !== account.id && agent.owner !== account.id))
        throw new Failure(`${name} is no agent of ${account.name}`)
      const lifted = await store.write(() => unpause(store, account, agent))
      if (!lifted && agent.paused_at !== null)
        throw new Failure(`${agent.name} was paused by the operator, who alone lets it play again`)
      if (json) printJson(desk, { name: agent.name, paused: false })
      else desk.print(lifted ? `${agent.name} may play again.` : `${agent.name} was not paused.`)
    })

/** Without a terminal an account is made in one command: `join@ NAME`, and a code where it takes one. */
const join = async (answerer: Answerer, text: string): Promise<number> => {
  const { house, visit } = answerer
  const print = printing(answerer)
  const [name = '', code = ''] = text.split(/\s+/)
  if (visit.key === null)
    throw new Failure(
      `you came without a key: make one with ssh-keygen -t ed25519, then ${dial(house.place, 'join')} NAME`,
    )
  if (visit.login !== null)
    throw new Failure(`this key is that of ${visit.login.account.name} already`)
  if (name === '') {
    print(
      `Say a name: ${dial(house.place, 'join')} NAME${house.registration === 'open' ? '' : ' CODE'}`,
    )
    return 0
  }
  const result = await register(house, { source: visit.source, key: visit.key, name, code })
  if ('problem' in result) throw new Failure(result.problem)
  print(
    `You are ${result.name}. Your agents play with the same key: ${dial(house.place, 'game')} ttt`,
  )
  return 0
}
