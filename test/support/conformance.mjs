// Loaded before the tests of the specification: they import fs.globSync, which Node 20 does not have, and do not call it here.

import { register } from 'node:module'

const hooks = `
  export const resolve = (name, context, next) =>
    name === 'fs' && /modelcontextprotocol.conformance/.test(context.parentURL ?? '')
      ? { url: 'files:', format: 'module', shortCircuit: true }
      : next(name, context)
  export const load = (url, context, next) =>
    url === 'files:'
      ? { source: "export * from 'node:fs'; export const globSync = undefined", format: 'module', shortCircuit: true }
      : next(url, context)
`
if (!('globSync' in process.getBuiltinModule('fs')))
  register(`data:text/javascript,${encodeURIComponent(hooks)}`)
