// `lotkeeper api`: every operation by its name, with parameters, fields and files.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parametersOf, readParameters, withFields } from '../../src/cli/api-request.ts'
import { optionName } from '../../src/cli/base/options.ts'
import { commands } from '../../src/cli/program.ts'
import { addresses } from '../../src/client/generated/addresses.ts'
import { requestOf } from '../../src/client/request.ts'
import type { Operation } from '../../src/operations/base/operation.ts'
import { catalogue, type OperationName } from '../../src/operations/catalogue.ts'
import { requestSamples } from '../samples/operation-requests.ts'
import { exampleNotice } from '../samples/ship-notices.ts'
import { eventPayload, paths } from '../support/records/payloads.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService } from '../support/servers/service.ts'

/** A value that the declaration accepts. */
const valueFor = (name: string, { form, values, example }: ReturnType<typeof parametersOf>[string]): string =>
  form === 'choice' ? (values?.at(-1) ?? '') : name === 'version' ? '3' : example || `${name} /&ü`

const fieldsOf = (value: unknown, path = ''): readonly string[] =>
  typeof value !== 'object' || value === null || Object.keys(value).length === 0
    ? [`${path}=${typeof value === 'string' ? value : JSON.stringify(value)}`]
    : Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, path === '' ? name : `${path}.${name}`))

/** The request that the client sends for these words. */
function sentFor(operation: Operation, words: readonly string[], body?: Readonly<Record<string, unknown>>) {
  const read = readParameters(operation, words)
  if ('problem' in read) throw new Error(read.problem)
  return requestOf(addresses[operation.name as OperationName], { ...read.values, ...(body && { body }) })
}

describe('every operation', () => {
  test.each(catalogue)('$name is called with each of its parameters, in both spellings', (operation) => {
    const declared = Object.entries(parametersOf(operation))
    const values = declared.map(([name, parameter]) => [name, valueFor(name, parameter)] as const)
    const words = values.flatMap(([name, value], i) =>
      i % 2 === 0
        ? [`--${name}=${value}`]
        : parametersOf(operation)[name]?.form === 'boolean'
          ? [`--${optionName(name)}`]
          : [`--${optionName(name)}`, value],
    )
    const { method, path, headers } = sentFor(operation, words)
    const { pathname, searchParams } = new URL(path, 'http://localhost')
    expect(method).toBe(operation.method)
    const inPath = Object.fromEntries(values)
    expect(pathname).toBe(operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath[name] ?? '')))
    expect(Object.fromEntries(searchParams)).toEqual(
      Object.fromEntries(values.filter(([name]) => name in operation.query)),
    )
    for (const header of operation.headers.filter((one) => one !== 'Last-Event-ID'))
      expect(headers, header).toHaveProperty(header.toLowerCase())
  })

  // A document of another program comes as a file.
  test.each(catalogue.filter(({ body, fileField }) => body && !fileField))(
    '$name takes its body field by field',
    (operation) => {
      const body = requestSamples[operation.name as OperationName].body?.('mark') ?? {}
      expect(
        withFields(
          operation,
          {},
          fieldsOf(body).filter((field) => field !== '={}'),
        ),
      ).toEqual({ values: body })
    },
  )

  test('has no parameter that the command itself takes as an option', () => {
    const { options = [] } =
      Object.values(commands)
        .flat()
        .find(({ words }) => words === 'api') ?? {}
    const own = options.flatMap((one) => ('flags' in one ? one.flags : one[0]).match(/(?<=--)[\w-]+/g) ?? [])
    const taken = new Set([...own, 'url', 'key', 'help'])
    expect(own).toEqual(['body', 'field', 'output'])
    for (const operation of catalogue)
      expect(Object.keys(parametersOf(operation)).filter((name) => taken.has(optionName(name)))).toEqual([])
  })
})

