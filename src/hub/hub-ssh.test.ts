import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { program } from '../../cmd/program.ts'
import { SshAgent } from '../../test/support/ssh-agent.ts'
import { hasTmux, Tmux } from '../../test/support/tmux.ts'
import { WebSocketAgent } from '../../test/support/websocket-agent.ts'
import { type Host, start } from '../app.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import type { CommandContext } from '../queries/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'agentbbs-hub-'))
let host: Host
beforeAll(async () => {
  host = await start(
    readConfig({
      AGENTBBS_DATA: join(folder, 'data'),
      AGENTBBS_ADDR: '127.0.0.1:0',
      AGENTBBS_GAME_WS_ADDR: '127.0.0.1:0',
      AGENTBBS_HOST: 'localhost',
      AGENTBBS_DRAIN: '0.01',
      LOG_LEVEL: 'silent',
    }),
  )
})
const terminals: Tmux[] = []
afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.close()
})
afterAll(async () => {
  await host.stop()
  rmSync(folder, { recursive: true })
})

const makeKey = (name: string): string => {
  const path = join(folder, name)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path])
  return path
}

const options = (...keys: string[]) => [
  ...['-F', 'none', '-p', String(host.ssh), '-o', 'IdentitiesOnly=yes', '-o', 'IdentityAgent=none'],
  ...[
    '-o',
    'LogLevel=ERROR',
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    'UserKnownHostsFile=/dev/null',
  ],
  ...keys.flatMap(key => ['-i', key]),
]

/** What a command prints, and its exit status. */
const ssh = async (user: string, keys: readonly string[], ...command: string[]) => {
  const args = [...options(...keys), `${user}@127.0.0.1`, ...command]
  const child = promisify(execFile)('ssh', args)
  child.child.stdin?.end()
  return child.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code: code as number, stdout, stderr }) as const,
  )
}

/** The same for a command of the operator. */
const operator = async (words: readonly string[]) => {
  const said = { code: 0, stdout: '', stderr: '' }
  const context: CommandContext = {
    env: { AGENTBBS_DATA: join(folder, 'data') },
    clock: systemClock,
    print: text => {
      said.stdout += `${text}\n`
    },
    stream: async pieces => {
      for (const text of pieces()) said.stdout += text
    },
    width: undefined,
  }
  try {
    await program(context).parseAsync(words, { from: 'user' })
  } catch (error) {
    said.code = 1
    said.stderr = `${(error as Error).message}\n`
  }
  return said
}

/** A command of a guest that runs for a while. */
const startCommand = (...command: string[]) => {
  const child = spawn('ssh', [...options(), 'guest@127.0.0.1', ...command])
  let said = ''
  child.stdout.on('data', chunk => {
    said += chunk
  })
  return {
    begun: once(child.stdout, 'data'),
    said: once(child, 'close').then(() => said),
  }
}

const openTerminal = (user: string, ...keys: string[]): Tmux => {
  const terminal = new Tmux(['ssh', ...options(...keys), `${user}@127.0.0.1`].join(' '))
  terminals.push(terminal)
  return terminal
}

/** Registers an account by one command. Returns the path of its key. */
const registered = async (name: string): Promise<string> => {
  const key = makeKey(name)
  expect(await ssh('join', [key], name)).toMatchObject({ code: 0 })
  return key
}

