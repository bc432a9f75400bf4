import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { trackLook } from '../../../test/support/track-look.ts'
import type { GroupColour } from '../../games/look.ts'
import { altText, draw, drawSmall } from './drawing.ts'

const names = ['ann', '<bob>', 'cid', 'dan', 'eve', 'fay']
const options = { title: 'Track', names }
const page = draw(options, trackLook).text
const count = (pattern: RegExp, text = page) => text.match(pattern)?.length ?? 0

/** The part of the drawing that is about one square or token. */
const groupOf = (start: string) => {
  const at = page.indexOf(start)
  expect(at).toBeGreaterThan(0)
  return page.slice(at, page.indexOf('</g>', at))
}

describe('a track as SVG', () => {
  it('has all squares with their names, colours, owners and houses', () => {
    expect(count(/<title>/g)).toBe(40)
    expect(count(/class="f-navy /g)).toBe(36)
    const bare = groupOf('<title>Square number 2, $2<')
    expect(bare).not.toMatch(/f-seat/)
    expect(bare).toContain('>$2<')
    const built = groupOf('<title>Square number 11, $11, owned by &lt;bob&gt;, 4 houses<')
    expect(built).toContain('class="f-seat1 ')
    expect(count(/<path d="M[^"]*Z" class="f-white /g, built)).toBe(4)
    expect(built).not.toContain('>$11<')
    const large = groupOf('<title>Square number 1, $1, owned by ann, the large building<')
    expect(count(/class="f-gold /g, large)).toBe(1)
    expect(groupOf('<title>Square number 12, $12, owned by fay, mortgaged<')).toContain('l-rule')
  })

  it('keeps every name within its square', () => {
    for (const [, size, text] of page.matchAll(/font-size="([\d.]+)" class="f-black">([^<]+)</g))
      expect(Number(size) * text!.length * 0.56).toBeLessThanOrEqual(116)
  })

  it('has the tokens as things that move, side by side, and bars before one that is held', () => {
    expect(count(/data-key="token\d"/g)).toBe(6)
    const places = [...page.matchAll(/data-at="([^"]+)"/g)].map(([, at]) => at)
    expect(new Set(places).size).toBe(6)
    expect(count(/class="l-black"/g, groupOf('data-key="token0"'))).toBe(3)
    expect(count(/class="l-black"/g, groupOf('data-key="token1"'))).toBe(0)
  })

  it('has its panels in the middle, and a small one what each seat has', () => {
    expect(page).toMatch(/<div class="track"><svg.*<\/svg><div class="middle"><p class="strong">/s)
    expect(page).toContain('<li>cid pays &lt;bob&gt; $5.</li></ol>')
    const small = drawSmall(options, trackLook).text
    expect(small).not.toContain('<table')
    for (const { tally } of trackLook.track!.tokens) expect(small).toContain(`>${tally}<`)
  })

  it('is read aloud by the words of its look', () => {
    expect(altText(options, trackLook)).toBe('Track. Turn 43.')
    expect(page).toContain('role="img" aria-label="Track. Turn 43."')
  })

  it('has a colour in the stylesheet for everything that it draws', () => {
    const sheet = readFileSync(new URL('../style.css', import.meta.url), 'utf8')
    const colours: readonly GroupColour[] = [
      ...(['brown', 'sky', 'pink', 'orange'] as const),
      ...(['red', 'yellow', 'green', 'navy'] as const),
    ]
    const squares = trackLook.track!.squares.map((square, i) => ({
      ...square,
      colour: colours[i % 8]!,
    }))
    const { text } = draw(options, { ...trackLook, track: { ...trackLook.track!, squares } })
    const used = new Set(text.match(/\b[fl]-[a-z]+\d?(?=[ "])/g))
    expect(used.size).toBeGreaterThan(20)
    for (const name of used) expect(sheet).toContain(`.${name} {`)
  })
})

describe('a chart as SVG', () => {
  it('has a line for each seat and says in words where it began and ended', () => {
    expect(count(/<polyline class="l-seat\d" points="48,/g)).toBe(6)
    expect(page).toContain(
      'aria-label="Money by turn, from 0 to 4: ann from 100 to 100, &lt;bob&gt; from 100 to 90,',
    )
  })

  it('has round numbers along its axes, whatever the numbers are', () => {
    const ticksOf = (line: readonly number[]) => {
      const panel = { kind: 'chart', title: 'M', along: 'turn', step: 1, lines: [line] } as const
      const { text } = draw(options, { panels: [panel] })
      return [...text.matchAll(/class="end"[^>]*>([^<]+)</g)].map(([, tick]) => Number(tick))
    }
    expect(ticksOf([0, 0])).toEqual([0, 1])
    expect(ticksOf([1500, 1320])).toEqual([0, 500, 1000, 1500])
    expect(ticksOf([1500, 7350])).toEqual([0, 2000, 4000, 6000, 8000])
    expect(ticksOf([-30, 40])).toEqual([-40, -20, 0, 20, 40])
  })

  it('without a point is left out', () => {
    const panel = { kind: 'chart', title: 'M', along: 'turn', step: 1, lines: [[]] } as const
    expect(draw(options, { panels: [panel] }).text).toBe('')
  })
})
