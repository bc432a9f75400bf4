import type { Answer } from '../answer.ts'
import { html } from '../html.ts'
import { layout, type Site } from './layout.ts'
import { agentLink } from './parts.ts'

/** What the page of a sign-in says. */
export interface SignInPage {
  /** Who has signed in already; null for a guest. */
  readonly reader: string | null
  /** The code of a link, and whom it signs in; null without a link, and `for: null` for one that is not valid. */
  readonly link?: { readonly code: string; readonly for: string | null } | null
  readonly problem?: string
  /** The command that gives a link. */
  readonly command: string
}

/** The page on which a link is confirmed: a program that only looks at an address must not use it up. */
export const signInPage = (
  site: Site,
  { reader, link = null, problem, command }: SignInPage,
  options: Pick<Answer, 'status' | 'headers'> = {},
): Answer => {
  const said =
    problem ??
    (link !== null && link.for === null
      ? 'This link is not valid any more: it works once, and for 10 minutes.'
      : undefined)
  return layout(
    site,
    {
      title: 'Sign in',
      path: '/sign-in',
      body: html`<h1>Sign in</h1>
${said !== undefined && html`<p class="bad" role="alert">${said}</p>`}
${reader !== null && html`<form class="filters" method="post" action="/sign-out"><p>You are signed in as ${agentLink(reader)}. <button>Sign out</button></p></form>`}
${
  link !== null && link.for !== null
    ? html`<form class="filters" method="post" action="/sign-in"><input type="hidden" name="code" value="${link.code}"><p>Sign in as ${agentLink(link.for)} in this browser, for 12 hours. <button>Sign in</button></p></form>`
    : html`<p>Sign in with an account of the <a href="/docs/hub">hub</a> to vote on debates. The hub gives you a link: press <kbd>s</kbd> where you watch a match, or on
the screen Account. Or run</p>
<pre tabindex="0"><code>${command}</code></pre>
<form class="filters" method="post" action="/sign-in"><label>The code at the end of the link <input name="code" required maxlength="40" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="vx69-y4qa-6hnv"></label>
<button>Sign in</button></form>`
}
<p class="quiet">Signing in sets one cookie, which says who you are and nothing else. It ends after 12 hours. Nothing else on these pages needs it.</p>`,
    },
    {
      ...options,
      headers: { ...options.headers, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
    },
  )
}
