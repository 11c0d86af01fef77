// A page for each rule and each field of the contract, derived from the declarations: the target of
// `docsUrl` in findings.
import type { FastifyInstance } from 'fastify'
import { recordKinds } from '../contract/record-kinds.ts'
import type { Shape } from '../contract/shape/field.ts'
import { docsUrlOf, fieldDocsPath, ruleDocsPath } from '../contract/shape/finding.ts'
import { catalogue, ruleOf } from '../rules/catalogue.ts'
import { ruleExamples } from '../rules/examples.ts'
import { definitions, html, prose, sendPage } from './docs-page.ts'
import { sendShared } from './problem.ts'

/** The objects of payloads that have fields of the contract, by the name they have in OpenAPI. */
export const documentedObjects: ReadonlyMap<string, Shape> = objectsOf(
  recordKinds.flatMap(({ payload, createPayload }) => [payload as Shape, createPayload as Shape]),
)

function objectsOf(shapes: readonly Shape[]): Map<string, Shape> {
  const found = new Map<string, Shape>()
  const visit = (shape: Shape): void => {
    if (shape.title !== undefined && shape.properties !== undefined) {
      if (found.has(shape.title)) return
      found.set(shape.title, shape)
    }
    for (const inner of [...Object.values(shape.properties ?? {}), ...(shape.anyOf ?? [])]) visit(inner)
    if (shape.items !== undefined) visit(shape.items)
  }
  for (const shape of shapes) visit(shape)
  return found
}

const severityWords = {
  error: 'Error: the payload is refused.',
  warning: 'Warning: the payload is stored, and the warning with it. `Prefer: handling=strict` turns it into an error.',
  gap: 'Gap: the payload is stored. A key data element is missing, so the record is incomplete.',
} as const

const rules = { path: ruleDocsPath, name: 'Rules' }
const fields = { path: fieldDocsPath, name: 'Fields' }
const link = (path: string, name: string) => html`<a href="${path}"><code>${name}</code></a>`
const list = (links: readonly ReturnType<typeof html>[]) =>
  links.length === 0 ? undefined : html`<ul>${links.map((one) => html`<li>${one}</li>`)}</ul>`

export function mountReferencePages(server: FastifyInstance): void {
  mountRulePages(server)
  mountFieldPages(server)
}

function mountRulePages(server: FastifyInstance): void {
  server.get(ruleDocsPath, (_request, reply) =>
    sendPage(
      reply,
      'Rules',
      undefined,
      definitions(catalogue.map(({ id, summary }) => [id, html`${prose(summary)} ${link(docsUrlOf(id), 'More')}`])),
    ),
  )
  server.get<{ Params: { group: string; name: string } }>(`${ruleDocsPath}/:group/:name`, (request, reply) => {
    const { group, name } = request.params
    const rule = ruleOf(`${group}/${name}`)
    if (rule === undefined)
      return sendShared(request, reply, 'unknownAddress', `There is no such rule. ${ruleDocsPath} lists all rules.`)
    const { id, severity, cites, summary, remedy } = rule
    const example = ruleExamples[id]
    return sendPage(
      reply,
      id,
      rules,
      html`<p>${prose(summary)}</p>${definitions([
        ['What to do', prose(remedy)],
        ['Severity', prose(severityWords[severity])],
        ['Source', cites],
        ['Accepted', example && html`<pre>${exampleText(example.pointer, example.accepted)}</pre>`],
        [
          severity === 'error' ? 'Refused' : 'Found',
          example && html`<pre>${exampleText(example.pointer, example.found)}</pre>`,
        ],
        [
          'Fields',
          list(fieldsOfRule(id).map(([object, field]) => link(fieldPath(object, field), `${object}.${field}`))),
        ],
      ])}`,
    )
  })
}

