import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Host } from '../test/support/host.ts'
import { randomMove } from './random-move.ts'

let host: Host
let token: string

beforeAll(async () => {
  host = await Host.start()
  token = (await host.account('agent-model')).token
})

afterAll(() => host.stop())

interface Asked {
  readonly authorization: string | undefined
  readonly path: string | undefined
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/** What the stub answers to the nth request: words, a status, or nothing. */
type Answer = (asked: Asked, n: number) => string | number | null

/** Runs the agent with a model that answers by rules, over HTTP as OpenAI's does. */
const run = async (answer: Answer, args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
  const asked: Asked[] = []
  const model = createServer(async (request, response) => {
    const { authorization } = request.headers
    const body = (await json(request)) as Pick<Asked, 'model' | 'messages'>
    asked.push({ authorization, path: request.url, ...body })
    const content = answer(asked.at(-1)!, asked.length)
    if (content === null) return
    response.writeHead(typeof content === 'number' ? content : 200)
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
  })
  await once(model.listen(0, '127.0.0.1'), 'listening')
  const { port } = model.address() as AddressInfo
  const agent = fileURLToPath(new URL('agent_model.py', import.meta.url))
  const child = spawn('python3', [agent, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      AGENTBBS_URL: host.playUrl(''),
      AGENTBBS_TOKEN: token,
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1/`,
      OPENAI_API_KEY: 'sk-stub',
      MODEL: 'rules-1',
      ...more,
    },
  })
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  model.closeAllConnections()
  model.close()
  return { out, err, code, asked }
}

const seenIn = ({ messages }: Asked) => JSON.parse(messages[1]!.content)
const asMove = (move: unknown) => JSON.stringify({ move })
const played =
  /^match \d+: [\w-]+ against .+\nmatch \d+: (win|loss|draw) \((?!.*forfeit).+\), rating 1500, unrated\n$/

describe('agent_model.py', () => {
  it.each(['ttt', 'chess', 'even-odd', 'echo', 'blotto', 'bazaar', 'dance-battle', 'skill-gomoku'])(
    'plays %s by what a model answers',
    async game => {
      const answer: Answer = asked => asMove(randomMove(game, seenIn(asked)))
      const { out, err, code, asked } = await run(answer, [game, '--practice'])
      expect([err, code]).toEqual(['', 0])
      expect(out).toMatch(played)
      for (const { authorization, path, model, messages } of asked) {
        expect([authorization, path, model]).toEqual([
          'Bearer sk-stub',
          '/v1/chat/completions',
          'rules-1',
        ])
        expect(messages.map(({ role }) => role)).toEqual(['system', 'user'])
      }
    },
  )

  it('tells the model the rules, and the schemas of a move and of what it sees', async () => {
    const answer: Answer = asked => asMove(seenIn(asked).legal[0])
    const { asked } = await run(answer, ['ttt', '--practice'])
    const { content } = asked[0]!.messages[0]!
    expect(content).toContain('You play Tic-tac-toe.')
    expect(content).toContain('Three in a\nrow, across, down or diagonally, win')
    expect(content).toContain('"enum":["0","1","2","3","4","5","6","7","8"]')
    expect(content).toContain('The nine cells, row by row from the top left')
    expect(content.length).toBeLessThan(2000)
  })

  it('asks again after words, a move of another shape, and an illegal one, and says why', async () => {
    const answers = ['I take the centre.', asMove(4), asMove({ allocation: [3, 3, 3, 3, 3] })]
    const answer: Answer = (_, n) =>
      answers[n - 1] ??
      `Let me think: {"spread": 2}.\n\`\`\`json\n${asMove({ allocation: [2, 2, 2, 2, 2] })}\n\`\`\``
    const { out, err, code, asked } = await run(answer, ['blotto', '--practice'])
    expect(out).toMatch(played)
    expect(code).toBe(0)
    expect(
      asked.slice(1, 4).map(({ messages }) => messages.slice(2).map(({ content }) => content)),
    ).toEqual([
      [answers[0], expect.stringContaining('there is no JSON object with a "move" in it')],
      [answers[1], expect.stringContaining('the move is no object')],
      [answers[2], expect.stringContaining('it adds up to 15, not 10')],
    ])
    expect(err.trim().split('\n')).toHaveLength(3)
  })

  it('sends why the model moves as notes, if it is asked to', async () => {
    const answer: Answer = (asked, n) => {
      const [move] = seenIn(asked).legal
      return JSON.stringify({ move, why: n === 1 ? ['no', 'text'] : `${move} is free` })
    }
    const { out, err, asked } = await run(answer, ['ttt', '--practice'], { MODEL_NOTES: '1' })
    expect(err).toBe('')
    expect(asked[0]!.messages[0]!.content).toContain('and why, in one sentence')
    const match = /^match (\d+)/.exec(out)![1]
    const answered = await fetch(`http://127.0.0.1:${host.http}/api/v1/matches/${match}`)
    const { moves } = (await answered.json()) as { moves: { move: string; note: string | null }[] }
    const noted = moves.filter(({ note }) => note !== null)
    expect(noted).toHaveLength(asked.length - 1)
    for (const { move, note } of noted) expect(note).toBe(`${move} is free`)
  })

  it('makes a random move when the model has made none in four tries', async () => {
    const { out, err, asked } = await run(() => 'e4, of course.', ['even-odd', '--practice'])
    expect(asked).toHaveLength(4)
    expect(err).toContain('no move of the model: a random one is made\n')
    expect(out).toMatch(played)
  })

  it('makes a random move when the model does not answer in time', async () => {
    const { out, err, asked } = await run(() => null, ['even-odd', '--practice'], {
      MODEL_SECONDS: '1',
    })
    expect(asked).toHaveLength(1)
    expect(err).toMatch(
      /^the model did not answer: .*tim.*\nno move of the model: a random one is made\n$/i,
    )
    expect(out).toMatch(played)
  })

  it('tries again after an error of the server', async () => {
    const answer: Answer = (_, n) => (n === 1 ? 503 : asMove('odd'))
    const { out, err, asked } = await run(answer, ['even-odd', '--practice'])
    expect(asked).toHaveLength(2)
    expect(err).toMatch(/^the model did not answer: .*503/)
    expect(out).toMatch(played)
  })

  it('ends when the model refuses the key', async () => {
    const { err, code } = await run(() => 401, ['even-odd', '--practice'])
    expect(err).toMatch(/^http:\/\/127.*\/v1 answers 401: /)
    expect(code).toBe(1)
  })

  it('says what is missing', async () => {
    const { err, code, asked } = await run(() => null, ['ttt'], { MODEL: undefined })
    expect(err).toBe('set OPENAI_BASE_URL and MODEL, and OPENAI_API_KEY if it needs one\n')
    expect([code, asked]).toEqual([1, []])
    const unknown = await run(() => null, ['tto'])
    expect(unknown.err).toMatch(/^404: \{"error":"there is no game \\"tto\\""\}/)
  })
})
