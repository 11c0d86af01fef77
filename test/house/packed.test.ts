// The package as it is published: the typed client is imported, compiled against and run from a project of its own.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { initialDatabaseName } from 'pglite-pool/initial-database'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const project = mkdtempSync(join(tmpdir(), 'lotkeeper-packed-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

const run = (command: string, args: readonly string[], cwd = project): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const program = `import { lotkeeper } from 'lotkeeper/client'
import { ProblemError, UnreachableError } from 'lotkeeper/client/failure'

const api = lotkeeper({ url: 'http://127.0.0.1:1', key: 'lk_none', retries: 0 })
export async function newestOf(vendor: string): Promise<string | undefined> {
  const { body } = await api.listReceivingEvents({ dataProviderVendorId: vendor, limit: 1 })
  const purchaseOrder: string | undefined = body.content[0]?.eventList.purchaseOrderNumber
  return purchaseOrder
}
// @ts-expect-error: there is no such filter.
export const wrong = () => api.listReceivingEvents({ vendor: 'V-1001' })
// @ts-expect-error: a body has the shape the contract gives it.
export const wrongToo = () => api.createReceivingEvents({ body: { eventList: 1 } })
export async function edited(id: string): Promise<void> {
  const { body, version } = await api.readReceivingEvent({ id })
  body.eventList.purchaseOrderNumber = 'PO-2'
  await api.replaceReceivingEvent({ id, body, ...(version !== undefined && { ifMatch: version }) })
}
try {
  await newestOf('V-1001')
} catch (error) {
  console.log(error instanceof UnreachableError, error instanceof ProblemError)
}
`

test('a project of its own compiles against the packed client, and runs it', () => {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--silent', '--pack-destination', project], root)) as [
    { filename: string; files: { path: string }[] },
  ]
  const paths = packed.files.map(({ path }) => path)
  expect(paths).toContain('dist/client/client.d.ts')
  expect(paths).toContain('dist/console/index.html')
  expect(paths).toContain(`node_modules/pglite-pool/dist/${initialDatabaseName()}`)
  const others = paths.filter((path) => !path.startsWith('node_modules/pglite-pool/'))
  expect(others.filter((path) => /(^|\/)(test|bench|node_modules)\//.test(path))).toEqual([])

  mkdirSync(join(project, 'node_modules', 'lotkeeper'), { recursive: true })
  run('tar', ['-xzf', packed.filename, '--strip-components=1', '-C', 'node_modules/lotkeeper'])
  symlinkSync(join(root, 'node_modules', 'typebox'), join(project, 'node_modules', 'typebox'))
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  writeFileSync(join(project, 'program.ts'), program)
  const lib = ['--lib', 'es2023,dom,dom.iterable', '--types', '']
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', ...lib]
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...options, 'program.ts'])
  expect(run(process.execPath, ['program.js']).trim()).toBe('true false')
})
