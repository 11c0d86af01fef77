// The package of the client as it is published: installed from its archive without a network,
// compiled against, bundled for a page, read by an editor, and run against a service.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordOperations } from '../../src/client/generated/addresses.ts'
import { catalogue } from '../../src/operations/catalogue.ts'
import { type LanguageServer, languageServerOn } from '../support/pages/language-server.ts'
import { eventPayload } from '../support/records/payloads.ts'
import { type Service, startService } from '../support/servers/service.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const examples = join(root, 'examples/client')
const exampleNames = readdirSync(examples).map((name) => name.replace(/\.ts$/, ''))
const project = mkdtempSync(join(tmpdir(), 'lotkeeper-client-'))
const installed = join(project, 'node_modules/lotkeeper-client')
/** Whether the service counted as built before the package was packed, and after. */
const serviceIsBuilt: boolean[] = []
let tarball: Uint8Array<ArrayBuffer>
let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] }

const run = (command: string, args: readonly string[], cwd = project): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/**
 * Compiles files of the project as strictly as a program may, declarations of the package included.
 */
const compile = (files: readonly string[], types: string, module = ['--module', 'nodenext']): string => {
  const options = ['--strict', '--exactOptionalPropertyTypes', ...module, '--target', 'es2022']
  const lib = types === '' ? ['--lib', 'es2023,dom,dom.iterable'] : []
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  return run(process.execPath, [compiler, ...options, ...lib, '--types', types, ...files])
}

