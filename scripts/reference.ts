// The pages of the reference: what the declarations in src say, as Markdown and OpenAPI.

import { readConfig } from '../src/config.ts'
import type { Shape } from '../src/contract/shape/field.ts'
import { capitalize } from '../src/contract/text/capitalize.ts'
import { units } from '../src/contract/text/units.ts'
import { prefix } from '../src/epcis/namespace.ts'
import { namespaceOf } from '../src/exports/epcis/identifiers.ts'
import { mapping } from '../src/exports/epcis/mapping.ts'
import { documentRule } from '../src/exports/fda-spreadsheet/explained.ts'
import { kindSheets } from '../src/exports/fda-spreadsheet/kind-sheets.ts'
import { retryWords } from '../src/http/docs.ts'
import { keysOf, openapi } from '../src/http/openapi.ts'
import { problemPath, serverOutcomes } from '../src/http/problem.ts'
import { tables } from '../src/intake/template.ts'
import { helpRows, introduction } from '../src/intake/template-file.ts'
import { limitsOf, setLimitsOf } from '../src/limits.ts'
// Loads every file that declares a limit.
import '../src/wiring.ts'
import { nameOf } from 'lotkeeper-x12/finding'
import { metrics } from '../src/metrics/declared.ts'
import { bodyOutcomes, commonOutcomes, type Operation, type Outcomes } from '../src/operations/base/operation.ts'
import { catalogue as operations } from '../src/operations/catalogue.ts'
import { catalogue as rules } from '../src/rules/catalogue.ts'
import type { FactName } from '../src/rules/rule.ts'
import { noticeElements } from '../src/ship-notices/notice-elements.ts'
import { commandSections } from './cli-reference.ts'
import { generatedNote } from './generated-files.ts'
import { schemaSections } from './schema-reference.ts'
import { searchSections } from './search-reference.ts'
import { code, namedShapes, titleOf, typeWords, withId } from './shape-words.ts'
import { slug } from './slug.ts'
import { surfaceSections } from './surface.ts'

/** Every page of the reference: file name in docs/reference, and what it says. */
export const referencePages = (): ReadonlyMap<string, string> =>
  new Map([
    ['cli.md', page('Command line', commandSections())],
    ['epcis.md', page('EPCIS export', epcisSections())],
    ['fda-columns.md', page('FDA columns', columnSections())],
    ['fields.md', page('Fields', fieldSections())],
    ['limits.md', page('Limits', limitSections())],
    ['metrics.md', page('Metrics', metricSections())],
    ['openapi.json', `${JSON.stringify(openapi, null, 2)}\n`],
    ['operations.md', page('Operations', operationSections())],
    ['problems.md', page('Problems', problemSections())],
    ['rules.md', page('Rules', ruleSections())],
    ['schema.md', page('Schema', schemaSections(table))],
    ['searches.md', page('Searches', searchSections())],
    ['ship-notices.md', page('Ship notices', noticeSections())],
    ['surface.md', page('Public surface', surfaceSections())],
    ['template.md', page('Template', templateSections())],
  ])

const page = (title: string, sections: readonly string[]): string =>
  `${[`<!-- ${generatedNote} -->`, `# ${title}`, ...sections].join('\n\n')}\n`

// Metrics

function metricSections(): string[] {
  return [
    'What `/metrics` tells when `METRICS_PORT` is set: [operating](../operating.md#metrics), [decision 0046](../decisions/0046-metrics.md). ' +
      'The outcomes of an operation are those of the [public surface](surface.md#operations), and `brokenOff` where the caller went away before there was one. ' +
      'With workers it is one answer for all processes: sums, or the largest value where the last column says so.',
    table(
      ['Metric', 'Type', 'Labels', 'Meaning', 'Of several processes'],
      Object.entries(metrics).map(([name, { type, labels, meaning, together }]) => [
        `\`${name}\``,
        type,
        labels.map((label) => `\`${label}\``).join(', ') || '–',
        `${meaning}.`,
        together === 'sum' ? 'the sum' : 'the largest',
      ]),
    ),
  ]
}

