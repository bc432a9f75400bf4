/** A metric in Prometheus' text format. */
export interface Family {
  readonly type: string
  readonly help: string
  readonly samples: { readonly name: string; readonly labels: Labels; readonly value: number }[]
}

type Labels = Readonly<Record<string, string>>

/** Reads Prometheus' text format, and refuses everything that is not exactly right. */
export const readExposition = (text: string): ReadonlyMap<string, Family> => {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let current: [name: string, help: string] | null = null
  let family: Family | null = null
  for (const line of text.split('\n')) {
    const wrong = (why: string) => new Error(`${why}: ${line}`)
    if (line === '') continue
    const [, kind, about, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (kind === 'HELP') {
      if (families.has(about!)) throw wrong('told twice')
      current = [about!, rest!]
      family = null
    } else if (kind === 'TYPE') {
      if (current?.[0] !== about) throw wrong('a type without help')
      if (!/^(counter|gauge|histogram|summary)$/.test(rest!)) throw wrong('no such type')
      family = { type: rest!, help: current![1], samples: [] }
      families.set(about!, family)
    } else {
      const [, name, labels = '', value] =
        /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (name === undefined) throw wrong('neither a comment nor a sample')
      if (family === null) throw wrong('a sample of nothing')
      const endings = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      if (!endings.some(ending => name === current![0] + ending)) throw wrong('out of place')
      const series = `${name}{${labels}}`
      if (seen.has(series)) throw wrong('the same twice')
      seen.add(series)
      family.samples.push({ name, labels: labelsOf(labels), value: numberOf(value!) })
    }
  }
  for (const [name, family] of families) check(name, family)
  return families
}

const labelsOf = (text: string): Labels => {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== ''; ) {
    const [whole, name, value] =
      /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?=.)|$)/.exec(rest) ?? []
    if (whole === undefined || name! in labels) throw new Error(`labels: ${text}`)
    labels[name!] = value!
    rest = rest.slice(whole.length)
  }
  return labels
}

const numberOf = (text: string): number => {
  if (/^[+-]Inf$|^NaN$/.test(text)) return Number(text.replace('Inf', 'Infinity'))
  if (!/^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw new Error(`no number: ${text}`)
  return Number(text)
}

const check = (name: string, { type, samples }: Family): void => {
  if (type === 'counter')
    for (const { value } of samples)
      if (!(value >= 0) || !name.endsWith('_total')) throw new Error(`${name} is no counter`)
  if (type !== 'histogram') return
  const series = new Map<string, { le: number; value: number }[]>()
  for (const { name: sample, labels, value } of samples) {
    const { le, ...others } = labels
    const key = JSON.stringify(others)
    if (sample.endsWith('_bucket'))
      series.set(key, [...(series.get(key) ?? []), { le: numberOf(le!), value }])
    if (!sample.endsWith('_count')) continue
    const buckets = series.get(key) ?? []
    const last = buckets.at(-1)
    if (last?.le !== Number.POSITIVE_INFINITY || last.value !== value)
      throw new Error(`${name}: what all buckets have is not the count`)
    for (const [i, { le, value }] of buckets.entries())
      if (i > 0 && !(le > buckets[i - 1]!.le && value >= buckets[i - 1]!.value))
        throw new Error(`${name}: a bucket has less than the one before it`)
  }
}
