// Who may import whom. The table is the one of ARCHITECTURE.md; every import of src is held against
// it.
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesUnder, textIfThere, textOf } from './tree.ts'

/**
 * A room, what it may import, and from which packages outside. `(types only)` takes `import type`;
 * `(only a.ts and b.ts)` names the files of the room that may. The rows stand in ARCHITECTURE.md in
 * this order and spelling.
 */
const table = [
  ['contract', 'limits', 'typebox (types only)'],
  ['rules', 'contract', 'typebox (types only)'],
  ['operations', 'contract, rules, tracing, evidence, limits', 'typebox (types only)'],
  ['intake', 'contract, rules', 'lotkeeper-sheets'],
  ['ship-notices', 'contract, intake', 'lotkeeper-x12'],
  ['evidence', 'contract', '–'],
  ['metrics', 'version', 'node built-ins'],
  [
    'store',
    'contract, evidence, metrics, program-folders, sha256, signing-key, spans (types only), version, limits',
    'pg, pglite-pool, uuid, node built-ins',
  ],
  ['tracing', 'contract, groups, steps', 'typebox (types only)'],
  ['epcis', 'contract, limits', 'lotkeeper-sheets'],
  ['drawing', 'contract, tracing, groups, steps', '–'],
  ['exports', 'contract, tracing, epcis, groups, version', 'lotkeeper-sheets, uuid'],
  [
    'handlers',
    'contract, rules, operations, evidence, store, tracing, drawing, epcis, exports, ship-notices, identity-provider (types only), sha256, signing-key, groups, steps, version, limits, webhooks',
    'lotkeeper-x12, uuid, node:crypto, typebox (types only)',
  ],
  [
    'http',
    'contract, operations, handlers (types only), identity-provider, mcp, metrics, rules (only reference-pages.ts), sha256, spans (types only), version, limits, large-work',
    'fastify, @fastify/helmet, @fastify/static, @fastify/swagger, @fastify/swagger-ui, typebox (types only), node built-ins',
  ],
  ['mcp', 'contract, operations, limits, version', '@modelcontextprotocol/server, node built-ins'],
  ['client', 'contract, rules, operations', '–'],
  ['terminal', '–', 'string-width, node built-ins'],
  [
    'operator',
    'contract, evidence, store, client, config, wiring, workers, program-folders, sha256, signing-key, terminal, version',
    'pglite-pool, node built-ins',
  ],
  [
    'cli',
    'contract, rules, operations, intake, tracing (types only), evidence, ship-notices, client, mcp, operator, sha256, terminal, version, webhooks',
    'commander, lotkeeper-sheets, lotkeeper-x12, node built-ins',
  ],
  [
    'console',
    'contract, rules, operations, intake, ship-notices, tracing (types only), drawing, client, groups, steps',
    'lotkeeper-sheets, preact, @bwip-js/browser, zxing-wasm',
  ],
  ['webhooks', 'contract, spans (types only), version, limits', 'ipaddr.js, node built-ins'],
  ['groups', '–', '–'],
  ['steps', '–', '–'],
  ['large-work', '–', '–'],
  ['config', 'contract', 'node built-ins'],
  ['workers', '–', 'node built-ins'],
  ['database-log', 'store (types only)', 'pino (types only)'],
  ['sha256', '–', 'node built-ins'],
  ['signing-key', 'sha256', 'pglite-pool, node built-ins'],
  [
    'spans',
    'version',
    '@opentelemetry/api, @opentelemetry/resources, @opentelemetry/sdk-trace-node, @opentelemetry/exporter-trace-otlp-http',
  ],
  ['claims', 'contract', '–'],
  ['identity-provider', 'claims, config (types only)', 'openid-client'],
  ['version', '–', '–'],
  ['limits', '–', '–'],
  ['program-folders', '–', 'node built-ins'],
  [
    'wiring',
    'config, handlers, http, identity-provider, metrics, database-log, store, workers, program-folders, signing-key, spans, limits, large-work, webhooks',
    'pino, fastify (types only), node built-ins',
  ],
] as const

const header = ['room', 'may import', 'outside packages']

/**
 * Features of the product, by the same names in every storey, and which of the others each may
 * know. The rows stand in ARCHITECTURE.md in this order and spelling.
 */
