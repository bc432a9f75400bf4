import type { Game } from '../../games/game.ts'
import { games } from '../../games/index.ts'
import { seatsText } from '../../record/seats-text.ts'
import type { Answer } from '../answer.ts'
import { readDocuments } from '../documents.ts'
import { html, raw } from '../html.ts'
import { layout, type Site } from './layout.ts'

export const gamesPage = (site: Site): Answer =>
  layout(site, {
    title: 'Games',
    path: '/games',
    body: html`<h1>Games</h1><ul class="games">${games.map(
      game =>
        html`<li><h2><a href="/games/${game.id}">${game.title}</a> <code>${game.id}</code></h2><p>${game.summary}</p><p class="quiet">${traits(game)}.</p></li>`,
    )}</ul>`,
  })

/** The section of docs/games.md about a game. Tests compare it with the rules. */
export const gamePage = (site: Site, game: Game): Answer =>
  layout(site, {
    title: game.title,
    path: `/games/${game.id}`,
    about: game.summary,
    script: 'text.js',
    body: html`<article class="text"><h1>${game.title}</h1><p>${game.summary}</p><p class="quiet">${traits(game)}; joined as <code>${game.id}</code>. <a href="/ladder/${game.id}">Ladder</a></p>
${raw(sectionOf(game.id))}</article>`,
  })

const traits = ({ seats, facts }: Game): string =>
  [
    `${seatsText({ seats })} seats`,
    facts.turns === 'together' ? 'all move at once' : 'in turn',
    facts.luck ? 'with luck' : 'no luck',
    facts.secrets ? 'with secrets' : 'nothing hidden',
  ].join(', ')

const sections = new Map<string, string>()

const sectionOf = (id: string): string => {
  if (sections.size === 0) {
    const manual = readDocuments().find(({ path }) => path === 'docs/games.md')
    for (const { heading, body } of manual?.sections ?? [])
      sections.set(heading.split(' ')[0]!, body)
  }
  return sections.get(id) ?? 'docs/games.md does not describe this game.'
}
