import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const program = '/usr/bin/chromium'

/** Whether tests in a browser can run here. In CI a missing browser is a failure. */
export const hasChromium = (): boolean => {
  if (existsSync(program)) return true
  if (process.env.CI === 'true') throw new Error(`${program} is missing: install chromium`)
  console.warn(`SKIPPED: the tests in a browser, for there is no ${program}`)
  return false
}

/** Debian's Chromium, with a temporary profile. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