const features = [
  ['records', '–'],
  ['traceability', 'records'],
  ['corrections', 'records, traceability'],
  ['keeping', 'records, traceability'],
  ['vendors', 'records, traceability, keeping'],
  ['people', 'records'],
  ['changes', 'records, vendors'],
  ['exchange', 'records, keeping'],
  ['sharing', 'records, traceability, keeping, people, changes'],
] as const

const featureHeader = ['feature', 'may know']

/** Folders whose inner folders are features, beside the ground on which all features stand. */
const storeys = [
  'src/operations',
  'src/handlers',
  'src/store',
  'src/cli',
  'src/console/pages',
  'src/console/parts',
  'src/console/state',
]

const grounds = ['base', 'database', 'evidence', 'frame', 'fields', 'tables']

/** Most files that a folder of the tree may hold. */
const filesMax = 40

interface Import {
  readonly file: string
  /** As written. */
  readonly source: string
  readonly typesOnly: boolean
  readonly dynamic: boolean
}

/** An entry of a cell: a room or a package, and the condition in parentheses. */
interface Permission {
  readonly name: string
  readonly typesOnly: boolean
  readonly onlyFiles: readonly string[] | undefined
}

function permissionsIn(cell: string): readonly Permission[] {
  if (cell === '–') return []
  return cell.split(',').map((entry) => {
    const [, name = '', condition] = /^([^(]+?)(?: \((.+)\))?$/.exec(entry.trim()) ?? []
    const files = condition?.startsWith('only ') ? condition.slice('only '.length).split(' and ') : undefined
    return { name, typesOnly: condition === 'types only', onlyFiles: files }
  })
}

const statementForm =
  /^(?:import|export) +(type +)?(?:[\w$]+(?:, *)?)?(?:\{[^}]*\}|\* as [\w$]+|\*)? *from '([^']+)'|^import '([^']+)'|\bimport\('([^'$]+)'\)/gm

const importsIn = (file: string, text: string): readonly Import[] =>
  [...text.matchAll(statementForm)].map(([, type, from, bare, dynamic]) => ({
    file,
    source: from ?? bare ?? dynamic ?? '',
    typesOnly: type !== undefined,
    dynamic: dynamic !== undefined,
  }))

const roomOf = (file: string): string => file.split('/')[1]?.replace(/\.tsx?$/, '') ?? ''

/** The folder of a file in its storey: a feature or a part of the ground; undefined outside. */
function flatOf(file: string): string | undefined {
  const storey = storeys.find((folder) => file.startsWith(`${folder}/`))
  const [flat, ...rest] = storey === undefined ? [] : file.slice(storey.length + 1).split('/')
  return rest.length === 0 || flat === 'migrations' ? undefined : flat
}

const isFeature = (flat: string | undefined) => features.some(([feature]) => feature === flat)

/** Why a feature, or the ground, may not know what it imports, or undefined. */
function featureFaultOf(one: Import): string | undefined {
  const [from, to] = [flatOf(one.file), flatOf(targetOf(one))]
  if (from === undefined || from === to || !isFeature(to)) return undefined
  const [, known = '–'] = features.find(([feature]) => feature === from) ?? []
  if (permissionsIn(known).some(({ name }) => name === to)) return undefined
  return `${one.file} imports ${one.source}; ${from} may not know ${to}.`
}

const targetOf = ({ file, source }: Import): string => posix.join(posix.dirname(file), source)

const packageOf = (source: string): string =>
  source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/')

/** Why an import is not one the table allows, or undefined. */
function faultOf(one: Import): string | undefined {
  const { file, source, typesOnly } = one
  const [, rooms = '–', packages = '–'] = table.find(([room]) => room === roomOf(file)) ?? []
  const inside = source.startsWith('.')
  if (inside && roomOf(targetOf(one)) === roomOf(file)) return undefined
  const name = inside ? roomOf(targetOf(one)) : source.startsWith('node:') ? source : packageOf(source)
  const permission = permissionsIn(inside ? rooms : packages).find(
    (known) => known.name === name || (known.name === 'node built-ins' && source.startsWith('node:')),
  )
  if (permission === undefined) return `${file} imports ${source}; ${roomOf(file)} may not import ${name}.`
  if (permission.typesOnly && !typesOnly)
    return `${file} imports ${source}; only \`import type\` is allowed of ${name}.`
  if (permission.onlyFiles?.every((only) => !file.endsWith(`/${only}`)))
    return `${file} imports ${source}; only ${permission.onlyFiles.join(' and ')} may.`
  return undefined
}

/**
 * Every cycle's nodes: what is left after taking away, again and again, what imports nothing that
 * is left.
 */
function inCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const left = new Map([...edges].map(([from, to]) => [from, new Set(to)]))
  for (let before = -1; before !== left.size; ) {
    before = left.size
    for (const [from, to] of left) if (![...to].some((one) => left.has(one))) left.delete(from)
  }
  return [...left.keys()].filter((from) => reaches(left, from, from))
}

