import type { Context } from 'hono'
import type { Clock } from '../clock.ts'
import { isForeign } from '../http-input.ts'
import { entryId } from '../owner-log/read-log.ts'
import type { HttpEnv } from '../protocols/routes.ts'
import type { Remote } from '../threads/calls.ts'
import { headersOf, loggedIn, statusOf } from './api/log.ts'
import type { PageService } from './page-service.ts'
import { emptyForm, type LogForm, logFormPage } from './pages/log.ts'
import type { Replies } from './replies.ts'

/** Answers the form of /log: the token in it is used for this one answer. */
export const answerLogForm = async (
  { env, req }: Context<HttpEnv>,
  { pages, clock }: { readonly pages: Remote<PageService>; readonly clock: Clock },
  replies: Replies,
): Promise<Response> => {
  const refuse = (form: LogForm, problem: string, status: number, headers = {}) =>
    replies.page(env, site => logFormPage(site, form, problem, { status, headers }))
  const { headers } = env.incoming
  if (isForeign(headers))
    return refuse(emptyForm, 'This form was sent by a page of another site.', 403)
  const given = new URLSearchParams(await req.text())
  const field = (name: string) => (given.get(name) ?? '').trim()
  const form = { agent: field('agent'), match: field('match'), after: field('after') }
  if (!/^\d{0,15}$/.test(form.match)) return refuse(form, 'A match is a number.', 400)
  if (form.after !== '' && !entryId.test(form.after))
    return refuse(form, 'A line is named by its id, such as 2026-01-31.12345.', 400)
  const login = await loggedIn(env, field('token'))
  if ('code' in login)
    return refuse(form, `Refused: ${login.detail}.`, statusOf(login), headersOf(login))
  const at = { method: 'POST', now: clock.date() }
  return replies.send(env, replies.sendMade(env, await pages.logPage(login, form, at)))
}
