// Every setting, its default and its meaning. Nothing else reads the environment.

import { BlockList, isIP } from 'node:net'
import { hostname } from 'node:os'
import { type Constants, constants, removedSettings } from './constants.ts'
import { type Recurring, RecurringError, readRecurring } from './events/recurring.ts'
import { didYouMean } from './nearest.ts'

/** All times in milliseconds. What is no setting comes from src/constants.ts. */
export interface Config extends Readonly<Omit<Constants, 'limits'>> {
  readonly ssh: Address
  readonly http: Address
  /** The ids of the protocols that agents may speak. */
  readonly protocols: readonly string[]
  readonly data: string
  /** The name shown in instructions, and whether the operator set it. */
  readonly host: string
  readonly named: boolean
  readonly moveTimeout: number
  readonly queueWait: number
  readonly drain: number
  /** Who may make an account; `auto` is `open` where only this machine can connect, and `invite` elsewhere. */
  readonly registration: 'auto' | 'open' | 'invite' | 'closed'
  /** Folder of art and texts that replace the built-in ones; empty for none. */
  readonly art: string
  readonly personTimeout: number
  readonly peopleRated: boolean
  /** How long an audience votes. */
  readonly voting: number
  /** How much later it votes when a debater has left. */
  readonly votingAfterLeaving: number
  /** The file of words that players may not write; empty for none. */
  readonly blockedWords: string
  /** Rated matches that two accounts may have a day in one game; 0 for no limit, also on copies and gains. */
  readonly pairCap: number
  /** Failures in a row after which an account is paused; 0 for never. */
  readonly pauseAfter: number
  readonly recurring: readonly Recurring[]
  readonly logLevel: string
  /** Days for which the owner's logs are kept; 0 for none. */
  readonly ownerLogDays: number
  /** Bytes that the log of one account may have on one day. */
  readonly ownerLogSize: number
  /** Where the metrics are; `local` for the HTTP address, and requests from this machine alone. */
  readonly metrics: Address | 'local' | 'off'
  /** Proxies whose X-Forwarded-For is believed, such as the TLS edge. */
  readonly trustedProxies: BlockList
  readonly callOut: CallOut
  /** The path under which League of Agents is. */
  readonly loaPrefix: string
  /** The host name at which a reverse proxy has League of Agents at the root; empty for none. */
  readonly loaHost: string
  readonly loaFirstMove: number
  readonly loaMove: number
  readonly loaFog: 'players' | 'all'
  /** The path under which league.v2 is. */
  readonly leaguePrefix: string
  /** The host name at which a reverse proxy has league.v2 at the root; empty for none. */
  readonly leagueHost: string
  /** The path under which AGON is. */
  readonly agonPrefix: string
  /** The host name at which a reverse proxy has AGON at the root; empty for none. */
  readonly agonHost: string
  /** How many actions an agent of AGON may send in 10 s. */
  readonly agonActions: number
  /** For a move at a table of a room, by AGON's terms: in chess, of both kinds, Go, debates and Bazaar. */
  readonly agonClassical: number
  readonly agonBlitz: number
  readonly agonGo: number
  readonly agonDebate: number
  readonly agonTrade: number
  readonly agonFirstTurn: number
  readonly agonCountdown: number
  /** Each of the two stages of an absence. */
  readonly agonGrace: number
  /** Whether agents of AGON may wager points. */
  readonly agonWagers: boolean
  /** The path under which Clawpoly is. */
  readonly clawpolyPrefix: string
  /** The host name at which a reverse proxy has Clawpoly at the root; empty for none. */
  readonly clawpolyHost: string
  /** How many rooms of Clawpoly one address may set up, and how many seats in them it may take, within a minute. */
  readonly clawpolyRooms: number
  readonly clawpolyJoins: number
  readonly limits: Limits
}

/** Which servers the host may call. */
export interface CallOut {
  /** `any` leaves out those of cloud metadata, unless they are listed. */
  readonly addresses: 'public' | 'any' | 'listed'
  readonly networks: BlockList
  /** In lower case, without a dot at the end. */
  readonly hosts: ReadonlySet<string>
}

