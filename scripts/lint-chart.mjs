// npm run lint:chart: the Helm chart. Its values against their schema, and what it renders with two
// sets of values against the types of Kubernetes. Only Helm renders a chart, and no registry of npm
// or Debian has it: the renderings are kept, with the hash of the files they were made of. Where
// `helm` is on the PATH, it lints the chart too, and has to render the same.
//   npm run lint:chart -- --write   renders again, which needs helm
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'
import { root } from './newest.mjs'

const chart = path.join(root, 'charts/lotkeeper')
const read = (file) => readFileSync(path.join(chart, file), 'utf8')

/** The kept renderings: the name of the release, what it sets, the file, and its head. */
const renderings = [
  {
    release: 'lotkeeper',
    values: [],
    file: '../../examples/operating/kubernetes.yaml',
    head: '# Lotkeeper on Kubernetes, with a PostgreSQL server that you have. docs/kubernetes.md says how to use it.\n# What the chart charts/lotkeeper makes of its default values: `npm run lint:chart -- --write`.\n',
  },
  { release: 'records', values: ['ci/all-values.yaml'], file: 'ci/all-rendered.yaml', head: '' },
]

/** Where kubernetes-types has the types of these; PodMonitor is of the operator of Prometheus. */
const typesOf = {
  'apps/v1': 'apps/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
  v1: 'core/v1',
}

function hashOfSources() {
  const templates = readdirSync(path.join(chart, 'templates')).map((name) => `templates/${name}`)
  const files = ['Chart.yaml', 'values.yaml', 'ci/all-values.yaml', ...templates.sort()]
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0${read(file)}\0`)
  return `# Made of sources with the SHA-256 ${hash.digest('hex')}\n`
}

const hasHelm = spawnSync('helm', ['version']).status === 0
const optionsOf = (values) => values.flatMap((file) => ['--values', path.join(chart, file)])
const render = ({ release, values }) =>
  execFileSync('helm', ['template', release, chart, ...optionsOf(values)], { encoding: 'utf8' })

function documentsIn(text) {
  const documents = parseAllDocuments(text)
  const [problem] = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])
  if (problem) throw problem
  const inOrder = (one) => `${one.kind} ${one.metadata.name}`
  return documents.map((one) => one.toJS()).sort((a, b) => inOrder(a).localeCompare(inOrder(b)))
}

/** What the type checker says of documents, each against its type. */
function typeFaults(documents) {
  const cache = path.join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(path.join(cache, 'chart-'))
  try {
    const files = documents.map((document, i) => {
      const type = `import('kubernetes-types/${typesOf[document.apiVersion]}').${document.kind}`
      const file = path.join(folder, `${i}-${document.kind}.ts`)
      writeFileSync(file, `export const document: ${type} = ${JSON.stringify(document, null, 2)}\n`)
      return file
    })
    const options = ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler', '--ignoreConfig']
    const tsc = path.join(root, 'node_modules/.bin/tsc')
    const { stdout, status } = spawnSync(tsc, [...options, ...files], { cwd: folder, encoding: 'utf8' })
    return status === 0 ? [] : (stdout.match(/^\S+\.ts\(.*$/gm) ?? [`tsc did not run: ${stdout}`])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function valueFaults() {
  const validate = new Ajv({ allErrors: true, strict: true, strictRequired: false }).compile(
    JSON.parse(read('values.schema.json')),
  )
  const faultsIn = (values) =>
    validate(values) ? [] : validate.errors.map(({ instancePath, message }) => `${instancePath} ${message}`)
  const faults = ['values.yaml', 'ci/all-values.yaml'].flatMap((file) =>
    faultsIn(parse(read(file))).map((fault) => `${file}: ${fault}`),
  )
  const wrong = [{ replicas: 0 }, { ingress: { enabled: true } }, { env: { WORKERS: '2' } }, { replicaz: 2 }]
  for (const values of wrong)
    if (faultsIn(values).length === 0) faults.push(`values.schema.json allows ${JSON.stringify(values)}.`)
  return faults
}

const sources = hashOfSources()
if (process.argv.includes('--write'))
  for (const one of renderings) writeFileSync(path.join(chart, one.file), one.head + sources + render(one))

const kept = renderings.map((one) => ({ ...one, text: read(one.file) }))
const documents = kept.flatMap(({ text }) => documentsIn(text))
const typed = documents.filter(({ apiVersion }) => apiVersion in typesOf)
const faults = [...valueFaults(), ...typeFaults(typed)]
// The type checker has to find an unknown field in each of them.
const broken = typed.map((document) => ({ ...document, spec: { ...document.spec, specs: 1 } }))
if (typeFaults(broken).length !== typed.length) faults.push('The type checker does not find an unknown field.')
for (const one of kept)
  if (!one.text.includes(sources))
    faults.push(
      `${path.join('charts/lotkeeper', one.file)} is older than the chart. Run: npm run lint:chart -- --write`,
    )
if (hasHelm) {
  const { stdout, status } = spawnSync('helm', ['lint', '--strict', chart], { encoding: 'utf8' })
  if (status !== 0) faults.push(stdout)
  for (const one of kept)
    if (!isDeepStrictEqual(documentsIn(render(one)), documentsIn(one.text)))
      faults.push(`${path.join('charts/lotkeeper', one.file)} is not what helm renders.`)
}
console.log(
  faults.length > 0
    ? faults.join('\n')
    : `${documents.length} documents of Kubernetes, nothing to report${hasHelm ? ', by helm too' : ''}.`,
)
process.exitCode = faults.length > 0 ? 1 : 0
