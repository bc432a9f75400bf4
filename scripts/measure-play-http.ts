// What the calls of playing by HTTP cost the host: processor time of all its threads for each call. Run after `npm run build`:
// npx tsx scripts/measure-play-http.ts

import { readFileSync } from 'node:fs'
import { Host } from '../test/support/host.ts'
import { type Answer, PlayAgent } from '../test/support/play-agent.ts'

const pairs = 8
const matches = 40

const host = await Host.start({ AGENTBBS_PAIR_CAP: '0', LOG_LEVEL: 'silent' })
/** In microseconds: Linux counts in hundredths of a second. */
const cpu = () => {
  const fields = readFileSync(`/proc/${host.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}
const measured = async (what: string, run: () => Promise<number>) => {
  const [cpuBefore, before] = [cpu(), performance.now()]
  const calls = await run()
  const [used, ms] = [cpu() - cpuBefore, performance.now() - before]
  console.log(
    `${what}: ${calls} calls, ${(used / calls).toFixed(0)} µs CPU a call, ${((calls / ms) * 1000).toFixed(0)} calls/s`,
  )
}

const agents: PlayAgent[] = []
await host.account('stranger')
for (let n = 0; n < 2 * pairs; n++)
  agents.push(
    new PlayAgent(host.http, (await host.account(`agent-${n}`)).token, `192.0.2.${n + 1}`),
  )

/** Each plays another one by appointment, so that none waits in the end. */
const play = async (agent: PlayAgent, at: number, count: number) => {
  let calls = 0
  for (let n = 0; n < count; n++) {
    let last: Answer = await agent.join('ttt', { opponent: `agent-${at ^ 1}` })
    for (calls++; last.status !== 'over'; calls++)
      last =
        last.status === 'your_turn' ? await agent.move(last.ply, last.legal[0]) : await agent.wait()
  }
  return calls
}
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
const playAll = async (count: number) =>
  sum(await Promise.all(agents.map((agent, at) => play(agent, at, count))))

try {
  await playAll(10)
  await measured(`${pairs} pairs play ttt (join, move, wait)`, () => playAll(matches))
  for (const agent of agents) await agent.join('chess', { opponent: 'stranger', wait_s: 0 })

  await measured('wait that has no news (wait_s 0)', async () => {
    const waits = agents.map(async agent => {
      for (let n = 0; n < 200; n++) await agent.wait({ wait_s: 0 })
    })
    await Promise.all(waits)
    return 200 * agents.length
  })
  await measured('lobby', async () => {
    for (let n = 0; n < 200; n++) await agents[0]!.ask('lobby', {})
    return 200
  })
} finally {
  await host.stop()
}
