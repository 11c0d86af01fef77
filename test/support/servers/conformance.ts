// Whether an answer is one that the OpenAPI document declares: its status, headers, media type and
// body.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { archiveMediaType } from '../../../src/operations/exchange/archive.ts'

interface DeclaredHeader {
  readonly required?: boolean
  readonly schema: { readonly pattern?: string; readonly const?: string }
}

interface DeclaredAnswer {
  readonly headers?: Readonly<Record<string, { readonly $ref?: string } & Partial<DeclaredHeader>>>
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, DeclaredAnswer>> }>>>
  >
  readonly components: { readonly headers: Readonly<Record<string, DeclaredHeader>> }
}

export interface WireAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Headers that belong to HTTP and not to an operation. */
const headersOfHttp = [
  'date',
  'connection',
  'keep-alive',
  'content-type',
  'content-length',
  'transfer-encoding',
  'cache-control',
  'content-encoding',
  'vary',
  'content-security-policy',
  'x-content-type-options',
  'referrer-policy',
]

const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Says what of an answer the document does not declare: nothing, for one that conforms. */
export function conformanceTo(document: OpenApi) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  // The package is CommonJS, whose default export types and Node see differently.
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema(document, 'openapi')
  const compiled = new Map<string, ValidateFunction>()
  const checkAt = (pointer: string): ValidateFunction => {
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` })
    compiled.set(pointer, check)
    return check
  }
  return (method: string, path: string, { status, headers, body }: WireAnswer): string[] => {
    const verb = method.toLowerCase()
    const declared = document.paths[path]?.[verb]?.responses[status]
    if (declared === undefined) return [`status ${status} is not declared`]
    return [
      ...headerFaults(document, declared, headers),
      ...bodyFaults(declared, headers['content-type'], body, (type) =>
        checkAt(
          `/paths/${encodeURIComponent(pointerPart(path))}/${verb}/responses/${status}/content/${encodeURIComponent(pointerPart(type))}/schema`,
        ),
      ),
    ]
  }
}

function headerFaults(document: OpenApi, { headers: declared = {} }: DeclaredAnswer, sent: WireAnswer['headers']) {
  const known = Object.entries(declared).map(([name, header]) => {
    const { required = false, schema } = document.components.headers[name] ?? (header as DeclaredHeader)
    return { name: name.toLowerCase(), required, pattern: schema.pattern, value: schema.const }
  })
  const strange = Object.keys(sent).filter(
    (name) => !headersOfHttp.includes(name) && !known.some((header) => header.name === name),
  )
  return [
    ...strange.map((name) => `header ${name} is not declared`),
    ...known.flatMap(({ name, required, pattern, value }) => {
      const text = sent[name]
      if (text === undefined) return required ? [`header ${name} is missing`] : []
      const fits =
        pattern !== undefined ? new RegExp(pattern).test(String(text)) : value === undefined || text === value
      return fits ? [] : [`header ${name} is ${text}`]
    }),
  ]
}

function bodyFaults(
  { content = {} }: DeclaredAnswer,
  sentType: string | string[] | undefined,
  body: Buffer,
  checkOf: (type: string) => ValidateFunction,
): string[] {
  const types = Object.keys(content)
  if (types.length === 0) return body.length > 0 ? ['there is a body, and none is declared'] : []
  const type = types.find((one) => one === sentType) ?? types.find((one) => one === String(sentType).split(';')[0])
  if (type === undefined) return [`media type ${sentType} is not declared`]
  // Of lines of JSON the document declares that each is one.
  if (type === archiveMediaType)
    return body
      .toString()
      .trimEnd()
      .split('\n')
      .flatMap((line, n) => (isJson(line) ? [] : [`line ${n + 1} is no JSON`]))
  if (!/[/+]json$/.test(type)) return []
  const check = checkOf(type)
  return check(JSON.parse(body.toString())) ? [] : [ajvText(check)]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const ajvText = ({ errors }: ValidateFunction): string =>
  `the body breaks its schema: ${JSON.stringify(errors?.slice(0, 3))}`