describe('with a service', () => {
  let service: Service
  let env: Record<string, string>
  const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-api-'))
  const file = join(folder, 'body.json')
  beforeAll(async () => {
    service = await startService()
    const provider = await service.provider()
    await provider.call('POST', paths.receivingEvent, { body: eventPayload() })
    env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('administrator') }
  })
  afterAll(async () => {
    await service?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const run = (args: readonly string[], input = '') => runCommand(['api', ...args], env, input)

  test('prints an answer as JSON, and saves it with --output', async () => {
    const { code, stdout } = await run(['listReceivingEvents', '--lot-code', 'NOPE', '--lotCode=GV26062-A', '--total'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ total: { records: 1 }, content: [{ id: expect.any(String) }] })
    const path = join(folder, 'saved.json')
    expect(await run(['readOwnKey', '-o', path])).toMatchObject({ code: 0, stdout: '' })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ role: 'administrator' })
  })

  test('sends a body of fields, of a file, of stdin, and of a file with fields over it', async () => {
    const made = JSON.parse((await run(['createKey', '--field', 'role=reader', '--field', 'label=12'])).stdout)
    expect(made).toMatchObject({ key: expect.stringMatching(/^lk_/) })
    const targets = ['--field', 'targets.0.dataProviderVendorId=V-1', '--field', 'targets.0.completeShare=0.5']
    expect((await run(['setVendorTargets', ...targets])).code).toBe(0)
    writeFileSync(file, JSON.stringify(eventPayload()))
    const fields = ['--field', 'eventList.purchaseOrderNumber=FIELD-1', '--dry-run']
    expect(JSON.parse((await run(['createReceivingEvents', '--body', file, ...fields])).stdout)).toMatchObject({
      wouldBe: 'created',
    })
    const { stdout } = await run(['setLegalHold', '--body', '-'], JSON.stringify({ reason: 'Test', everything: true }))
    const { id } = JSON.parse(stdout)
    expect(JSON.parse((await run(['liftLegalHold', '--id', id])).stdout)).toMatchObject({ id })
  })

  test('sends a file of another program as it is, in its own encoding', async () => {
    writeFileSync(join(folder, 'notices.edi'), exampleNotice)
    const { stdout } = await run(['importShipNotices', '--body', join(folder, 'notices.edi'), '--dry-run'])
    expect(JSON.parse(stdout)).toHaveProperty('notices')
  })

  test('hands over the file of an export', async () => {
    const { stdout } = await run(['exportFdaSpreadsheet', '--format', 'csv'])
    expect(stdout).toContain('GV26062-A')
    await run(['exportFdaPackage', '--output', join(folder, 'package.zip')])
    expect(readFileSync(join(folder, 'package.zip')).subarray(0, 2).toString()).toBe('PK')
  })

  test('lists the operations when none is named', async () => {
    const { stdout } = await run([])
    for (const { name } of catalogue) expect(stdout).toContain(name)
  })

  test.each([
    [['listLocation'], 'There is no operation listLocation. Did you mean listLocations'],
    [['--limit', '5', 'listLocations'], 'Name the operation before --limit.'],
    [['listLocations', '--limt', '5'], 'has no parameter --limt. Did you mean --limit'],
    [['listLocations', '--limit', '900'], 'limit must be a whole number from 1 to 200.'],
    [['listLocations', 'limit'], 'limit is not a parameter. Write --name value'],
    [['listLocations', '--limit'], '--limit needs a value.'],
    [['listLocations', '--body', 'x.json'], 'listLocations takes no body'],
    [['readLocationVersion', '--version', '1'], 'readLocationVersion needs --id <value>.'],
    [['createKey'], 'createKey needs a body with role'],
    [['createKey', '--field', 'role'], '--field role: write name=value'],
    [['createKey', '--body', 'none.json'], 'none.json: There is no such file.'],
    [['setAlertSettings', '--field', 'retentionDueVersions=two'], 'It must be a number'],
  ])('%j is refused with what to do', async (args, words) => {
    const { code, stdout, stderr } = await run(args)
    expect(stderr).toContain(words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('a refusal of the service ends with 1, and is JSON on stdout', async () => {
    const { code, stdout } = await run(['readLocation', '--id', '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f'])
    expect({ code, problem: JSON.parse(stdout) }).toMatchObject({ code: 1, problem: { status: 404 } })
  })
})
