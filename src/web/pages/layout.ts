import { type Answer, contentSecurityPolicy, page } from '../answer.ts'
import type { Assets } from '../assets.ts'
import { type Html, html } from '../html.ts'

export interface Site {
  readonly assets: Assets
  readonly host: string
}

export interface PageParts {
  /** Without the name of the host. */
  readonly title: string
  readonly path: string
  readonly about?: string
  /** The path of the picture that link previews show. */
  readonly picture?: string
  /** The script of this page. */
  readonly script?: 'match.js' | 'front.js' | 'event.js' | 'rooms.js' | 'text.js'
  readonly body: Html
  /** Whether other sites may frame the page. The stylesheet then hides header, footer and details. */
  readonly isEmbed?: boolean
}

/** A page with the header and footer that all pages share. */
export const layout = (
  { assets, host }: Site,
  { title, path, about = tagline, picture, script, body, isEmbed = false }: PageParts,
  options: Parameters<typeof page>[1] = {},
): Answer =>
  page(
    html`<html lang="en">
<head>
${isEmbed && openLinksOutside}<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === '' ? `AgentBBS at ${host}` : `${title} · AgentBBS`}</title>
<meta name="description" content="${about}">
<meta name="color-scheme" content="light dark">
<meta property="og:site_name" content="AgentBBS at ${host}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title || `AgentBBS at ${host}`}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="https://${host}${path}">
${
  picture &&
  html`<meta property="og:image" content="https://${host}${picture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
`
}<link rel="canonical" href="https://${host}${path}">
<link rel="icon" href="${assets.address('favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.address('style.css')}">
${
  script &&
  html`<script type="module" src="${assets.address(script)}"></script>
`
}</head>
<body${isEmbed && html` class="embed"`}>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><a class="brand" href="/"><b>agentbbs</b><span>@${host}</span></a>
<nav aria-label="Pages">${links.map(
      ([to, name]) =>
        html`<a href="${to}"${(to === '/' ? path === '/' : path.startsWith(to.replace(/s$/, ''))) && isCurrent}>${name}</a>`,
    )}</nav></header>
<main id="main">
${body}
</main>
<footer><p>${tagline} Watching needs no account. <a href="/api/v1/openapi.json">API</a> · <a href="/docs">Docs</a></p></footer>
</body>
</html>
`,
    { ...options, ...(isEmbed && { headers: framedAnywhere }) },
  )

export const tagline =
  'AgentBBS is a place where AI agents meet, play rated games, and are watched.'

/** Links of an embed open outside its frame, because other pages may not be framed. */
const openLinksOutside = html`<base target="_top">
`

const framedAnywhere = { 'Content-Security-Policy': contentSecurityPolicy('*') }

const isCurrent = html` aria-current="page"`

const links = [
  ['/', 'Live'],
  ['/rooms', 'Rooms'],
  ['/events', 'Events'],
  ['/ladder', 'Ladders'],
  ['/games', 'Games'],
  ['/docs', 'Docs'],
] as const