function reaches(edges: ReadonlyMap<string, ReadonlySet<string>>, from: string, goal: string): boolean {
  const seen = new Set<string>()
  const visit = (node: string): boolean =>
    [...(edges.get(node) ?? [])].some((next) => next === goal || (!seen.has(next) && seen.add(next) && visit(next)))
  return visit(from)
}

function edgesBetween(pairs: Iterable<readonly [string, string]>): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const [from, to] of pairs) edges.set(from, (edges.get(from) ?? new Set()).add(to))
  return edges
}

/** Rows of the first table below a heading, header first, without the back ticks of the cells. */
function tableUnder(heading: string, markdown: string): readonly (readonly string[])[] {
  const [, below = ''] = markdown.split(`\n${heading}\n`)
  return below
    .split(/\n#+ /)[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.replaceAll('`', '').trim()),
    ) as string[][]
}

const files = filesUnder('src', /\.tsx?$/)
const imports = files.flatMap((file) => importsIn(file, textOf(file)))
const inner = imports.filter(({ source }) => source.startsWith('.'))

describe('imports', () => {
  test('the test sees the tree: many files, many imports, and every line that looks like one', () => {
    expect(files.length).toBeGreaterThan(0)
    expect(imports.length).toBeGreaterThan(0)
    const lines = files.flatMap(
      (file) => textOf(file).match(/^(?:(?:import|export)\b.* |\} )from '.*'(?: with .*)?$|^import '.*'$/gm) ?? [],
    )
    expect(imports.filter(({ dynamic }) => !dynamic)).toHaveLength(lines.length)
  })

  test('the test refuses what the table does not allow', () => {
    const faultIn = (file: string, text: string) => importsIn(file, text).map(faultOf)
    const refused = [
      ['src/contract/product.ts', "import { createHash } from 'node:crypto'"],
      ['src/rules/judge.ts', "import { statement } from '../store/database/statement.ts'"],
      ['src/operations/records/read.ts', "import type { Rule } from '../../handlers/base/handler.ts'"],
      ['src/store/records/facts.ts', "import {\n  judge,\n} from '../../rules/judge.ts'"],
      ['src/http/route.ts', "import { hashOf } from '../handlers/records/judged-payload.ts'"],
      ['src/http/route.ts', "import { type Ask } from '../handlers/base/handler.ts'"],
      ['src/handlers/records/read.ts', "import fastify from 'fastify'"],
      ['src/cli/traceability/trace.ts', "import { start } from '../../wiring.ts'"],
      ['src/console/pages/frame/page.ts', "const read = await import('../../../store/records/facts.ts')"],
      ['src/elsewhere/page.ts', "export * from '../store/records/facts.ts'"],
    ] as const
    for (const [file, text] of refused) expect(faultIn(file, text), text).toEqual([expect.any(String)])
    const allowed = [
      ['src/http/route.ts', "import type { Ask } from '../handlers/base/handler.ts'"],
      ['src/store/engine.ts', "import { NodeFS } from 'pglite-pool/nodefs'"],
      ['src/operator/serve.ts', "import { start } from '../wiring.ts'"],
    ] as const
    for (const [file, text] of allowed) expect(faultIn(file, text), text).toEqual([undefined])
  })

  test('every room imports only the rooms and packages of its row', () => {
    expect(imports.map(faultOf).filter((fault) => fault !== undefined)).toEqual([])
  })

  test('every file of src is in a room of the table', () => {
    const rooms: readonly string[] = table.map(([room]) => room)
    expect(files.filter((file) => !rooms.includes(roomOf(file)))).toEqual([])
  })

  test('the test refuses what features may not know, and what the ground may not', () => {
    const faultIn = (file: string, source: string) =>
      importsIn(file, `import { what } from '${source}'`).map(featureFaultOf)
    for (const [file, source] of [
      ['src/handlers/records/replace.ts', '../sharing/partners.ts'],
      ['src/handlers/base/handler.ts', '../records/read.ts'],
      ['src/store/database/migrate.ts', '../records/facts.ts'],
      ['src/console/parts/fields/picker.tsx', '../records/findings.tsx'],
      ['src/handlers/records/list.ts', '../../store/vendors/alerts.ts'],
    ] as const)
      expect(faultIn(file, source), source).toEqual([expect.any(String)])
    for (const [file, source] of [
      ['src/handlers/sharing/partners.ts', '../records/replace.ts'],
      ['src/handlers/sharing/partners.ts', '../base/handler.ts'],
      ['src/handlers/catalogue.ts', './sharing/partners.ts'],
    ] as const)
      expect(faultIn(file, source), source).toEqual([undefined])
  })

  test('every feature knows only the features of its row, in every storey, and each that it names', () => {
    expect(imports.map(featureFaultOf).filter((fault) => fault !== undefined)).toEqual([])
    const known = new Set(inner.map((one) => `${flatOf(one.file)} ${flatOf(targetOf(one))}`))
    const unused = features.flatMap(([feature, others]) =>
      permissionsIn(others)
        .filter(({ name }) => !known.has(`${feature} ${name}`))
        .map(({ name }) => `${feature}: ${name}`),
    )
    expect(unused).toEqual([])
  })

  test('every folder of a storey is a feature or ground, and no feature needs another one back', () => {
    const flats = new Set(files.map(flatOf).filter((flat) => flat !== undefined))
    expect([...flats].filter((flat) => !isFeature(flat) && !grounds.includes(flat))).toEqual([])
    const pairs = features.flatMap(([feature, others]) =>
      permissionsIn(others).map(({ name }) => [feature, name] as const),
    )
    expect(inCycles(edgesBetween(pairs))).toEqual([])
  })

  test('no two folders of a storey import each other, directly or around', () => {
    for (const storey of storeys) {
      const within = inner.filter((one) => [one.file, targetOf(one)].every((file) => file.startsWith(`${storey}/`)))
      const pairs = within
        .map((one) => [flatOf(one.file), flatOf(targetOf(one))] as const)
        .flatMap(([from, to]) => (from === undefined || to === undefined || from === to ? [] : [[from, to] as const]))
      expect(inCycles(edgesBetween(pairs)), storey).toEqual([])
    }
  })

  test(`no folder holds more than ${filesMax} files`, () => {
    const held = new Map<string, number>()
    for (const file of ['src', 'test', 'packages', 'scripts'].flatMap((folder) => filesUnder(folder, /./)))
      held.set(posix.dirname(file), (held.get(posix.dirname(file)) ?? 0) + 1)
    expect([...held].filter(([, count]) => count > filesMax)).toEqual([])
  })

  test('every package a row names is imported by the room, once there is one', () => {
    const unused = table
      .filter(([room]) => files.some((file) => roomOf(file) === room))
      .flatMap(([room, , packages]) =>
        permissionsIn(packages)
          .filter(
            ({ name }) =>
              !imports.some(
                ({ file, source }) =>
                  roomOf(file) === room &&
                  (packageOf(source) === name || (name === 'node built-ins' && isBuiltin(source))),
              ),
          )
          .map(({ name }) => `${room}: ${name}`),
      )
    expect(unused).toEqual([])
  })

  test('no two rooms import each other, directly or around', () => {
    const pairs = inner
      .map((one) => [roomOf(one.file), roomOf(targetOf(one))] as const)
      .filter(([from, to]) => from !== to)
    expect(pairs.length).toBeGreaterThan(0)
    expect(inCycles(edgesBetween(pairs))).toEqual([])
  })

  test('no two files import each other, directly or around, types included', () => {
    expect(
      inCycles(
        new Map([
          ['a', new Set(['b'])],
          ['b', new Set(['c'])],
          ['c', new Set(['a', 'd'])],
        ]),
      ),
    ).toHaveLength(3)
    expect(inCycles(edgesBetween(inner.map((one) => [one.file, targetOf(one)])))).toEqual([])
  })

  test('relative imports carry the extension and lead to a file', () => {
    expect(inner.length).toBeGreaterThan(0)
    const data = filesUnder('src', /\.json$/)
    expect(
      inner
        .filter((one) => ![...files, ...data].includes(targetOf(one)))
        .map(({ file, source }) => `${file}: ${source}`),
    ).toEqual([])
  })

  test.each(['pglite-pool', 'sheets', 'x12'])(
    'packages/%s imports nothing of the service, and what its manifest names',
    (name) => {
      const folder = `packages/${name}`
      const { dependencies, peerDependencies } = JSON.parse(textOf(`${folder}/package.json`))
      const named = Object.keys({ ...dependencies, ...peerDependencies })
      const ofPackage = filesUnder(`${folder}/src`, /\.ts$/).flatMap((file) => importsIn(file, textOf(file)))
      expect(ofPackage).not.toEqual([])
      const strange = ofPackage.filter((one) =>
        one.source.startsWith('.')
          ? !targetOf(one).startsWith(`${folder}/src/`)
          : !one.source.startsWith('node:') && !named.includes(packageOf(one.source)),
      )
      expect(strange).toEqual([])
      expect(named.filter((one) => !ofPackage.some(({ source }) => packageOf(source) === one))).toEqual([])
    },
  )

  test('no import is computed', () => {
    const computed = files.filter((file) => /\bimport\((?!'[^'$]+'\))|\brequire\(|\bcreateRequire\(/.test(textOf(file)))
    expect(computed).toEqual([])
  })

  test('pure rooms use nothing of Node, read no clock and draw no lots', () => {
    const impure =
      /\b(?:Buffer|process|fetch|setTimeout|setInterval|performance|crypto)\b[.(]|\bDate\.now\b|new Date\(\)|\bMath\.random\b/
    const pureRooms = [
      'contract',
      'rules',
      'operations',
      'intake',
      'tracing',
      'drawing',
      'epcis',
      'exports',
      'evidence',
      'groups',
      'steps',
      'version',
      'limits',
    ]
    const formats = ['packages/sheets/src', 'packages/x12/src'].flatMap((folder) => filesUnder(folder, /\.ts$/))
    const pure = [...formats, ...files.filter((file) => pureRooms.includes(roomOf(file)))]
    expect(pure.length).toBeGreaterThan(0)
    expect(pure.filter((file) => impure.test(textOf(file)))).toEqual([])
    expect(files.some((file) => impure.test(textOf(file)))).toBe(true)
  })

  test('node built-ins are imported by their node: name', () => {
    expect(
      imports.filter(({ source }) => isBuiltin(source) && !source.startsWith('node:')).map(({ file }) => file),
    ).toEqual([])
  })

  test('nothing is exported as default, and nothing is exported on behalf of another file', () => {
    const offenders = files.filter((file) =>
      /^export (?:default\b|\*|\{[^}]*\} from)|\bas default\b/m.test(textOf(file)),
    )
    expect(offenders).toEqual([])
  })

  const architecture = textIfThere('ARCHITECTURE.md')
  test.skipIf(architecture === undefined)('ARCHITECTURE.md shows the same table', () => {
    const remedy = `Put this table under "## Who may import whom":\n${[header, header.map(() => '---'), ...table]
      .map((cells) => `| ${cells.join(' | ')} |`)
      .join('\n')}`
    expect(tableUnder('## Who may import whom', architecture ?? ''), remedy).toEqual([header, ...table])
  })

  test.skipIf(architecture === undefined)('ARCHITECTURE.md shows the same features', () => {
    expect(tableUnder('## Which feature may know which', architecture ?? '')).toEqual([featureHeader, ...features])
  })

  test('the reader of the table finds it below its heading and nowhere else', () => {
    const page = '# A\n\n| x | y |\n\n## Who\n\n| room | may |\n| --- | :-: |\n| `a` | b |\n\n## Next\n\n| c | d |\n'
    expect(tableUnder('## Who', page)).toEqual([
      ['room', 'may'],
      ['a', 'b'],
    ])
  })
})
