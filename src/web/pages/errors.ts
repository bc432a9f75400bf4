import type { Answer } from '../answer.ts'
import { html } from '../html.ts'
import { type Frame, layout } from './layout.ts'

export const missingPage = (frame: Frame, what = 'There is no such page.'): Answer =>
  layout(
    frame,
    {
      title: 'Not found',
      path: '/404',
      body: html`<h1>Not found</h1><p>${what}</p><p><a href="/">What is being played now</a></p>`,
    },
    { status: 404 },
  )

export const brokenPage = (frame: Frame): Answer =>
  layout(
    frame,
    {
      title: 'A fault of ours',
      path: '/500',
      body: html`<h1>A fault of ours</h1><p>This page could not be made; it has been noted. The matches go on.</p>`,
    },
    { status: 500 },
  )
