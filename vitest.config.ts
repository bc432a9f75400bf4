import { defineConfig } from 'vitest/config'

const tests = '{src,cmd,bench,test,client,clients,deploy,docs,examples,scripts}/**/*'
/** What starts host after host, or waits for long. */
const inCi = process.env.CI === 'true' ? [] : [`${tests}.ci.test.ts`]
const shared = {
  testTimeout: 30_000,
  hookTimeout: 30_000,
  // What is waited for comes at once on a quiet machine, and in its time on a busy one.
  expect: { poll: { timeout: 20_000, interval: 20 } },
  pool: 'forks',
} as const

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'suite',
          include: [`${tests}.test.ts`],
          exclude: [`${tests}.long.test.ts`, ...inCi],
          // Most of them wait for processes and clocks most of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // After everything else. In CI it goes on for minutes, one file at a time, each with the machine for itself.
        test: {
          ...shared,
          name: 'long',
          include: [`${tests}.long.test.ts`],
          testTimeout: 20 * 60_000,
          maxWorkers: process.env.CI === 'true' ? 1 : 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    reporters: ['default', './scripts/last-line.ts'],
  },
})
