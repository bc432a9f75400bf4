// Every setting and its default, on one screen. Nothing else reads the environment.

import { hostname } from 'node:os'

export interface Config {
  readonly ssh: Address
  readonly http: Address
  readonly data: string
  /** The name shown in instructions. */
  readonly host: string
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
  readonly logLevel: string
  /** Where the metrics are, beside the HTTP address for this machine alone. */
  readonly metrics: Address | 'local' | 'off'
}

export interface Address {
  readonly host: string
  readonly port: number
}

/** What the environment may say: its name, what it means, its default as it would be written, how it is read. */
export const settings = {
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
} as const satisfies { [K in keyof Config]: Setting<Config[K]> }

/** Reads all settings, or throws an error whose message names the variable that cannot be read. */
export const readConfig = (env: NodeJS.ProcessEnv): Config =>
  Object.fromEntries(
    Object.entries(settings).map(([key, { variable, standard, read }]) => {
      const value = env[variable] ?? standard
      const result = read(value)
      if (typeof result === 'object' && 'wrong' in result)
        throw new ConfigError(`${variable}=${JSON.stringify(value)}: ${result.wrong}`)
      return [key, result]
    }),
  ) as unknown as Config

export class ConfigError extends Error {}

export interface Setting<T> {
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
