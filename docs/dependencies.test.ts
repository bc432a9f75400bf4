// docs/dependencies.md is held against package.json, package-lock.json and the packages themselves.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { broughtBy, packages } from '../test/support/lock.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const { dependencies, devDependencies, allowScripts } = readJson('package.json')
const manual = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')

/** The rows of the first table of a section, below its head. */
const rows = (section: string) =>
  manual
    .split(/^## /m)
    .find(text => text.startsWith(`${section}\n`))!
    .match(/^\|.*\|$/gm)!
    .slice(2)
    .map(row =>
      row
        .slice(2, -2)
        .split(/ +\| +/)
        .map(cell => cell.trim()),
    )

const licenceOf = (folder: string): string => {
  const path = join(folder, 'package.json')
  // Packages for other machines are not here.
  if (!existsSync(join(root, path))) return packages[folder]!.license ?? 'unknown'
  const { license, licenses } = readJson(path)
  return license ?? licenses?.map(({ type }: { type: string }) => type).join(' OR ') ?? 'unknown'
}

const direct = [
  ['At run time', Object.keys(dependencies), Object.keys(dependencies)],
  [
    'For development',
    Object.keys(devDependencies),
    Object.keys({ ...dependencies, ...devDependencies }),
  ],
] as const

describe.each(direct)('%s', (section, names, all) => {
  it('each package has its row, with version, counts and licence', () => {
    const expected = names.map(name => {
      const brought = broughtBy(name)
      const ofOthers = all.filter(other => other !== name)
      const kept = new Set(
        ofOthers.flatMap(other => [`node_modules/${other}`, ...broughtBy(other)]),
      )
      return [
        `\`${name}\``,
        packages[`node_modules/${name}`]!.version,
        expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
        String(brought.size),
        String([...brought].filter(folder => !kept.has(folder)).length),
        licenceOf(`node_modules/${name}`),
        expect.stringMatching(/./),
      ]
    })
    expect(rows(section)).toEqual(expected)
  })
})

it('each that runs with the server has its judgement', () => {
  const judged = [...manual.matchAll(/^### (.*)$/gm)].map(([, name]) => name)
  expect(judged).toEqual(Object.keys(dependencies))
})

it('the totals are right', () => {
  const atRunTime = Object.values(packages).filter(({ dev }) => !dev).length
  expect(manual).toContain(`\n${atRunTime} packages with all that they bring.\n`)
  expect(manual).toContain(`of ${Object.keys(packages).length} packages in the\nlock`)
})

it('install scripts are listed, with whether they are allowed', () => {
  const scripted = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([folder]) => folder.replace('node_modules/', ''))
  expect(rows('Install scripts').map(([name, allowed]) => [name, allowed])).toEqual(
    scripted.map(name => [`\`${name}\``, allowScripts[name] ? 'yes' : 'no']),
  )
  expect(Object.keys(allowScripts).sort()).toEqual(scripted)
})

it('all licences let this be passed on as it is, with the exceptions that are told', () => {
  const free = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0']
  const others = Object.keys(packages).flatMap(folder => {
    const licence = licenceOf(folder)
    const choices = licence.replace(/^\(|\)$/g, '').split(' OR ')
    if (choices.some(choice => free.includes(choice))) return []
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const when = packages[folder]!.dev ? 'for development' : 'at run time'
    return `${name.replace(/^(lightningcss)-.*/, '$1')}: ${licence}, ${when}`
  })
  expect([...new Set(others)].sort()).toEqual([
    'axe-core: MPL-2.0, for development',
    'lightningcss: MPL-2.0, for development',
    'tweetnacl: Unlicense, at run time',
  ])
})
