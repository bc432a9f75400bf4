// A relay of League of Agents, as one writes it from the documentation of ws: the least that a match can cost. It answers
// the first message of an agent as an authentication, the second as a wish to play, and every other one as a move, whatever it
// says, with what the host would send. It has no game and no clock, and stores nothing.

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { LeagueRecording } from '../league-agent.ts'

interface Player {
  readonly seat: number
  readonly webSocket: WebSocket
  heard: number
  match: Match | null
}

interface Match {
  readonly players: readonly Player[]
  moves: number
}

const recording: LeagueRecording = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))
const { authenticated, queued, accepted, thinking, movesPerRound, boards } = recording
const waiting: (readonly Player[])[] = [[], []]
let agents = 0
let matches = 0

const hear = (player: Player): void => {
  const { seat, webSocket, match } = player
  if (++player.heard === 1) webSocket.send(authenticated[seat]!)
  else if (match === null) join(player)
  else move(player, match)
}

const join = (player: Player): void => {
  const [opponent, ...others] = waiting[1 - player.seat]!
  if (opponent === undefined) {
    waiting[player.seat] = [...waiting[player.seat]!, player]
    player.webSocket.send(queued)
    return
  }
  waiting[opponent.seat] = others
  matches++
  const match = { players: [opponent, player], moves: 0 }
  for (const one of match.players) {
    one.match = match
    for (const text of boards[one.seat]![0]!)
      one.webSocket.send(
        text.startsWith('{"type":"matched"')
          ? text.replace(/"gameId":"g-\d+"/, `"gameId":"g-${matches}"`)
          : text,
      )
  }
}

const move = ({ seat, webSocket }: Player, match: Match): void => {
  webSocket.send(accepted)
  for (const one of match.players) one.webSocket.send(thinking[seat]!)
  if (++match.moves % movesPerRound !== 0) return
  const round = match.moves / movesPerRound
  for (const one of match.players)
    for (const text of boards[one.seat]![round] ?? []) one.webSocket.send(text)
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
server.on('connection', webSocket => {
  // As many agents of each seat, so that few wait for others of their own.
  const player: Player = { seat: agents++ % 2, webSocket, heard: 0, match: null }
  webSocket.on('error', () => {})
  webSocket.on('message', () => hear(player))
  webSocket.on('close', () => {
    waiting[player.seat] = waiting[player.seat]!.filter(one => one !== player)
  })
})
await new Promise(resolve => server.on('listening', resolve))
console.log(JSON.stringify({ http: (server.address() as AddressInfo).port }))
