// npm run lint:openapi: what generators of clients and documents expect of
// docs/reference/openapi.json, by the two linters they use. Any report fails. So does a linter that
// saw nothing: each has to find what was broken on purpose.
import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { generate } from './generate.mjs'

const operationsMin = 45
generate()
const text = readFileSync(new URL('../docs/reference/openapi.json', import.meta.url), 'utf8')

const redoclyConfig = await createConfig({ extends: ['recommended'] })
const spectral = new spectralCore.Spectral()
spectral.setRuleset({ extends: [rulesets.oas] })

const linters = {
  redocly: async (source) =>
    (await lintFromString({ source, absoluteRef: '/openapi.json', config: redoclyConfig })).map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
    ),
  spectral: async (source) =>
    (await spectral.run(JSON.parse(source))).map(({ code, message, path }) => `${code}: ${message} /${path.join('/')}`),
}

/** The document with one fault that both linters know. */
function broken() {
  const document = JSON.parse(text)
  delete document.servers
  return JSON.stringify(document)
}

/** What those who generate clients stumble over, and linters do not look at. */
function generatorFaults({ paths, components: { schemas } }) {
  const faults = []
  const ids = new Set()
  const sent = new Set()
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const { operationId, requestBody } = operation
    if (!/^[a-z][A-Za-z0-9]*$/.test(operationId) || ids.has(operationId))
      faults.push(`${operationId} is no name of a function, or is there twice.`)
    ids.add(operationId)
    for (const [type, { schema }] of Object.entries(requestBody?.content ?? {}))
      if (/json$/.test(type) && !('$ref' in schema) && Object.keys(schema.properties ?? {}).length > 0)
        faults.push(`The body of ${operationId} has no name.`)
      else for (const name of refsIn(schema)) sent.add(name)
  }
  // Sent shapes name others, which join the set while it is walked.
  for (const name of sent) for (const other of refsIn(schemas[name])) sent.add(other)
  for (const [name, schema] of Object.entries(schemas)) {
    if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) faults.push(`${name} is no name of a class.`)
    for (const [field, one] of fieldsIn(schema)) {
      const values = one.enum ?? []
      if (values.length > 0 && (one.type === undefined || new Set(values).size < values.length))
        faults.push(`The enum ${name}.${field} has no type, or a value twice.`)
      if (Array.isArray(one.type) || 'nullable' in one)
        faults.push(`${name}.${field} says in another way than the rest that it may be null.`)
      const isPlain = ['string', 'number', 'integer'].includes(one.type)
      if (sent.has(name) && isPlain && values.length === 0 && one.examples === undefined && one.const === undefined)
        faults.push(`${name}.${field} has no example.`)
    }
  }
  return faults
}

const refsIn = (schema) =>
  [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)

/** The fields of a shape and of those inside it. */
const fieldsIn = (schema, path = '') =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    [path + name, field],
    ...fieldsIn(field.items ?? field, `${path}${name}.`),
  ])

const document = JSON.parse(text)
const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
const faults = operations.length < operationsMin ? [`Only ${operations.length} operations are in the document.`] : []
for (const [name, lint] of Object.entries(linters)) {
  if ((await lint(broken())).length === 0) faults.push(`${name} found nothing in a document without servers.`)
  faults.push(...(await lint(text)).map((fault) => `${name}: ${fault}`))
}
if (generatorFaults({ paths: { '/': { get: { operationId: 'a-b' } } }, components: { schemas: {} } }).length === 0)
  faults.push('A wrong operation id is not found.')
faults.push(...generatorFaults(document))
console.log(faults.length === 0 ? `${operations.length} operations, nothing to report.` : faults.join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
