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
  readonly logLevel: string
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
  logLevel: setting('LOG_LEVEL', 'trace, debug, info, warn, error or silent', 'info', level),
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

function level(value: string): string | Wrong {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'silent']
  return levels.includes(value) ? value : { wrong: `give one of ${levels.join(', ')}` }
}
