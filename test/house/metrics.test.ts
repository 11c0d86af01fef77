// The example alert rules ask for metrics that there are, with labels and values that they can
// have.
import { expect, test } from 'vitest'
import { noOperation, RequestTally } from '../../src/http/request-tally.ts'
import { metrics } from '../../src/metrics/declared.ts'
import { textOf } from './tree.ts'

const { operations } = new RequestTally()
const values: Readonly<Record<string, ReadonlySet<string>>> = {
  operation: new Set(Object.keys(operations)),
  outcome: new Set(Object.values(operations).flatMap(({ outcomes }) => Object.keys(outcomes))),
}

/** Everything in a text that is no series the service could have. */
function strangersIn(text: string): readonly string[] {
  return [...text.matchAll(/\b(lotkeeper_\w+)(?:\{([^}]*)\})?/g)].flatMap(([series, name = '', pairs = '']) => {
    const base = name in metrics ? name : name.replace(/_(?:bucket|sum|count)$/, '')
    const metric = metrics[base as keyof typeof metrics]
    if (metric === undefined || (base !== name && metric.type !== 'histogram')) return [series]
    return [...pairs.matchAll(/(\w+)(=~|=)"([^"]*)"/g)].flatMap(([pair, label = '', operator, value = '']) => {
      if (!(metric.labels as readonly string[]).includes(label)) return [pair]
      const known = [...(values[label] ?? [])]
      const form = new RegExp(operator === '=' ? `^${value}$` : `^(?:${value})$`)
      return known.length === 0 || known.some((one) => form.test(one)) ? [] : [pair]
    })
  })
}

test.each(['examples/operating/alerts.yml', 'docs/operating.md'])('%s asks for what there is', (file) => {
  const text = textOf(file)
  expect(text).toMatch(/\blotkeeper_\w+/)
  expect(strangersIn(text.replaceAll(/lotkeeper_restored/g, ''))).toEqual([])
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
