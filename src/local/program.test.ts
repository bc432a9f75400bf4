import { expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import type { Message } from '../protocols/connection.ts'
import { Program, type ProgramEnd } from './program.ts'

/** A program of this source, and what its session and its contest hear. */
const started = (source: string) => {
  const clock = new FakeClock()
  const ends: ProgramEnd[] = []
  const heard: Message[] = []
  let listen = (_: Message) => {}
  const program = new Program({
    ...{ name: 'test', words: [process.execPath, '-e', source], clock },
    stderr: () => {},
    ended: how => void ends.push(how),
    open: () => ({
      receive: message => {
        heard.push(message)
        listen(message)
      },
      dismiss: () => {},
      closed: () => {},
    }),
  })
  program.open()
  const next = () =>
    new Promise<Message>(resolve => {
      listen = resolve
    })
  return { clock, ends, heard, next, program }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('a program that does not end with its stdin is killed after a second, with all that it has started', async () => {
  const { clock, ends, next, program } = started(`
    const deaf = 'setInterval(() => {}, 1e6)'
    const child = require('node:child_process').spawn(process.execPath, ['-e', deaf], { stdio: 'inherit' })
    eval(deaf)
    child.on('spawn', () => console.log([process.pid, child.pid].join()))`)
  const pids = String(await next())
    .split(',')
    .map(Number)
  expect(pids.map(isAlive)).toEqual([true, true])
  const closed = program.close()
  clock.pass(999)
  expect(pids.map(isAlive)).toEqual([true, true])
  clock.pass(1)
  await closed
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false])
  expect(ends).toEqual([])
})

it('a program that ends after a match is sent what it has not read, by another process', async () => {
  const { ends, heard, next, program } = started(`
    const lines = require('node:readline').createInterface({ input: process.stdin })
    lines.on('line', line => {
      if (line === 'result') process.exit()
      console.log(process.pid + ' ' + line)
    })`)
  const said = [next()]
  program.asks()
  program.send('one')
  said.push(said[0]!.then(next))
  await said[0]
  program.send('result')
  program.asks()
  program.send('two')
  await said[1]
  await program.close()
  const [first, second] = heard.map(message => String(message).split(' '))
  expect([first![1], second![1]]).toEqual(['one', 'two'])
  expect(second![0]).not.toBe(first![0])
  expect(ends).toEqual([])
})

it('a program that ends in the middle of a match has failed, and says why by its last words', async () => {
  const { ends, next, program } = started(`
    console.log('here')
    process.stdin.once('data', () => {
      console.error('TypeError: no idea\\n    at somewhere\\n\\nfarewell')
      process.exit(4)
    })`)
  program.asks()
  await next()
  program.send('one')
  await expect.poll(() => ends).toHaveLength(1)
  expect(ends).toEqual([{ kind: 'failed', why: 'ended with status 4: TypeError: no idea' }])
})
