// Takes the pictures of the README from a running host: the hub through OpenSSH and a terminal emulator, a match page
// through Chromium. `npm run pictures` writes both.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { launchChromium } from '../test/support/chromium.ts'
import { type SampleHost, startSampleHost } from './sample-host.ts'
import { TerminalPicture } from './terminal-picture.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../docs/pictures/${name}`, import.meta.url))
export const hubFile = fileOf('hub.svg')
export const matchFile = fileOf('match.png')

/** The end of the newest replay in the hub, as SVG. */
export const takeHub = async ({ host }: SampleHost): Promise<string> => {
  const picture = new TerminalPicture(columns, rows)
  const login = host.sshArgs('/dev/null').filter(arg => arg !== '-T' && !arg.includes('@'))
  const ssh = ['ssh', '-tt', ...login, 'guest@127.0.0.1'].join(' ')
  // script(1) gives OpenSSH a terminal of its own.
  const client = spawn(
    'script',
    ['-qec', `stty cols ${columns} rows ${rows}; exec ${ssh}`, '/dev/null'],
    { env: { ...process.env, TERM: 'xterm-256color' }, stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const closed = once(client, 'close')
  let changed = performance.now()
  client.stdout.on('data', chunk => {
    changed = performance.now()
    void picture.write(chunk)
  })
  const see = async (words: string) => {
    const deadline = performance.now() + 15_000
    while (!picture.text.includes(words) || performance.now() < changed + quiet) {
      if (performance.now() > deadline) throw new Error(`never saw ${words}:\n${picture.text}`)
      await pause(20)
    }
  }
  try {
    for (const [seen, key] of wayToReplay) {
      await see(seen)
      client.stdin.write(key)
    }
    await see('checkmate')
    return picture.svg('The end of a chess match as a replay in the hub')
  } finally {
    client.stdin.write(controlC)
    await closed
  }
}

/** The page of the same match, as PNG. */
export const takeMatchPage = async ({ host, match }: SampleHost): Promise<Buffer> => {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: pageSize, colorScheme: 'dark' })
    await page.goto(`http://127.0.0.1:${host.http}/match/${match}`)
    await page.locator('#moves [aria-current]').waitFor()
    return await page.screenshot()
  } finally {
    await browser.close()
  }
}

export const pageSize = { width: 1100, height: 926 }

const [columns, rows] = [80, 24]
const controlC = '\x03'

/** The text to wait for before each key: the menu, the list of replays, the replay. */
const wayToReplay = [
  ['Replays', 'r'],
  ['deep-pawn', '\r'],
  ['speed', '\x1b[F'],
] as const

/** A screen is complete after so many milliseconds without a byte. */
const quiet = 300

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sample = await startSampleHost()
  try {
    writeFileSync(hubFile, await takeHub(sample))
    writeFileSync(matchFile, await takeMatchPage(sample))
  } finally {
    await sample.host.stop()
  }
}
