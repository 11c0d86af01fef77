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

const document = JSON.parse(text)
const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
const faults = operations.length < operationsMin ? [`Only ${operations.length} operations are in the document.`] : []
for (const [name, lint] of Object.entries(linters)) {
  if ((await lint(broken())).length === 0) faults.push(`${name} found nothing in a document without servers.`)
  faults.push(...(await lint(text)).map((fault) => `${name}: ${fault}`))
}
console.log(faults.length === 0 ? `${operations.length} operations, nothing to report.` : faults.join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
