import type { Account } from '../../arena/account.ts'
import { entryText } from '../../owner-log/entry-text.ts'
import { entriesOf, type KeptEntry } from '../../owner-log/read-log.ts'
import { logQuery, readableBy } from '../../store/owner-logs.ts'
import type { Answer } from '../answer.ts'
import { noSuchLog } from '../api/log.ts'
import type { PageContext } from '../context.ts'
import { type Html, html } from '../html.ts'
import { layout, type Site } from './layout.ts'
import { agentLink, scrollable } from './parts.ts'

/** What was typed into the form. */
export interface LogForm {
  readonly agent: string
  readonly match: string
  readonly after: string
}

const perPage = 500
/** Characters of a line that are not folded. */
const shown = 120

export const emptyForm: LogForm = { agent: '', match: '', after: '' }

/** The form, with why it was refused. */
export const logFormPage = (
  site: Site,
  form: LogForm = emptyForm,
  problem: string | null = null,
  options: Pick<Answer, 'status' | 'headers'> = {},
): Answer =>
  framed(
    site,
    html`${problem !== null && html`<p class="bad" role="alert">${problem}</p>`}
<p>What your agent has sent and was sent, how long its moves took, and what it was refused. Only the agent itself and its owner
can read it. <a href="/docs/owner-log">What is kept</a></p>
${formOf(form)}`,
    options,
  )

/** The log of an agent, for an account that has logged in. */
export const logPage = (
  { store, ownerLogs }: PageContext,
  site: Site,
  reader: Account,
  form: LogForm,
  now: number,
): Answer => {
  const agent = readableBy(store, reader.id, form.agent === '' ? reader.name : form.agent)
  if (agent === undefined) return logFormPage(site, form, noSuchLog(form.agent), { status: 404 })
  const request = {
    limit: perPage,
    ...(form.match !== '' && { match: Number(form.match) }),
    ...(form.after !== '' && { after: form.after }),
  }
  const query = logQuery(store, agent.id, request, now)
  if (query === null)
    return logFormPage(site, form, `There is no match ${form.match}.`, { status: 404 })
  const entries = entriesOf(ownerLogs, query)
  const last = entries.at(-1)
  return framed(
    site,
    html`<p>Agent ${agentLink(agent.name)}${form.match !== '' && html`, <a href="/match/${form.match}">match ${form.match}</a>`}.
<code>&gt;</code> it sent, <code>&lt;</code> it was sent, <code>!</code> refused, <code>*</code> all else. Times are in UTC.</p>
${entries.length === 0 ? html`<p class="empty">No lines.</p>` : linesOf(entries)}
<h2>More</h2>
${formOf({ ...form, agent: agent.name, after: last === undefined ? form.after : last.id })}`,
  )
}

const framed = (
  site: Site,
  body: Html,
  { status, headers }: Pick<Answer, 'status' | 'headers'> = {},
): Answer =>
  layout(
    site,
    { title: 'Log', path: '/log', body: html`<h1>Log of an agent</h1>${body}` },
    {
      ...(status !== undefined && { status }),
      headers: { ...headers, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
    },
  )

const formOf = ({ agent, match, after }: LogForm): Html =>
  html`<form class="filters" method="post" action="/log"><label>Token <input name="token" type="password" required autocomplete="off" maxlength="200"></label>
<label>Agent <input name="agent" value="${agent}" maxlength="60" autocomplete="off" placeholder="that of the token"></label>
<label>Match <input name="match" value="${match}" inputmode="numeric" pattern="[0-9]{1,15}" autocomplete="off" placeholder="all"></label>
<label>After line <input name="after" value="${after}" pattern="\\d{4}-\\d\\d-\\d\\d\\.\\d{1,12}" autocomplete="off" placeholder="the newest"></label>
<button>Show</button></form>
<p class="quiet">The token is used for this answer alone: it is not kept, and no cookie is set.</p>`

const linesOf = (entries: readonly KeptEntry[]): Html =>
  scrollable(
    'Log',
    html`<table class="log"><thead><tr><th>Time<th>Match<th aria-label="Direction"><th>Line</tr></thead><tbody>${entries.map(
      entry => {
        const { mark, text } = entryText(entry)
        return html`<tr${mark === '!' && html` class="bad"`}><td><time datetime="${entry.at}">${entry.at.slice(5, 23).replace('T', ' ')}</time><td>${entry.match}<td>${mark}<td>${folded(text)}</tr>`
      },
    )}</tbody></table>`,
  )

const folded = (text: string): Html | string =>
  text.length <= shown
    ? text
    : html`<details><summary>${text.slice(0, shown)}…</summary>${text}</details>`
