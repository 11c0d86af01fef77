// Every operation is declared whole, handled, documented, and has a sample that works.
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { readJsonObject } from '../../src/contract/json/json-text.ts'
import { recordKindOf, recordKinds } from '../../src/contract/record-kinds.ts'
import { docsUrlOf, fieldDocsPath, ruleDocsPath } from '../../src/contract/shape/finding.ts'
import { handlersAt } from '../../src/handlers/catalogue.ts'
import { mountDocs } from '../../src/http/docs.ts'
import { openapi } from '../../src/http/openapi.ts'
import { problemPath } from '../../src/http/problem.ts'
import { documentedObjects } from '../../src/http/reference-pages.ts'
import { type Operation, outcomesOf } from '../../src/operations/base/operation.ts'
import { catalogue } from '../../src/operations/catalogue.ts'
import { catalogue as rules } from '../../src/rules/catalogue.ts'
import { judge, readPayload } from '../../src/rules/judge.ts'
import { noFacts } from '../../src/rules/rule.ts'
import { handlerContextOn } from '../support/servers/handler-context.ts'
import { filesUnder, textOf } from './tree.ts'

const config = readConfig({})
if ('problem' in config) throw new Error(config.problem)
const settings = { lotNumberRequiredFrom: config.lotNumberRequiredFrom }

/**
 * What an operation may end with: the statuses of decision 0002, and the two a success can have
 * besides 200.
 */
const statuses = [200, 201, 304, 400, 401, 403, 404, 409, 410, 412, 413, 415, 422, 429, 500, 503]

const sorted = (names: Iterable<string>): string[] => [...names].sort()