// Template

function templateSections(): string[] {
  return [
    'The columns of the template that `lotkeeper template` writes and `lotkeeper import` reads: one row per product line, and a table each for locations and products. ' +
      'What is read from other sheets, and how rows become events: [decision 0036](../decisions/0036-files-in.md).',
    introduction.map((line) => `- ${line}`).join('\n'),
    ...tables.flatMap(({ name }) => [
      `## ${name}`,
      table(
        ['Column', 'Required', 'Form', 'Meaning', 'Example', 'Contract'],
        helpRows()
          .filter(([sheet]) => sheet === name)
          .map(([, column = '', required = '', form = '', meaning = '', example = '', section = '']) => [
            `\`${column}\``,
            required,
            form.replaceAll('|', '\\|'),
            meaning,
            `\`${example.replaceAll('|', '\\|')}\``,
            section,
          ]),
      ),
    ]),
  ]
}

// Ship notices

function noticeSections(): string[] {
  return [
    'What becomes of each element of a ship notice (X12 856) when it is read: [Read ship notices](../guides/read-ship-notices.md), [decision 0082](../decisions/0082-ship-notices.md). ' +
      'Rows of one element are tried in their order. An element without a field or a use, and one of a segment that is not listed, is named in a finding with its segment and element, once for each kind with how many others there are, and all of a party in one finding. ' +
      'So is a second value of a fact of which one is stored.',
    table(
      ['Element', 'Qualifier', 'Meaning', 'Becomes'],
      noticeElements.map(({ segment, elements, codes = [], meaning, field, use }) => [
        elements === 'pairs'
          ? `${segment}, pairs`
          : elements.map((element) => nameOf({ segmentId: segment, element })).join(' '),
        codes.map(code).join(' ') || '–',
        meaning,
        field !== undefined ? code(field) : (use ?? 'a finding'),
      ]),
    ),
  ]
}

// Limits

const defaults = readConfig({})

function limitSections(): string[] {
  if ('problem' in defaults) throw new Error(defaults.problem)
  return [
    'What a payload, a request, a key and a process may be and do at most, with the values of a service that nothing was set for. `GET /limits` answers with those in force. Why so: [decision 0042](../decisions/0042-limits-and-load.md).',
    table(
      ['Limit', 'At most', 'Bounds', 'Set by'],
      limitsOf(setLimitsOf(defaults)).map(({ name, value, unit, meaning, setBy }) => [
        code(name),
        value === null ? 'no limit' : quantity(value, unit),
        meaning,
        setBy === null ? '–' : code(setBy),
      ]),
    ),
  ]
}

/** A number with its unit, in the largest unit that leaves it whole. */
function quantity(value: number, unit: string): string {
  if (unit === 'ms' && value % 1000 === 0) return `${(value / 1000).toLocaleString('en')} s`
  const size = [
    [2 ** 20, 'MiB'],
    [2 ** 10, 'KiB'],
  ] as const
  const [factor, larger] = size.find(([bytes]) => unit === 'bytes' && value % bytes === 0) ?? [1, unit]
  return `${(value / factor).toLocaleString('en')} ${larger}`
}

// Operations

function operationSections(): string[] {
  const groups = [...new Set(operations.map(({ topic }) => topic))].map((topic) => ({
    title: capitalize(topic),
    members: operations.filter((operation) => operation.topic === topic),
  }))
  return [
    'What can be asked, and every way each call can end. Outcomes stand in order of precedence: the first that applies is the answer. ' +
      `Every answer that is not a success is a problem document; see [problems](problems.md). The same in OpenAPI 3.1: [openapi.json](openapi.json).`,
    ...groups.flatMap(({ title, members }) => [
      `**${title}**`,
      members
        .map(({ name, method, path, summary }) => `- [${name}](#${slug(name)}) \`${method} ${path}\`: ${summary}`)
        .join('\n'),
    ]),
    '## Outcomes of every operation',
    'They come before the outcomes of the operation itself.',
    outcomeTable(commonOutcomes),
    'With a request body also:',
    outcomeTable(bodyOutcomes),
    ...groups.flatMap(({ title, members }) => [`## ${title}`, ...members.flatMap(operationSection)]),
  ]
}

