// Writes the types and the addresses of the client from the declarations of the operations: what a
// call takes, what it returns and what its editor shows. Written out, so that the client needs
// neither the shapes nor the library they are in.

import { type RecordKind, recordKinds } from '../src/contract/record-kinds.ts'
import type { Shape } from '../src/contract/shape/field.ts'
import { capitalize } from '../src/contract/text/capitalize.ts'
import { keysOf } from '../src/http/openapi.ts'
import { Problem } from '../src/operations/base/bodies.ts'
import type { Operation, Outcome, RequestHeader } from '../src/operations/base/operation.ts'
import type { QueryParameter } from '../src/operations/base/query.ts'
import { catalogue } from '../src/operations/catalogue.ts'
import { generatedNote } from './generated-files.ts'

/** Every generated file of the client: its name in src/client/generated, and its text. */
export const clientFiles = (): ReadonlyMap<string, string> => {
  const head = `// ${generatedNote}\n`
  return new Map([
    ['addresses.ts', `${head}${addressesText()}`],
    ['methods.ts', `${head}${methodsText()}`],
    ['shapes.ts', `${head}${shapesText()}`],
  ])
}

// Shapes: one interface for each object with a title.

/** An object as it is declared, with the keywords that only exports use. */
interface ObjectShape extends Shape {
  readonly patternProperties?: Readonly<Record<string, unknown>>
  readonly const?: unknown
}

/** Payloads by the title of a shape that adds an id to them. */
const payloadOf = new Map<string | undefined, Shape>(
  recordKinds.flatMap(({ payload, replacement, record }) =>
    [replacement, record].map((shape) => [(shape as Shape).title, payload as Shape] as const),
  ),
)

const titledShapes: ReadonlyMap<string, ObjectShape> = (() => {
  const found = new Map<string, ObjectShape>()
  const visit = (shape: ObjectShape): void => {
    if (shape.title !== undefined && shape.type === 'object') {
      if (found.has(shape.title)) return
      found.set(shape.title, shape)
    }
    for (const inner of Object.values(shape.properties ?? {})) visit(inner)
    for (const choice of shape.anyOf ?? []) visit(choice)
    if (shape.items) visit(shape.items)
  }
  for (const { payload, createPayload } of recordKinds)
    for (const shape of [payload, createPayload]) visit(shape as Shape)
  for (const { body, outcomes } of catalogue)
    for (const shape of [body, ...Object.values(outcomes).map((outcome) => outcome.body)])
      if (shape) visit(shape as Shape)
  visit(Problem as Shape)
  return found
})()

function shapesText(): string {
  return [...titledShapes]
    .map(([title, shape]) => {
      const payload = payloadOf.get(title)
      const head = payload === undefined ? `interface ${title}` : `interface ${title} extends ${payload.title}`
      const inherited = new Set(Object.keys(payload?.properties ?? {}))
      return `\n${docOf([shape.description], '')}export ${head} ${membersText(shape, '', inherited)}\n`
    })
    .join('')
}

function membersText(shape: ObjectShape, indent: string, inherited: ReadonlySet<string> = new Set()): string {
  const inner = `${indent}  `
  const members = Object.entries(shape.properties ?? {})
    .filter(([name]) => !inherited.has(name))
    .map(([name, field]) => {
      const optional = shape.required?.includes(name) ? '' : '?'
      const key = /^\w+$/.test(name) ? name : `'${name}'`
      return `${docOf(sentencesOf(field), inner)}${inner}${key}${optional}: ${typeOf(field, inner)}\n`
    })
  // One form of names is declared so far: those that begin with a prefix.
  const open = Object.keys(shape.patternProperties ?? {}).map((pattern) => {
    const [, prefix] = /^\^(\w+:)$/.exec(pattern) ?? []
    if (prefix === undefined) throw new Error(`No type is known for names of the form ${pattern}.`)
    return `${inner}[name: \`${prefix}\${string}\`]: unknown\n`
  })
  return members.length + open.length === 0
    ? 'Record<string, unknown>'
    : `{\n${[...members, ...open].join('')}${indent}}`
}

