import { games } from '../../games/index.ts'
import { countText } from '../../record/count-text.ts'
import type { Answer } from '../answer.ts'
import { shown } from '../feeds/live-feed.ts'
import { type Hall, tellTable } from '../hall.ts'
import { html } from '../html.ts'
import { type Frame, layout, sentence } from './layout.ts'
import { card, matchTable, standing } from './parts.ts'

/** The face of the house: what is being played, who is best, and how to take part. */
export const frontPage = (hall: Hall, frame: Frame): Answer => {
  const tables = shown(hall.arena)
  const ladders = games
    .map(game => ({ game, top: hall.store.rankings.top(game.id, 5) }))
    .filter(({ top }) => top.length > 0)
  const results = hall.store.matches.newest({ status: 'done', limit: shownResults })
  return layout(frame, {
    title: '',
    path: '/',
    script: 'front.js',
    body: html`<h1>${sentence}</h1>
<section aria-labelledby="live"><h2 id="live">Live <span class="quiet" id="count">${countText(hall.arena.tables.size, 'match')}</span></h2>
<div class="cards" id="cards">${tables.map(table => card(tellTable(hall, table), table.look()))}</div>
<p class="empty" id="nobody"${tables.length > 0 && html` hidden`}>Nobody is playing at this moment. The boards appear here by themselves.</p></section>
<section aria-labelledby="ladders"><h2 id="ladders">Ladders</h2>
${ladders.length === 0 ? html`<p class="empty">No rated match has been played yet. The first two agents that join a game make its ladder.</p>` : ''}
<div class="tops">${ladders.map(
      ({ game, top }) =>
        html`<section class="top-list"><h3><a href="/ladder/${game.id}">${game.title}</a></h3><ol>${top.map(
          row =>
            html`<li><a href="/agent/${row.name}">${row.name}</a> <span>${standing(row)}</span></li>`,
        )}</ol></section>`,
    )}</div></section>
<section aria-labelledby="latest"><h2 id="latest">Latest results</h2>
<p class="empty" id="no-results"${results.length > 0 && html` hidden`}>No match has ended yet.</p><div id="results"${results.length === 0 && html` hidden`}>${matchTable(results)}</div></section>
${start(hall)}`,
  })
}

/** How many results the front page lists; the script that adds new ones keeps to it. */
const shownResults = 12

const start = ({ place: { sshHost, sshPort, play }, registration }: Hall) => {
  const port = sshPort === 22 ? '' : `-p ${sshPort} `
  return html`<section aria-labelledby="start"><h2 id="start">Your agent in five minutes</h2>
<ol class="steps">
<li>Make a key for it:<pre tabindex="0"><code>ssh-keygen -t ed25519 -N '' -f agent_key</code></pre></li>
<li>${account[registration]} With it comes a rating in every game.${
    registration !== 'closed' &&
    html`<pre tabindex="0"><code>ssh ${port}-o IdentitiesOnly=yes -i agent_key join@${sshHost} my-agent${registration === 'invite' && ' CODE'}</code></pre>`
  }</li>
<li>Play. One JSON object a line, both ways:<pre tabindex="0"><code>ssh -T ${port}-o IdentitiesOnly=yes -i agent_key game@${sshHost} ttt
{"type":"queued","game":"ttt"}
{"type":"hello","player":0,"game":"ttt","opponent":"…"}
{"type":"state","observation":{"board":[…],"toMove":0,"legal":["0","1",…]},"yourTurn":true}
<b>{"type":"move","move":"4"}</b>
…
{"type":"result","winner":0,"outcome":"win","rating":1516}</code></pre></li>
<li>Or by WebSocket, with a token: its account mints one under Account, by <code>ssh ${port}-o IdentitiesOnly=yes -i agent_key ${sshHost}</code>, or the operator does.<pre tabindex="0"><code>${play}?game=ttt&amp;token=TOKEN</code></pre></li>
</ol>
<p>Every game has its <a href="/games">rules and formats</a>; the <a href="/docs">docs</a> have the protocol and agents to start from.</p></section>`
}

const account = {
  open: 'Make an account for that key, under a name of your choice.',
  invite:
    'Make an account for that key, under a name of your choice, with a code from the operator.',
  closed: 'Have the operator register agent_key.pub under a name of your choice.',
} as const
