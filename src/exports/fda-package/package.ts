// Everything that FDA gets on one request: the spreadsheet, its sheet as CSV, an explanation, the
// traceability plan, and a manifest. Source: 21 CFR 1.1455(c)(3); decision 0030.

import { nodePacking } from 'lotkeeper-sheets/node-packing'
import { type ZipEntry, zip } from 'lotkeeper-sheets/write-zip'
import type { EventKindName } from '../../contract/record-kinds.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import { chainCsv } from '../chain-csv.ts'
import type { EventBatches } from '../exported-event.ts'
import { chainNotes, type ExportedChain } from '../fda-spreadsheet/chain-explained.ts'
import { type ExportRequest, instantText, program } from '../fda-spreadsheet/explained.ts'
import { type KindSheet, kindSheets, receiving } from '../fda-spreadsheet/kind-sheets.ts'
import { correctionsCsv, csvName, exportName, fdaCsv, fdaWorkbook } from '../fda-spreadsheet/spreadsheet.ts'
import { Tally } from '../fda-spreadsheet/tally.ts'
import { explanation } from './explanation.ts'
import { type PlanInForce, planPage } from './plan-page.ts'
import { type VoidedBatches, VoidedTally, voidedCsv } from './voided.ts'

/** A running SHA-256. */
export interface Hash {
  update(part: string | Uint8Array): void
  /** The hash in hexadecimal digits; read once, at the end. */
  digest(): string
}