describe('without a terminal', () => {
  it('lists the commands and exits with 0', async () => {
    const { code, stdout, stderr } = await ssh('guest', [])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const command of ['ladder', 'matches', 'replay', 'watch', 'whoami', 'help'])
      expect(stdout).toContain(command)
    expect((await ssh('guest', [], 'help')).stdout).toBe(stdout)
  })

  it('finds the account by its key, with any user name, and lets others in as guests', async () => {
    const key = await registered('who')
    const stranger = makeKey('stranger')
    expect((await ssh('any-name', [key], 'whoami')).stdout).toBe('who\n')
    expect(JSON.parse((await ssh('x', [stranger], 'whoami', '--json')).stdout)).toEqual({
      account: null,
      guest: true,
    })
    // An unknown key does not keep the client from offering its next one.
    expect((await ssh('x', [stranger, key], 'whoami')).stdout).toBe('who\n')
    expect((await ssh('x', [], 'whoami')).stdout).toContain('guest')
  })

  it('lets in the user guest without any question, even in batch mode', async () => {
    const stranger = makeKey('batch')
    const args = [...options(stranger), '-o', 'BatchMode=yes', 'guest@127.0.0.1', 'whoami']
    expect((await promisify(execFile)('ssh', args)).stdout).toContain('guest')
  })

  it('answers a wrong command with a reason and a status', async () => {
    expect(await ssh('guest', [], 'watch', '99')).toMatchObject({ code: 1, stdout: '' })
    expect(await ssh('guest', [], 'dance')).toMatchObject({ code: 2, stdout: '' })
    expect(await ssh('guest', [], 'ladder', 'ttt', '--limit', '100000')).toMatchObject({ code: 1 })
    expect(await ssh('join', [])).toMatchObject({ code: 1, stdout: '' })
  })

  it('ends a session that pastes more than 32 KiB at once', async () => {
    const child = spawn('ssh', ['-tt', ...options(), 'guest@127.0.0.1'])
    let said = ''
    child.stdout.on('data', chunk => {
      said += chunk
    })
    child.stdin.on('error', () => {})
    await once(child.stdout, 'data')
    child.stdin.write('j'.repeat(200_000))
    expect((await once(child, 'close'))[0]).toBe(1)
    expect(said).toMatch(/more than is taken at once; try again in \d+ s/)
  })

  it('refuses an unknown key of the user game in the protocol of agents', async () => {
    const stranger = makeKey('no-agent')
    const { code, stdout } = await ssh('game', [stranger], 'ttt')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ type: 'error', code: 'unknown-key' })
  })

  it('lists, follows and replays matches, as text and as JSON', async () => {
    const keys = [await registered('ada'), await registered('bob')]
    const agents = keys.map(key => new SshAgent([...options(key), 'game@127.0.0.1', 'ttt']))
    const { match } = await agents[0]!.next('hello')
    const watching = startCommand('watch', String(match), '--json')
    const asText = startCommand('watch', String(match))
    await Promise.all([watching.begun, asText.begun])
    const guests = async () => (await ssh('guest', [], 'matches', '--status', 'live')).stdout
    expect(await guests()).toContain(String(match))
    await Promise.all(agents.map(agent => agent.playFirstLegal()))
    const lines = (await watching.said)
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ ending: 'rules' })
    expect(await asText.said).toMatch(/won, three in a row/)
    const replay = JSON.parse((await ssh('guest', [], 'replay', String(match), '--json')).stdout)
    expect(replay.steps.length).toBe(8)
    expect((await ssh('guest', [], 'ladder', 'ttt')).stdout).toMatch(/ada|bob/)
  })

  it('answers as the commands of the operator do in the same folder', async () => {
    const keys = [await registered('cleo'), await registered('dirk')]
    const agents = keys.map(key => new SshAgent([...options(key), 'game@127.0.0.1', 'ttt']))
    const { match } = await agents[0]!.next('hello')
    await Promise.all(agents.map(agent => agent.playFirstLegal()))
    for (const command of [
      'games',
      'games ttt --json',
      'ladder',
      'ladder ttt --json',
      'ladder ttt+people',
      'ladder nosuch',
      'matches',
      'matches --agent cleo --json',
      'matches --agent nobody-here',
      `replay ${match}`,
      `replay ${match} --step 3`,
      `replay ${match} --json`,
      `replay ${match} --format ndjson`,
      `replay ${match} --format pgn`,
      'replay 999',
    ]) {
      const words = command.split(' ')
      expect([command, await ssh('guest', [], ...words)]).toEqual([command, await operator(words)])
    }
  })
})