beforeAll(async () => {
  const { isBuilt } = await import(pathToFileURL(join(root, 'scripts/prepare.mjs')).href)
  const folder = join(root, 'packages/client')
  serviceIsBuilt.push(isBuilt())
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  run(process.execPath, ['build.mjs'], folder)
  const [one] = JSON.parse(run('npm', ['pack', '--json', '--silent', '--pack-destination', project], dist))
  packed = one
  tarball = readFileSync(join(project, packed.filename))
  serviceIsBuilt.push(isBuilt())
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${packed.filename}`])
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true })
  symlinkSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'))
  symlinkSync(join(root, 'node_modules/undici-types'), join(project, 'node_modules/undici-types'))
  cpSync(examples, project, { recursive: true })
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

describe('the package', () => {
  test('is packed without making the build of the service out of date', () => {
    expect(serviceIsBuilt[1]).toBe(serviceIsBuilt[0])
  })

  test('holds what runs and its declarations, and needs no other package', () => {
    expect(readdirSync(join(project, 'node_modules')).filter((name) => /^[^.@]/.test(name))).toEqual([
      'lotkeeper-client',
      'undici-types',
    ])
    const paths = packed.files.map(({ path }) => path)
    const isProgram = (path: string) => /\.c?(ts|js)$/.test(path)
    expect(paths.filter((path) => !isProgram(path)).sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
    const outside = paths
      .filter(isProgram)
      .flatMap((path) => [
        ...readFileSync(join(installed, path), 'utf8').matchAll(/(?: from |\brequire\()["']([^"']+)["']/g),
      ])
      .map(([, from = '']) => from)
      .filter((from) => !from.startsWith('./'))
    expect(outside).toEqual([])
  })

  test('lets a page compile without the types of Node, and refuses what the service would', () => {
    writeFileSync(
      join(project, 'page.ts'),
      `import { lotkeeper, type Location, type MasterProduct, ProblemError, type ReceivingEvent, UnreachableError } from 'lotkeeper-client'
const client = lotkeeper({ url: '', key: 'lk_none' })
export const event = async (id: string): Promise<ReceivingEvent> => (await client.readReceivingEvent({ id })).body.eventList
export const product = async (id: string): Promise<MasterProduct> =>
  (await client.of('masterProduct').read({ id })).body.productMasterDataList
export const places = async (id: string): Promise<Location[]> =>
  (await client.readReceivingEvent({ id })).body.locationMasterList
export const words = (error: unknown) => (error instanceof ProblemError || error instanceof UnreachableError ? error.message : '')
// @ts-expect-error: there is no such filter.
export const wrong = () => client.listReceivingEvents({ vendor: 'V-1001' })
// @ts-expect-error: a body has the shape the contract gives it.
export const wrongToo = () => client.createReceivingEvents({ body: { eventList: 1 } })
// @ts-expect-error: a dry run creates nothing, so there is no id.
export const wrongThen = async (body: never) => (await client.createLocations({ body, dryRun: true })).body.request_ids
// @ts-expect-error: the record may be unchanged, and then there is no body.
export const wrongAfter = async () => (await client.readLocation({ id: 'x', ifNoneMatch: 1 })).body.id
`,
    )
    compile(['page.ts'], '')
  })

  test('has a README whose programs compile', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8')
    const programs = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program = '']) => program)
    expect(programs).not.toEqual([])
    const given = `import type { Client, ReceivingEventsPayload } from 'lotkeeper-client'
declare global {
  const payload: ReceivingEventsPayload
  const client: Client
  const url: string
  const key: string
}
`
    writeFileSync(join(project, 'readme.d.ts'), given)
    const names = programs.map((program, i) => {
      writeFileSync(join(project, `readme-${i}.ts`), program)
      return `readme-${i}.ts`
    })
    compile(['readme.d.ts', ...names], '')
  })

  test('is what npm, its readers and compilers expect', async () => {
    expect((await publint({ pack: { tarball: tarball.buffer }, strict: true })).messages).toEqual([])
    const analysis = await checkPackage(createPackageFromTarballData(tarball))
    expect(analysis.types && analysis.problems).toEqual([])
    // A rehearsal: nothing is sent, and with --force the registry is not asked what it has.
    const args = [
      'publish',
      '--dry-run',
      '--force',
      '--json',
      '--provenance=false',
      '--loglevel=error',
      join(project, packed.filename),
    ]
    expect(run('npm', args)).toContain('"name": "lotkeeper-client"')
    const readme = readFileSync(join(installed, 'README.md'), 'utf8')
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
    expect(links.length).toBeGreaterThan(1)
    expect(links.filter((target) => !target.startsWith('https://'))).toEqual([])
  })

  test('runs and compiles in CommonJS and with a bundler too', () => {
    const program = `import { lotkeeper, ProblemError, type ReceivingEvent } from 'lotkeeper-client'
import { localRules } from 'lotkeeper-client/rules'
import { version } from 'lotkeeper-client/package.json'
export const event = async (id: string): Promise<ReceivingEvent> =>
  (await lotkeeper({ url: '', judgeFirst: localRules({ lotNumberRequiredFrom: '2026-01-01' }) }).readReceivingEvent({ id })).body.eventList
console.log(typeof lotkeeper, typeof localRules, new ProblemError({ type: '/x', status: 1 } as never).name, version)
`
    writeFileSync(join(project, 'program.cts'), program)
    const json = '--resolveJsonModule'
    compile(['program.cts'], 'node', ['--module', 'node16', json])
    compile(['program.cts'], 'node', ['--module', 'nodenext', json])
    expect(run(process.execPath, ['program.cjs'])).toBe('function function ProblemError 0.1.0\n')
    writeFileSync(join(project, 'program.ts'), program)
    compile(['program.ts'], '', ['--module', 'esnext', '--moduleResolution', 'bundler', json, '--noEmit'])
    writeFileSync(
      join(project, 'program.mjs'),
      "import * as one from 'lotkeeper-client'; console.log(typeof one.lotkeeper)",
    )
    expect(run(process.execPath, ['--conditions=source', 'program.mjs'])).toBe('function\n')
  })

  test('adds to a page what the README says, which the build measures', () => {
    const sizesIn = (text: string) => [...text.matchAll(/adds? (\d+) KB/g)].map(([, size]) => Number(size))
    const [client = 0, rules = 0] = sizesIn(readFileSync(join(installed, 'README.md'), 'utf8'))
    expect(client).toBeLessThan(10)
    expect(rules).toBeGreaterThan(client)
    const said = sizesIn(readFileSync(join(root, 'packages/client/README.md'), 'utf8'))
    expect(Math.abs((said[0] ?? 0) - client)).toBeLessThanOrEqual(1)
    expect(Math.abs((said[1] ?? 0) / rules - 1)).toBeLessThan(0.1)
  })
})

describe('an editor', () => {
  let editor: LanguageServer
  const uses = [
    ...catalogue.map(({ name }) => `client.${name}`),
    ...Object.keys(recordOperations.location).map((action) => `client.of('location').${action}`),
    'client.each',
    'client.changes',
    'client.changePages',
    "client.of('location').each",
  ]

  beforeAll(async () => {
    const file = join(project, 'editor.ts')
    const lines = uses.map((use, i) => `export const use${i} = ${use} /* ${i} */`)
    writeFileSync(
      file,
      `import { lotkeeper, type ReceivingEvent } from 'lotkeeper-client'
declare const client: ReturnType<typeof lotkeeper>
declare const event: ReceivingEvent
export const field = event.eventDateTime
${lines.join('\n')}
`,
    )
    editor = await languageServerOn(file)
  })
  afterAll(() => editor?.close())

  test.each(catalogue.map(({ name, summary }, i) => ({ name, summary, i })))(
    'shows what $name does',
    async ({ name, summary, i }) => {
      const shown = await editor.hoverOver(`${name} /* ${i} */`)
      expect(shown.replaceAll('\n', ' ')).toContain(summary)
    },
  )

  test('shows what each method of a kind does, and what a field means', async () => {
    for (const [i, use] of uses.entries()) {
      if (i < catalogue.length) continue
      const shown = await editor.hoverOver(`${use.slice(use.lastIndexOf('.') + 1)} /* ${i} */`)
      const [, words = ''] = shown.split('\n```\n')
      expect(words, use).toMatch(/^[A-Z]\w+ .+\./)
    }
    expect(await editor.hoverOver('eventDateTime')).toContain('When the order was actually received.')
  })
})

