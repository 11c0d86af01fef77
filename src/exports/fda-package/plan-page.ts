// The traceability plan as a page: the text of the firm, and the facts that the service adds from
// its declarations. Source: 21 CFR 1.1315; decision 0084.
import {
  type PlanContent,
  type PlanParagraph,
  planParagraphs,
  planSaysNothing,
} from '../../contract/traceability-plan.ts'
import { documentRule, instantText, program } from '../fda-spreadsheet/explained.ts'
import { receiving, shipping } from '../fda-spreadsheet/kind-sheets.ts'
import { page, paragraph, safe, table } from './html.ts'

export interface PlanInForce {
  readonly version: number
  readonly inForceFrom: Date
  readonly content: PlanContent
  /** Years for which records are kept at least. */
  readonly retentionYears: number
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

/** Below the table of key data elements, which refers to it. */
const documents = '21 CFR 1.1345(a)(8)'

const [keeping, foods] = planParagraphs.map(({ cites }) => cites) as [string, string]

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
      'Each receiving and shipping event is stored as JSON, exactly as it was submitted, with the products and locations that it refers to. The service provides records as FDA’s electronic sortable spreadsheet (XLSX), as CSV, as EPCIS 2.0 (JSON-LD) and as an archive of JSON lines.',
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
    cites: foods,
    subject: 'Master data',
    statement:
      'The record of a product says whether it is on the Food Traceability List, and in which category. A product that does not say is treated as if it were on the list.',
  },
]

/** Fields to key data elements, as the columns of FDA's spreadsheet declare them. */
export const keyDataElements = [...receiving.columns, ...shipping.columns].map(({ paragraph, heading, from }) => ({
  cites: `21 CFR ${paragraph}`,
  element: heading,
  fields: from,
}))

/** An HTML page for any browser, which prints on A4 and Letter. */
export function planPage({ provider, madeAt, plan }: PlanRequest): string {
  const { version, inForceFrom, content, retentionYears } = plan
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
    '<h2>Key data elements of receiving and shipping <small>21 CFR 1.1345, 1.1340</small></h2>',
    paragraph('Where each key data element is in the stored records.'),
    table(
      ['21 CFR', 'Key data element', 'Fields'],
      keyDataElements.map(({ cites, element, fields }) => [cites.replace('21 CFR ', ''), element, `${fields}.`]),
    ),
    ...facts(known.filter(({ cites }) => cites === documents)),
  ])
}

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
