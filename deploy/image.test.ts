// The image without Docker, which is not where the tests run: each step of the Dockerfile is done with the files of
// this machine. What that leaves untested: the base images, `npm ci` against the registry, and the sandbox itself.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { settings } from '../src/config.ts'
import { buildImage, type Image } from '../test/support/dockerfile.ts'
import { freePort } from '../test/support/edge.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const isRoot = process.getuid!() === 0

describe.skipIf(!isRoot)('the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentbbs-image-'))
  let image: Image
  let port = 0

  beforeAll(async () => {
    chmodSync(folder, 0o755)
    image = buildImage(at('Dockerfile'), folder)
    port = await freePort()
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const said = (instruction: string) =>
    image.instructions.filter(([name]) => name === instruction).map(([, rest]) => rest)

  /** Runs as the image would: its environment, its user, and what it has on its paths. */
  const within = ([program, ...args]: readonly string[]) => {
    const inside = (text: string) => text.replace(/^\/(app|data)\b/, `${image.root}/$1`)
    const env = Object.entries(image.env).map(([name, value]) => [name, inside(value)])
    return spawn(program!, args.map(inside), {
      cwd: join(image.root, 'app'),
      uid: image.user,
      gid: image.user,
      env: {
        ...Object.fromEntries(env),
        PATH: `${image.root}/usr/local/bin:${process.env.PATH}`,
        AGENTBBS_ADDR: '127.0.0.1:0',
        AGENTBBS_GAME_WS_ADDR: `127.0.0.1:${port}`,
      },
    })
  }

  const ended = async (command: readonly string[]) => {
    const child = within(command)
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        text += chunk
      })
    const [code] = await once(child, 'close')
    return { code, text }
  }

  const files = (path: string) =>
    readdirSync(join(image.root, path), { recursive: true, encoding: 'utf8' })

  it('serves as a user without rights, is healthy, and stops when told', async () => {
    const everything = files('.').length
    const server = within([...image.entrypoint, ...image.command])
    onTestFinished(() => void server.kill('SIGKILL'))
    await once(server.stdout, 'data')
    expect(await ended(image.health)).toEqual({ code: 0, text: '' })
    expect(await ended(['agentbbs', 'add-user', 'ann'])).toMatchObject({ code: 0 })
    const doctor = await ended(['agentbbs', 'doctor', '--offline'])
    expect(doctor.text).toMatch(/^ok +server +it runs/m)
    expect(doctor.text).toMatch(/^ok +data folder .* of user 10001, mode 700$/m)
    expect(files('.').length - everything).toBe(files('data').length)

    const gone = once(server, 'exit')
    const [signal] = said('STOPSIGNAL')
    server.kill(signal as NodeJS.Signals)
    expect(await gone).toEqual([0, null])
    expect((await ended(image.health)).code).toBe(1)
  })

  it('has its data in a volume that is closed to others', () => {
    expect(said('VOLUME')).toEqual([image.env.AGENTBBS_DATA])
    const { mode, uid } = statSync(join(image.root, 'data'))
    expect([(mode & 0o777).toString(8), uid]).toEqual(['700', 10001])
  })

  it('tells which ports it listens on', () => {
    const ports = [settings.ssh.standard, image.env.AGENTBBS_GAME_WS_ADDR!]
    expect(said('EXPOSE')).toEqual([ports.map(address => address.split(':').pop()).join(' ')])
  })

  it('has nothing in it that serves no purpose', () => {
    const inApp = readdirSync(join(image.root, 'app')).sort()
    const served = ['CHANGELOG.md', 'Caddyfile', 'deploy', 'docs', 'examples']
    expect(inApp).toEqual([...served, 'dist', 'node_modules', 'package.json'].sort())
    const packages = readdirSync(join(image.root, 'app/node_modules'))
    expect(packages).toContain('better-sqlite3')
    for (const name of ['typescript', 'vitest', 'esbuild', '@types'])
      expect(packages).not.toContain(name)
    expect(files('app/dist').filter(name => /^(.*\/)?test(ing)?\/|\.test\./.test(name))).toEqual([])
  })
})

const compose = (() => {
  const toJson = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'
  const input = readFileSync(at('compose.yml'))
  return JSON.parse(execFileSync('python3', ['-c', toJson], { input, encoding: 'utf8' }))
})()

describe('compose.yml', () => {
  const { agentbbs, caddy } = compose.services

  it('publishes SSH and the edge, and leaves plain HTTP inside', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Compose that fills it in
    const port = '${SSH_PORT:-2222}'
    expect(agentbbs.ports).toEqual([`${port}:${port}`])
    expect(agentbbs.environment.AGENTBBS_ADDR).toBe(`:${port}`)
    expect(caddy.ports).toEqual(['80:80', '443:443', '443:443/udp'])
    expect(caddy.environment.AGENTBBS_GAME_WS_ADDR).toBe('agentbbs:8090')
  })

  it('keeps the database and the certificates', () => {
    const volumes = [...agentbbs.volumes, ...caddy.volumes].map(volume => volume.split(':'))
    expect(volumes.map(([volume, place]) => [volume, place])).toEqual([
      ['data', '/data'],
      ['../Caddyfile', '/etc/caddy/Caddyfile'],
      ['certificates', '/data'],
      ['caddy', '/config'],
    ])
    expect(Object.keys(compose.volumes)).toEqual(['data', 'certificates', 'caddy'])
    expect(existsSync(at('../Caddyfile'))).toBe(true)
  })

  it('gives matches more time to end than the server takes', () => {
    const seconds = Number.parseInt(agentbbs.stop_grace_period, 10)
    expect(seconds).toBeGreaterThan(Number(settings.drain.standard) + 25)
  })

  it.each(['agentbbs', 'caddy'])('leaves %s no more rights than it needs', name => {
    expect(compose.services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      ulimits: { nofile: 65536 },
      // What Docker does by itself grows for ever.
      logging: { driver: 'local', options: { 'max-file': '10', 'max-size': '50m' } },
      restart: 'unless-stopped',
    })
    expect(compose.services[name].privileged).toBeUndefined()
  })
})
