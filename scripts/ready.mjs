// Makes a clone ready to run: installs missing packages and builds stale files. Plain JavaScript, because it runs
// before any package is installed.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const at = (...parts) => join(root, ...parts)

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`AgentBBS needs Node 20.19 or newer; this is ${process.version}.`)
  process.exit(1)
}

const { packages: wanted } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'))
if (!installed()) run('installing packages', 'npm', ['ci', '--no-audit', '--no-fund'])
linkWorkspaces()

const common = ['package.json', 'tsconfig.json']
const built = at('dist', 'cmd', 'agentbbs.js')
const isWhole = existsSync(built) && (statSync(built).mode & 0o100) !== 0
if (
  !isWhole ||
  isStale(built, ['src', 'cmd', 'bench', 'migrations', 'tsconfig.build.json', ...common])
) {
  rmSync(at('dist'), { recursive: true, force: true })
  const web = ['match.ts', 'front.ts', 'event.ts', 'rooms.ts', 'text.ts'].map(name =>
    join('browser', name),
  )
  run('building for browsers', at('node_modules', '.bin', 'esbuild'), [
    ...[...web, 'style.css', 'favicon.svg'].map(name => at('src', 'web', name)),
    '--bundle',
    '--minify',
    '--format=esm',
    '--target=es2022',
    '--loader:.svg=copy',
    '--entry-names=[name]',
    `--outdir=${at('dist', 'web')}`,
    '--log-level=warning',
  ])
  compile('building', 'tsconfig.build.json')
  // The compiler does not make it executable. So the mode also shows that the build is complete.
  chmodSync(built, 0o755)
}
const documents = ['docs', 'examples', 'deploy', 'CHANGELOG.md', 'Caddyfile']
if (isStale(at('dist', 'documents.json'), [...documents, 'scripts/documents.ts', ...common]))
  run('building the documents', process.execPath, [
    ...['--import', 'tsx'],
    at('scripts', 'documents.ts'),
  ])
if (isStale(at('client', 'dist', 'index.js'), ['client/src', 'client/tsconfig.json', ...common])) {
  rmSync(at('client', 'dist'), { recursive: true, force: true })
  compile('building the client', 'client/tsconfig.json')
}

/** Whether all packages of package-lock.json are installed, in their versions. */
function installed() {
  const there = at('node_modules', '.package-lock.json')
  if (!existsSync(there)) return false
  const { packages: has } = JSON.parse(readFileSync(there, 'utf8'))
  return Object.entries(wanted).every(
    ([name, { version, optional, link }]) =>
      !name.startsWith('node_modules/') ||
      link ||
      (has[name] === undefined ? optional : has[name].version === version),
  )
}

/** Links the workspaces into node_modules, which saves a full install by npm. */
function linkWorkspaces() {
  for (const [name, { resolved, link }] of Object.entries(wanted)) {
    if (!link || existsSync(at(name))) continue
    mkdirSync(dirname(at(name)), { recursive: true })
    rmSync(at(name), { force: true })
    symlinkSync(relative(dirname(name), resolved), at(name))
  }
}

function isStale(built, sources) {
  return Math.max(...sources.map(path => newest(at(path)))) > newest(built)
}

/** The time of change of a file, or of the newest file below a folder; 0 if there is none. */
function newest(path) {
  if (!existsSync(path)) return 0
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map(name => newest(join(path, name))))
}

function compile(what, project) {
  run(what, process.execPath, [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', at(project)])
}

function run(what, command, args) {
  console.error(`AgentBBS: ${what} …`)
  // Their output goes to stderr; stdout belongs to the program that runs next.
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (error) console.error(error.message)
  if (status !== 0) process.exit(status ?? 1)
}