describe('operations', () => {
  const names = catalogue.map(({ name }) => name)

  test('the test sees them all', () => {
    expect(catalogue.length).toBeGreaterThan(0)
  })

  test('no two share a name, or a method and path', () => {
    expect(new Set(names).size).toBe(catalogue.length)
    expect(new Set(catalogue.map(({ method, path }) => `${method} ${path}`)).size).toBe(catalogue.length)
  })

  test('each has a handler under its name, and no handler is without one', () => {
    const db = { query: () => Promise.reject(new Error('There is no database here.')) }
    expect(sorted(Object.keys(handlersAt(handlerContextOn(db))))).toEqual(sorted(names))
  })

  test('each is in the OpenAPI document under its method and path, with every status it can end with', () => {
    const described = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const { operationId, responses } = operation as { operationId: string; responses: object }
        return `${operationId} ${method.toUpperCase()} ${path} ${Object.keys(responses)}`
      }),
    )
    const declared = catalogue.map((operation) => {
      const ends = new Set(Object.values(outcomesOf(operation)).map(({ status }) => status))
      return `${operation.name} ${operation.method} ${operation.path} ${[...ends].sort((a, b) => a - b)}`
    })
    expect(sorted(described)).toEqual(sorted(declared))
  })

  test('each ends with a status that decision 0002 lists', () => {
    const ends = catalogue.flatMap((operation) =>
      Object.entries(outcomesOf(operation)).map(([name, { status }]) => ({ operation: operation.name, name, status })),
    )
    expect(ends.length).toBeGreaterThan(0)
    expect(ends.filter(({ status }) => !statuses.includes(status))).toEqual([])
  })

  test('each can succeed, says when every outcome applies, and takes a body exactly when it writes', () => {
    for (const operation of catalogue) {
      const own = Object.values(operation.outcomes)
      expect(
        own.some(({ status, body, media }) => status < 300 && (body !== undefined || media !== undefined)),
        operation.name,
      ).toBe(true)
      expect(
        own.filter(({ when }) => !/^[A-Z].*\.$/.test(when)),
        operation.name,
      ).toEqual([])
      expect(operation.body !== undefined, operation.name).toBe(['POST', 'PUT'].includes(operation.method))
    }
  })
  test('whatever writes records takes a writer, whatever reads a reader, or a partner where records can be shared; keys, the access log, webhooks, package links, partners, changes of legal holds, settings and the traceability plan, and an archive that is brought in take an administrator, but for the own key, its sessions and views of tables', () => {
    const isForAdministrators = ({ name, topic, method }: Operation) =>
      (topic === 'keys' && name !== 'readOwnKey') ||
      name === 'importArchive' ||
      topic === 'access log' ||
      topic === 'webhooks' ||
      name === 'setCaptureSenders' ||
      name === 'setShipNoticeSenders' ||
      topic === 'package links' ||
      (topic === 'partners' && !['readInvitation', 'acceptInvitation', 'readDisplayName'].includes(name)) ||
      ([
        'legal holds',
        'time zones',
        'unit conversions',
        'exempt places',
        'source addresses',
        'vendors',
        'alerts',
        'traceability plan',
      ].includes(topic) &&
        method !== 'GET')
    /** What shows how a provider works, or all that it has, is not for partners. */
    const isShared = ({ name, topic }: Operation) =>
      [...recordKinds.map(({ nouns }) => nouns), 'search', 'traceability', 'changes', 'evidence', 'sessions'].includes(
        topic,
      )
        ? ![
            'exportArchive',
            'listGaps',
            'listGapCauses',
            'readCompletenessHistory',
            'draftReceivingEvent',
            'writeShipNotice',
            'listDifferences',
            'traceFood',
          ].includes(name)
        : ['readOwnKey', 'listLimits'].includes(name)
    const roleOf = (operation: Operation) =>
      ['readInvitation', 'acceptInvitation'].includes(operation.name)
        ? 'invited'
        : isForAdministrators(operation)
          ? 'administrator'
          : operation.method === 'GET' || ['sessions', 'views of tables'].includes(operation.topic)
            ? isShared(operation)
              ? 'partner'
              : 'reader'
            : 'writer'
    expect(catalogue.filter((operation) => operation.role !== roleOf(operation)).map(({ name }) => name)).toEqual([])
  })

  test('one outcome name has one status and one retry advice in all operations', () => {
    const meanings = new Map<string, Set<string>>()
    for (const operation of catalogue)
      for (const [name, { status, retry }] of Object.entries(outcomesOf(operation)))
        meanings.set(name, (meanings.get(name) ?? new Set()).add(`${status} ${retry}`))
    expect(meanings.size).toBeGreaterThan(0)
    expect([...meanings].filter(([, variants]) => variants.size > 1)).toEqual([])
  })

  test('every problem has a page at its type', async () => {
    const server = Fastify()
    await mountDocs(server)
    const problems = new Set(
      catalogue.flatMap((operation) =>
        Object.entries(outcomesOf(operation)).flatMap(([name, { status }]) => (status >= 400 ? [name] : [])),
      ),
    )
    expect(problems.size).toBeGreaterThan(0)
    for (const name of problems) {
      const { statusCode, body } = await server.inject(`${problemPath}/${name}`)
      expect(statusCode, name).toBe(200)
      expect(body, name).toMatch(
        new RegExp(`<h1>${name}</h1>\n(<p>[A-Z].*\\.</p>)+<dl><dt>HTTP status</dt><dd>\\d{3}</dd>`),
      )
    }
    await server.close()
  })

  test('every rule and every field has a page, and every link on them leads to one', async () => {
    const server = Fastify()
    await mountDocs(server)
    const wanted = [
      ...rules.map(({ id }) => docsUrlOf(id)),
      ...[...documentedObjects].flatMap(([object, { properties = {} }]) =>
        Object.keys(properties).map((field) => `${fieldDocsPath}/${object}/${field}`),
      ),
    ]
    expect(wanted.length).toBeGreaterThan(0)
    const pages = new Map<string, string>()
    for (const path of [ruleDocsPath, fieldDocsPath, ...wanted]) {
      const { statusCode, body, headers } = await server.inject(path)
      expect(statusCode, path).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
      expect(body, path).not.toMatch(/<script|undefined|\[object/)
      pages.set(path, body)
    }
    const links = new Set(
      [...pages.values()].flatMap((page) => [...page.matchAll(/href="([^"]+)"/g)].map(([, to = '']) => to)),
    )
    links.delete('/docs')
    expect([...links].filter((to) => !pages.has(to))).toEqual([])
    for (const { id, summary, cites } of rules) {
      const page = pages.get(docsUrlOf(id)) ?? ''
      expect(page).toContain(`<h1>${id}</h1>`)
      expect(page).toContain(cites)
      expect(page.replaceAll(/<[^>]+>/g, '')).toContain(escaped(summary.replaceAll('`', '')))
    }
    await server.close()
  })
})

const escaped = (text: string): string => text.replaceAll("'", '&#39;')

describe('examples', () => {
  // Plan, conversions, exempt places and dashboards are no records.
  const files = filesUnder('examples', /\.json$/).filter(
    (file) => !/\/(traceability-plan|unit-conversions|exempt-places)\.|\/dashboards\//.test(file),
  )
  const samples = recordKinds.map(({ sample }) => `examples/${sample}`)

  const findingsOf = (file: string) => {
    const body = readJsonObject(textOf(file))
    if ('defect' in body) throw new Error(`${file}: ${body.defect}`)
    const kind = recordKindOf(body.value)
    if (kind === undefined) throw new Error(`${file} holds no record.`)
    return [kind.payload, kind.createPayload].flatMap((shape) => {
      const reading = readPayload(kind, shape, body.value)
      return judge(kind, reading, { facts: noFacts, settings }).findings
    })
  }

  test('every kind of record has its sample', () => {
    expect(files).toEqual(expect.arrayContaining(samples))
    for (const kind of recordKinds)
      expect(recordKindOf(JSON.parse(textOf(`examples/${kind.sample}`)), kind)?.name).toBe(kind.name)
  })

  test.each(files)('%s can be sent as it is to create a record, and to replace one', (file) => {
    expect(findingsOf(file).filter(({ severity }) => severity === 'error')).toEqual([])
  })
})
