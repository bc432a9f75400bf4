import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hubFile, matchFile, pageSize, takeHub } from './pictures.ts'
import { type SampleHost, startSampleHost } from './sample-host.ts'

let sample: SampleHost
beforeAll(async () => {
  sample = await startSampleHost()
})
afterAll(() => sample.host.stop())

it('the picture of the hub shows the hub as it is now; if not, run npm run pictures', async () => {
  expect(await takeHub(sample)).toBe(readFileSync(hubFile, 'utf8'))
})

it('the matches in the pictures are played by the rules', async () => {
  expect(await sample.host.cli('verify')).toContain('76 matches')
})

it('the picture of a match page is small, and has the size that the script sets', () => {
  const png = readFileSync(matchFile)
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([pageSize.width, pageSize.height])
  expect(png.length).toBeLessThan(150_000)
})