interface ManifestFile {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

/** The request of a package: that of the spreadsheet, and voided records. */
export interface PackageRequest extends ExportRequest {
  /** Voided records of each kind that match; absent when there are none. */
  readonly voided?: Partial<Record<EventKindName, () => VoidedBatches>>
  /** The traceability plan in force; absent when there is none. */
  readonly plan?: PlanInForce | undefined
}

const planName = 'traceability-plan.html'
const manifestName = 'manifest.json'

/**
 * The package as a ZIP archive. Events are read twice, for the workbook and for the CSV, so that
 * none is kept in memory: each call of `read` starts again with the same events. The same events,
 * request and time give the same bytes.
 */
export function fdaPackage(
  request: PackageRequest,
  lines: number,
  read: () => EventBatches,
  newHash: () => Hash,
): AsyncGenerator<Uint8Array> {
  return zip(packageEntries(request, lines, read, newHash), request.madeAt, nodePacking)
}

async function* packageEntries(
  request: PackageRequest,
  lines: number,
  read: () => EventBatches,
  newHash: () => Hash,
): AsyncGenerator<ZipEntry> {
  const { filters, madeAt, provider } = request
  const tally = new Tally(request.gaps)
  const voided = new VoidedTally()
  const files: ManifestFile[] = []
  const hashed = (entry: ZipEntry): ZipEntry => ({
    ...entry,
    parts: hashing(entry, newHash(), (file) => files.push(file)),
  })
  const voidedFiles = (request.sheets ?? kindSheets).flatMap((sheet) => {
    const read = request.voided?.[sheet.kind.name]
    const prefix = sheet === receiving ? 'fda-voided' : `fda-voided-${sheet.slug}`
    return read === undefined ? [] : [{ sheet, name: exportName(filters, prefix, 'csv'), read }]
  })
  const otherFiles = (request.others ?? []).map(({ sheet, read }) => ({ sheet, name: csvName(filters, sheet), read }))
  const workbook = exportName(filters, 'fda-spreadsheet', 'xlsx')
  yield hashed({
    name: workbook,
    parts: fdaWorkbook(request, read(), tally, { lines, judging: true }),
    stored: true,
  })
  // What follows depends on what the workbook counted.
  const others = otherFiles.filter(({ sheet }) => tally.of(sheet).lines > 0)
  const names = {
    workbook,
    csv: csvName(filters, receiving),
    others,
    chain: request.chain && exportName(filters, 'fda-lots', 'csv'),
    corrections: request.corrections && exportName(filters, 'fda-corrections', 'csv'),
    voided: voidedFiles.map(({ name }) => name),
    plan: request.plan && planName,
    manifest: manifestName,
  }
  yield hashed({ name: names.csv, parts: fdaCsv(filters, read()) })
  for (const { name, sheet, read } of others) yield hashed({ name, parts: fdaCsv(filters, read(), sheet) })
  if (request.chain !== undefined && names.chain !== undefined)
    yield hashed({ name: names.chain, parts: chainCsv(request.chain.chains) })
  if (request.corrections !== undefined && names.corrections !== undefined)
    yield hashed({ name: names.corrections, parts: correctionsCsv(request.corrections()) })
  for (const { sheet, name, read } of voidedFiles)
    yield hashed({ name, parts: voidedCsv(filters, read(), voided, sheet) })
  yield hashed({ name: 'explanation.html', parts: [explanation(request, tally, voided, names)] })
  if (request.plan !== undefined)
    yield hashed({ name: planName, parts: [planPage({ provider, madeAt, plan: request.plan })] })
  const manifest = {
    madeAt: instantText(madeAt),
    program,
    provider,
    ...(request.contact !== undefined && { contact: request.contact }),
    ...(request.plan !== undefined && {
      traceabilityPlan: { version: request.plan.version, inForceFrom: instantText(request.plan.inForceFrom) },
    }),
    filters,
    ...(request.alike !== undefined && { readAlike: request.alike }),
    ...(request.earlierLots !== undefined && request.earlierLots.length > 0 && { earlierLots: request.earlierLots }),
    ...(request.chain !== undefined && { chain: chainCounts(request.chain) }),
    ...(request.chain?.isCut && { complete: false }),
    ...(request.missing !== undefined && request.missing.length > 0 && { complete: false, missing: request.missing }),
    gapsMarked: request.gaps,
    counts: {
      events: tally.events,
      lines: tally.lines,
      lots: tally.lots,
      places: tally.places,
      ...Object.assign({}, ...others.map(({ sheet }) => countsOf(sheet, tally))),
      gaps: tally.missingCount,
      correctedRecords: tally.correctedRecords,
      corrections: tally.correctionCount,
      voidedRecords: voided.records,
      emptyCells: Object.fromEntries(tally.byColumn),
    },
    files,
  }
  yield { name: manifestName, parts: [`${JSON.stringify(manifest, null, 2)}\n`] }
}

/** Lots and grounds of a chain, for programs. */
const chainCounts = (chain: ExportedChain) => ({
  ...Object.fromEntries(
    chain.chains.map(({ direction, lots, food, events }) => [
      direction,
      { lots: lots.length, food: food.length, events: events.length },
    ]),
  ),
  linesByGround: chain.lines,
  leftOutLinesByGround: chain.leftOut,
  isWhole: !chain.isCut,
  notes: chainNotes(chain),
})

/** `shippingEvents`, `firstLandBasedReceivingLines`: the counts of a sheet beside Receiving. */
function countsOf(sheet: KindSheet, all: Tally) {
  const { events, lines, missingCount, byColumn } = all.of(sheet)
  const [first = '', ...words] = sheet.slug.split('-')
  const front = first + words.map(capitalize).join('')
  return {
    [`${front}Events`]: events,
    [`${front}Lines`]: lines,
    [`${front}Gaps`]: missingCount,
    [`${front}EmptyCells`]: Object.fromEntries(byColumn),
  }
}

const encoder = new TextEncoder()

/** The parts of an entry, unchanged. `onDone` gets the size and hash after the last part. */
async function* hashing({ name, parts }: ZipEntry, hash: Hash, onDone: (file: ManifestFile) => void) {
  let bytes = 0
  for await (const part of parts) {
    const encoded = typeof part === 'string' ? encoder.encode(part) : part
    hash.update(encoded)
    bytes += encoded.length
    yield encoded
  }
  onDone({ name, bytes, sha256: hash.digest() })
}
