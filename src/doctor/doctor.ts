// Checks what the host needs to run and to be reached. It changes nothing.

import { BlockList } from 'node:net'
import type { Clock } from '../clock.ts'
import { type CallOut, type Config, readConfig } from '../config.ts'
import { isLoopback, speaksAgentGames } from '../hub/host-addresses.ts'
import { unmetered } from '../meter.ts'
import { HttpClient } from '../outgoing/http-client.ts'
import { serverOf } from '../store/lock.ts'
import { type Ask, addressesOf } from './ask.ts'
import { examineClock } from './clock.ts'
import { examineDatabase } from './database.ts'
import { examineEdge } from './edge.ts'
import { about, type Finding } from './finding.ts'
import { examineFolder } from './folder.ts'
import { examineHostKey } from './host-key.ts'
import { examineListeners } from './listeners.ts'
import { examineNode } from './node.ts'
import { examineServer } from './server.ts'
import { examineSettings } from './settings.ts'

export interface CheckOptions {
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  /** The version of Node, and what package.json asks for. */
  readonly node: { readonly version: string; readonly needs: string }
  /** The URL of the TLS edge: undefined takes it from AGENTBBS_HOST, null skips the check. */
  readonly edge?: string | null | undefined
}

export const examine = async ({
  env,
  clock,
  node,
  edge = edgeOf(env),
}: CheckOptions): Promise<readonly Finding[]> => {
  const fit = examineNode(node.version, node.needs)
  const config = settingsOf(env)
  if ('level' in config) return [fit, config]
  if (fit.level === 'fail') return [fit]
  const kept = [
    ...examineFolder(config.data),
    ...examineDatabase(config.data, clock.date()),
    ...examineClock(env),
    examineHostKey(config.data),
  ]
  // After the slow checks, because a server may have just been started.
  const pid = processOf(config.data)
  const http = new HttpClient({ clock, meter: unmetered, callOut: anywhere, resolve: addressesOf })
  const ask: Ask = (url, more) => http.call({ url, longest, ...more }, answer => answer)
  return [
    fit,
    ...examineSettings(env, config),
    ...kept,
    ...examineServer(pid),
    ...(await examineListeners(config, pid !== undefined, ask)),
    ...(edge === null ? [] : await examineEdge(edge, clock, ask, speaksAgentGames(config))),
  ]
}

/** The addresses of this host are often private. */
const anywhere: CallOut = { addresses: 'any', networks: new BlockList(), hosts: new Set() }

/** Metrics that should not be public are long. */
const longest = 2 ** 20

const settingsOf = (env: NodeJS.ProcessEnv): Config | Finding => {
  try {
    return readConfig(env)
  } catch (error) {
    return about('settings').fail((error as Error).message, 'correct it, and run doctor again')
  }
}

/** A lock that cannot be read is reported by the check of its folder. */
const processOf = (folder: string): number | null | undefined => {
  try {
    return serverOf(folder)
  } catch {
    return undefined
  }
}

/** Without a host name there is no edge to check. */
const edgeOf = ({ AGENTBBS_HOST: host = 'localhost' }: NodeJS.ProcessEnv): string | null =>
  isLoopback({ host }) ? null : `https://${host}`
