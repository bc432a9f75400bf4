import type { ReplayError } from '../../arena/replay.ts'
import { plainBoard } from '../../drawing/look-text.ts'
import { notationOf } from '../../record/export.ts'
import type { PlayerRecord } from '../../record/match-record.ts'
import { protocolText } from '../../record/protocol-text.ts'
import { changeText, ratingText } from '../../record/rating-text.ts'
import {
  capital,
  endingText,
  faultText,
  outcomeText,
  ratedText,
  resultText,
  versusText,
} from '../../record/result-text.ts'
import { clockText, durationText, momentText } from '../../record/time-text.ts'
import { inSlices } from '../../scheduling/sliced-text.ts'
import type { Answer } from '../answer.ts'
import { draw } from '../board/drawing.ts'
import { type PageContext, type ShownMatch, titleOf } from '../context.ts'
import { type Html, html } from '../html.ts'
import { type ReplaySummary, summarizeReplay } from '../replay.ts'
import { timeChart } from './charts.ts'
import { layout, type Site } from './layout.ts'
import { ladderBadge, nameLink } from './parts.ts'

/** The page of a live match, and of its replay once it is over. `ply` is a position; null is the last one. */
export const matchPage = async (
  context: PageContext,
  site: Site,
  shown: ShownMatch,
  ply: number | null,
  isEmbed = false,
): Promise<Answer> => {
  const { match } = shown
  const title = `${titleOf(match.game)}: ${versusText(match)}`
  return layout(site, {
    title,
    path: `/match/${match.id}`,
    about: `${title}. ${outcomeText(match)}.`,
    picture: `/match/${match.id}/picture.png`,
    script: 'match.js',
    body: await matchBody(context, shown, ply),
    isEmbed,
  })
}

const matchBody = async (
  context: PageContext,
  shown: ShownMatch,
  askedPly: number | null,
): Promise<Html> => {
  const { match, replay, live } = shown
  const plies = replay.moves.length
  const ply = Math.min(askedPly ?? plies, plies)
  const names = match.players.map(({ name }) => name)
  const options = { title: titleOf(match.game), names }
  const summary = await inSlices(summarizeReplay(replay, ply))
  const { moves } = summary
  const look = live !== null && ply === plies ? live.look : summary.look
  const boardText = plainBoard(look)
  return html`<div id="match" data-match="${match.id}" data-title="${options.title}" data-names="${JSON.stringify(names)}" data-live="${live === null ? '' : 'live'}" data-ply="${ply}" data-plies="${plies}">
<h1>${options.title} <small>match <a href="/match/${match.id}">${match.id}</a></small></h1>
<ul class="players" id="players">${match.players.map((player, seat) => playerItem(shown, player, seat))}</ul>
<p class="verdict" id="verdict" role="status">${verdict(shown, summary.error)}</p>
<div class="stage"><div class="left">
<div id="board">${draw(options, look)}</div>
<nav class="controls" aria-label="Replay">${replayControls(ply, plies)}<button type="button" id="flip"${look.board?.turns === undefined && html` data-never`} hidden>flip</button><label id="pace" hidden>speed <select><option value="2000">slow</option><option value="900" selected>normal</option><option value="300">fast</option></select></label></nav>
${boardText && html`<details class="as-text"><summary>The board as text</summary><pre id="text" tabindex="0">${boardText}</pre></details>`}
</div>
<div class="right"><h2>Moves</h2>
${plies === 0 ? html`<p class="empty" id="no-moves">No move yet.</p>` : ''}
<ol class="moves" id="moves" tabindex="0" aria-label="Moves">${moves.map(
    ({ seat, label, ms }, i) =>
      html`<li><a href="?ply=${i + 1}" data-ply="${i + 1}" class="s${seat}"${i + 1 === ply && html` aria-current="step"`}>${label}<small>${durationText(ms)}</small></a>${noteOf(replay.notes[i + 1])}</li>`,
  )}</ol></div></div>
<section id="facts">${facts(context, shown, moves)}</section></div>`
}

