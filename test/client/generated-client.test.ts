// Clients that others generate from the OpenAPI document: one is generated, compiled as strictly as
// a program may be, and run against the service. Settings of other generators are ones they know.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { placeOf, textOf } from '../house/tree.ts'
import { startServiceWithWriter } from '../support/servers/service.ts'

const project = mkdtempSync(join(tmpdir(), 'lotkeeper-generated-'))
const folder = 'examples/generated-clients'
let running: Awaited<ReturnType<typeof startServiceWithWriter>>
beforeAll(async () => {
  running = await startServiceWithWriter()
})
afterAll(async () => {
  rmSync(project, { recursive: true, force: true })
  await running?.service.close()
})

const run = async (args: readonly string[], env: Record<string, string> = {}) =>
  (
    await promisify(execFile)(process.execPath, [...args], {
      cwd: project,
      env: { PATH: process.env.PATH, ...env },
      timeout: 300_000,
    }).catch((error) => {
      throw new Error(`${error.message}\n${error.stdout}`)
    })
  ).stdout

test('a generated client compiles strictly, sends a record, and gets findings and lists with their types', async () => {
  const { service, key } = running
  const response = await fetch(`${service.url}/openapi.json`)
  writeFileSync(join(project, 'openapi.json'), await response.text())
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true })
  for (const name of ['@oazapfts', '@types/node', 'undici-types'])
    symlinkSync(placeOf(`node_modules/${name}`), join(project, 'node_modules', name))
  cpSync(placeOf(`${folder}/typescript/send-event.ts`), join(project, 'send-event.ts'))
  await run([placeOf('node_modules/.bin/oazapfts'), 'openapi.json', 'lotkeeper-api.ts'])

  const options = ['--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  const imports = ['--rewriteRelativeImportExtensions', '--outDir', 'built']
  await run([placeOf('node_modules/typescript/bin/tsc'), ...options, ...imports, 'send-event.ts'])

  const output = await run(['built/send-event.js'], { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: key })
  expect(output).toMatch(/^Stored PO-88121 as [0-9a-f-]{36}$/m)
  expect(output).toMatch(/^\/locationMasterList: /m)
  expect(output).toMatch(/^1 with this lot code$/m)
})

test('the settings of the generators for Python and C# are ones that these document', () => {
  // https://openapi-generator.tech/docs/generators/python
  expect(parse(textOf(`${folder}/python/openapi-generator.yaml`))).toEqual({
    generatorName: 'python',
    inputSpec: 'openapi.json',
    outputDir: 'lotkeeper-client',
    additionalProperties: { packageName: 'lotkeeper_client', projectName: 'lotkeeper-client' },
  })
  // https://openapi-generator.tech/docs/generators/csharp
  expect(parse(textOf(`${folder}/csharp/openapi-generator.yaml`))).toEqual({
    generatorName: 'csharp',
    inputSpec: 'openapi.json',
    outputDir: 'lotkeeper-client',
    additionalProperties: {
      packageName: 'Lotkeeper.Client',
      library: 'httpclient',
      targetFramework: 'net8.0',
      nullableReferenceTypes: true,
      useDateTimeOffset: true,
    },
  })
})

test('the program in Python calls operations that there are', () => {
  const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const program = textOf(`${folder}/python/send_event.py`)
  const called = [...program.matchAll(/\bevents\.(\w+)\(/g)].map(([, name = '']) => camel(name))
  expect(called.length).toBeGreaterThan(3)
  const document = textOf('docs/reference/openapi.json')
  expect(called.filter((name) => !document.includes(`"operationId": "${name}"`))).toEqual([])
})
