#!/usr/bin/env node
import './node-version.ts'

// Imported dynamically, because an older Node may fail to link static imports.
await import('./main.ts')
