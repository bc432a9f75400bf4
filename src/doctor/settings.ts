import { readdirSync, readFileSync } from 'node:fs'
import { type Config, limitSettings, settings } from '../config.ts'
import { isLoopback, registrationOf, speaksAgentGames } from '../hub/host-addresses.ts'
import { about, type Finding } from './finding.ts'

/** Warns of settings that can be read but are risky. */
export const examineSettings = (env: NodeJS.ProcessEnv, config: Config): readonly Finding[] => [
  set(env),
  registration(config),
  listener(config),
  ...believed(env, config),
  ...called(config),
  ...art(config),
  ...words(config),
  limits(config),
  ...pairs(config),
  drain(config),
]

const set = (env: NodeJS.ProcessEnv): Finding => {
  const names = Object.keys(env).filter(name => name.startsWith('AGENTBBS_'))
  const known = Object.values(settings).map(({ variable }) => variable)
  const ours = names.filter(name => known.includes(name)).sort()
  return about('settings').ok(
    ours.length === 0 ? 'all are the default' : `${ours.join(', ')} and defaults`,
  )
}

const registration = (config: Config): Finding => {
  const { ok, warn } = about('registration')
  const who = registrationOf(config)
  return who === 'open' && registrationOf({ ...config, registration: 'auto' }) !== 'open'
    ? warn(
        'everyone on the network can make accounts',
        `set ${settings.registration.variable}=invite if that is not intended`,
      )
    : ok(who)
}

const listener = (config: Config): Finding => {
  const { http } = config
  const { ok, warn } = about('listener')
  const served = speaksAgentGames(config) ? 'the pages and /play' : 'the pages'
  return isLoopback(http)
    ? ok(`${served} are plain HTTP, for this machine only`)
    : warn(
        `${served} are plain HTTP on the network, and tokens can be read there`,
        `set ${settings.http.variable}=${settings.http.standard} unless a firewall or a container network keeps other clients out`,
      )
}

const believed = (env: NodeJS.ProcessEnv, { http }: Config): readonly Finding[] => {
  const { variable } = settings.trustedProxies
  return isLoopback(http) || env[variable] !== undefined
    ? []
    : [
        about('listener').warn(
          'an edge on another machine is not a trusted proxy: all its clients count as one address',
          `add its address to ${variable}`,
        ),
      ]
}

const called = ({ callOut }: Config): readonly Finding[] =>
  callOut.addresses === 'any'
    ? [
        about('call out').warn(
          'players can have the host send requests to all machines of its network',
          `set ${settings.callOut.variable}=public, and add the networks of players`,
        ),
      ]
    : []

const art = ({ art }: Config): readonly Finding[] => {
  if (art === '') return []
  const { ok, warn } = about('art')
  try {
    return [ok(`${readdirSync(art).length} files in ${art}`)]
  } catch (error) {
    return [
      warn(
        `the hub shows its default art: ${(error as Error).message}`,
        `correct ${settings.art.variable}, and let the user that runs the server read it`,
      ),
    ]
  }
}

/** Without the file the server does not start. */
const words = ({ blockedWords }: Config): readonly Finding[] => {
  if (blockedWords === '') return []
  const { ok, fail } = about('words')
  try {
    const lines = readFileSync(blockedWords, 'utf8').split('\n')
    return [ok(`${lines.filter(line => line.trim() !== '').length} lines in ${blockedWords}`)]
  } catch (error) {
    return [
      fail(
        `the server does not start: ${(error as Error).message}`,
        `correct ${settings.blockedWords.variable}, and let the user that runs the server read it`,
      ),
    ]
  }
}

/** A limit so many times its default protects nothing. */
const wide = 10

const limits = (config: Config): Finding => {
  const { ok, warn } = about('limits')
  const wider = (Object.keys(limitSettings) as (keyof typeof limitSettings)[]).filter(
    key => config.limits[key] > wide * Number(limitSettings[key].standard),
  )
  return wider.length === 0
    ? ok('none is far above its default')
    : warn(
        `${wider.map(key => limitSettings[key].variable).join(', ')} allow more than ${wide} times the default`,
        'lower them unless that is meant',
      )
}

const pairs = (config: Config): readonly Finding[] =>
  config.pairCap > 0 || registrationOf(config) === 'closed'
    ? []
    : [
        about('limits').warn(
          'two accounts may play rated without any cap on matches, duplicates and rating gains, and others may make accounts',
          `set ${settings.pairCap.variable} above 0, or ${settings.registration.variable}=closed`,
        ),
      ]

/** The stop timeout of the systemd unit and of the compose file, less some time to close. */
const granted = 75_000

const drain = ({ drain }: Config): Finding => {
  const { ok, warn } = about('drain')
  return drain > granted
    ? warn(
        `a stop takes up to ${drain / 1000} s, but the unit and compose file supplied kill it after 90 s`,
        'raise TimeoutStopSec in the unit, or stop_grace_period in the compose file, above it',
      )
    : ok(`a stop takes up to ${drain / 1000} s`)
}