const sentencesOf = (field: Shape): readonly (string | undefined)[] => [
  field.description,
  field['x-required-when'] && `Required when ${field['x-required-when']}.`,
  field['x-unit'] && `Unit: ${field['x-unit']}.`,
  field['x-listed-values'] && `Listed values: ${field['x-listed-values'].map((value) => `\`${value}\``).join(', ')}.`,
  exampleOf(field),
]

const exampleOf = ({ examples: [example] = [] }: Shape): string | undefined =>
  example === undefined || typeof example === 'object' ? undefined : `Example: \`${String(example)}\`.`

function typeOf(shape: ObjectShape, indent: string): string {
  if (shape.title !== undefined && titledShapes.has(shape.title)) return shape.title
  if (shape.anyOf) return shape.anyOf.map((choice) => typeOf(choice, indent)).join(' | ')
  if (shape.enum) return shape.enum.map((value) => `'${value}'`).join(' | ')
  if (shape.const !== undefined) return `'${String(shape.const)}'`
  switch (shape.type) {
    case 'array': {
      const entry = typeOf(shape.items ?? {}, indent)
      return /^\w+$/.test(entry) ? `${entry}[]` : `(${entry})[]`
    }
    case 'object':
      return membersText(shape, indent)
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return shape.type
  }
  // A value of any type has a description alone.
  if (Object.keys(shape).join() === 'description') return 'unknown'
  throw new Error(`No type is known for ${JSON.stringify(shape)}.`)
}

// Methods: one for each operation, with what it takes and what it returns.

/** Options of a call for the request headers of its operation. */
const headerOptions: Readonly<
  Record<RequestHeader, readonly (readonly [name: string, type: string, meaning: string])[]>
> = {
  'If-Match': [['ifMatch', 'number', 'Change only this version: `version` of the answer that you read.']],
  'If-None-Match': [['ifNoneMatch', 'number', '']],
  Prefer: [
    ['strict', 'boolean', 'Warnings refuse this payload as errors do.'],
    ['representation', 'boolean', 'The answer also holds findings and changes.'],
  ],
  'Last-Event-ID': [],
  'Change-Reason': [['reason', 'string', 'Why the record is replaced, for its history: at most 100 characters.']],
  'Idempotency-Key': [
    [
      'idempotencyKey',
      'string',
      'Makes a retry return the first answer. The client makes a key for each create that has none.',
    ],
  ],
}

const tagMeaning = 'The `tag` of the answer you have. While it would be the same, the answer is 304 without a body.'

const ifNoneMatchMeanings = {
  GET: 'The version you have. While it is the current one, the answer is 304 without a body.',
  PUT: 'A version that must not be replaced.',
  POST: 'A version that must not be changed.',
  DELETE: 'A version that must not be deleted.',
} as Readonly<Record<string, string>>

/** What a path parameter is; an id where it is not listed. */
const pathParameters: Readonly<Record<string, readonly [type: string, meaning: string]>> = {
  version: ['number', 'Number of the version, from 1.'],
  lotCode: ['string', 'The lot code, or any GS1 text that contains it.'],
}

const queryTypes: Readonly<Record<QueryParameter['form'], string>> = {
  text: 'string',
  date: 'string',
  dateTime: 'string',
  cursor: 'string',
  choice: 'string',
  boolean: 'boolean',
  limit: 'number',
}

/** How a dry run ends: what the rules say, or what would be shared. */
const isOfDryRun = (outcome: string): boolean => ['judged', 'previewed'].includes(outcome)

/** What decides the type of the answer: a dry run, or the version or tag that the caller has. */
function deciderOf({ outcomes, tag }: Operation): 'dryRun' | 'version' | 'tag' | undefined {
  if (Object.keys(outcomes).some(isOfDryRun)) return 'dryRun'
  if (!('unmodified' in outcomes)) return undefined
  // A version alone names no answer that shows more.
  return tag === undefined ? 'version' : 'tag'
}

