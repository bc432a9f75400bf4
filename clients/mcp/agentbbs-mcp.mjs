#!/usr/bin/env node
// A bridge: messages of the Model Context Protocol come as lines on stdin, go to an AgentBBS host by POST, and the answers leave
// as lines on stdout. Plain JavaScript, because it is run as it is.

import { createInterface } from 'node:readline'

const { AGENTBBS_URL = '', AGENTBBS_TOKEN = '' } = process.env
if (!/^https?:\/\/[^/]/.test(AGENTBBS_URL) || !URL.canParse(AGENTBBS_URL)) {
  console.error(
    `AGENTBBS_URL is ${JSON.stringify(AGENTBBS_URL)}; expected: the address of a host, such as https://bbs.example.org`,
  )
  process.exit(2)
}
const url = new URL(AGENTBBS_URL)
if (url.pathname === '/') url.pathname = '/mcp'

/** What stops each request that has not been answered, by its id. */
const open = new Map()
/** The version that the host has agreed to in a handshake, as clients of 2025 make it. */
let agreed

createInterface({ input: process.stdin }).on('line', line => {
  if (line.trim() !== '') void take(line)
})
// The program that reads has ended.
process.stdout.on('error', () => process.exit())

async function take(line) {
  let message
  try {
    message = JSON.parse(line)
  } catch {
    tell(null, -32700, `this line is no JSON: ${line.slice(0, 80)}`)
    return
  }
  const { id, method, params } = message ?? {}
  if (method === 'notifications/cancelled') open.get(params?.requestId)?.abort()
  // The host keeps nothing from one request to the next, so it needs no other notifications, and it asks nothing.
  if (id === undefined || method === undefined) return
  const stop = new AbortController()
  open.set(id, stop)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: headersOf(method, params),
      body: line,
      signal: stop.signal,
    })
    if (!(await passOn(response, message)))
      tell(id, -32000, `${url} gave no answer of MCP, but status ${response.status}. ${again}`)
  } catch (error) {
    // What was cancelled is not answered.
    if (!stop.signal.aborted)
      tell(id, -32000, `${url} gave no answer: ${reasonOf(error)}. ${again}`)
  } finally {
    open.delete(id)
  }
}

function headersOf(method, params) {
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  const name = method === 'resources/read' ? params?.uri : params?.name
  return {
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    ...(AGENTBBS_TOKEN !== '' && { Authorization: `Bearer ${AGENTBBS_TOKEN}` }),
    // Since 2026-07-28 the headers repeat what the message says.
    ...(version !== undefined
      ? {
          ...{ 'MCP-Protocol-Version': version, 'Mcp-Method': method },
          ...(typeof name === 'string' && { 'Mcp-Name': asHeader(name) }),
        }
      : agreed !== undefined && method !== 'initialize' && { 'MCP-Protocol-Version': agreed }),
  }
}

const asHeader = text =>
  /^[!-~]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** Passes on all messages of a response as they come. Resolves with whether the answer was among them. */
async function passOn(response, { id, method }) {
  let isAnswered = false
  const pass = text => {
    const message = JSON.parse(text)
    // An error of the whole request has no id.
    if (message.method === undefined) message.id = id
    if (message.error !== undefined) explain(message.error, response.status)
    if (method === 'initialize') agreed = message.result?.protocolVersion
    isAnswered ||= message.method === undefined
    write(message)
  }
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) pass(await response.text())
  else if (type.startsWith('text/event-stream'))
    for await (const line of linesOf(response.body))
      if (line.startsWith('data:')) pass(line.slice(5))
  return isAnswered
}

async function* linesOf(body) {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of body) {
    const lines = (text + decoder.decode(piece, { stream: true })).split(/\r?\n/)
    text = lines.pop()
    yield* lines
  }
}

function explain(error, status) {
  if (status === 401) error.message = `AGENTBBS_TOKEN is no token of ${url.host}: ${error.message}`
}

const again = 'Is AGENTBBS_URL right, and does the host run? Then make the call again'

const reasonOf = ({ message, cause }) => cause?.code ?? cause?.message ?? message

const tell = (id, code, message) => write({ jsonrpc: '2.0', id, error: { code, message } })

function write(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