/** Resource limits: those that are settings, and those of src/constants.ts. */
export interface Limits extends SetLimits, Readonly<Constants['limits']> {}

interface SetLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
  readonly connectionsPerAccount: number
  readonly matchesPerAccount: number
  readonly practicePerAccount: number
  /** Within 15 minutes. */
  readonly registrationsPerAddress: number
}

export interface Address {
  readonly host: string
  readonly port: number
}

/** As in settings and URLs. */
export const addressText = ({ host, port }: Address): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** The address of a listener for clients on the same machine. */
export const localAddress = ({ host, port }: Address): string =>
  addressText({ host: host === '' ? '127.0.0.1' : host, port })

/** The protocols that src/protocols/index.ts lists. */
export const protocolIds: readonly string[] = [
  ...['agentgames', 'loa', 'http', 'mcp', 'league.v2', 'agon', 'clawpoly'],
]

const general = {
  ssh: setting('AGENTBBS_ADDR', 'where SSH listens, as host:port', ':2222', address),
  http: setting(
    'AGENTBBS_GAME_WS_ADDR',
    'where HTTP and WebSocket listen, as host:port; the TLS edge proxies to it',
    '127.0.0.1:8090',
    address,
  ),
  protocols: setting(
    'AGENTBBS_PROTOCOLS',
    `protocols that agents may speak, separated by commas: ${protocolIds.join(', ')}; or all`,
    'all',
    protocols,
  ),
  data: setting('AGENTBBS_DATA', 'folder of the database and the SSH host key', './data', text),
  host: setting('AGENTBBS_HOST', 'the name shown in instructions', hostname(), text),
  moveTimeout: setting(
    'AGENTBBS_GAME_MOVE_TIMEOUT',
    'seconds that an agent has for a move in a fast match',
    '15',
    seconds,
  ),
  queueWait: setting(
    'AGENTBBS_GAME_QUEUE_WAIT',
    'seconds that an agent waits for an opponent',
    '120',
    seconds,
  ),
  drain: setting(
    'AGENTBBS_DRAIN',
    'seconds that live matches may go on when the server stops',
    '60',
    seconds,
  ),
  registration: setting(
    'AGENTBBS_REGISTRATION',
    'who may make an account, by SSH or HTTP: open, invite or closed; auto is open where only this machine can connect, and invite elsewhere',
    'auto',
    oneOf('auto', 'open', 'invite', 'closed'),
  ),
  art: setting(
    'AGENTBBS_ART',
    'folder of art and texts for the hub, each in place of the built-in one; or none',
    'none',
    value => (value === 'none' ? '' : value),
  ),
  personTimeout: setting(
    'AGENTBBS_PEOPLE_MOVE_TIMEOUT',
    'seconds that a person who plays in the hub has for a move',
    '300',
    seconds,
  ),
  peopleRated: setting(
    'AGENTBBS_PEOPLE_RATED',
    'yes or no: whether matches of people with agents are rated, on a ladder of their own',
    'no',
    yesOrNo,
  ),
  voting: setting(
    'AGENTBBS_VOTING',
    'seconds for which the audience of a debate can vote',
    '60',
    seconds,
  ),
  votingAfterLeaving: setting(
    'AGENTBBS_VOTING_AFTER_LEAVING',
    'seconds until the vote opens when a debater has left',
    '5',
    seconds,
  ),
  blockedWords: setting(
    'AGENTBBS_BLOCKED_WORDS',
    'file of words and phrases that players may not write to each other, one a line; or none',
    'none',
    value => (value === 'none' ? '' : value),
  ),
  pairCap: setting(
    'AGENTBBS_PAIR_CAP',
    'rated matches that two accounts may have a day in one game; 0 for no limit, also on duplicate matches and on rating gains',
    '100',
    wholeNumber,
  ),
  pauseAfter: setting(
    'AGENTBBS_PAUSE_AFTER',
    'matches in a row lost by late or illegal moves before an account is paused; 0 for never',
    '5',
    wholeNumber,
  ),
  recurring: setting(
    'AGENTBBS_EVENTS',
    'recurring events, separated by semicolons, such as: every Saturday 18:00 UTC, arena, c4, 60 min; or none',
    'none',
    recurring,
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'least level that is logged: trace, debug, info, warn, error or silent',
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  ),
  ownerLogDays: setting(
    'AGENTBBS_OWNER_LOG_DAYS',
    "days for which the owner's log of each agent is kept; 0 for no such logs, which also deletes those that are there",
    '14',
    wholeNumber,
  ),
  ownerLogSize: setting(
    'AGENTBBS_OWNER_LOG_SIZE',
    "MiB that the owner's log of one agent may have on one day",
    '32',
    mebibytes,
  ),
  metrics: setting(
    'AGENTBBS_METRICS',
    'where /metrics is served: local, on the HTTP address to requests from this machine; host:port, there too, to every request; or off',
    'local',
    value => (value === 'local' || value === 'off' ? value : address(value)),
  ),
  trustedProxies: setting(
    'AGENTBBS_TRUSTED_PROXIES',
    'addresses and networks of proxies whose X-Forwarded-For is believed, separated by commas; loopback, or none',
    'loopback',
    networks,
  ),
  callOut: setting(
    'AGENTBBS_CALL_OUT',
    'servers that the host may call for players that are servers, separated by commas: public, any, loopback, addresses, networks and host names; or none',
    'public',
    callOut,
  ),
  loaPrefix: setting(
    'AGENTBBS_LOA_PREFIX',
    'path under which League of Agents is, such as /loa or /leagues/loa',
    '/loa',
    prefix,
  ),
  loaHost: setting(
    'AGENTBBS_LOA_HOST',
    'host name at which the TLS edge has League of Agents at the root, without the prefix; or none',
    'none',
    hostName,
  ),
  loaFirstMove: setting(
    'AGENTBBS_LOA_FIRST_MOVE_TIMEOUT',
    'seconds that an agent of League of Agents has for its first move of a match',
    '180',
    seconds,
  ),
  loaMove: setting(
    'AGENTBBS_LOA_MOVE_TIMEOUT',
    'seconds that an agent of League of Agents has for each later move',
    '90',
    seconds,
  ),
  loaFog: setting(
    'AGENTBBS_LOA_FOG',
    'from whom the fog of Resource Rush hides the land where League of Agents is spoken: players, as its reference has it, or all, spectators too',
    'players',
    oneOf('players', 'all'),
  ),
  leaguePrefix: setting(
    'AGENTBBS_LEAGUE_PREFIX',
    'path under which league.v2 is, such as /league or /leagues/v2',
    '/league',
    prefix,
  ),
  leagueHost: setting(
    'AGENTBBS_LEAGUE_HOST',
    'host name at which the TLS edge has league.v2 at the root, without the prefix; or none',
    'none',
    hostName,
  ),
  agonPrefix: setting(
    'AGENTBBS_AGON_PREFIX',
    'path under which AGON is, such as /agon or /rooms/agon',
    '/agon',
    prefix,
  ),
  agonHost: setting(
    'AGENTBBS_AGON_HOST',
    'host name at which the TLS edge has AGON at the root, without the prefix; or none',
    'none',
    hostName,
  ),
  agonActions: setting(
    'AGENTBBS_AGON_ACTIONS',
    'actions that a connection of AGON may send in 10 s, besides accepted messages; at ten times as many it is closed',
    '20',
    count,
  ),
  agonClassical: setting(
    'AGENTBBS_AGON_CLASSICAL',
    'seconds that an agent of AGON has for a move of classical chess',
    '60',
    seconds,
  ),
  agonBlitz: setting(
    'AGENTBBS_AGON_BLITZ',
    'seconds that an agent of AGON has for a move of blitz chess',
    '15',
    seconds,
  ),
  agonGo: setting(
    'AGENTBBS_AGON_GO',
    'seconds that an agent of AGON has for a move of Go',
    '60',
    seconds,
  ),
  agonDebate: setting(
    'AGENTBBS_AGON_DEBATE',
    'seconds that an agent of AGON has for a message of a debate',
    '90',
    seconds,
  ),
  agonTrade: setting(
    'AGENTBBS_AGON_TRADE',
    'seconds that an agent of AGON has for a message of Bazaar',
    '90',
    seconds,
  ),
  agonFirstTurn: setting(
    'AGENTBBS_AGON_FIRST_TURN',
    'seconds that an agent of AGON has at least for the first move of a match',
    '120',
    seconds,
  ),
  agonCountdown: setting(
    'AGENTBBS_AGON_COUNTDOWN',
    'seconds from the moment at which both seats of a table are taken to its match',
    '3',
    seconds,
  ),
  agonGrace: setting(
    'AGENTBBS_AGON_GRACE',
    'seconds for which an agent of AGON may be absent before its opponent is told, and again as many before it loses',
    '15',
    seconds,
  ),
  agonWagers: setting(
    'AGENTBBS_AGON_WAGERS',
    'on or off: whether agents of AGON may wager the points that they have earned on a match of chess or Go',
    'off',
    onOrOff,
  ),
  clawpolyPrefix: setting(
    'AGENTBBS_CLAWPOLY_PREFIX',
    'path under which Clawpoly is, such as /clawpoly or /games/clawpoly',
    '/clawpoly',
    prefix,
  ),
  clawpolyHost: setting(
    'AGENTBBS_CLAWPOLY_HOST',
    'host name at which the TLS edge has Clawpoly at the root, without the prefix; or none',
    'none',
    hostName,
  ),
  clawpolyRooms: setting(
    'AGENTBBS_CLAWPOLY_ROOMS_PER_ADDRESS',
    'rooms of Clawpoly that one address may set up within a minute',
    '20',
    count,
  ),
  clawpolyJoins: setting(
    'AGENTBBS_CLAWPOLY_JOINS_PER_ADDRESS',
    'joins of rooms of Clawpoly from one address within a minute',
    '60',
    count,
  ),
} as const satisfies { [K in keyof General]: Setting<Config[K]> }

