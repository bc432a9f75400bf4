import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { resolveByDns } from './resolve.ts'

/** A DNS server that knows these addresses, as bytes, by name and type (1 for A, 28 for AAAA). */
const dns = async (known: Readonly<Record<string, readonly (readonly number[])[]>>) => {
  const socket = createSocket('udp4', (question, { port }) => {
    const labels: string[] = []
    let at = 12
    for (let length = question[at]!; length > 0; length = question[at]!) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const end = at + 5
    const type = question.readUInt16BE(at + 1)
    const found = known[`${labels.join('.').toLowerCase()} ${type}`] ?? []
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(found.length > 0 ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(found.length, 6)
    head.fill(0, 8)
    const records = found.map(bytes =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
    )
    socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), port, '127.0.0.1')
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return [`127.0.0.1:${socket.address().port}`]
}

it('a name has its addresses of both versions, those of IPv4 first', async () => {
  const servers = await dns({
    'both.example 1': [
      [192, 0, 2, 1],
      [192, 0, 2, 2],
    ],
    'both.example 28': [[0x20, 0x01, 0x0d, 0xb8, ...Array(11).fill(0), 1]],
    'six.example 28': [[...Array(15).fill(0), 1]],
  })
  const resolve = resolveByDns(servers)
  expect(await resolve('both.example')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  expect(await resolve('six.example')).toEqual(['::1'])
})

it('a name without addresses has none, with the reason', async () => {
  await expect(resolveByDns(await dns({}))('nowhere.example')).rejects.toThrow('ENOTFOUND')
})

it('localhost is this machine, and no server is asked', async () => {
  for (const name of ['localhost', 'LOCALHOST.'])
    expect(await resolveByDns(['192.0.2.1'])(name)).toEqual(['127.0.0.1', '::1'])
})
