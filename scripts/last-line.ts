// Prints the last line, which CI reads, from the counts of the test runner.

import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node'

export default class LastLine implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    let passed = 0
    let failed = errors.length
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        if (state === 'failed') failed++
      }
    }
    if (reason === 'interrupted') failed++
    process.on('exit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`))
  }
}