describe('each example', () => {
  let service: Service
  let environment: NodeJS.ProcessEnv

  beforeAll(async () => {
    service = await startService()
    const provider = await service.provider()
    const key = await provider.key('writer')
    environment = { ...process.env, LOTKEEPER_URL: service.url, LOTKEEPER_KEY: key }
    compile(
      exampleNames.map((name) => `${name}.ts`),
      'node',
    )
    writeFileSync(join(project, 'right.json'), JSON.stringify(eventPayload()))
    const wrong = eventPayload(({ eventList }) => {
      eventList.productList[0].shipQuantity = 'many'
    })
    writeFileSync(join(project, 'wrong.json'), JSON.stringify(wrong))
  })
  afterAll(() => service?.close())

  const outputOf = async (name: string, ...args: readonly string[]): Promise<string> => {
    const program = [join(project, `${name}.js`), ...args]
    return (await promisify(execFile)(process.execPath, program, { cwd: project, env: environment })).stdout
  }

  /** In this order: what one creates, the next ones read. */
  const runs: readonly (readonly [name: string, args: readonly string[], prints: RegExp])[] = [
    ['create-event', [], /^Created [\da-f-]{36} with \d+ findings\.\ngap \/productMasterDataList\/0\/packSize: /],
    ['create-event', [], /^taken: /],
    ['check-event', ['right.json'], /^It would be created, with \d+ findings\.\n$/],
    ['check-event', ['wrong.json'], /^Refused before it was sent:\n\/eventList\/productList\/0\/shipQuantity: /],
    ['correct-event', [], /^Version 2: changed \/eventList\/productList\/0\/shipQuantity\.\n$/],
    ['follow-changes', [], /^receivingEvent\.created (\S+) 1\nreceivingEvent\.replaced \1 2\n$/],
    ['follow-changes', [], /^$/],
    ['trace-lot', [], /^2026-03-05T08:15:00-05:00 {2}Green Valley Cooler to Distribution Center 7: 41 case\n/],
    ['export-for-fda', ['GV26063-A'], /^Saved [\w.-]+\.zip: 1 records\.\n$/],
    ['list-gaps', [], /^2026-03-05 PO-88121 .+\n1 events have gaps\.\n$/],
    ['keep-products', [], /^ROM-24: created\.\nCIL-30: created\.\n$/],
    ['keep-products', [], /^ROM-24: version 1\.\nCIL-30: version 1\.\n$/],
    [
      'all-kinds',
      [],
      /^receivingEvent: 1 records, 2 versions\.\nmasterProduct: 2 records, 2 versions\.\nlocation: 2 records, 2 versions\.\n$/,
    ],
  ]

  test('is run here', () => {
    expect([...new Set(runs.map(([name]) => name))].sort()).toEqual([...exampleNames].sort())
  })

  test('does what it says', async () => {
    for (const [name, args, prints] of runs) expect(await outputOf(name, ...args), name).toMatch(prints)
  })
})