describe.skipIf(!hasTmux)('at a terminal', () => {
  it('a person registers, looks at a ladder, and gets the terminal back as it was', async () => {
    const terminal = openTerminal('join', makeKey('fresh'))
    await terminal.until('Choose a name')
    terminal.type('a', 'Enter')
    await terminal.until('A name is 2 to 32')
    terminal.type('n', 'n', 'a', 'Enter')
    await terminal.until('You are anna')
    terminal.type('Enter')
    await terminal.until('Ladders')
    terminal.type('l')
    await terminal.until('Ranked')
    terminal.type('Enter')
    await terminal.until(/Tic-tac-toe · ladder/)
    terminal.type('C-c')
    const text = await terminal.until('left with 0')
    expect(text).not.toContain('AGENTBBS')
  })

  it('a client without a key is told how to make one', async () => {
    const terminal = openTerminal('join')
    await terminal.until('ssh-keygen -t ed25519')
    terminal.type('Enter')
    await terminal.until('To register: ssh')
  })

  it('a one-time code adds a second key', async () => {
    const first = openTerminal('x', await registered('carla'))
    await first.until('Account')
    first.type('a')
    await first.until('Last used')
    first.type('c')
    const text = await first.until(/[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/)
    const code = /[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/.exec(text)![0]
    const key = makeKey('carla-2')
    const second = openTerminal('join', key)
    await second.until('Choose a name')
    second.type('Tab')
    await second.until('Code:')
    second.type(code, 'Enter')
    await second.until('You are carla')
    expect((await ssh('x', [key], 'whoami')).stdout).toBe('carla\n')
  })

  it('a key that its owner revokes ends the sessions that logged in with it', async () => {
    const key = await registered('gina')
    const [first, second] = [openTerminal('x', key), openTerminal('x', key)]
    await Promise.all([first, second].map(terminal => terminal.until('Account')))
    first.type('a')
    await first.until('Last used')
    first.type('x')
    await first.until(/is\s+the key of this session/)
    first.type('y')
    for (const terminal of [first, second]) {
      await terminal.until('this key has been revoked')
      await terminal.until('left with 1')
    }
  })

  it('a guest watches a live match to its end, and replays it', async () => {
    const keys = [await registered('dan'), await registered('eve')]
    const agents = keys.map(key => new SshAgent([...options(key), 'game@127.0.0.1', 'c4']))
    const moves = ['3', '0', '3', '0', '3', '0', '3']
    const seats = await Promise.all(agents.map(async agent => (await agent.next('hello')).player))
    const terminal = openTerminal('guest')
    await terminal.until('Now')
    terminal.type('n')
    await terminal.until(/c4 +(dan|eve)/)
    terminal.type('Enter')
    await terminal.until('Connect Four · match')
    for (const [ply, move] of moves.entries()) {
      const agent = agents[seats.indexOf(ply % 2)]!
      let state = await agent.next('state')
      while (!state.yourTurn) state = await agent.next('state')
      agent.move(move)
    }
    await terminal.until('won, four in a row.')
    terminal.type('r')
    await terminal.until('Move 0 of 7')
    terminal.type('Right')
    await terminal.until('Move 1 of 7')
    terminal.type('G')
    await terminal.until(/\[●\]/)
    terminal.type('g', '+', '+', '+', 'Space')
    await terminal.until(/won, four in a row/)
  })

  it('a person practises, and wins', async () => {
    const terminal = openTerminal('x', await registered('fritz'))
    await terminal.until('Play')
    terminal.type('p')
    await terminal.until('level ▸1')
    terminal.type('Enter')
    for (;;) {
      const text = await terminal.until(/Your move\.|You won|You lost|Draw/)
      if (text.includes('You won')) break
      if (!text.includes('Your move.')) {
        // Keys are ignored for one second after the end of a match.
        const again = () => {
          const { text } = terminal
          if (!text.includes('Your move.')) terminal.type('Enter')
          return text
        }
        await expect.poll(again, { interval: 1_100 }).toContain('Your move.')
        continue
      }
      terminal.type(bestCell(text), 'Enter')
      await terminal.until(otherThan(text))
    }
  })

  it('a token is shown once, and an agent plays with it', async () => {
    const terminal = openTerminal('x', await registered('gerda'))
    await terminal.until('Account')
    terminal.type('a')
    await terminal.until('Last used')
    terminal.type('t')
    await terminal.until('A name for the token')
    terminal.type('bot', 'Enter')
    const token = /abbs_[\w-]+/.exec(await terminal.until('abbs_'))![0]
    const url = `ws://127.0.0.1:${host.http}/play?game=ttt&practice=easy`
    const agent = new WebSocketAgent(url, { headers: { authorization: `Bearer ${token}` } })
    expect(await agent.playFirstLegal()).toMatchObject({ type: 'result' })
    terminal.type('Escape')
    expect(await terminal.until(/token +bot/)).not.toContain('abbs_')
  })

  it('a client that hangs up ends its own session alone', async () => {
    const one = openTerminal('guest')
    const two = openTerminal('guest')
    await one.until('Now')
    await two.until('Now')
    one.type('C-d')
    await one.until('left with 0')
    const three = openTerminal('guest')
    await three.until('Now')
    terminals.splice(terminals.indexOf(three), 1)
    three.close()
    two.type('l')
    await two.until('Ranked')
  })
})

/** Matches every screen but this one. */
const otherThan = (text: string) =>
  new RegExp(`^(?!${text.slice(0, 3000).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`)

/** A cell that wins, or prevents a loss, or is in the middle or a corner. */
const bestCell = (text: string): string => {
  const cells = [...text.matchAll(/│.(.).│.(.).│.(.).│/g)].flatMap(([, ...row]) => row)
  const count = (mark: string) => cells.filter(cell => cell === mark).length
  const mine = count('X') === count('O') ? 'X' : 'O'
  const free = cells.flatMap((cell, i) => (cell === ' ' ? [i] : []))
  const completes = (mark: string) =>
    free.find(i =>
      lines.some(line => line.includes(i) && line.every(j => j === i || cells[j] === mark)),
    )
  const wanted = completes(mine) ?? completes(mine === 'X' ? 'O' : 'X')
  return String(wanted ?? [4, 0, 2, 6, 8].find(i => free.includes(i)) ?? free[0])
}

const lines = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
]
