import { expect, it } from 'vitest'
import { documentOf } from './documents.ts'

const htmlOf = (source: string) => {
  const { sections } = documentOf('docs/x.md', source, target =>
    target === 'gone.md' ? undefined : target,
  )
  return sections.map(({ head, body }) => head + body).join('')
}

it.each([
  [
    'a heading has the anchor that GitHub gives it',
    '# Title `x`, so',
    '<h1 id="title-x-so">Title <code>x</code>, so</h1>',
  ],
  [
    'a block of code can be scrolled with the keyboard',
    '```json\n{"a":"<b>"}\n```',
    '<pre tabindex="0"><code>{&quot;a&quot;:&quot;&lt;b&gt;&quot;}</code></pre>',
  ],
  [
    'a table can be scrolled with the keyboard',
    '| a | b |\n|---|--:|\n| `x\\|y` | 2 |',
    '<div class="scroll" tabindex="0"><table><thead><tr><th>a<th>b</tr></thead><tbody><tr><td><code>x|y</code><td>2</tr></tbody></table></div>',
  ],
  [
    'a link to a file without a page is plain text',
    '[**a** b](gone.md)',
    '<p><strong>a</strong> b</p>',
  ],
  ['a picture without an address is left out', 'a ![b](gone.md)', '<p>a </p>'],
  ['a picture has its words', '![b](b.png)', '<p><img src="b.png" alt="b" loading="lazy"></p>'],
  ['a link cannot hold a script', '[a](javascript:alert(1))', '<p>a</p>'],
  ['tags in a text stay text', 'x <script>y</script>', '<p>x &lt;script&gt;y&lt;/script&gt;</p>'],
])('%s', (_rule, source, expected) => {
  expect(htmlOf(source)).toBe(expected)
})

it('a document is split at every heading, and searched by its visible text', () => {
  const { title, address, sections } = documentOf(
    'docs/x.md',
    '# A `b`\n\nc *d*e <f> & [g](h.md)\n\n## *i*\n\n| j | k |\n|---|---|\n| l | m |\n',
  )
  expect([title, address]).toEqual(['A b', '/docs/x'])
  expect(sections).toMatchObject([
    { heading: 'A b', anchor: 'a-b', text: 'A b c de <f> & g' },
    { heading: 'i', anchor: 'i', text: 'i j k l m' },
  ])
})

it('a file that is not Markdown is shown as it is', () => {
  const { title, address, sections } = documentOf('deploy/x.conf', 'a <b>\n')
  expect([title, address]).toEqual(['x.conf', '/docs/deploy/x.conf'])
  expect(sections[0]!.body).toBe('<pre tabindex="0"><code>a &lt;b&gt;\n</code></pre>')
})
