// Every setting and its default, on one screen. Nothing else reads the environment.

import { BlockList, isIP } from 'node:net'
import { hostname } from 'node:os'
import { didYouMean } from './nearest.ts'

export interface Config {
  readonly ssh: Address
  readonly http: Address
  readonly data: string
  /** The name shown in instructions, and whether the operator gave it. */
  readonly host: string
  readonly named: boolean
  /** All times in milliseconds. */
  readonly moveTimeout: number
  readonly queueWait: number
  readonly keepAlive: number
  readonly drain: number
  /** Who may make an account; `auto` for everybody where SSH listens on loopback alone, and by invitation elsewhere. */
  readonly registration: 'auto' | 'open' | 'invite' | 'closed'
  /** Folder of art and texts that replace those of the house; empty for none. */
  readonly art: string
  readonly idle: number
  readonly personTimeout: number
  readonly peopleRated: boolean
  /** How many rated matches a pair may have a day in one game, and how many of them the very same; 0 for no limit. */
  readonly pairCap: number
  readonly copyCap: number
  /** Points of rating that an account may gain a day from one opponent, and rise by wins over weaker ones; 0 for no limit. */
  readonly gainCap: number
  /** Failures in a row after which an account is paused; 0 for never. */
  readonly pauseAfter: number
  readonly logLevel: string
  /** Where the metrics are, beside the HTTP address for this machine alone. */
  readonly metrics: Address | 'local' | 'off'
  /** Those who are believed when they say whom they speak for, as the TLS edge does. */
  readonly trustedProxies: BlockList
  readonly limits: Limits
}

/** How much of everything anybody may have: what holds the house together when somebody wants all of it. */
export interface Limits {
  /** Times are in milliseconds, sizes in bytes. */
  readonly loginTime: number
  readonly loginTries: number
  readonly arriving: number
  readonly arrivingPerAddress: number
  readonly arrivals: number
  readonly requests: number
  readonly pageTime: number
  readonly connections: number
  readonly connectionsPerAddress: number
  readonly connectionsPerAccount: number
  readonly lockoutAfter: number
  readonly lockoutWithin: number
  readonly lockoutFirst: number
  readonly lockoutMost: number
  readonly channels: number
  readonly matchesPerAccount: number
  readonly practicePerAccount: number
  readonly messages: number
  readonly tooFast: number
  readonly visits: number
  readonly keys: number
  readonly unread: number
  readonly stallTime: number
}

export interface Address {
  readonly host: string
  readonly port: number
}

/** As settings and addresses of the web have it. */
export const addressText = ({ host, port }: Address): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** How a listener is reached on its own machine. */
export const localAddress = ({ host, port }: Address): string =>
  addressText({ host: host === '' ? '127.0.0.1' : host, port })