/** Marked as a quotation: it is what the player wrote. */
const noteOf = (note: string | undefined): Html | false =>
  note !== undefined && html`<q dir="auto">${note}</q>`

const playerItem = (
  { match, ratings, live, replay }: ShownMatch,
  player: PlayerRecord,
  seat: number,
): Html => {
  const side = replay.game.sides?.[seat]
  const { rating, fault, place, protocol } = player
  const clock = live?.clocks[seat]
  return html`<li class="${place === 1 ? 'first' : ''}"><span class="chip s${seat}">${seat}</span> ${nameLink(player)} ${side && html`<span class="quiet">${side}</span>`} ${protocol !== null && html`<small class="quiet" title="came by">${protocolText(protocol)}</small>`}
<span class="num">${rating ? html`${ratingText(rating.after)} <span class="change">${changeText(rating)}</span>` : ratings[seat] != null && ratingText(ratings[seat])}</span>
${place !== null && match.players.length > 2 && html`<span class="badge">place ${place}</span>`}${fault && html`<span class="badge bad">${faultText(player)}</span>`}<span class="clock" data-clock="${clock ?? ''}">${clock == null ? '' : clockText(clock)}</span></li>`
}

const verdict = ({ match }: ShownMatch, error: ReplayError | null): Html =>
  match.end === null
    ? html`<b class="live-dot">live</b>${ladderBadge(match)}`
    : html`<b>${resultText(match)}</b> — ${endingText(match)}${match.unrated !== null && html` <span class="badge">${ratedText(match)}</span>`}${ladderBadge(match)}${error && html` <span class="badge bad">${capital(error.message)}: from there on the board does not change</span>`}`

/** Links to other positions. The script of the page replaces the page loads with steps. */
const replayControls = (ply: number, plies: number): Html => {
  const to = (name: string, sign: string, label: string, target: number) =>
    html`<a href="?ply=${target}" id="${name}" role="button" aria-label="${label}"${target === ply && html` aria-disabled="true"`}>${sign}</a>`
  return html`${to('to-first', '⇤', 'To the start', 0)}${to('to-back', '←', 'One move back', Math.max(0, ply - 1))}<button type="button" id="play" aria-label="Play" hidden>▶</button>${to('to-next', '→', 'One move on', Math.min(plies, ply + 1))}${to('to-last', '⇥', 'To the end', plies)}<output id="where">${ply} / ${plies}</output>`
}

const facts = (
  { host }: PageContext,
  { match, live }: ShownMatch,
  moves: ReplaySummary['moves'],
): Html => {
  const api = `/api/v1/matches/${match.id}`
  const names = match.players.map(({ name }) => name)
  const embedCode = `<iframe src="https://${host}/match/${match.id}/embed" width="480" height="640" title="${versusText(match)}"></iframe>`
  return html`${live === null && timeChart(moves, names)}
<dl class="facts"><dt>Started</dt><dd>${momentText(match.startedAt)}</dd>
${match.end && html`<dt>Took</dt><dd>${durationText(match.end.at - match.startedAt)}</dd>`}
<dt>Rated</dt><dd>${match.unrated === null ? 'yes' : `no: ${match.unrated}`}</dd>
${match.voided && html`<dt>Voided</dt><dd>${momentText(match.voided.at)}${match.voided.reason && `: ${match.voided.reason}`}</dd>`}
${match.end && html`<dt>Seed</dt><dd>${match.seed}</dd>`}
<dt>Rules</dt><dd><a href="/games/${match.game}">${titleOf(match.game)}</a></dd></dl>
${
  match.end &&
  html`<p class="downloads">Download <a href="${api}" download="match-${match.id}.json">JSON</a> <a href="${api}/ndjson" download>NDJSON</a>${notationOf(match.game) === 'pgn' && html` <a href="${api}/pgn" download>PGN</a>`}${notationOf(match.game) === 'sgf' && html` <a href="${api}/sgf" download>SGF</a>`}</p>`
}
<details><summary>Embed</summary><pre tabindex="0"><code>${embedCode}</code></pre></details>`
}
