// Runs first, because an older Node may fail to load the rest.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`AgentBBS needs Node 20.19 or newer; this is ${process.version}.\n`)
  process.exit(1)
}
