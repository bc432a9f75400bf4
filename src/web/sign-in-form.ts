import type { Hono } from 'hono'
import type { Clock } from '../clock.ts'
import { TokenBuckets } from '../limits/token-bucket.ts'
import type { HttpEnv } from '../protocols/routes.ts'
import type { Answer } from './answer.ts'
import { isOwnForm } from './own-form.ts'
import { type SignInPage, signInPage } from './pages/sign-in.ts'
import type { Replies } from './replies.ts'
import type { SignIns } from './sign-ins.ts'
import { type SshPlace, sshWords } from './ssh-words.ts'

interface Context {
  readonly clock: Clock
  readonly signIns: SignIns
  readonly place: SshPlace
}

/** Codes that an address may try at once, and how many more a second. */
const tries = { burst: 20, perSecond: 1 / 10 }
const longestCode = 40

/** The pages on which people sign in and out. They change nothing but the cookie of the browser. */
export const addSignIn = (
  app: Hono<HttpEnv>,
  { clock, signIns, place }: Context,
  replies: Replies,
): void => {
  const rate = new TokenBuckets(clock, tries)
  const show = async (
    env: HttpEnv['Bindings'],
    page: Pick<SignInPage, 'link' | 'problem'>,
    options: Pick<Answer, 'status' | 'headers'> = {},
  ) => {
    const reader = (await signIns.reader(env.incoming.headers))?.name ?? null
    return replies.page(env, site =>
      signInPage(site, { ...page, reader, command: sshWords(place, 'NAME', 'sign-in') }, options),
    )
  }
  app.get('/sign-in', ({ env }) => show(env, {}))
  app.get('/sign-in/:code', ({ env, req }) => {
    const code = req.param('code').slice(0, longestCode)
    const account = signIns.find(code)
    return show(
      env,
      { link: { code, for: account?.name ?? null } },
      account === null ? { status: 404 } : {},
    )
  })
  app.post('/sign-in', async ({ env, req }) => {
    const { headers } = env.incoming
    if (!isOwnForm(headers)) return show(env, { problem: foreignForm }, { status: 403 })
    const wait = rate.take(env.source ?? '')
    if (wait > 0)
      return show(
        env,
        { problem: `Too many codes: try again in ${wait} s.` },
        { status: 429, headers: { 'Retry-After': String(wait) } },
      )
    const given = new URLSearchParams(await req.text()).get('code') ?? ''
    const code = given.trim().slice(0, longestCode)
    const used = await signIns.use(code)
    if (used === null) return show(env, { link: { code, for: null } }, { status: 403 })
    return replies.send(env, seeOther(used.path, { 'Set-Cookie': used.cookie }))
  })
  app.post('/sign-out', ({ env }) =>
    isOwnForm(env.incoming.headers)
      ? replies.send(env, seeOther('/sign-in', { 'Set-Cookie': signIns.signOut }))
      : show(env, { problem: foreignForm }, { status: 403 }),
  )
}

export const foreignForm = 'This form was sent by a page of another site.'

/** Leads the browser to a path after a form. */
export const seeOther = (path: string, headers: Answer['headers'] = {}): Answer => ({
  status: 303,
  type: 'text/plain; charset=utf-8',
  body: `${path}\n`,
  headers: { ...headers, Location: path },
})
