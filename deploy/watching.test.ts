// The dashboard and the alerts, against a real scrape, and with Prometheus' own tool where there is one.

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { dataFolder } from '../test/support/data-folder.ts'
import { readExposition } from '../test/support/exposition.ts'
import { Host } from '../test/support/host.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const promtool = spawnSync('promtool', ['--version']).error === undefined

interface Panel {
  readonly type: string
  readonly title: string
  readonly datasource: { readonly uid: string }
  readonly targets: readonly { readonly expr: string; readonly datasource: { uid: string } }[]
}

const dashboard = JSON.parse(readFileSync(at('grafana-dashboard.json'), 'utf8'))
const panels: Panel[] = dashboard.panels.filter(({ type }: Panel) => type !== 'row')
const alerts = readFileSync(at('alerts.yml'), 'utf8')

/** Names of samples, and of the metrics that they belong to. */
let samples: ReadonlySet<string>
let families: readonly string[]

beforeAll(async () => {
  const host = await Host.start()
  try {
    const scraped = readExposition(
      await (await fetch(`http://127.0.0.1:${host.http}/metrics`)).text(),
    )
    families = [...scraped.keys()]
    samples = new Set(
      [...scraped].flatMap(([name, { type }]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map(end => name + end) : [name],
      ),
    )
  } finally {
    await host.stop()
  }
})

const metricsIn = (text: string) => text.match(/\b(agentbbs|process|nodejs)_[a-z0-9_]+/g) ?? []

it('the dashboard asks for nothing that is not there, and shows all there is of ours', () => {
  const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)))
  expect(asked.filter(name => !samples.has(name))).toEqual([])
  const ours = families.filter(name => name.startsWith('agentbbs_'))
  expect(ours.filter(name => !asked.some(asked => asked.startsWith(name)))).toEqual([])
})

it('the dashboard can be imported anywhere: its source is a variable', () => {
  const [source, instance] = dashboard.templating.list
  expect(source).toMatchObject({ name: 'datasource', type: 'datasource', query: 'prometheus' })
  expect(samples).toContain(metricsIn(instance.definition)[0])
  for (const { title, datasource, targets } of panels) {
    expect(targets, title).not.toEqual([])
    for (const { uid } of [datasource, ...targets.map(target => target.datasource)])
      expect(uid, title).toBe(`\${datasource}`)
  }
  const ids = dashboard.panels.map(({ id }: { id: number }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

it('each of three alerts asks for what is there, and says what it is and what to do', () => {
  const rules = alerts.split('- alert: ').slice(1)
  expect(rules).toHaveLength(3)
  for (const rule of rules) {
    const asked = metricsIn(rule.slice(0, rule.indexOf('for:')))
    expect(asked).not.toEqual([])
    expect(asked.filter(name => !samples.has(name))).toEqual([])
    for (const part of ['expr:', 'for:', 'severity:', 'summary:', 'description:'])
      expect(rule).toContain(part)
  }
})

it.skipIf(!promtool)('Prometheus takes every expression of the dashboard', () => {
  const rules = panels.flatMap(({ targets }, i) =>
    targets.map(({ expr }, j) => {
      const plain = expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*')
      return `      - record: panel_${i}_${j}\n        expr: ${JSON.stringify(plain)}`
    }),
  )
  const file = join(dataFolder(), 'rules.yml')
  writeFileSync(file, `groups:\n  - name: dashboard\n    rules:\n${rules.join('\n')}\n`)
  execFileSync('promtool', ['check', 'rules', file], { stdio: 'pipe' })
})

it.skipIf(!promtool)('the alerts go off when they should, and not before', () => {
  execFileSync('promtool', ['check', 'rules', at('alerts.yml')], { stdio: 'pipe' })
  const series = (name: string, values: string) =>
    `      - series: '${name}'\n        values: '${values}'`
  const test = (input: string, minute: number, alert: string, labels: string | null) =>
    [
      `  - interval: 1m\n    input_series:\n${input}\n    alert_rule_test:`,
      `      - eval_time: ${minute}m\n        alertname: ${alert}`,
      ...(labels === null ? [] : [`        exp_alerts: [{ exp_labels: { ${labels} } }]`]),
    ].join('\n')
  const here = 'instance="a",job="agentbbs"'
  const down = series(`up{${here}}`, '1x5 0x10')
  const draining = series(`agentbbs_ready{${here}}`, '1 0 1x10')
  const falling = series(`process_start_time_seconds{${here}}`, '1x5 1+1x10')
  const upgraded = series(`process_start_time_seconds{${here}}`, '1x5 2x10')
  const failing = series(`agentbbs_commit_failures_total{${here}}`, '0x5 1+10x10')
  const late = ['0.1', '0.5', '+Inf']
    .map((le, i) =>
      series(
        `agentbbs_event_loop_delay_seconds_bucket{${here},le="${le}"}`,
        i === 0 ? '0+90x20' : '0+100x20',
      ),
    )
    .join('\n')
  const calm = late.replaceAll('0+90x20', '0+100x20')
  const critical = 'severity: critical, instance: a, job: agentbbs'
  const folder = dataFolder()
  // Without what is said of them, which promtool would have word for word.
  const bare = alerts.replace(/^ +annotations:\n(?: {10,}.*\n|\n(?= {10,}))*/gm, '')
  writeFileSync(join(folder, 'alerts.yml'), bare)
  writeFileSync(
    join(folder, 'tests.yml'),
    [
      'rule_files: [alerts.yml]\ntests:',
      test(down, 5, 'AgentBBSDown', null),
      test(down, 9, 'AgentBBSDown', critical),
      test(draining, 5, 'AgentBBSDown', null),
      test(falling, 12, 'AgentBBSDown', critical),
      test(upgraded, 12, 'AgentBBSDown', null),
      test(failing, 4, 'AgentBBSNotKeeping', null),
      test(failing, 10, 'AgentBBSNotKeeping', critical),
      test(late, 15, 'AgentBBSSlow', 'severity: warning, instance: a'),
      test(calm, 15, 'AgentBBSSlow', null),
    ].join('\n'),
  )
  execFileSync('promtool', ['test', 'rules', join(folder, 'tests.yml')], { stdio: 'pipe' })
})