const knownAs = <Type extends string>(type: Type) => ({
  option: 'ifNoneMatch',
  name: 'Known',
  declared: `Known extends ${type} | undefined = ${type} | undefined`,
  ofCall: `Known extends ${type} | undefined = undefined`,
})

const typeParameters = {
  dryRun: {
    option: 'dryRun',
    name: 'DryRun',
    declared: 'DryRun extends boolean = boolean',
    ofCall: 'DryRun extends boolean = false',
  },
  version: knownAs('number'),
  tag: knownAs('string'),
} as const

const pathNamesOf = ({ path }: Operation): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/**
 * What a call of an operation takes: the name of the interface, its type parameters, and its
 * members.
 */
interface Request {
  readonly name: string
  readonly declared: readonly string[]
  readonly members: string
}

function requestOf(operation: Operation): Request {
  const decider = deciderOf(operation)
  const member = (name: string, type: string, sentences: readonly (string | undefined)[]) =>
    `${docOf(sentences, '  ')}  ${name}: ${type}\n`
  const option = (name: string, type: string, sentences: readonly (string | undefined)[]) =>
    member(
      `${name}?`,
      `${decider && name === typeParameters[decider].option ? typeParameters[decider].name : type} | undefined`,
      sentences,
    )
  const { body } = operation
  const kind = kindOf(operation)
  const members = [
    ...pathNamesOf(operation).map((name) => {
      const [type, meaning] = pathParameters[name] ?? ['string', 'Id, as the service returned it.']
      return member(name, type, [meaning])
    }),
    ...(body ? [member('body', kind ? 'Payload' : typeOf(body as Shape, '  '), ['Body of the request.'])] : []),
    ...Object.entries(operation.query).map(([name, { form, values, many, meaning, example }]) => {
      const one = values?.map((value) => `'${value}'`).join(' | ') ?? queryTypes[form]
      return option(name, many ? `${one} | readonly string[]` : one, [meaning, `Example: \`${example}\`.`])
    }),
    ...operation.headers.flatMap((header) =>
      headerOptions[header].map(([name, type, meaning]) =>
        option(name, type, [meaning || (decider === 'tag' ? tagMeaning : ifNoneMatchMeanings[operation.method])]),
      ),
    ),
  ]
  const declared = [...(kind && body ? ['Payload'] : []), ...(decider ? [typeParameters[decider].declared] : [])]
  const own = actionOf(operation) === 'list' || kind === undefined
  return {
    name: `${capitalize(own ? operation.name : actionOf(operation))}Request`,
    declared,
    members: members.join(''),
  }
}

/**
 * The kind of the records that an operation is asked about one by one or as a list; exports also
 * have a kind.
 */
const kindOf = ({ path, record }: Operation): RecordKind | undefined =>
  record !== undefined && path.startsWith(record.path) ? record : undefined

/** What is done with a record, whatever its kind: `readVersion` of `readLocationVersion`. */
function actionOf(operation: Operation): string {
  const kind = kindOf(operation)
  return kind === undefined ? operation.name : operation.name.replace(new RegExp(`${capitalize(kind.name)}s?`), '')
}

/**
 * The type of what a call takes; `payload` is the type of its body where that depends on the kind
 * of record.
 */
function requestTypeOf(operation: Operation, payload: string): string {
  const decider = deciderOf(operation)
  const given = [
    ...(kindOf(operation) && operation.body ? [payload] : []),
    ...(decider ? [typeParameters[decider].name] : []),
  ]
  return `${requestOf(operation).name}${given.length > 0 ? `<${given.join(', ')}>` : ''}`
}

/** Kinds of record share what their calls take, but for the filters of lists. */
function requestsText(): string {
  const byName = new Map<string, Request>()
  for (const operation of catalogue) {
    const request = requestOf(operation)
    const same = byName.get(request.name)
    if (same !== undefined && same.members !== request.members)
      throw new Error(`Two operations take different things under the name ${request.name}.`)
    byName.set(request.name, request)
  }
  return [...byName.values()]
    .map(({ name, declared, members }) => {
      const parameters = declared.length > 0 ? `<${declared.join(', ')}>` : ''
      return members === ''
        ? `\nexport type ${name} = CallOptions\n`
        : `\nexport interface ${name}${parameters} extends CallOptions {\n${members}}\n`
    })
    .join('')
}

