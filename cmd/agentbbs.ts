#!/usr/bin/env node
import './node-version.ts'

// Static imports are linked before any line runs, which an older Node may fail at.
await import('./main.ts')
