// An operator's machine for docs/operating.md: a folder in place of /, and the real programs on the PATH, except for
// those that need root, systemd, another machine or the internet. Stand-ins replace them: `systemctl` starts and stops
// the server by its unit, `npm ci` takes the packages of this clone, `runuser` and `docker compose exec` run their
// arguments. The others only record that they were called.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Said, sshWithoutAPast } from './new-user.ts'
import { copyWorkingTree, repository } from './working-tree.ts'

export interface Ports {
  readonly ssh: number
  readonly http: number
  /** In place of 22. */
  readonly low: number
}

export class Vps {
  readonly root = mkdtempSync(join(tmpdir(), 'agentbbs-vps-'))
  readonly #origin = join(this.root, 'origin')
  readonly #bin = join(this.root, 'stand-ins')
  readonly #ports: Ports
  readonly #path: string

  constructor(ports: Ports) {
    this.#ports = ports
    for (const folder of ['stand-ins', 'opt', 'tmp', 'var/lib', 'var/backups', 'usr/local/bin'])
      mkdirSync(join(this.root, folder), { recursive: true })
    for (const folder of ['systemd/system', 'caddy', 'nginx/sites-enabled', 'cron.daily'])
      mkdirSync(join(this.root, 'etc', folder), { recursive: true })
    mkdirSync(join(this.root, 'etc/ssh/sshd_config.d'), { recursive: true })
    for (const [name, script] of Object.entries(standIns(this.root))) this.#program(name, script)
    this.#path = [this.#bin, sshWithoutAPast(this.root), join(this.root, 'usr/local/bin')].join(':')
    this.#publish()
  }

  /** Runs a block of the manual as root, and returns its output. */
  async run(script: string): Promise<Said> {
    const child = spawn('sh', ['-euc', this.#here(script)], {
      cwd: this.root,
      env: {
        PATH: `${this.#path}:${process.env.PATH}`,
        HOME: this.root,
        npm_config_update_notifier: 'false',
        GIT_CONFIG_GLOBAL: '/dev/null',
        AGENTBBS_ADDR: `127.0.0.1:${this.#ports.ssh}`,
        AGENTBBS_GAME_WS_ADDR: `127.0.0.1:${this.#ports.http}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.on('data', chunk => {
      out += chunk
    })
    child.stderr.on('data', chunk => {
      err += chunk
    })
    const [code] = await once(child, 'close')
    return { out, err, code }
  }

  /** The calls of stand-ins, with their arguments. */
  get calls(): readonly string[] {
    const path = join(this.root, 'calls')
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  }

  /** Publishes a newer version of the program. */
  release(version: string): void {
    const path = join(this.#origin, 'package.json')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(/"version": "[^"]*"/, `"version": "${version}"`))
    this.#commit(version)
  }

  async leave(): Promise<void> {
    await this.run('systemctl stop agentbbs')
    rmSync(this.root, { recursive: true, force: true })
  }

  #publish(): void {
    copyWorkingTree(this.#origin)
    for (const file of ['agentbbs.service', 'agentbbs.sh']) {
      const path = join(this.#origin, 'deploy', file)
      writeFileSync(path, this.#here(readFileSync(path, 'utf8')))
    }
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', this.#origin])
    this.#commit('the first')
  }

  #commit(message: string): void {
    const who = ['-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org']
    const git = (...args: string[]) => execFileSync('git', ['-C', this.#origin, ...who, ...args])
    git('add', '--all')
    git('commit', '--quiet', '--message', message)
  }

  /** With the places and ports of this machine. */
  #here(text: string): string {
    return text
      .replace(/(?<![\w./])\/(opt|etc|var|tmp|usr\/local)\b/g, `${this.root}/$1`)
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('REPOSITORY', this.#origin)
      .replaceAll('games.example.org', 'localhost')
      .replaceAll('AGENTBBS_ADDR=:22\n', `AGENTBBS_ADDR=127.0.0.1:${this.#ports.low}\n`)
      .replaceAll('AGENTBBS_ADDR=:22 ', `AGENTBBS_ADDR=127.0.0.1:${this.#ports.low} `)
      .replaceAll('--port 2222', `--port ${this.#ports.ssh}`)
  }

  #program(name: string, script: string): void {
    const path = join(this.#bin, name)
    writeFileSync(path, `#!/bin/sh\nset -eu\n${script}`)
    chmodSync(path, 0o755)
  }
}

const standIns = (root: string): Record<string, string> => {
  const note = `echo "$(basename "$0") $*" >> ${root}/calls\n`
  const onlyNoted = ['apt-get', 'useradd', 'ufw', 'timedatectl', 'certbot', 'nginx', 'chown']
  return {
    ...Object.fromEntries(onlyNoted.map(name => [name, note])),
    journalctl: `${note}cat ${root}/journal\n`,
    runuser: `${note}while [ "$1" != -- ]; do shift; done; shift\nexec "$@"\n`,
    docker: `${note}${docker}`,
    npm: npm(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()),
    systemctl: `root=${root}\n${note}${systemctl}`,
  }
}

/** The packages of this clone take the place of a registry. */
const npm = (real: string) => `
[ "$1" = ci ] || exec ${real} "$@"
rm -rf node_modules
mkdir -p node_modules/.bin
ln -s ${repository}/node_modules/* ${repository}/node_modules/.package-lock.json node_modules/
ln -s ${repository}/node_modules/.bin/* node_modules/.bin/
`

const docker = `
[ "$1" = compose ]
[ -f compose.yml ]
grep -q '^AGENTBBS_HOST=' .env
[ "$2" != exec ] || { shift 3; exec "$@"; }
`

const systemctl = `
unit=$root/etc/systemd/system/agentbbs.service
pid=$root/agentbbs.pid
value() { sed -n "s/^$1=-\\{0,1\\}//p" "$unit"; }
settings() { while IFS= read -r line; do case $line in [A-Z]*=*) export "$line" ;; esac; done < "$1"; }
running() { [ -f "$pid" ] && kill -0 "$(cat "$pid")" 2> /dev/null; }
stop() {
  if running; then kill -TERM "$(cat "$pid")"; fi
  while running; do sleep 0.05; done
}
start() {
  if running; then return; fi
  mkdir -p -m "$(value StateDirectoryMode)" "$root/var/lib/$(value StateDirectory)"
  : > "$root/journal"
  (
    cd "$(value WorkingDirectory)"
    umask "$(value UMask)"
    for pair in $(value Environment); do export "$pair"; done
    settings "$(value EnvironmentFile)"
    exec $(value ExecStart)
  ) >> "$root/journal" 2>&1 < /dev/null &
  echo $! > "$pid"
  until grep -q 'AgentBBS is open' "$root/journal"; do
    running || { cat "$root/journal" >&2; exit 1; }
    sleep 0.05
  done
}
case "$*" in
  'start agentbbs' | 'enable --now agentbbs') start ;;
  'stop agentbbs') stop ;;
  'restart agentbbs') stop; start ;;
  'status agentbbs') running ;;
  'restart caddy')
    settings "$(sed -n 's/^EnvironmentFile=//p' "$root/etc/systemd/system/caddy.service.d/agentbbs.conf")"
    if command -v caddy > /dev/null; then
      caddy validate --adapter caddyfile --config "$root/etc/caddy/Caddyfile" 2> /dev/null
    fi ;;
  'daemon-reload' | 'restart ssh' | 'restart nginx') ;;
  *) echo "nothing is known of systemctl $*" >&2; exit 1 ;;
esac
`
