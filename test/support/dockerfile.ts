// Runs a Dockerfile without Docker, with the files of this machine. What a stage writes below / is in a folder
// instead, and packages of npm come from node_modules.

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, join, normalize } from 'node:path'
import { copyWorkingTree, repository } from './working-tree.ts'

/** The last stage of a Dockerfile, built. */
export interface Image {
  /** The folder in place of /. */
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly user: number
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly health: readonly string[]
  /** Every instruction of the stage, as it is written. */
  readonly instructions: readonly (readonly [name: string, rest: string])[]
}

export const buildImage = (dockerfile: string, folder: string): Image => {
  const context = join(folder, 'context')
  copyContext(context)
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const [name, rest] of instructionsOf(readFileSync(dockerfile, 'utf8'))) {
    if (name === 'FROM') {
      const called = / AS (\S+)$/.exec(rest)?.[1] ?? 'last'
      stage = new Stage(mkdtempSync(join(folder, `${called}-`)))
      stages.set(called, stage)
    } else stage!.follow(name, rest, context, stages)
  }
  return stage!
}

/** One instruction on each line, without comments. */
const instructionsOf = (text: string) =>
  text
    .replace(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter(line => line !== '')
    .map(line => /^([A-Z]+) +(.*)$/.exec(line)!.slice(1) as [string, string])

class Stage implements Image {
  readonly root: string
  readonly env: Record<string, string> = {}
  readonly instructions: [string, string][] = []
  user = 0
  entrypoint: readonly string[] = []
  command: readonly string[] = []
  health: readonly string[] = []
  #workdir = '/'

  constructor(root: string) {
    this.root = root
    chmodSync(root, 0o755)
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
  }

  follow(name: string, rest: string, context: string, stages: ReadonlyMap<string, Stage>): void {
    this.instructions.push([name, rest])
    if (name === 'ENV') Object.assign(this.env, Object.fromEntries([rest.split('=')]))
    else if (name === 'USER') this.user = Number.parseInt(rest, 10)
    else if (name === 'ENTRYPOINT') this.entrypoint = JSON.parse(rest)
    else if (name === 'CMD') this.command = JSON.parse(rest)
    else if (name === 'HEALTHCHECK') this.health = JSON.parse(/CMD (.*)$/.exec(rest)![1]!)
    else if (name === 'WORKDIR') {
      this.#workdir = rest
      mkdirSync(this.#inside(rest), { recursive: true })
    } else if (name === 'COPY') this.#copy(rest.split(/ +/), context, stages)
    else if (name === 'RUN') for (const command of rest.split(' && ')) this.#run(command)
    else if (!['EXPOSE', 'VOLUME', 'STOPSIGNAL'].includes(name))
      throw new Error(`nothing is known of ${name}`)
  }

  #inside(path: string): string {
    return normalize(join(this.root, path.startsWith('/') ? '' : this.#workdir, path))
  }

  #copy(words: readonly string[], context: string, stages: ReadonlyMap<string, Stage>): void {
    const [, from] = /^--from=(.*)$/.exec(words[0]!) ?? []
    const [target, ...sources] = words.slice(from === undefined ? 0 : 1).toReversed()
    const origin = from === undefined ? context : stages.get(from)!.root
    for (const source of sources) {
      const into =
        target!.endsWith('/') && source !== '.' ? join(target!, basename(source)) : target!
      cpSync(join(origin, source), this.#inside(into), {
        recursive: true,
        verbatimSymlinks: true,
      })
    }
  }

  #run(command: string): void {
    const modules = this.#inside('node_modules')
    if (/^npm ci /.test(command)) linkPackages(modules)
    else if (/^npm prune --omit=dev /.test(command)) copyPackages(modules)
    else
      execFileSync('sh', ['-euc', command.replace(/(?<= )\/(?=\w)/g, `${this.root}/`)], {
        cwd: this.#inside('.'),
        env: { ...this.env, PATH: process.env.PATH, HOME: this.root },
        stdio: 'pipe',
      })
  }
}

/** The files that .dockerignore does not exclude. */
const copyContext = (context: string): void => {
  const ignored = readFileSync(join(repository, '.dockerignore'), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
  copyWorkingTree(context, path => !isIgnored(path, ignored))
}

/** The last pattern that matches a path, or a folder above it, decides. */
const isIgnored = (path: string, patterns: readonly string[]): boolean => {
  const parts = path.split('/')
  const above = parts.map((_, i) => parts.slice(0, i + 1).join('/'))
  const last = patterns.findLast(pattern =>
    above.some(folder => patternOf(pattern.replace(/^!/, '')).test(folder)),
  )
  return last !== undefined && !last.startsWith('!')
}

const patternOf = (glob: string) =>
  new RegExp(
    `^${glob
      .replaceAll('.', '\\.')
      .replaceAll('**/', '(.+/)?')
      .replace(/(?<!\.)\*/g, '[^/]*')}$`,
  )

const ours = join(repository, 'node_modules')

const linkPackages = (modules: string): void => {
  mkdirSync(modules)
  for (const name of readdirSync(ours)) symlinkSync(join(ours, name), join(modules, name))
}

/** The packages that package-lock.json does not mark as dev. */
const copyPackages = (modules: string): void => {
  rmSync(modules, { recursive: true })
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'))
  const packages = lock.packages as Record<string, { dev?: true; devOptional?: true }>
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    const name = path.replace(/^node_modules\//, '')
    if (name === '' || dev || devOptional || !existsSync(join(ours, name))) continue
    cpSync(join(ours, name), join(modules, name), {
      recursive: true,
      filter: source => !source.slice(ours.length + name.length + 1).includes('node_modules'),
    })
  }
}
