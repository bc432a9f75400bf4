// The TLS edges that are installed here, with the settings of this repository.

import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { certificate } from './certificate.ts'
import { dataFolder } from './data-folder.ts'

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export const caddyfile = file('Caddyfile')

/** Whether a program is missing, so that its tests are skipped. In CI it may not be. */
export const missing = (program: string, version = '--version'): boolean =>
  process.env.CI !== 'true' && spawnSync(program, [version]).error !== undefined

/** A port below the range that the system assigns, so that it stays free. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}

export interface EdgeOptions {
  /** In place of a self-signed certificate. */
  readonly certificate?: Certificate
  /** The file for its log. */
  readonly log?: string
}

/** The host names at which the edges have League of Agents, AGON and Clawpoly at the root. */
export const loaHost = 'loa.localhost'
export const agonHost = 'agon.localhost'
export const clawpolyHost = 'clawpoly.localhost'

/** Starts Caddy in front of this address, without TLS. Returns its URL. */
export const startCaddy = async (address: string, { log }: EdgeOptions = {}): Promise<string> => {
  const [port, admin] = [await freePort(), await freePort()]
  const site = `http://127.0.0.1:${port}`
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', caddyfile], {
    env: {
      PATH: process.env.PATH,
      HOME: dataFolder(),
      CADDY_ADMIN: `127.0.0.1:${admin}`,
      // With its scheme, so that Caddy serves it without TLS.
      AGENTBBS_HOST: site,
      AGENTBBS_LOA_HOST: `http://${loaHost}:${port}`,
      AGENTBBS_AGON_HOST: `http://${agonHost}:${port}`,
      AGENTBBS_CLAWPOLY_HOST: `http://${clawpolyHost}:${port}`,
      AGENTBBS_GAME_WS_ADDR: address,
    },
    stdio: outputTo(log),
  })
  await listening(caddy, port)
  return site
}

/** Starts nginx in front of this address, with TLS. */
export const startNginx = async (
  address: string,
  { certificate: given, log }: EdgeOptions = {},
): Promise<string> => {
  const folder = dataFolder()
  const { cert, key } = given ?? certificate(folder)
  const [port, plain] = [await freePort(), await freePort()]
  const site = ['nginx', 'nginx-loa', 'nginx-agon', 'nginx-clawpoly']
    .map(name => readFileSync(file(`deploy/${name}.conf`), 'utf8'))
    .join('\n')
    .replaceAll('127.0.0.1:8090', address)
    .replaceAll('games.example.org', 'localhost')
    .replaceAll('loa.example.org', loaHost)
    .replaceAll('agon.example.org', agonHost)
    .replaceAll('clawpoly.example.org', clawpolyHost)
    .replace(/(ssl_certificate +).*;/g, `$1${cert};`)
    .replace(/(ssl_certificate_key +).*;/g, `$1${key};`)
    .replace(/^ *listen \[::\].*\n/gm, '')
    .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('listen 80', `listen 127.0.0.1:${plain}`)
  writeFileSync(join(folder, 'nginx.conf'), aroundSite(folder, site))
  mkdirSync(join(folder, 'logs'))
  const args = ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr']
  const { status, stderr } = spawnSync('nginx', ['-t', ...args], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('[warn]')])
  await listening(spawn('nginx', args, { stdio: outputTo(log) }), port)
  return `https://localhost:${port}`
}

interface Certificate {
  readonly cert: string
  readonly key: string
}

const outputTo = (log: string | undefined): StdioOptions => {
  const file = log === undefined ? 'ignore' : openSync(log, 'a')
  return ['ignore', file, file]
}

/** The settings around a site, as in /etc/nginx/nginx.conf, with all files in one folder. */
const aroundSite = (folder: string, site: string) => `
daemon off;
${process.getuid!() === 0 ? 'user root;' : ''}
pid ${folder}/pid;
events {}
http {
  include /etc/nginx/mime.types;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  ${site}
}
`

const listening = async (program: ChildProcess, port: number) => {
  onTestFinished(async () => {
    const gone = once(program, 'close')
    // Its workers go with it.
    program.kill('SIGTERM')
    await gone
  })
  const up = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      error => error.cause?.code !== 'ECONNREFUSED',
    )
  await expect.poll(up, { timeout: 20_000 }).toBe(true)
}