const successOf = ({ outcomes }: Operation): readonly Outcome[] =>
  Object.entries(outcomes).flatMap(([name, outcome]) => (outcome.status < 300 && !isOfDryRun(name) ? [outcome] : []))

const dryRunTypeOf = ({ outcomes }: Operation): string =>
  Object.entries(outcomes)
    .flatMap(([name, { body }]) => (isOfDryRun(name) ? [typeOf(body as Shape, '')] : []))
    .join(' | ')

/** The type of an answer; `record` is that of the record it holds, if it holds one. */
function answerTypeOf(operation: Operation, record?: string): string {
  const bodies = successOf(operation).flatMap(({ body }) => (body ? [typeOf(body as Shape, '')] : []))
  const whole = actionOf(operation) === 'read' || actionOf(operation) === 'readVersion'
  const success = record && whole ? record : [...new Set(bodies)].join(' | ') || 'undefined'
  switch (deciderOf(operation)) {
    case 'dryRun':
      return `DryRun extends true ? ${dryRunTypeOf(operation)} : ${success}`
    case 'version':
      return `Known extends number ? ${success} | undefined : ${success}`
    case 'tag':
      return `Known extends string ? ${success} | undefined : ${success}`
    default:
      return record && actionOf(operation) === 'list' ? `Page<${record}>` : success
  }
}

/** The title of what a list holds, for operations that answer with pages. */
function entryOf(operation: Operation): string | undefined {
  const [page] = successOf(operation).map(({ body }) => body as Shape | undefined)
  const { content, nextCursor } = page?.properties ?? {}
  return content?.items && nextCursor ? typeOf(content.items, '') : undefined
}

const linesOf = (operation: Operation): readonly string[] => [
  `${operation.summary} ${operation.description}`,
  '',
  `\`${operation.method} ${operation.path}\`. Key: ${keysOf(operation.role)}. Source: ${operation.cites}.`,
  ...Object.entries(operation.outcomes).flatMap(([name, { status, when }]) =>
    status >= 400 ? [`@throws {ProblemError} \`${name}\` (${status}): ${when}`] : [],
  ),
]

function methodText(operation: Operation, name: string, lines: readonly string[], request: string, answer: string) {
  const decider = deciderOf(operation)
  const declared = decider ? `<${typeParameters[decider].ofCall}>` : ''
  const optional = pathNamesOf(operation).length === 0 && operation.body === undefined ? '?' : ''
  return `${docOf(lines, '  ')}  ${name}${declared}(request${optional}: ${request}): Promise<ApiResponse<${answer}>>\n`
}

const flatMethodText = (operation: Operation): string =>
  methodText(
    operation,
    operation.name,
    linesOf(operation),
    requestTypeOf(operation, operation.body ? typeOf(operation.body as Shape, '') : ''),
    answerTypeOf(operation),
  )

// What can be done with a record of each kind: said once, by the operations of the first kind.

const [firstKind] = recordKinds

const ofKind = (kind: RecordKind) => catalogue.filter((operation) => kindOf(operation)?.name === kind.name)

const kindMethodText = (operation: Operation): string =>
  methodText(
    operation,
    actionOf(operation),
    [
      `${operation.summary} ${operation.description}`
        .replaceAll(`\`${firstKind.subject}\``, 'The record')
        .replaceAll(firstKind.nouns, 'records')
        .replaceAll(firstKind.noun, 'record'),
    ],
    actionOf(operation) === 'list' ? "Kind['list']" : requestTypeOf(operation, `Kind['${actionOf(operation)}']`),
    answerTypeOf(operation, "Kind['record']"),
  )

