// docs/operating.md, done from the first line to the last on a machine of its own: see test/support/vps.ts for which
// programs are stood in for there. The edges, the image and the units have tests of their own in deploy.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../test/support/edge.ts'
import { Vps } from '../test/support/vps.ts'

const source = fileURLToPath(new URL('../src', import.meta.url))
const manual = readFileSync(new URL('./operating.md', import.meta.url), 'utf8')

const blocks = [...manual.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text], index) => ({
  text: text!,
  title: `${index + 1}. ${text!.split('\n').slice(0, 3).join('; ').slice(0, 80)}`,
}))

describe('an operator with an empty machine', () => {
  let vps: Vps

  beforeAll(async () => {
    vps = new Vps({ ssh: await freePort(), http: await freePort(), low: await freePort() })
  })
  afterAll(() => vps.leave())

  const version = async () => (await vps.run('agentbbs --version')).out.trim()

  it.each(blocks)('$title', { timeout: 60_000 }, async ({ text }) => {
    if (text.includes('git pull')) vps.release('0.1.1')
    const { out, err, code } = await vps.run(text)
    expect(code, `${text}\n${out}${err}`).toBe(0)
    if (text.includes('npm ci') && text.includes('systemctl'))
      expect(await version()).toBe(text.includes('git pull') ? '0.1.1' : '0.1.0')
    if (text.includes('AGENTBBS_ADDR=:22')) expect(out).toMatch(/^ok +ssh +.*: our server answers/m)
    if (text.includes('AGENTBBS_REGISTRATION=closed'))
      expect((await vps.run('agentbbs doctor --offline')).out).toMatch(
        /^ok +registration +closed$/m,
      )
  })

  it('has a host in the end that runs and is well', async () => {
    const { out, code } = await vps.run('agentbbs doctor --offline')
    expect([code, out]).toEqual([0, expect.stringMatching(/^ok +server +it runs/m)])
    expect(out).not.toMatch(/^FAIL/m)
  })

  it('has a build begun anew that did not come to its end', { timeout: 60_000 }, async () => {
    const program = '/opt/agentbbs/dist/cmd/agentbbs.js'
    const { code, err } = await vps.run(`
      printf 'half of it' > ${program}
      chmod 644 ${program}
      cd /opt/agentbbs
      npm run build
      agentbbs --version`)
    expect([code, err]).toEqual([0, expect.stringContaining('AgentBBS: building')])
  })

  it('has used every file of deploy that is for a machine without Docker', () => {
    const calls = vps.calls.join('\n')
    const there = (path: string) => existsSync(join(vps.root, path))
    expect(there('etc/systemd/system/agentbbs.service.d/port-22.conf')).toBe(true)
    expect(there('etc/nginx/sites-enabled/agentbbs.conf')).toBe(true)
    expect(there('usr/local/bin/agentbbs')).toBe(true)
    expect(calls).toMatch(/^runuser -u agentbbs -- node /m)
  })
})

describe('the list of errors', () => {
  const listed = [...manual.matchAll(/^\| `(.*?)` +\| (.*?) +\| (.*?) +\|$/gm)]
  const messages = listed.map(([, message]) => message!)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    // Without what people read in the hub and on pages, and without what verify prints of matches.
    .filter(
      file => !/^((arena|hub|web)\/|queries\/hub-commands|store\/(acts|credentials))/.test(file),
    )
    .concat('../cmd/main.ts')
    // Where the program is installed that is its name.
    .map(file =>
      readFileSync(join(source, file), 'utf8').replace(/\$\{programName\(\)\}/g, 'agentbbs'),
    )

  it('has every line with which a command or the server refuses', () => {
    const pattern =
      /(?:new (?:ConfigError|DataFolderError|Failure|SecretFileError)\(|\b(?:problem|wrong): )\s*(?:`([^`]*)`|'((?:[^'\\]|\\.)*)')/g
    const said = files.flatMap(text =>
      [...text.matchAll(pattern)].map(([, template, plain]) =>
        (template ?? plain!.replaceAll("\\'", "'")).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…'),
      ),
    )
    expect(said.length).toBeGreaterThan(20)
    expect([...new Set(said)].filter(message => !messages.includes(message))).toEqual([])
  })

  it('has no line that the program no longer prints', () => {
    const said = (message: string) =>
      message
        .split('…')
        .map(part => part.trim())
        .every(part => files.some(text => text.replaceAll("\\'", "'").includes(part)))
    expect(messages.filter(message => !said(message))).toEqual([])
  })

  it('has each once, with a cause and a cure', () => {
    expect(new Set(messages).size).toBe(messages.length)
    for (const [row, , cause, cure] of listed)
      expect([cause, cure], row).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)])
  })
})
