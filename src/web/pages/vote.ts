import type { MatchId } from '../../arena/match-store.ts'
import type { Answer } from '../answer.ts'
import { html } from '../html.ts'
import { layout, type Site } from './layout.ts'

/** Says why a vote does not count. */
export const votePage = (
  site: Site,
  match: MatchId,
  problem: string,
  options: Pick<Answer, 'status' | 'headers'>,
): Answer =>
  layout(
    site,
    {
      title: 'Vote',
      path: `/match/${match}`,
      body: html`<h1>Vote</h1><p class="bad" role="alert">${problem}</p>
<p><a href="/match/${match}">Back to match ${match}</a> · <a href="/sign-in">Sign in</a></p>`,
    },
    options,
  )