const house = {
  ssh: setting('AGENTBBS_ADDR', 'where SSH listens, as host:port', ':2222', address),
  http: setting(
    'AGENTBBS_GAME_WS_ADDR',
    'where WebSocket listens, as host:port; the TLS edge proxies to it',
    '127.0.0.1:8090',
    address,
  ),
  data: setting('AGENTBBS_DATA', 'folder of the database and the host key', './data', text),
  host: setting('AGENTBBS_HOST', 'the name shown in instructions', hostname(), text),
  moveTimeout: setting('AGENTBBS_GAME_MOVE_TIMEOUT', 'seconds per move', '15', seconds),
  queueWait: setting('AGENTBBS_GAME_QUEUE_WAIT', 'seconds a lone agent waits', '120', seconds),
  keepAlive: setting(
    'AGENTBBS_KEEPALIVE',
    'seconds between signs of life that every connection is asked for; after three without an answer it is cut',
    '15',
    seconds,
  ),
  drain: setting(
    'AGENTBBS_DRAIN',
    'seconds that live matches may go on when the host stops',
    '60',
    seconds,
  ),
  registration: setting(
    'AGENTBBS_REGISTRATION',
    'who may make an account at join@: open, invite or closed; auto is open where SSH listens on loopback alone, and invite elsewhere',
    'auto',
    oneOf('auto', 'open', 'invite', 'closed'),
  ),
  art: setting(
    'AGENTBBS_ART',
    'folder of art and texts for the hub, each in place of its own',
    'none',
    value => (value === 'none' ? '' : value),
  ),
  idle: setting(
    'AGENTBBS_IDLE',
    'seconds without a key after which a session of the hub ends',
    '900',
    seconds,
  ),
  personTimeout: setting(
    'AGENTBBS_PEOPLE_MOVE_TIMEOUT',
    'seconds per move for a person who plays in the hub',
    '300',
    seconds,
  ),
  peopleRated: setting(
    'AGENTBBS_PEOPLE_RATED',
    'yes, and matches of people with agents count, on a ladder of their own',
    'no',
    yesOrNo,
  ),
  pairCap: setting(
    'AGENTBBS_PAIR_CAP',
    'rated matches that two accounts may have a day in one game; 0 for no limit',
    '100',
    wholeNumber,
  ),
  copyCap: setting(
    'AGENTBBS_COPY_CAP',
    'rated matches a day in which two accounts may play the very same moves; 0 for no limit',
    '10',
    wholeNumber,
  ),
  gainCap: setting(
    'AGENTBBS_GAIN_CAP',
    'points of rating that an account may gain a day from one opponent, and rise by wins over weaker ones; 0 for no limit',
    '100',
    wholeNumber,
  ),
  pauseAfter: setting(
    'AGENTBBS_PAUSE_AFTER',
    'matches in a row lost by late or illegal moves before an account is paused; 0 for never',
    '5',
    wholeNumber,
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'trace, debug, info, warn, error or silent',
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  ),
  metrics: setting(
    'AGENTBBS_METRICS',
    'where /metrics is: local, on the HTTP address for this machine alone; host:port, there too for all who reach it; or off',
    'local',
    value => (value === 'local' || value === 'off' ? value : address(value)),
  ),
  trustedProxies: setting(
    'AGENTBBS_TRUSTED_PROXIES',
    'addresses and networks, with commas between, whose X-Forwarded-For is believed; loopback, or none',
    'loopback',
    networks,
  ),
} as const satisfies { [K in keyof FromHouse]: Setting<Config[K]> }

type FromHouse = Omit<Config, 'limits' | 'named'>

const limits = {
  loginTime: setting(
    'AGENTBBS_LOGIN_TIME',
    'seconds from connecting to the command by SSH, and to the whole request by HTTP',
    '15',
    seconds,
  ),
  loginTries: setting(
    'AGENTBBS_LOGIN_TRIES',
    'keys and other tries to log in on one SSH connection',
    '6',
    count,
  ),
  arriving: setting(
    'AGENTBBS_MAX_ARRIVING',
    'SSH connections that have not logged in yet',
    '2000',
    count,
  ),
  arrivingPerAddress: setting(
    'AGENTBBS_MAX_ARRIVING_PER_ADDRESS',
    'SSH connections from one address that have not logged in yet; and its HTTP requests and connections at once, agents aside',
    '250',
    count,
  ),
  arrivals: setting(
    'AGENTBBS_MAX_ARRIVALS',
    'SSH connections a second from one address, whoever they turn out to be; fifty times as many at once',
    '20',
    count,
  ),
  requests: setting(
    'AGENTBBS_MAX_REQUESTS',
    'HTTP requests and connections at once, event streams among them, agents aside',
    '4000',
    count,
  ),
  pageTime: setting(
    'AGENTBBS_MAX_PAGE_TIME',
    'milliseconds a second that pages, pictures, the API and answers in the hub may take for one address; fifty times as many at once',
    '200',
    count,
  ),
  connections: setting('AGENTBBS_MAX_CONNECTIONS', 'connections of every kind', '30000', count),
  connectionsPerAddress: setting(
    'AGENTBBS_MAX_CONNECTIONS_PER_ADDRESS',
    'connections of every kind from one address',
    '1000',
    count,
  ),
  connectionsPerAccount: setting(
    'AGENTBBS_MAX_CONNECTIONS_PER_ACCOUNT',
    'WebSockets and SSH sessions of one account',
    '250',
    count,
  ),
  lockoutAfter: setting(
    'AGENTBBS_LOCKOUT_AFTER',
    'failed logins after which an address is locked out',
    '10',
    count,
  ),
  lockoutWithin: setting(
    'AGENTBBS_LOCKOUT_WITHIN',
    'seconds after which as many failed logins are forgotten',
    '600',
    seconds,
  ),
  lockoutFirst: setting(
    'AGENTBBS_LOCKOUT_FIRST',
    'seconds that the first lockout lasts; each further one lasts twice as long',
    '30',
    seconds,
  ),
  lockoutMost: setting(
    'AGENTBBS_LOCKOUT_MOST',
    'seconds that a lockout lasts at most',
    '3600',
    seconds,
  ),
  channels: setting('AGENTBBS_MAX_CHANNELS', 'sessions on one SSH connection', '2', count),
  matchesPerAccount: setting(
    'AGENTBBS_MAX_MATCHES_PER_ACCOUNT',
    'seats that one account may wait for and play in at once',
    '250',
    count,
  ),
  practicePerAccount: setting(
    'AGENTBBS_MAX_PRACTICE_PER_ACCOUNT',
    'matches against the house that one account may play at once',
    '10',
    count,
  ),
  messages: setting(
    'AGENTBBS_MAX_MESSAGES',
    'messages a second from one connection, beside the moves that are owed; five times as many in a burst',
    '20',
    count,
  ),
  tooFast: setting(
    'AGENTBBS_MAX_TOO_FAST',
    'messages beyond AGENTBBS_MAX_MESSAGES that are answered before the connection is cut',
    '20',
    count,
  ),
  visits: setting(
    'AGENTBBS_MAX_VISITS',
    'sessions in the hub of one account, or of the guests from one address',
    '20',
    count,
  ),
  keys: setting(
    'AGENTBBS_MAX_KEYS',
    'bytes a second that may be typed or pasted in the hub; sixteen times as many at once',
    '2048',
    count,
  ),
  unread: setting(
    'AGENTBBS_MAX_UNREAD',
    'KiB that a client may leave unread before it is cut',
    '1024',
    kibibytes,
  ),
  stallTime: setting(
    'AGENTBBS_STALL_TIME',
    'seconds after which an HTTP connection is cut on which nothing moves; event streams move every 20',
    '60',
    seconds,
  ),
} as const satisfies { [K in keyof Limits]: Setting<Limits[K]> }

