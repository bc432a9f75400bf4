import type { ReplayError } from '../../arena/replay.ts'
import { plainBoard } from '../../drawing/look-text.ts'
import type { Seat } from '../../games/game.ts'
import { isTranscript } from '../../games/look.ts'
import { notationOf } from '../../record/export.ts'
import { percentText } from '../../record/fit-text.ts'
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
import { voteText } from '../../record/vote-text.ts'
import { inSlices } from '../../scheduling/sliced-text.ts'
import type { Answer } from '../answer.ts'
import { draw } from '../board/drawing.ts'
import { toldOf } from '../board/panels.ts'
import { expectedOf, type PageContext, type ShownMatch, titleOf } from '../context.ts'
import { type Html, html } from '../html.ts'
import type { SignedIn } from '../page-request.ts'
import { type ReplaySummary, summarizeReplay } from '../replay.ts'
import { sshWords } from '../ssh-words.ts'
import { timeChart } from './charts.ts'
import { layout, type Site } from './layout.ts'
import { ladderBadge, nameLink } from './parts.ts'

/** The page of a live match, and of its replay once it is over. */
export const matchPage = async (
  context: PageContext,
  site: Site,
  shown: ShownMatch,
  { ply, reader, isEmbed = false }: Asked,
): Promise<Answer> => {
  const { match, live } = shown
  const title = `${titleOf(match.game)}: ${versusText(match)}`
  const hasAudience = live !== null && isTranscript(live.look) && !isEmbed
  return layout(
    site,
    {
      title,
      path: `/match/${match.id}`,
      about: `${title}. ${outcomeText(match)}.`,
      picture: `/match/${match.id}/picture.png`,
      script: 'match.js',
      body: await matchBody(
        context,
        shown,
        ply,
        hasAudience && voteSection(context, shown, reader),
      ),
      isEmbed,
    },
    hasAudience
      ? {
          headers: {
            Vary: 'Cookie',
            ...(reader !== null && { 'Cache-Control': 'private, no-cache' }),
          },
        }
      : {},
  )
}

interface Asked {
  /** A position; null is the last one. */
  readonly ply: number | null
  /** The account that has signed in, and the seat that it votes for. */
  readonly reader: SignedIn | null
  readonly isEmbed?: boolean
}

const matchBody = async (
  context: PageContext,
  shown: ShownMatch,
  askedPly: number | null,
  vote: Html | false,
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
${vote}
<div class="stage"><div class="left">
<div id="board">${draw(options, look)}</div>
<nav class="controls" aria-label="Replay">${replayControls(ply, plies)}<button type="button" id="flip"${look.board?.turns === undefined && html` data-never`} hidden>flip</button><label id="pace" hidden>speed <select><option value="2000">slow</option><option value="900" selected>normal</option><option value="300">fast</option></select></label></nav>
${boardText && html`<details class="as-text"><summary>The board as text</summary><pre id="text" tabindex="0">${boardText}</pre></details>`}
</div>
<div class="right"><h2>Moves</h2>
${plies === 0 ? html`<p class="empty" id="no-moves">No move yet.</p>` : ''}
<ol class="moves" id="moves" tabindex="0" aria-label="Moves">${moves.map(
    ({ seat, label, ms, told }, i) =>
      html`<li><a href="?ply=${i + 1}" data-ply="${i + 1}" class="s${seat}"${i + 1 === ply && html` aria-current="step"`}>${label}<small>${durationText(ms)}</small></a>${told.length > 0 && toldOf(told, names)}${noteOf(replay.notes[i + 1])}</li>`,
  )}</ol></div></div>
<section id="facts">${facts(context, shown, moves)}</section></div>`
}

/**
 * The vote of the audience. It is on the page of a debate from the start, and hidden until it begins, so that a script has only
 * to show it. The form needs no script.
 */
const voteSection = (
  { place }: PageContext,
  { match, live, replay }: ShownMatch,
  reader: SignedIn | null,
): Html => {
  const { vote } = live!
  const nameOf = (seat: Seat) =>
    `${match.players[seat]!.name}${replay.game.sides === undefined ? '' : ` (${replay.game.sides[seat]})`}`
  const path = `/match/${match.id}`
  const ssh = sshWords(place, 'NAME', `sign-in ${match.id}`)
  return html`<section id="vote" class="vote" aria-label="Audience vote" data-vote="${vote === null ? '' : JSON.stringify(vote)}"${vote === null && html` hidden`}>
<p role="status"><b id="vote-text">${vote !== null && voteText(vote)}</b></p>
${
  reader === null
    ? html`<p class="quiet">To vote, <a href="/sign-in">sign in</a> with an account of the <a href="/docs/hub">hub</a>: watch this match there and press <kbd>s</kbd>, or run <code>${ssh}</code>. The link that you get leads here.</p>`
    : html`<form method="post" action="${path}/vote">${(vote?.between ?? [...match.players.keys()]).map(seat => html`<button name="seat" value="${seat}" class="s${seat}"${seat === reader.votesFor && html` aria-pressed="true"`}>${nameOf(seat)}</button>`)}</form>
<p class="quiet">${reader.votesFor !== null && html`You vote for <b>${nameOf(reader.votesFor)}</b>, and may change that until the vote closes. `}You are signed in as ${reader.name}.</p>`
}</section>
<div class="reactions" id="reactions" role="group" aria-label="Reactions of spectators"></div>`
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
  context: PageContext,
  { match, live }: ShownMatch,
  moves: ReplaySummary['moves'],
): Html => {
  const api = `/api/v1/matches/${match.id}`
  const names = match.players.map(({ name }) => name)
  const expected = expectedOf(context, match)
  const embedCode = `<iframe src="https://${context.host}/match/${match.id}/embed" width="480" height="640" title="${versusText(match)}"></iframe>`
  return html`${live === null && timeChart(moves, names)}
<dl class="facts"><dt>Started</dt><dd>${momentText(match.startedAt)}</dd>
${match.end && html`<dt>Took</dt><dd>${durationText(match.end.at - match.startedAt)}</dd>`}
${expected && html`<dt>${live === null ? 'Expected by the strengths of now' : 'Expected score, by strength'}</dt><dd>${names.map((name, seat) => `${name} ${percentText(expected[seat]!)}`).join(', ')}</dd>`}
${match.event && html`<dt>Event</dt><dd><a href="/events/${match.event.id}">${match.event.id}</a>, round ${match.event.round}</dd>`}
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
