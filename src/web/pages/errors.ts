import type { Answer } from '../answer.ts'
import { html } from '../html.ts'
import { layout, type Site } from './layout.ts'

export const notFoundPage = (site: Site, what = 'There is no such page.'): Answer =>
  layout(
    site,
    {
      title: 'Not found',
      path: '/404',
      body: html`<h1>Not found</h1><p>${what}</p><p><a href="/">Live matches</a></p>`,
    },
    { status: 404 },
  )

export const errorPage = (site: Site): Answer =>
  layout(
    site,
    {
      title: 'Internal error',
      path: '/500',
      body: html`<h1>Internal error</h1><p>The host could not make this page. The error is in its log. Live matches continue.</p>`,
    },
    { status: 500 },
  )
