// What the operator can set is documented, and what the containers set is known.
import { describe, expect, test } from 'vitest'
import { filesUnder, textIfThere, textOf } from './tree.ts'

/** Variables of others: of Node, and of the PostgreSQL image beside the service. */
const foreign = ['NODE_ENV', 'NODE_OPTIONS', 'PGDATA', 'POSTGRES_DB', 'POSTGRES_PASSWORD', 'POSTGRES_USER']

const variables = [
  ...new Set(
    [...textOf('src/config.ts').matchAll(/\b(?:text|whole|choice)\('([A-Z_]+)'|\benv(?:\.|\[')([A-Z_]+)/g)].map(
      ([, read, direct]) => read ?? direct ?? '',
    ),
  ),
]

/** Rows of its table: each names one variable, or those that belong together. */
const documented = (textIfThere('docs/configuration.md') ?? '').split('\n').filter((line) => line.startsWith('| `'))

const setIn: Readonly<Record<string, (text: string) => readonly string[]>> = {
  Dockerfile: (text) =>
    [...text.matchAll(/^(?:ENV|ARG) ((?:.*\\\n)*.*)$/gm)].flatMap(([, rest = '']) =>
      [...rest.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]*)(?==|\s|$)/g)].map(([, name = '']) => name),
    ),
  'compose.yaml': (text) =>
    [...text.matchAll(/^\s+(?:- )?["']?([A-Z][A-Z0-9_]*)["']?\s*[:=]|\$\{([A-Z][A-Z0-9_]*)/gm)].map(
      ([, set, used]) => set ?? used ?? '',
    ),
  'charts/lotkeeper/ci/all-rendered.yaml': (text) =>
    [...text.matchAll(/- \{ name: ([A-Z_]+), value/g)].map(([, name = '']) => name),
}

describe('environment', () => {
  test('the test sees the variables, and no other file reads the environment', () => {
    expect(variables.length).toBeGreaterThan(0)
    expect(variables).toEqual(expect.arrayContaining(['HOST', 'DATABASE_URL', 'RETENTION_YEARS']))
    const sources = [...filesUnder('src', /\.tsx?$/), ...filesUnder('packages', /\/src\/.*\.ts$/)]
    const readers = sources.filter((file) => /\bprocess\.env\b(?!\))/.test(textOf(file)))
    expect(readers).toEqual([])
  })

  test.skipIf(documented.length === 0)('every variable has a row in docs/configuration.md, and no row another', () => {
    const named = documented.flatMap((row) =>
      [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    )
    expect(named.sort()).toEqual([...variables].sort())
  })

  test('the test reads what a container sets', () => {
    expect(setIn.Dockerfile?.('FROM node\nENV HOST=0.0.0.0 \\\n    DATA_DIR=/data\nARG PORT\n')).toEqual([
      'HOST',
      'DATA_DIR',
      'PORT',
    ])
    expect(
      setIn['compose.yaml']?.(
        '    environment:\n      HOST: 0.0.0.0\n      - PORT=3000\n    image: "x:$' + '{TAG:-1}"\n',
      ),
    ).toEqual(['HOST', 'PORT', 'TAG'])
  })

  test.each(Object.entries(setIn).filter(([file]) => textIfThere(file) !== undefined))(
    '%s sets only variables that are known',
    (file, read) => {
      expect(read(textOf(file)).filter((name) => !variables.includes(name) && !foreign.includes(name))).toEqual([])
    },
  )
})
