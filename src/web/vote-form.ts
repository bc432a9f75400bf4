import type { Hono } from 'hono'
import type { Arena } from '../arena/arena.ts'
import type { Clock } from '../clock.ts'
import { TokenBuckets } from '../limits/token-bucket.ts'
import type { HttpEnv } from '../protocols/routes.ts'
import { voteRefusalText } from '../record/vote-text.ts'
import { isOwnForm } from './own-form.ts'
import { votePage } from './pages/vote.ts'
import type { Replies } from './replies.ts'
import { foreignForm, seeOther } from './sign-in-form.ts'
import type { SignIns } from './sign-ins.ts'

interface Context {
  readonly arena: Pick<Arena, 'vote'>
  readonly clock: Clock
  readonly signIns: Pick<SignIns, 'reader'>
}

/** Votes that an account may send at once, changes of mind included, and how many more a second. */
const votes = { burst: 10, perSecond: 1 / 5 }

/** Takes the votes of readers who have signed in, from the form on the page of a match. */
export const addVote = (
  app: Hono<HttpEnv>,
  { arena, clock, signIns }: Context,
  replies: Replies,
): void => {
  const rate = new TokenBuckets(clock, votes)
  app.post('/match/:id{\\d{1,15}}/vote', async ({ env, req }) => {
    const match = Number(req.param('id'))
    const refuse = (problem: string, status: number, headers = {}) =>
      replies.page(env, site => votePage(site, match, problem, { status, headers }))
    const { headers } = env.incoming
    if (!isOwnForm(headers)) return refuse(foreignForm, 403)
    const reader = await signIns.reader(headers)
    if (reader === null) return refuse('You are not signed in, or not any more.', 401)
    const wait = rate.take(String(reader.id))
    if (wait > 0)
      return refuse(`Too many votes: try again in ${wait} s.`, 429, { 'Retry-After': String(wait) })
    const seat = new URLSearchParams(await req.text()).get('seat') ?? ''
    const refusal = await arena.vote(match, reader, /^\d$/.test(seat) ? Number(seat) : Number.NaN)
    return refusal === null
      ? replies.send(env, seeOther(`/match/${match}#vote`))
      : refuse(voteRefusalText(refusal), 409)
  })
}
