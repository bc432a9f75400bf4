import { expect, test } from 'vitest'
import { markdown } from './markdown.ts'

test.each([
  ['# Title `x`', '<h1 id="title-x">Title <code>x</code></h1>'],
  ['one\ntwo\n\nthree', '<p>one two</p><p>three</p>'],
  ['a **b** *c* `d*e*`', '<p>a <strong>b</strong> <em>c</em> <code>d*e*</code></p>'],
  ['- a\n- b\n  more\n  - c', '<ul><li>a</li><li>b more<ul><li>c</li></ul></li></ul>'],
  ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
  [
    '```json\n{"a":"<b>"}\n```',
    '<pre tabindex="0"><code>{&quot;a&quot;:&quot;&lt;b&gt;&quot;}</code></pre>',
  ],
  ['> so', '<blockquote><p>so</p></blockquote>'],
  ['[a](b.md)', '<p><a href="b.md">a</a></p>'],
  ['[a](javascript:alert(1))', '<p>a)</p>'],
  ['<script>x</script>', '<p>&lt;script&gt;x&lt;/script&gt;</p>'],
  [
    '| a | b |\n|---|---|\n| `x\\|y` | 2 |',
    '<div class="scroll" tabindex="0"><table><thead><tr><th>a<th>b</tr></thead><tbody><tr><td><code>x|y</code><td>2</tr></tbody></table></div>',
  ],
])('%j', (source, expected) => {
  expect(markdown(source).text).toBe(expected)
})
