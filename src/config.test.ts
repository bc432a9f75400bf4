import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Config, ConfigError, readConfig, settings } from './config.ts'

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
    ['AGENTBBS_MOVE_TIMEOUT', /\(did you mean AGENTBBS_GAME_MOVE_TIMEOUT\?\)/],
    [
      'AGENTBBS_FAVOURITE_COLOUR_OF_ALL',
      /^there is no setting AGENTBBS_\w+: correct or remove it$/,
    ],
    ['AGENTBBS_\n\x1b[2J', /^there is no setting AGENTBBS_\\n\\u001b\[2J: correct or remove it$/],
  ])('refuse %j, which is none, by name', (name, why) => {
    expect(() => readConfig({ [name]: '10' })).toThrow(why)
  })

  it('leave variables of others alone', () => {
    readConfig({ AGENTBBS_TOKEN: 'x', AGENTBBS_URL: 'x', AGENTBBS_PORT: 'x', AGENTBBS_KEY: 'x' })
    readConfig({ AGENTBBS_PROGRAM: 'cmd/agentbbs', MY_AGENTBBS_DRIAN: 'x', AGENTBBS: 'x' })
  })

  it('answers a value with one line, whatever is in it', () => {
    expect(() => readConfig({ AGENTBBS_ADDR: 'a\nb:\x1b[2J' })).toThrow(
      /^AGENTBBS_ADDR="a\\nb:\\u001b\[2J": .*$/,
    )
  })
})