function kindsText(): string {
  const bodyOf = (kind: RecordKind, action: string) => {
    const body = ofKind(kind).find((operation) => actionOf(operation) === action)?.body
    return typeOf(body as Shape, '')
  }
  const types = recordKinds.map((kind) => {
    const list = ofKind(kind).find((operation) => actionOf(operation) === 'list')
    return [
      `\n/** What is sent and read of ${kind.nouns}. */\nexport interface ${capitalize(kind.name)}Kind {\n`,
      `  create: ${bodyOf(kind, 'create')}\n  replace: ${bodyOf(kind, 'replace')}\n`,
      `  record: ${typeOf(kind.record as Shape, '')}\n  list: ${list && requestOf(list).name}\n}\n`,
    ].join('')
  })
  const names = recordKinds.map(({ name }) => `  ${name}: ${capitalize(name)}Kind\n`)
  return [
    ...types,
    `\n/** The kinds of record, by name. */\nexport interface KindTypes {\n${names.join('')}}\n`,
    '\n/** What can be done with records of one kind. */\n',
    'export interface RecordMethods<\n',
    '  Kind extends { create: unknown; replace: unknown; record: unknown; list: unknown },\n> {\n',
    `${ofKind(firstKind).map(kindMethodText).join('\n')}}\n`,
  ].join('')
}

function methodsText(): string {
  const entries = catalogue.flatMap((operation) => {
    const entry = entryOf(operation)
    return entry === undefined ? [] : [`  ${operation.name}: ${entry}\n`]
  })
  const text = [
    requestsText(),
    `\n/** One method for each operation. */\nexport interface Methods {\n${catalogue.map(flatMethodText).join('\n')}}\n`,
    kindsText(),
    `\n/** Operations that return pages, and what they list. */\nexport interface ListEntries {\n${entries.join('')}}\n`,
  ].join('')
  const used = [...titledShapes.keys()].filter((title) => new RegExp(`\\b${title}\\b`).test(withoutDocs(text))).sort()
  return [
    "import type { ApiResponse, CallOptions, Page } from '../call.ts'\n",
    `import type {\n${used.map((title) => `  ${title},\n`).join('')}} from './shapes.ts'\n`,
    text,
  ].join('')
}

const withoutDocs = (text: string): string => text.replaceAll(/\/\*\*.*?\*\//gs, '')

// Addresses: what is sent for a call, without the shapes.

const addressesText = (): string =>
  [
    "import type { Address } from '../request.ts'\n",
    '\nexport const addresses = {\n',
    ...catalogue.map((operation) => {
      const { name, method, path, query, body } = operation
      const list = (texts: readonly string[]) => `[${texts.map((text) => `'${text}'`).join(', ')}]`
      const address = `method: '${method}', path: '${path}', query: ${list(Object.keys(query))}, headers: ${list(operation.headers)}`
      return `  ${name}: { ${address}, body: ${body !== undefined} },\n`
    }),
    '} as const satisfies Readonly<Record<string, Address>>\n',
    '\n/** The operations on records of each kind, by what they do. */\n',
    'export const recordOperations = {\n',
    ...recordKinds.map((kind) => {
      const names = ofKind(kind).map((operation) => `    ${actionOf(operation)}: '${operation.name}',\n`)
      return `  ${kind.name}: {\n${names.join('')}  },\n`
    }),
    '} as const\n',
  ].join('')

/**
 * A comment of documentation; none for no text. A paragraph is a sentence or several; an empty text
 * ends it.
 */
function docOf(sentences: readonly (string | undefined)[], indent: string): string {
  const lines: string[] = []
  let line = ''
  const flush = () => {
    if (line !== '') lines.push(line)
    line = ''
  }
  for (const sentence of sentences) {
    if (sentence === undefined) continue
    if (sentence === '' || sentence.startsWith('@')) flush()
    if (sentence === '') lines.push('')
    for (const word of sentence.replaceAll('*/', '*\\/').split(' ')) {
      if (line !== '' && `${indent} * ${line} ${word}`.length > 120) flush()
      line = line === '' ? word : `${line} ${word}`
    }
  }
  flush()
  if (lines.length === 0) return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((text) => `${indent} *${text === '' ? '' : ` ${text}`}\n`).join('')}${indent} */\n`
}
