// A package of this repository as others get it: packed, unpacked into a folder of its own, and the
// program of its README compiled and run there.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What the program of the README of `packages/<folder>` prints, beside these files. */
export function outputOfReadme(folder: string, files: Readonly<Record<string, string>>): string {
  const project = mkdtempSync(join(tmpdir(), `lotkeeper-${folder}-`))
  const run = (command: string, args: readonly string[], cwd = project) =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    run('npm', ['pack', '--silent', '--pack-destination', project], join(root, 'packages', folder))
    const [tarball = ''] = readdirSync(project)
    const installed = join(project, 'node_modules', `lotkeeper-${folder}`)
    mkdirSync(installed, { recursive: true })
    run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
    for (const name of ['@types', 'undici-types'])
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
    writeFileSync(join(project, 'package.json'), '{"type":"module"}')
    const [, program = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(installed, 'README.md'), 'utf8')) ?? []
    writeFileSync(join(project, 'example.ts'), program)
    const options = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2023']
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    run(process.execPath, [compiler, ...options, '--types', 'node', 'example.ts'])
    return run(process.execPath, ['example.js'])
  } finally {
    rmSync(project, { recursive: true })
  }
}