function operationSection(operation: Operation): string[] {
  const headers = parametersOf(operation).filter((parameter) => parameter.in === 'header')
  return [
    `### ${operation.name}`,
    `\`${operation.method} ${operation.path}\``,
    `${operation.summary} ${operation.description}`,
    [
      `- Key: ${keysOf(operation.role)}`,
      `- Source: ${operation.cites}`,
      ...(operation.body ? [`- Body: ${titleOf(operation.body) ?? ''}`] : []),
    ].join('\n'),
    ...(Object.keys(operation.query).length > 0
      ? [
          table(
            ['Query parameter', 'Form', 'Meaning', 'Example'],
            Object.entries(operation.query).map(([name, { form, meaning, example, values }]) => [
              code(name),
              values?.map(code).join(', ') ?? formWords[form],
              meaning,
              code(example),
            ]),
          ),
        ]
      : []),
    ...(headers.length > 0
      ? [
          table(
            ['Header', 'Meaning'],
            headers.map(({ name, description }) => [code(name), description]),
          ),
        ]
      : []),
    outcomeTable(operation.outcomes),
  ]
}

const formWords = {
  text: 'text',
  date: 'date',
  dateTime: 'datetime',
  boolean: '`true` or `false`',
  choice: 'one of a list',
  limit: 'whole number',
  cursor: 'cursor',
} as const

interface Parameter {
  readonly in: string
  readonly name: string
  readonly description: string
}

/** The parameters of an operation as OpenAPI has them, where the meanings of headers stand. */
function parametersOf({ path, method }: Operation): readonly Parameter[] {
  const described = openapi.paths[path]?.[method.toLowerCase()] as
    | { readonly parameters: readonly Parameter[] }
    | undefined
  return described?.parameters ?? []
}

const againWords = { never: 'no use', changed: 'once corrected', later: 'later, unchanged' } as const

const outcomeTable = (outcomes: Outcomes): string =>
  table(
    ['Outcome', 'Status', 'When', 'Sending it again', 'Body'],
    Object.entries(outcomes).map(([name, { status, when, retry, body, media }]) => [
      status >= 400 ? `[${name}](problems.md#${slug(name)})` : name,
      String(status),
      when,
      status >= 400 ? againWords[retry] : '–',
      body
        ? (titleOf(body) ?? '')
        : media
          ? Object.keys(media).map(code).join(', ')
          : status >= 400
            ? '[Problem](fields.md#problem)'
            : '–',
    ]),
  )

// Problems

function problemSections(): string[] {
  const ends = [
    ...Object.entries(serverOutcomes).map(([name, outcome]) => ({
      name,
      outcome,
      where: 'Requests that reach no operation',
    })),
    ...Object.entries(commonOutcomes).map(([name, outcome]) => ({ name, outcome, where: 'Every operation' })),
    ...Object.entries(bodyOutcomes).map(([name, outcome]) => ({
      name,
      outcome,
      where: 'Every operation with a body',
    })),
    ...operations.flatMap((operation) =>
      Object.entries(operation.outcomes).map(([name, outcome]) => ({
        name,
        outcome,
        where: `[${operation.name}](operations.md#${slug(operation.name)})`,
      })),
    ),
  ].filter(({ outcome }) => outcome.status >= 400)
  const byName = [...groupBy(ends, ({ name }) => name)].sort(
    ([a, [first]], [b, [second]]) => (first?.outcome.status ?? 0) - (second?.outcome.status ?? 0) || (a < b ? -1 : 1),
  )
  return [
    `Every answer that is not a success is a [problem document](fields.md#problem) (RFC 9457, \`application/problem+json\`). Its \`type\` is \`${problemPath}/\` and a name of this page; its \`detail\` says what happened this time.`,
    table(
      ['Status', 'Problem', 'Sending the same request again'],
      byName.map(([name, [first]]) => [
        String(first?.outcome.status),
        `[${name}](#${slug(name)})`,
        againWords[first?.outcome.retry ?? 'never'],
      ]),
    ),
    ...byName.flatMap(([name, members]) => [
      `## ${name}`,
      `Status ${members[0]?.outcome.status}.`,
      [...groupBy(members, ({ outcome }) => outcome.when)]
        .map(([when, same]) => `- ${when} (${same.map(({ where }) => where).join(', ')})`)
        .join('\n'),
      `What to do: ${[...new Set(members.map(({ outcome }) => retryWords[outcome.retry]))].join(' ')}`,
    ]),
  ]
}