function mountFieldPages(server: FastifyInstance): void {
  server.get(fieldDocsPath, (_request, reply) =>
    sendPage(
      reply,
      'Fields',
      undefined,
      html`${[...documentedObjects].map(
        ([object, { properties = {} }]) =>
          html`<h2>${object}</h2>${list(Object.keys(properties).map((field) => link(fieldPath(object, field), field))) ?? ''}`,
      )}`,
    ),
  )
  server.get<{ Params: { object: string; field: string } }>(`${fieldDocsPath}/:object/:field`, (request, reply) => {
    const { object, field: name } = request.params
    const { properties = {}, required = [] } = documentedObjects.get(object) ?? {}
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (field === undefined)
      return sendShared(request, reply, 'unknownAddress', `There is no such field. ${fieldDocsPath} lists all fields.`)
    const [example] = field.examples ?? []
    const listed = field['x-listed-values']
    const synonyms = field['x-synonyms']
    return sendPage(
      reply,
      `${object}.${name}`,
      fields,
      html`<p>${prose(field.description ?? '')}</p>${definitions([
        ['Type', typeWords(field)],
        [
          'Required',
          required.includes(name)
            ? 'yes'
            : field['x-required-when'] === undefined
              ? 'no'
              : `when ${field['x-required-when']}`,
        ],
        ['Unit', field['x-unit']],
        ['Example', example === undefined ? undefined : html`<pre>${JSON.stringify(example, undefined, 2)}</pre>`],
        ['Listed values', listed?.join(', ')],
        ['Source', field['x-section'] && `§${field['x-section']}`],
        ['Other programs call it', synonyms && html`${synonyms.join(', ')}. Only the name above is accepted.`],
        [
          'Rules',
          list(
            catalogue
              .filter(({ id }) => fieldsOfRule(id).some(([o, f]) => o === object && f === name))
              .map(({ id }) => link(docsUrlOf(id), id)),
          ),
        ],
      ])}`,
    )
  })
}

/** The page of a field. */
const fieldPath = (object: string, field: string): string => `${fieldDocsPath}/${object}/${field}`

const exampleText = (pointer: string, value: unknown): string => {
  const name = pointer.split('/').findLast((step) => !/^\d+$/.test(step)) ?? ''
  return value === undefined ? `${name} is left out` : `${JSON.stringify(name)}: ${JSON.stringify(value)}`
}

const typeWords = (field: Shape): string => {
  if (field['x-form'] === 'date') return 'date, yyyy-MM-dd'
  if (field['x-form'] === 'dateTime')
    return 'date and time, yyyy-MM-ddTHH:mm:ssZ or with a whole-hour offset in place of Z'
  if (field['x-one-or-many']) return 'object, or list of objects'
  if (field.type === 'string') return `text of at most ${field.maxLength ?? 100} characters`
  if (field.type === 'array') return 'list'
  return field.type ?? 'object'
}

/** The objects that a group of rules is about. */
const objectsOfGroups: Readonly<Record<string, readonly string[]>> = {
  payload: ['ReceivingEventPayload', 'ShippingEventPayload', 'MasterProductPayload', 'MasterLocationPayload'],
  product: ['Product', 'MasterProduct'],
  location: ['Location', 'MasterLocation', 'Address', 'GeoLocation'],
  'receiving-event': ['ReceivingEvent'],
  'shipping-event': ['ShippingEvent'],
  'product-line': ['ProductLine'],
}

/** The fields that the text of a rule names, each with its object. */
function fieldsOfRule(id: string): readonly (readonly [object: string, field: string])[] {
  const rule = ruleOf(id)
  if (rule === undefined) return []
  const words = new Set(`${rule.cites} ${rule.summary} ${rule.remedy}`.match(/[A-Za-z][A-Za-z0-9]*/g))
  return (objectsOfGroups[id.split('/')[0] ?? ''] ?? []).flatMap((object) =>
    Object.keys(documentedObjects.get(object)?.properties ?? {})
      // A word such as "state" or "city" may be an ordinary word.
      .filter((field) => words.has(field) && (/[A-Z]/.test(field) || rule.cites.endsWith(` ${field}`)))
      .map((field) => [object, field] as const),
  )
}
