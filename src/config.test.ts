import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fc } from '../test/support/properties.ts'
import { type Config, ConfigError, protocolIds, readConfig, settings } from './config.ts'
import { constants, removedSettings } from './constants.ts'

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double().map(String),
  fc.integer().map(String),
  fc.constantFrom('0', '-3', 'abc', 'NaN', '1e999', '0x10', ' 5 ', '__proto__', 'yes', 'info'),
  fc.tuple(fc.domain(), fc.nat(100_000)).map(([host, port]) => `${host}:${port}`),
  fc.tuple(fc.ipV6(), fc.nat(100_000)).map(([host, port]) => `[${host}]:${port}`),
)

const settingOf = (config: Config, key: string) =>
  new Map<string, unknown>(Object.entries({ ...config, ...config.limits })).get(key)

describe('the settings', () => {
  it.each(Object.entries(settings))('%s: takes a value or names its variable', (key, setting) => {
    const standard = settingOf(readConfig({}), key)
    fc.assert(
      fc.property(anything, value => {
        let read: unknown
        try {
          read = settingOf(readConfig({ [setting.variable]: value }), key)
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError)
          expect((error as Error).message.startsWith(`${setting.variable}=`)).toBe(true)
          return
        }
        expect([typeof standard, 'object']).toContain(typeof read)
        if (typeof read === 'number') expect(read >= 0 && Number.isFinite(read)).toBe(true)
      }),
    )
  })

  it.each([
    ['AGENTBBS_DRIAN', / AGENTBBS_DRIAN \(did you mean AGENTBBS_DRAIN\?\): correct or remove it$/],
    ['AGENTBBS_PEOPLE_TIMEOUT', /\(did you mean AGENTBBS_PEOPLE_MOVE_TIMEOUT\?\)/],
    [
      'AGENTBBS_FAVOURITE_COLOUR_OF_ALL',
      /^there is no setting AGENTBBS_\w+: correct or remove it$/,
    ],
    ['AGENTBBS_\n\x1b[2J', /^there is no setting AGENTBBS_\\n\\u001b\[2J: correct or remove it$/],
  ])('refuse %j, which is none, by name', (name, why) => {
    expect(() => readConfig({ [name]: '10' })).toThrow(why)
  })

  it.each([...removedSettings])('refuse %s, which is a constant now, and say why', (name, why) => {
    expect(() => readConfig({ [name]: '10' })).toThrow(
      new ConfigError(`${name} is no setting any more: ${why}. Remove ${name}`),
    )
  })

  it('name all variables that are no settings any more, so that one start tells them all', () => {
    const env = { AGENTBBS_MAX_ARRIVALS: '9', AGENTBBS_DRAIN: '9', AGENTBBS_IDLE: '9' }
    expect(() => readConfig(env)).toThrow(/^AGENTBBS_MAX_ARRIVALS is no setting any more: /)
    expect(() => readConfig(env)).toThrow(/\. Remove AGENTBBS_MAX_ARRIVALS, AGENTBBS_IDLE$/)
  })

  it('leave variables of others alone', () => {
    readConfig({ AGENTBBS_TOKEN: 'x', AGENTBBS_URL: 'x', AGENTBBS_PORT: 'x', AGENTBBS_KEY: 'x' })
    readConfig({ AGENTBBS_LOA_URL: 'x', AGENTBBS_LOA_KEY: 'x' })
    readConfig({ AGENTBBS_PROGRAM: 'cmd/agentbbs', MY_AGENTBBS_DRIAN: 'x', AGENTBBS: 'x' })
  })

  it('answers a value with one line, whatever is in it', () => {
    expect(() => readConfig({ AGENTBBS_ADDR: 'a\nb:\x1b[2J' })).toThrow(
      /^AGENTBBS_ADDR="a\\nb:\\u001b\[2J": .*$/,
    )
  })

  it.each([
    'pubilc',
    'public,',
    '10.0.0',
    '10.0.0.0/33',
    'http://a.b',
    'a.b:80',
    '*.a.b',
    'none,any',
  ])('say what AGENTBBS_CALL_OUT may be instead of %s', value => {
    expect(() => readConfig({ AGENTBBS_CALL_OUT: value })).toThrow(
      /^AGENTBBS_CALL_OUT=".*": give public, any, .* or none, not "/,
    )
  })

  it('take recurring events as lines between semicolons, each with a name of its own', () => {
    const events = (value: string) => readConfig({ AGENTBBS_EVENTS: value }).recurring
    expect(events('none')).toEqual([])
    expect(
      events(
        'every Saturday 18:00 UTC, arena, c4, 60 min; every day 6:00 UTC, knockout, ttt, name dawn;',
      ).map(({ name }) => name),
    ).toEqual(['c4-arena', 'dawn'])
    expect(() =>
      events('every day 18:00 UTC, swiss, c4; every day 6:00 UTC, knockout, c4'),
    ).toThrow(
      /^AGENTBBS_EVENTS=".*": "every day 18:00 UTC, swiss, c4": rounds: give the number of rounds/,
    )
    expect(() =>
      events('every day 18:00 UTC, knockout, c4; every day 6:00 UTC, knockout, c4'),
    ).toThrow('two are called c4-knockout: give one another name, as in ", name c4-late"')
  })

  it('take protocols by name, or all, and refuse what is none', () => {
    const protocolsOf = (value: string) => readConfig({ AGENTBBS_PROTOCOLS: value }).protocols
    expect(readConfig({}).protocols).toEqual(protocolIds)
    expect(protocolsOf(' agentgames,agentgames')).toEqual(['agentgames'])
    expect(() => protocolsOf('agentgame')).toThrow(
      'AGENTBBS_PROTOCOLS="agentgame": there is no protocol "agentgame" (did you mean agentgames?): give all, or some of agentgames',
    )
    expect(() => protocolsOf('')).toThrow(
      'AGENTBBS_PROTOCOLS="": there is no protocol "": give all, or some of agentgames',
    )
  })

  it.each([
    '',
    'loa',
    '/',
    '/loa/',
    '/l o a',
    '//loa',
    '/loa/:id',
    '/loa?',
    '/a/b/c/d/e',
    '/.well-known',
  ])('say what AGENTBBS_LOA_PREFIX may be instead of %j', value => {
    expect(() => readConfig({ AGENTBBS_LOA_PREFIX: value })).toThrow(
      `AGENTBBS_LOA_PREFIX=${JSON.stringify(value)}: give a path of letters, digits, "-" and "_", with "/" before each part, such as /loa or /leagues/loa`,
    )
  })

  it.each(['/api', '/api/v2', '/play', '/play/loa', '/healthz', '/ladder', '/match', '/docs/loa'])(
    'refuse %s as AGENTBBS_LOA_PREFIX, because it is taken',
    value => {
      expect(() => readConfig({ AGENTBBS_LOA_PREFIX: value })).toThrow(
        `AGENTBBS_LOA_PREFIX="${value}": /${value.split('/')[1]} is an address of the host already: give another one, such as /loa`,
      )
    },
  )

  it('keep AGENTBBS_LOA_PREFIX away from every page, and from the API', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
    const pages = [...read('./web/page-service.ts').matchAll(/\bget(?:Match)?\('\/([\w-]+)['/]/g)]
    const names = ['api', 'play', 'healthz', 'readyz', 'metrics', ...pages.map(([, name]) => name!)]
    expect(names).toEqual(expect.arrayContaining(['ladder', 'match', 'assets', 'games', 'docs']))
    for (const name of names)
      expect(() => readConfig({ AGENTBBS_LOA_PREFIX: `/${name}` }), name).toThrow('already')
  })

  it('take a path of several parts as AGENTBBS_LOA_PREFIX', () => {
    for (const loaPrefix of ['/loa', '/leagues/loa', '/L-1_b'])
      expect(readConfig({ AGENTBBS_LOA_PREFIX: loaPrefix })).toMatchObject({ loaPrefix })
  })

  it.each([
    '',
    'loa',
    'https://loa.example.org',
    'loa.example.org/',
    'loa.example.org:1',
    '10.0.0.1',
  ])('say what AGENTBBS_LOA_HOST may be instead of %j', value => {
    expect(() => readConfig({ AGENTBBS_LOA_HOST: value })).toThrow(
      `AGENTBBS_LOA_HOST=${JSON.stringify(value)}: give a host name with a dot, such as loa.example.org, or none`,
    )
  })

  it('take a host name as AGENTBBS_LOA_HOST, in any case', () => {
    expect(readConfig({}).loaHost).toBe('')
    expect(readConfig({ AGENTBBS_LOA_HOST: 'LoA.example.org' }).loaHost).toBe('loa.example.org')
  })

  it('lift the caps on copies and gains together with the cap on pairs', () => {
    expect(readConfig({ AGENTBBS_PAIR_CAP: '1' })).toMatchObject({ copyCap: 10, gainCap: 100 })
    expect(readConfig({ AGENTBBS_PAIR_CAP: '0' })).toMatchObject({ copyCap: 0, gainCap: 0 })
  })

  it.each([
    ['10', 20, 250],
    ['1000', 20, 250],
    ['4000', 80, 1000],
  ])(
    'with %s connections from an address, %i a second and %i at once may log in',
    (connections, sshConnectionRate, unauthenticatedPerAddress) => {
      const { limits } = readConfig({ AGENTBBS_MAX_CONNECTIONS_PER_ADDRESS: connections })
      expect(limits).toMatchObject({ sshConnectionRate, unauthenticatedPerAddress })
    },
  )
})

describe('the constants', () => {
  it('are those of the configuration, where no setting changes them', () => {
    expect(readConfig({})).toMatchObject(constants)
  })

  it('have the number in their reason', () => {
    const { limits, ...others } = constants
    const values = [...Object.values(others), ...Object.values(limits)]
    const units = { 1: '', 1000: ' s', [2 ** 20]: ' MiB' }
    expect(values).toHaveLength(removedSettings.size)
    for (const [n, reason] of [...removedSettings.values()].entries()) {
      const written = Object.entries(units).map(([size, unit]) => values[n]! / Number(size) + unit)
      const found = written.filter(number => new RegExp(`\\b${number}\\b`).test(reason))
      expect(found, reason).not.toEqual([])
    }
  })
})