// Rules

/** What only the service can compare a payload with. */
const factWords: Readonly<Record<FactName, string>> = {
  masterLocations: 'stored locations of the vendor',
  locationsByNumber: 'those with the GLN or DUNS number of a lot code source',
  masterProducts: 'stored master products of the vendor',
  timeZones: 'time zones that are set for locations',
  exemptPlaces: 'places to which the rule does not apply',
  heldBy: 'identifiers of stored records',
  payloadIdUsedBy: 'payload ids that were used before',
}

function ruleSections(): string[] {
  const groups = [...groupBy(rules, ({ id }) => id.split('/')[0] ?? id)]
  return [
    'What must be true of a payload. All findings of a payload are reported at once, each with the id of its rule and a JSON Pointer to the place.',
    '- An **error** refuses the payload: nothing is stored.\n- A **warning** is stored with the version and shown; `Prefer: handling=strict` turns it into an error for that call.\n- A **gap** never refuses: it is a key data element that 21 CFR 1.1345 wants and the record lacks.',
    groups
      .map(
        ([group, members]) =>
          `- [${group}](#${slug(group)})\n${members.map(({ id, severity }) => `  - [${id}](#${slug(id)}) (${severity})`).join('\n')}`,
      )
      .join('\n'),
    ...groups.flatMap(([group, members]) => [
      `## ${group}`,
      ...members.flatMap(({ id, severity, summary, remedy, cites, needs }) => [
        `### ${id}`,
        summary,
        `- Severity: ${severity}\n- Remedy: ${remedy}\n- Source: ${cites}${needs.map((fact) => `\n- Compares with ${factWords[fact]}`).join('')}`,
      ]),
    ]),
  ]
}

// EPCIS

function epcisSections(): string[] {
  const unitWords = groupBy([...units], ([, unit]) => JSON.stringify(unit))
  return [
    `Where each field of a receiving event goes in what \`GET /traceability/epcis\` answers. A field under the namespace is named \`${prefix}:\` and its own name, and holds what was written; \`${prefix}\` is the namespace \`${namespaceOf('https://w3id.org/lotkeeper')}\`, unless the operator sets another \`IDENTIFIER_BASE\`. Why so: [decision 0032](../decisions/0032-epcis-export.md).`,
    `Besides the fields of the record, under the namespace: \`recordId\` and \`version\`, which version of which record an event is; \`identifiedBy\`, of a line its \`epcClass\`, of a location the URI it has in the event; \`notExpressed\`, a list of what a standard field could not hold, each with \`pointer\` (JSON Pointer into the record), \`value\` and \`why\`.`,
    ...Object.entries(mapping).flatMap(([title, fields]) => [
      `## ${title}`,
      table(
        ['Field', 'Standard field', 'Under the namespace'],
        Object.entries(fields).map(([field, { standard = '–', asWritten }]) => [
          code(field),
          standard,
          asWritten ? code(`${prefix}:${field}`) : '–',
        ]),
      ),
    ]),
    '## Units',
    'Of `shipQuantityUom`, whatever the case, with or without a full stop at the end. Any other unit leaves the quantity out, and is listed.',
    table(
      ['Written', 'In EPCIS'],
      [...unitWords.values()].map((words) => [
        words.map(([word]) => code(word)).join(', '),
        words.map(([, unit]) => ('uom' in unit ? `\`uom\` ${code(unit.uom)}` : countWords[unit.counts]))[0] ?? '',
      ]),
    ),
  ]
}

const countWords = {
  cases: 'a count: `quantity` without `uom`',
  items: 'a count, where there is no GTIN; a case-level GTIN counts cases, so with one it is left out and listed',
} as const

// Fields

function fieldSections(): string[] {
  const { payloads, answers } = namedShapes()
  const contents = (shapes: ReadonlyMap<string, Shape>) =>
    [...shapes.keys()].map((title) => `- [${title}](#${slug(title)})`).join('\n')
  return [
    'What payloads and answers hold. A string has at most 100 characters (Unicode code points). A text of blanks only counts as absent. A date or datetime has its form, so a blank one is refused. `null` is a value of no field: leave out a field that has none. A placeholder such as `n/a` is stored and says nothing: where a key data element is wanted, it is a gap. A field that does not stand here is refused.',
    'Payloads, and the objects in them:',
    contents(payloads),
    'A replacement takes the payload of one record, and may carry its `id`; a read returns the same with the `id`. Answers:',
    contents(answers),
    ...[...payloads, ...answers].flatMap(([title, shape]) => [
      `## ${title}`,
      ...usedBy(title),
      ...(shape.description ? [shape.description] : []),
      fieldTable(shape),
    ]),
  ]
}

function usedBy(title: string): string[] {
  const users = operations.filter(({ body }) => {
    const name = (body as Shape | undefined)?.title
    return name !== undefined && (withId.get(name) ?? name) === title
  })
  return users.length > 0
    ? [`Body of ${users.map(({ name }) => `[${name}](operations.md#${slug(name)})`).join(', ')}.`]
    : []
}

function fieldTable({ properties = {}, required = [] }: Shape): string {
  const ofContract = Object.values(properties).some((field) => field['x-section'] !== undefined)
  const header = ['Field', 'Type', 'Required', 'Meaning', ...(ofContract ? ['Example', 'Source'] : [])]
  return table(
    header,
    Object.entries(properties).map(([name, field]) => [
      code(name),
      typeWords(field),
      required.includes(name) ? 'yes' : field['x-required-when'] ? `when ${field['x-required-when']}` : 'no',
      meaningOf(field),
      ...(ofContract ? [exampleOf(field), field['x-section'] ? `§${field['x-section']}` : '–'] : []),
    ]),
  )
}

const meaningOf = (field: Shape): string =>
  [
    field.description,
    field['x-unit'] && `Unit: ${/^[a-z]+[A-Z]\w*$/.test(field['x-unit']) ? code(field['x-unit']) : field['x-unit']}.`,
    field['x-listed-values'] && `Listed values: ${field['x-listed-values'].map(code).join(', ')}.`,
    field.enum && `One of ${field.enum.map(code).join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ') || '–'

/**
 * Longest example that still reads well in a table; a longer one is of an object, whose own table
 * has the parts.
 */
const exampleLengthMax = 120

function exampleOf({ examples: [example] = [] }: Shape): string {
  if (example === undefined) return '–'
  const text = typeof example === 'string' ? example : JSON.stringify(example)
  return text.length > exampleLengthMax ? 'field by field in its own table' : code(text)
}

// Columns of the FDA spreadsheet

function columnSections(): string[] {
  return [
    'The columns of the filled sheets in the FDA spreadsheet, and where their cells come from; see [decision 0029](../decisions/0029-fda-spreadsheet.md). Fields are those of the stored record. "Product" is the entry for the item of the line in the event\'s own product list, completed with the vendor\'s master product; a location likewise. An empty cell is marked as a gap when a rule in the last column finds one.',
    ...kindSheets.flatMap(({ name, columns }) => [
      `## ${name}`,
      table(
        ['Column', 'Heading', '21 CFR', 'Comes from', 'Gap'],
        columns.map(({ letter, heading, paragraph, from, gaps = [] }) => [
          letter,
          heading,
          paragraph,
          `${from}.`,
          gaps.map((gap) => code(gap.split(' ')[0] ?? '')).join(', ') || '–',
        ]),
      ),
    ]),
    '## Reference documents',
    documentRule,
  ]
}

// Markdown

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`)
    .join('\n')

function groupBy<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one])
  return groups
}