/** What the environment may say: its name, what it means, its default as it would be written, how it is read. */
export const settings = { ...house, ...limits }

const ours = 'AGENTBBS_'

/** What may be set in the same shell: by cmd/agentbbs, and for the starter agents. */
const elsewhere = [
  ...['AGENTBBS_PROGRAM'],
  ...['AGENTBBS_TOKEN', 'AGENTBBS_URL', 'AGENTBBS_PORT', 'AGENTBBS_KEY'],
]

/** Reads all settings, or throws an error whose message names the variable that is none or cannot be read. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => {
  const known = [...Object.values(settings).map(({ variable }) => variable), ...elsewhere]
  const unknown = Object.keys(env).find(name => name.startsWith(ours) && !known.includes(name))
  if (unknown !== undefined) {
    const rest = (name: string) => name.slice(ours.length)
    const meant = didYouMean(rest(unknown), known.map(rest), ours)
    const shown = `${JSON.stringify(unknown.slice(0, 80)).slice(1, -1)}${meant}`
    throw new ConfigError(`there is no setting ${shown}: correct or remove it`)
  }
  return {
    ...read<FromHouse>(env, house),
    named: env[house.host.variable] !== undefined,
    limits: read<Limits>(env, limits),
  }
}

export class ConfigError extends Error {}

const read = <T>(env: NodeJS.ProcessEnv, settings: { [K in keyof T]: Setting<T[K]> }): T =>
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

function yesOrNo(value: string): boolean | Wrong {
  return value === 'yes' || value === 'no' ? value === 'yes' : { wrong: 'give yes or no' }
}

function count(value: string): number | Wrong {
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : { wrong: 'give a whole number above 0' }
}

function kibibytes(value: string): number | Wrong {
  const number = count(value)
  return typeof number === 'number' ? number * 1024 : number
}

function networks(value: string): BlockList | Wrong {
  const list = new BlockList()
  const names = value === 'none' ? [] : value.split(',').map(name => name.trim())
  for (const name of names.flatMap(name =>
    name === 'loopback' ? ['127.0.0.0/8', '::1'] : [name],
  )) {
    const [, address = '', bits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(name) ?? []
    const version = isIP(address)
    const width = version === 4 ? 32 : 128
    if (version === 0 || Number(bits ?? width) > width)
      return { wrong: 'give addresses or networks such as 10.0.0.0/8, loopback, or none' }
    list.addSubnet(address, Number(bits ?? width), version === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