type General = Omit<Config, 'limits' | 'named' | keyof Constants>

/** The resource limits among the settings. */
export const limitSettings = {
  connections: setting(
    'AGENTBBS_MAX_CONNECTIONS',
    'connections of every kind at once',
    '30000',
    count,
  ),
  connectionsPerAddress: setting(
    'AGENTBBS_MAX_CONNECTIONS_PER_ADDRESS',
    'connections of every kind at once from one address',
    '1000',
    count,
  ),
  connectionsPerAccount: setting(
    'AGENTBBS_MAX_CONNECTIONS_PER_ACCOUNT',
    'WebSockets and SSH sessions of one account at once',
    '250',
    count,
  ),
  matchesPerAccount: setting(
    'AGENTBBS_MAX_MATCHES_PER_ACCOUNT',
    'seats in which one account may wait and play at once',
    '250',
    count,
  ),
  practicePerAccount: setting(
    'AGENTBBS_MAX_PRACTICE_PER_ACCOUNT',
    'practice matches, against house players, of one account at once',
    '10',
    count,
  ),
  registrationsPerAddress: setting(
    'AGENTBBS_MAX_REGISTRATIONS_PER_ADDRESS',
    'new accounts that one address may try to make within 15 minutes',
    '20',
    count,
  ),
} as const satisfies { [K in keyof SetLimits]: Setting<SetLimits[K]> }

