// The traceability plan as a page: the text of the firm, and the facts that the service adds from
// its declarations. Source: 21 CFR 1.1315; decision 0084.
import { type EventKind, eventKindList } from '../../contract/record-kinds.ts'
import {
  makesLots,
  nounsOf,
  type PlanContent,
  type PlanParagraph,
  planParagraphs,
  planSaysNothing,
} from '../../contract/traceability-plan.ts'
import { groupsOf } from '../../groups.ts'
import { documentRule, instantText, program } from '../fda-spreadsheet/explained.ts'
import type { KindSheet } from '../fda-spreadsheet/kind-sheets.ts'
import { page, paragraph, safe, table } from './html.ts'

export interface PlanInForce {
  readonly version: number
  readonly inForceFrom: Date
  readonly content: PlanContent
  /** Years for which records are kept at least. */
  readonly retentionYears: number
  /** Sheets of the kinds of which there are events, or of all before there are any. */
  readonly sheets: readonly KindSheet[]
}

interface PlanRequest {
  readonly provider: string
  readonly madeAt: Date
  readonly plan: PlanInForce
}

export interface KnownStatement {
  readonly cites: string
  readonly subject: string
  readonly statement: string
}

/** Below the tables of key data elements, which refer to it. */
const documents = '21 CFR 1.1345(a)(8)'

const [keeping, foods, lotCodes, , farmMap] = planParagraphs.map(({ cites }) => cites) as [
  string,
  string,
  string,
  string,
  string,
]

const namesAreas = ({ elements }: EventKind): boolean =>
  elements?.some((one) => one.is === 'value' && one.fields.includes('growingAreaName')) === true

/** Facts of the service about its records, in words. */
export const knownStatements = (provider: string, retentionYears: number): readonly KnownStatement[] => [
  {
    cites: keeping,
    subject: 'Location',
    statement: `Records are kept electronically in ${program}, in the account ${provider}. The operator of the service keeps its database and its backups.`,
  },
  {
    cites: keeping,
    subject: 'Format',
    statement:
      'Each event is stored as JSON, exactly as it was submitted, with the products and locations that it refers to. The service provides records as FDA’s electronic sortable spreadsheet (XLSX), as CSV, as EPCIS 2.0 (JSON-LD) and as an archive of JSON lines.',
  },
  {
    cites: keeping,
    subject: 'Corrections',
    statement:
      'A correction is a new version of the record. Earlier versions are kept, with the time, who submitted them, and hashes under signed checkpoints.',
  },
  {
    cites: keeping,
    subject: 'Retention',
    statement: `Records and their versions are kept for at least ${retentionYears} years. A legal hold keeps them longer.`,
  },
  { cites: documents, subject: 'Rule for documents', statement: documentRule },
  {
    cites: lotCodes,
    subject: 'Lot code source',
    statement: `The location of ${nounsOf(eventKindList.filter(makesLots))} is the source of the lot codes that they assign, unless a line names another.`,
  },
  {
    cites: farmMap,
    subject: 'Growing areas',
    statement: `The records of ${nounsOf(eventKindList.filter(namesAreas))} name the field or other growing area, or the container. The farm map itself is kept elsewhere.`,
  },
  {
    cites: foods,
    subject: 'Master data',
    statement:
      'The record of a product says whether it is on the Food Traceability List, and in which category. A product that does not say is treated as if it were on the list.',
  },
]

/** Fields to key data elements, as the columns of FDA's spreadsheet declare them. */
export const keyDataElementsOf = (sheets: readonly KindSheet[]) =>
  sheets.flatMap(({ name, columns }) =>
    columns.map(({ paragraph, heading, from }) => ({
      sheet: name,
      cites: `21 CFR ${paragraph}`,
      element: heading,
      fields: from,
    })),
  )

/** An HTML page for any browser, which prints on A4 and Letter. */
export function planPage({ provider, madeAt, plan }: PlanRequest): string {
  const { version, inForceFrom, content, retentionYears, sheets } = plan
  const known = knownStatements(provider, retentionYears)
  return page(`Traceability plan of ${provider}`, [
    paragraph(
      `Version ${version}, in force since ${instantText(inForceFrom)} (UTC). 21 CFR 1.1315. This page was made on ${instantText(madeAt)} (UTC) by ${program}, which adds what it knows itself.`,
    ),
    ...planParagraphs.flatMap((one) => [
      `<h2>${safe(one.title)} <small>${safe(one.cites)}</small></h2>`,
      ...written(one, content),
      ...facts(known.filter(({ cites }) => cites === one.cites)),
    ]),
    '<h2>Key data elements</h2>',
    paragraph('Where each key data element is in the stored records, by the sheets of FDA’s spreadsheet.'),
    ...elementTables(keyDataElementsOf(sheets)),
    ...facts(known.filter(({ cites }) => cites === documents)),
  ])
}

const elementTables = (elements: ReturnType<typeof keyDataElementsOf>): readonly string[] =>
  [...groupsOf(elements, ({ sheet }) => sheet)].flatMap(([sheet, rows]) => [
    `<h3>${safe(sheet)}</h3>`,
    table(
      ['21 CFR', 'Key data element', 'Fields'],
      rows.map(({ cites, element, fields }) => [cites.replace('21 CFR ', ''), element, `${fields}.`]),
    ),
  ])

const written = ({ partsOf }: PlanParagraph, content: PlanContent): readonly string[] => {
  const parts = partsOf(content)
  return parts.length === 0
    ? [paragraph(planSaysNothing)]
    : parts.flatMap(({ heading, text }) => [
        ...(heading === undefined ? [] : [`<h3>${safe(heading)}</h3>`]),
        `<p class="written">${safe(text)}</p>`,
      ])
}

const facts = (known: readonly KnownStatement[]): readonly string[] =>
  known.length === 0
    ? []
    : [
        table(
          ['Subject', 'What the service knows'],
          known.map(({ subject, statement }) => [subject, statement]),
        ),
      ]
