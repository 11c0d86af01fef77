// The example alert rules and dashboards ask for metrics that there are, with labels and values that they can
// have.
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { noOperation, RequestTally } from '../../src/http/request-tally.ts'
import { metrics } from '../../src/metrics/declared.ts'
import { filesUnder, textOf } from './tree.ts'

const { operations } = new RequestTally()
const values: Readonly<Record<string, ReadonlySet<string>>> = {
  operation: new Set(Object.keys(operations)),
  outcome: new Set(Object.values(operations).flatMap(({ outcomes }) => Object.keys(outcomes))),
}

/** Everything in a text that is no series the service could have. */
function strangersIn(text: string): readonly string[] {
  return [...text.matchAll(/\b((?:lotkeeper|process)_\w+)(?:\{([^}]*)\})?/g)].flatMap(
    ([series, name = '', pairs = '']) => {
      const base = name in metrics ? name : name.replace(/_(?:bucket|sum|count)$/, '')
      const metric = metrics[base as keyof typeof metrics]
      if (metric === undefined || (base !== name && metric.type !== 'histogram')) return [series]
      return [...pairs.matchAll(/(\w+)(=~|=)"([^"]*)"/g)].flatMap(([pair, label = '', operator, value = '']) => {
        // Prometheus adds these.
        if (['job', 'instance'].includes(label) || (label === 'le' && name.endsWith('_bucket'))) return []
        if (!(metric.labels as readonly string[]).includes(label)) return [pair]
        const known = [...(values[label] ?? [])]
        const form = new RegExp(operator === '=' ? `^${value}$` : `^(?:${value})$`)
        return known.length === 0 || known.some((one) => form.test(one)) ? [] : [pair]
      })
    },
  )
}

const dashboards = filesUnder('examples/operating/dashboards', /\.json$/)

test.each([
  ...['examples/operating/alerts.yml', 'examples/operating/alerts.test.yml', 'docs/operating.md'],
  ...dashboards,
])('%s asks for what there is', (file) => {
  const text = textOf(file).replaceAll('\\"', '"')
  expect(text).toMatch(/\blotkeeper_\w+/)
  expect(strangersIn(text.replaceAll(/lotkeeper_restored/g, ''))).toEqual([])
})

test('every alert has a severity and the address of its runbook', () => {
  const { groups } = parse(textOf('examples/operating/alerts.yml'))
  for (const { alert, labels, annotations } of groups[0].rules) {
    expect(['critical', 'warning', 'info'], alert).toContain(labels.severity)
    expect(annotations, alert).toEqual({
      summary: expect.any(String),
      runbook_url: 'RUNBOOKS/operator.md#alerts',
    })
  }
})

test.each(dashboards)('%s is one that Grafana imports: panels that lie beside each other, of one source', (file) => {
  const { uid, panels, templating } = JSON.parse(textOf(file))
  expect(file).toContain(uid.replace('lotkeeper-', ''))
  expect(templating.list).toMatchObject([{ name: 'datasource', type: 'datasource' }])
  const places = panels.map(({ gridPos: { x, y, w } }: { gridPos: { x: number; y: number; w: number } }) => {
    expect(x + w).toBeLessThanOrEqual(24)
    return `${x} ${y}`
  })
  expect(new Set(places).size).toBe(panels.length)
  for (const { datasource, title, targets } of panels) {
    expect([datasource.uid, title]).toEqual(['$' + '{datasource}', expect.any(String)])
    expect(targets.length).toBeGreaterThan(0)
  }
})

test('the test finds a metric, a label and a value that there are not', () => {
  expect(strangersIn('rate(lotkeeper_request_total[5m])')).toEqual(['lotkeeper_request_total'])
  expect(strangersIn('lotkeeper_requests_total{provider="a"}')).toEqual(['provider="a"'])
  expect(strangersIn('lotkeeper_requests_total{outcome="bad"}')).toEqual(['outcome="bad"'])
  expect(strangersIn('lotkeeper_processes_bucket')).toEqual(['lotkeeper_processes_bucket'])
})

test('every outcome of every operation is counted under its name', () => {
  expect(Object.keys(operations).length).toBeGreaterThan(0)
  expect(operations[noOperation]?.outcomes).toMatchObject({ unknownAddress: 0, wrongMethod: 0, notHttp: 0, page: 0 })
})
