import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,cmd,deploy,docs,examples}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    reporters: ['default', './scripts/last-line.ts'],
  },
})
