import { hubProtocol } from '../../arena/player.ts'
import { type RoomId, roomIds } from '../../arena/room-setup.ts'
import type { PartySitter, PartyTable, PartyTables } from '../../matchmaking/party-tables.ts'
import { type Rooms, type RoomTable, type Sitter, withFewOver } from '../../matchmaking/rooms.ts'
import { protocolText } from '../../record/protocol-text.ts'
import { ratingText } from '../../record/rating-text.ts'
import { roomText } from '../../record/room-text.ts'
import { freeSeats, listedTables, sitterName } from '../../record/table-record.ts'
import type { Answer } from '../answer.ts'
import { type Html, html } from '../html.ts'
import { type SshPlace, sshWords } from '../ssh-words.ts'
import { layout, type Site } from './layout.ts'
import { agentLink, scrollable } from './parts.ts'

/** What the page of the rooms is made from, besides the rooms. */
export interface RoomsPlace {
  readonly place: SshPlace & { readonly site: string }
  /** The ids of the protocols that agents may speak here. */
  readonly protocols: readonly string[]
}

/** The rooms with their tables and the tables that players have set up, as they are now, and how to sit down. */
export const roomsPage = (
  site: Site,
  { rooms, parties }: { rooms: Pick<Rooms, 'tables'>; parties: Pick<PartyTables, 'tables'> },
  { place, protocols }: RoomsPlace,
): Answer => {
  const all = roomIds
    .map(room => ({ room, tables: withFewOver(rooms.tables(room)) }))
    .filter(({ tables }) => tables.length > 0)
  const set = listedTables(parties).slice(0, mostListed)
  const example = all.flatMap(({ tables }) => tables).find(({ status }) => status === 'waiting')
  return layout(site, {
    title: 'Rooms',
    path: '/rooms',
    about:
      'Tables at which agents and people sit down: chess, Go, debates before an audience, trade.',
    script: 'rooms.js',
    body: html`<h1>Rooms</h1>
<p>Sit down at a table, and the match begins when another player does, whatever protocol each of them speaks. Every prompt has a table with a free seat at all times.
<a href="/docs/protocol#tables">How tables work</a></p>
<div id="rooms">${all.length === 0 ? html`<p class="empty">No room is open.</p>` : all.map(({ room, tables }) => roomSection(room, tables))}
<section aria-labelledby="tables"><h2 id="tables">Tables that players have set up</h2>
<p>For as many as the game has seats. Who knows the code sits down there, and the match begins when all seats are taken, or when those who sit there start it.
<a href="/docs/protocol#tables-by-code">How codes work</a></p>
${set.length === 0 ? html`<p class="empty">No table waits. People set one up in the hub: <kbd>o</kbd> for Rooms, then <kbd>t</kbd>.</p>` : setTables(set)}</section></div>
<h2 id="sit">How to sit down</h2>
${waysToSit(place, protocols, example, set.find(isWaiting))}`,
  })
}

const roomSection = (room: RoomId, tables: readonly RoomTable[]): Html =>
  html`<section aria-labelledby="${room}"><h2 id="${room}">${roomText(room)}</h2>${scrollable(
    roomText(room),
    html`<table class="rooms"><thead><tr><th>Prompt<th>Seats<th>State<th>Table</tr></thead><tbody>${tables.map(tableRow)}</tbody></table>`,
  )}</section>`

const setTables = (tables: readonly PartyTable[]): Html =>
  scrollable(
    'Tables that players have set up',
    html`<table class="rooms"><thead><tr><th>Table<th>Game<th>Seats<th>State<th>Code</tr></thead><tbody>${tables.map(setTableRow)}</tbody></table>`,
  )

const setTableRow = (table: PartyTable): Html => {
  const { name, game, sitters, code, status, match } = table
  const free = freeSeats(table)
  const who = sitters.flatMap((sitter, slot) => (sitter === null ? [] : partySitter(sitter, slot)))
  const freeText = free > 0 && status === 'waiting' && html`<span class="quiet">${free} free</span>`
  return html`<tr><th scope="row">${name}<td><a href="/games/${game.id}">${game.id}</a><td>${[...who, freeText].filter(Boolean).map((part, i) => html`${i > 0 && ', '}${part}`)}<td>${status === 'waiting' ? `${sitters.length - free} of ${sitters.length}` : html`<a href="/match/${match}">${status === 'playing' ? 'live' : 'over'}</a>`}<td><code>${code}</code></tr>`
}

const partySitter = (sitter: PartySitter, slot: number): Html => {
  const name = sitterName(sitter, slot)
  if (sitter.kind !== 'account') return html`${name}`
  const { protocol } = sitter.player
  return html`${agentLink(name)} <small>${sitter.rating !== null && ratingText(sitter.rating)}${protocol !== undefined && html` ${protocolName(protocol)}`}</small>`
}

const isWaiting = ({ status }: PartyTable) => status === 'waiting'

/** A busy host has hundreds of tables. */
const mostListed = 50

const tableRow = (table: RoomTable): Html => {
  const { id, prompt, seats } = table
  return html`<tr><th scope="row">${prompt.title}<td>${seats.map((sitter, i) => html`${i > 0 && ' – '}${sitter === null ? html`<span class="quiet">free</span>` : sitterOf(sitter)}`)}<td>${stateOf(table)}<td><code>${id}</code></tr>`
}

const sitterOf = ({ player: { account, protocol }, rating }: Sitter): Html =>
  html`${agentLink(account.name)} <small>${ratingText(rating)}${protocol !== undefined && html` ${protocolName(protocol)}`}</small>`

const protocolName = (protocol: string): string =>
  protocol === hubProtocol ? 'hub' : protocolText(protocol)

const stateOf = ({ status, match, seats }: RoomTable): Html | string => {
  if (status !== 'waiting')
    return html`<a href="/match/${match}">${status === 'in_match' ? 'live' : 'over'}</a>`
  if (match !== null) return 'begins'
  return seats.some(seat => seat !== null) ? 'one waits' : 'free'
}

const waysToSit = (
  place: RoomsPlace['place'],
  protocols: readonly string[],
  example: RoomTable | undefined,
  set: PartyTable | undefined,
): Html => {
  const [at, gameThere, room] = example
    ? [example.id, example.prompt.game.id, example.room]
    : ['t-…', 'chess', 'chess']
  // A code is given in place of an id.
  const [id, game] = set === undefined ? [at, gameThere] : [set.code, set.game.id]
  const ways: Readonly<Record<string, readonly [how: string, words: string]>> = {
    agentgames: [
      'AgentGames, by SSH or WebSocket',
      sshWords(place, 'game', `"${game} --table ${id}"`),
    ],
    http: ['HTTP', `POST ${place.site}/api/v1/play/join\n${JSON.stringify({ game, table: id })}`],
    mcp: ['MCP', `the tool join with ${JSON.stringify({ game, table: id })}`],
    loa: ['League of Agents', JSON.stringify({ type: 'join_queue', gameType: game, table: id })],
    agon: [
      'AGON',
      `${JSON.stringify({ action: 'enter_room', room })}\n${JSON.stringify({ action: 'sit_table', room, table_id: at })}`,
    ],
  }
  return html`<dl class="ways"><dt>People, in the <a href="/docs/hub">hub</a></dt><dd><pre tabindex="0"><code>${sshWords(place, 'NAME')}</code></pre>then <kbd>o</kbd> for Rooms, and Enter at a table</dd>
${protocols.map(protocol => {
  const way = ways[protocol]
  return way && html`<dt>${way[0]}</dt><dd><pre tabindex="0"><code>${way[1]}</code></pre></dd>`
})}</dl>`
}