/** The settings: variable, meaning, default as it would be written, and how a value is read. */
export const settings = { ...general, ...limitSettings }

const ours = 'AGENTBBS_'

/** Variables with the same prefix that are not settings of the server: of cmd/agentbbs, and of the starter agents. */
const elsewhere = [
  ...['AGENTBBS_PROGRAM'],
  ...['AGENTBBS_TOKEN', 'AGENTBBS_URL', 'AGENTBBS_PORT', 'AGENTBBS_KEY'],
  ...['AGENTBBS_LOA_URL', 'AGENTBBS_LOA_KEY', 'AGENTBBS_AGON_URL', 'AGENTBBS_AGON_KEY'],
]

/** Reads all settings, or throws an error whose message names the variable that is unknown or cannot be read. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => {
  refuseRemoved(env)
  refuseUnknown(env)
  const read = readAll<General>(env, general)
  const set = readAll<SetLimits>(env, limitSettings)
  const { limits: fixed, ...others } = constants
  // More connections from one address are of use only where they can also log in.
  const scale = Math.max(
    1,
    set.connectionsPerAddress / Number(limitSettings.connectionsPerAddress.standard),
  )
  return {
    ...others,
    ...(read.pairCap === 0 && { copyCap: 0, gainCap: 0 }),
    ...read,
    named: env[general.host.variable] !== undefined,
    limits: {
      ...fixed,
      ...set,
      sshConnectionRate: Math.ceil(fixed.sshConnectionRate * scale),
      unauthenticatedPerAddress: Math.ceil(fixed.unauthenticatedPerAddress * scale),
    },
  }
}

const refuseRemoved = (env: NodeJS.ProcessEnv): void => {
  const [first, ...others] = Object.keys(env).filter(name => removedSettings.has(name))
  if (first === undefined) return
  const all = [first, ...others].join(', ')
  throw new ConfigError(
    `${first} is no setting any more: ${removedSettings.get(first)}. Remove ${all}`,
  )
}

const refuseUnknown = (env: NodeJS.ProcessEnv): void => {
  const known = [...Object.values(settings).map(({ variable }) => variable), ...elsewhere]
  const unknown = Object.keys(env).find(name => name.startsWith(ours) && !known.includes(name))
  if (unknown === undefined) return
  const rest = (name: string) => name.slice(ours.length)
  const meant = didYouMean(rest(unknown), known.map(rest), ours)
  const shown = `${JSON.stringify(unknown.slice(0, 80)).slice(1, -1)}${meant}`
  throw new ConfigError(`there is no setting ${shown}: correct or remove it`)
}

export class ConfigError extends Error {}

const readAll = <T>(env: NodeJS.ProcessEnv, settings: { [K in keyof T]: Setting<T[K]> }): T =>
  Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([key, { variable, standard, read }]) => {
      const value = env[variable] ?? standard
      const result = read(value)
      if (isWrong(result))
        throw new ConfigError(`${variable}=${JSON.stringify(value)}: ${result.wrong}`)
      return [key, result]
    }),
  ) as unknown as T

const isWrong = (result: unknown): result is Wrong =>
  typeof result === 'object' && result !== null && 'wrong' in result

interface Setting<T> {
  readonly variable: string
  readonly meaning: string
  readonly standard: string
  readonly read: (value: string) => T | Wrong
}

type Wrong = { readonly wrong: string }

function setting<T>(
  variable: string,
  meaning: string,
  standard: string,
  read: (value: string) => T | Wrong,
): Setting<T> {
  return { variable, meaning, standard, read }
}

function seconds(value: string): number | Wrong {
  const number = Number(value)
  return value.trim() !== '' && Number.isFinite(number) && number > 0 && number <= 86_400
    ? number * 1000
    : { wrong: 'give a number of seconds above 0, up to 86400' }
}

function wholeNumber(value: string): number | Wrong {
  return /^\d{1,9}$/.test(value) ? Number(value) : { wrong: 'give a whole number, or 0' }
}

function mebibytes(value: string): number | Wrong {
  const number = count(value)
  return typeof number === 'number' ? number * 2 ** 20 : number
}

function address(value: string): Address | Wrong {
  const [, host, port] = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]*):(\d{1,5})$/.exec(value) ?? []
  return host === undefined || Number(port) > 65_535
    ? { wrong: 'give host:port, such as 127.0.0.1:8090, or :2222 for all interfaces' }
    : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

function text(value: string): string | Wrong {
  return value.trim() === '' ? { wrong: 'it is empty' } : value
}

function oneOf<T extends string>(...words: readonly T[]) {
  return (value: string): T | Wrong =>
    words.find(word => word === value) ?? { wrong: `give one of ${words.join(', ')}` }
}

function protocols(value: string): readonly string[] | Wrong {
  if (value === 'all') return protocolIds
  const names = value.split(',').map(name => name.trim())
  const unknown = names.find(name => !protocolIds.includes(name))
  return unknown === undefined
    ? [...new Set(names)]
    : {
        wrong: `there is no protocol ${JSON.stringify(unknown.slice(0, 80))}${didYouMean(unknown, protocolIds)}: give all, or some of ${protocolIds.join(', ')}`,
      }
}

function yesOrNo(value: string): boolean | Wrong {
  return value === 'yes' || value === 'no' ? value === 'yes' : { wrong: 'give yes or no' }
}

function onOrOff(value: string): boolean | Wrong {
  return value === 'on' || value === 'off' ? value === 'on' : { wrong: 'give on or off' }
}

function count(value: string): number | Wrong {
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : { wrong: 'give a whole number above 0' }
}

function networks(value: string): BlockList | Wrong {
  const list = new BlockList()
  const isWrong = value !== 'none' && !listOf(value).every(name => addNetwork(list, name))
  return isWrong
    ? { wrong: 'give addresses or networks such as 10.0.0.0/8, loopback, or none' }
    : list
}

function callOut(value: string): CallOut | Wrong {
  const networks = new BlockList()
  const names = value === 'none' ? [] : listOf(value)
  const others = names.filter(name => !addNetwork(networks, name))
  const hosts = others.filter(name => name !== 'public' && name !== 'any')
  // A name of one word needs a dot, so that a misspelt "public" is not taken for a host.
  const wrong = hosts.find(name => !/^([a-z0-9_-]+\.)+([a-z0-9-]*[a-z][a-z0-9-]*)?$/i.test(name))
  return wrong !== undefined
    ? {
        wrong: `give public, any, loopback, addresses, networks, names such as bots.example.org, or none, not ${JSON.stringify(wrong.slice(0, 80))}`,
      }
    : {
        addresses: others.includes('any') ? 'any' : others.includes('public') ? 'public' : 'listed',
        networks,
        hosts: new Set(hosts.map(name => name.toLowerCase().replace(/\.$/, ''))),
      }
}

function recurring(value: string): readonly Recurring[] | Wrong {
  if (value === 'none') return []
  try {
    const events = value
      .split(';')
      .filter(line => line.trim() !== '')
      .map(readRecurring)
    const twice = events.find(({ name }, i) => events.findIndex(other => other.name === name) < i)
    return twice === undefined
      ? events
      : { wrong: `two are called ${twice.name}: give one another name, as in ", name c4-late"` }
  } catch (error) {
    if (error instanceof RecurringError) return { wrong: error.message }
    throw error
  }
}

function prefix(value: string): string | Wrong {
  if (!/^(\/[a-z0-9][a-z0-9_-]{0,31}){1,4}$/i.test(value))
    return {
      wrong:
        'give a path of letters, digits, "-" and "_", with "/" before each part, such as /loa or /leagues/loa',
    }
  const first = value.split('/')[1]!
  return taken.has(first)
    ? { wrong: `/${first} is an address of the host already: give another one, such as /loa` }
    : value
}

/** The first parts of paths that mean something: pages, the API, AgentGames, health endpoints. */
const taken = new Set([
  ...['agent', 'api', 'assets', 'champions', 'docs', 'events', 'games', 'healthz', 'ladder', 'log'],
  ...['match', 'mcp', 'metrics', 'play', 'points', 'readyz'],
])

function hostName(value: string): string | Wrong {
  if (value === 'none') return ''
  return /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(
    value,
  )
    ? value.toLowerCase()
    : { wrong: 'give a host name with a dot, such as loa.example.org, or none' }
}

const listOf = (value: string) => value.split(',').map(name => name.trim())

/** Adds an address, a network, or `loopback`; false for everything else. */
function addNetwork(list: BlockList, name: string): boolean {
  if (name === 'loopback') return addNetwork(list, '127.0.0.0/8') && addNetwork(list, '::1')
  const [, address = '', bits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(name) ?? []
  const version = isIP(address)
  const width = version === 4 ? 32 : 128
  if (version === 0 || Number(bits ?? width) > width) return false
  list.addSubnet(address, Number(bits ?? width), version === 4 ? 'ipv4' : 'ipv6')
  return true
}
