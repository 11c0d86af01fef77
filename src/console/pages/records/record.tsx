// The current version of a record: its values, the meaning of each field, and the findings of the
// rules.

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { AnyRecord } from '../../../client/client.ts'
import type { ReadFindingsRequest } from '../../../client/generated/methods.ts'
import type { VersionFindings } from '../../../client/generated/shapes.ts'
import {
  eventKindList,
  eventKinds,
  isDeliveryKind,
  isEventKind,
  type RecordKind,
} from '../../../contract/record-kinds.ts'
import type { Shape } from '../../../contract/shape/field.ts'
import type { Finding } from '../../../contract/shape/finding.ts'
import { capitalize } from '../../../contract/text/capitalize.ts'
import { isDigits } from '../../../contract/text/identifiers.ts'
import { Instant } from '../../parts/frame/instant.tsx'
import { When } from '../../parts/frame/states.tsx'
import { type EntryColumn, EntryTable } from '../../parts/records/entry-table.tsx'
import { FieldList } from '../../parts/records/field-list.tsx'
import { FieldFindings, FindingGroups } from '../../parts/records/findings.tsx'
import { PlaceNames } from '../../parts/records/place-names.tsx'
import { RecordHead } from '../../parts/records/record-head.tsx'
import { SeverityCounts } from '../../parts/records/severity-counts.tsx'
import { VoidEvent, VoidedMark } from '../../parts/records/voiding.tsx'
import { queryOf } from '../../records/filters.ts'
import { FoundInRecord } from '../../records/finding-groups.ts'
import { anchorOf, isWithin, pointerIn } from '../../records/pointers.ts'
import { type RecordSection, sectionAt } from '../../records/record-sections.ts'
import {
  eventSummary,
  fieldsOf,
  joinGiven,
  listOf,
  placeNames,
  recordName,
  textOf,
  tlcSourceWords,
} from '../../records/record-summary.ts'
import { payloadShape, shapeAt } from '../../records/shapes.ts'
import { go, hrefTo, useAddress } from '../../state/frame/address.ts'
import { type RequestState, useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { labelOf } from '../../words/labels.ts'
import type { PageProps } from '../frame/page.ts'

export function RecordPage({ values: { id = '' }, query }: PageProps) {
  const session = useOpenSession()
  const section = sectionAt(useAddress().path)
  const record = useRequest((signal) => session.api.of(section.kind.name).read({ id, signal }), [section.path, id])
  const found = record.is === 'answered' ? record.value.body : undefined
  const mayReceive = useMay('writer')
  return (
    <>
      <RecordHead
        section={section}
        id={id}
        tab="record"
        name={found && recordName(section.kind.name, found)}
        unknown={record.is === 'failed'}
        actions={
          isEventKind(section.kind.name) &&
          record.is === 'answered' &&
          !record.value.voided && (
            <>
              {section.kind.name === 'shippingEvent' && mayReceive && (
                <a class="button" href={hrefTo(`/dock/${id}`)}>
                  Receive
                </a>
              )}
              {isDeliveryKind(section.kind.name) && hasPallet(record.value.body) && (
                <a class="button" href={hrefTo(`${section.path}/${id}/labels`)}>
                  Pallet labels
                </a>
              )}
              <VoidEvent kind={section.kind.name} id={id} version={record.value.version ?? 1} onVoided={record.again} />
            </>
          )
        }
      />
      <When asked={record} what={`the ${section.kind.noun}`}>
        {({ body, version = 1, voided }) => (
          <RecordView
            key={version}
            section={section}
            record={body}
            version={version}
            voided={voided}
            judged={query.get('judged') === 'then' ? 'then' : 'now'}
          />
        )}
      </When>
    </>
  )
}

/** True of an event with a pallet that has an SSCC. */
const hasPallet = (record: AnyRecord): boolean =>
  listOf(fieldsOf(fieldsOf(record).eventList).productList).some(({ palletId }) => isDigits(textOf(palletId), [18]))

/** True of events whose food has no lot code yet: packing events name it. */
const isFood = ({ name }: RecordKind): boolean =>
  isEventKind(name) &&
  eventKindList.some(({ lists }) =>
    Object.values(lists).some(({ references = [] }) => references.some(({ kind }) => kind === name)),
  )

type ChosenFindings = Omit<ReadFindingsRequest, 'id' | 'judged' | 'ifNoneMatch'>

const noFindings = { findings: [], findingCount: 0, severities: { error: 0, warning: 0, gap: 0 } }

interface ViewProps {
  readonly section: RecordSection
  readonly record: AnyRecord
  readonly version: number
  readonly voided: boolean
  readonly judged: 'then' | 'now'
}

function RecordView({ section, record, version, voided, judged }: ViewProps) {
  const { api } = useOpenSession()
  const isOwn = useMay('reader')
  const [all, setAll] = useState(false)
  const readFindings = async (chosen: ChosenFindings) =>
    (await api.of(section.kind.name).readFindings({ id: record.id, judged, ...chosen })).body
  const asked = useRequest((signal) => readFindings({ counts: true, signal }), [record.id, version, judged])
  const answer = asked.is === 'answered' ? asked.value : undefined
  const found = useMemo(() => new FoundInRecord(answer ?? noFindings), [answer])
  const [rule, setRule] = useState<string>()
  const at = `${section.path}/${record.id}`
  const { hash } = useAddress()
  const [arrived, setArrived] = useState<string>()
  useScrollTo([found, arrived])
  const askWithin = async (at: string, signal: AbortSignal) => {
    const { findings } = await readFindings({ at, signal })
    // The place that the address names may be drawn only now.
    if (isWithin(pointerIn(hash) ?? '', at)) setArrived(at)
    return findings
  }
  const showEntries = (chosen: string) => {
    setRule(chosen)
    document.getElementById(anchorOf('/eventList/productList'))?.scrollIntoView({ block: 'start' })
  }

  return (
    <div class="record">
      <p class="facts">
        <Facts section={section} record={record} />
        <span>
          <a href={hrefTo(`${at}/versions`)}>Version {version}</a>
        </span>
        {isFood(section.kind) && !voided && (
          <span>
            <a href={hrefTo(`/food${queryOf({ recordId: record.id })}`)}>Lots packed of it</a>
          </span>
        )}
        <span class="quiet">
          Id <code>{record.id}</code>
        </span>
      </p>
      {voided && isEventKind(section.kind.name) && (
        <VoidedMark kind={section.kind.name} id={record.id} version={version} />
      )}
      {isOwn && <Holds id={record.id} />}
      <FindingsBox asked={asked} judged={judged} at={at} read={readFindings} onChoose={showEntries} />
      <label class="switch">
        <input type="checkbox" checked={all} onChange={({ currentTarget }) => setAll(currentTarget.checked)} />
        Show fields without a value
      </label>
      <Parts section={section} record={record} found={found} ask={askWithin} all={all} rule={rule} onRule={setRule} />
    </div>
  )
}

interface BoxProps {
  readonly asked: RequestState<VersionFindings>
  readonly judged: 'then' | 'now'
  /** Path of the record. */
  readonly at: string
  readonly read: (chosen: ChosenFindings) => Promise<VersionFindings>
  readonly onChoose: (rule: string) => void
}

const FindingsBox = ({ asked, judged, at, read, onChoose }: BoxProps) => (
  <section aria-label="Findings" class="findings-box">
    <div class="section-head">
      <h2>Findings</h2>
      {asked.is === 'answered' && <SeverityCounts counts={asked.value.severities} />}
      <fieldset class="choice judged">
        <legend class="hidden">Judged</legend>
        <button
          type="button"
          aria-pressed={judged === 'now'}
          title="With today’s rules and master data"
          onClick={() => go(at, { replace: true })}
        >
          Today
        </button>
        <button
          type="button"
          aria-pressed={judged === 'then'}
          title="As found when this version was submitted"
          onClick={() => go(`${at}?judged=then`, { replace: true })}
        >
          When submitted
        </button>
      </fieldset>
    </div>
    <When asked={asked} what="the findings">
      {({ findings, findingCount, rules = [] }) =>
        findingCount === 0 ? (
          <p class="quiet">
            {judged === 'now' ? 'No findings for this record.' : 'No findings when this version was submitted.'}
          </p>
        ) : (
          <FindingGroups
            groups={rules}
            findings={findings}
            ask={async (rule, options) => {
              const { findings: content, nextCursor } = await read({ rule, limit: 50, ...options })
              return { content, nextCursor }
            }}
            onChoose={onChoose}
          />
        )
      }
    </When>
  </section>
)

/**
 * The legal hold that keeps the record from being purged, if any. Empty while it is requested, or
 * if the request fails.
 */
function Holds({ id }: { readonly id: string }) {
  const { api } = useOpenSession()
  const holds = useRequest(async (signal) => (await api.listLegalHolds({ recordId: id, signal })).body.content, [id])
  if (holds.is !== 'answered' || holds.value.length === 0) return null
  return (
    <section aria-label="Legal holds" class="callout">
      {holds.value.map(({ id, reason, setDateTime }) => (
        <p key={id}>
          Under legal hold since <Instant instant={setDateTime} toSecond />: <bdi>“{reason}”</bdi>. It is not purged,
          whatever its age.
        </p>
      ))}
    </section>
  )
}

/**
 * Scrolls to the place in the address once it is drawn: entries open first, and findings move the
 * content below.
 */
function useScrollTo(drawn: readonly unknown[]): void {
  const { hash } = useAddress()
  useEffect(() => {
    if (pointerIn(hash) === undefined) return
    const frame = requestAnimationFrame(() => {
      const place = placeOnPage(hash)
      for (const other of document.querySelectorAll('.spot')) other.classList.remove('spot')
      place?.classList.add('spot')
      place?.scrollIntoView({ block: 'center' })
      place?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [hash, ...drawn])
}

/** The element of a place, or of the nearest place around it. */
function placeOnPage(hash: string): HTMLElement | null {
  for (let id = hash; id.includes('/'); id = id.slice(0, id.lastIndexOf('/'))) {
    const element = document.getElementById(id)
    if (element !== null) return element
  }
  return null
}

function Facts({ section, record }: Pick<ViewProps, 'section' | 'record'>) {
  if (isEventKind(section.kind.name)) {
    const { name } = section.kind
    const { received, vendor } = eventSummary(record)
    return (
      <>
        <span>
          {capitalize(eventKinds[name].happened)} {received}
        </span>
        <span>
          <PlaceNames names={placeNames(record, name)} />
        </span>
        <span>
          <bdi>{vendor}</bdi>
        </span>
      </>
    )
  }
  const subject = fieldsOf(record[section.kind.subject])
  return (
    <>
      <span>
        <bdi>{textOf(subject.itemDescription ?? subject.locationName)}</bdi>
      </span>
      <span>
        <bdi>{textOf(subject.dataProviderVendorName ?? subject.dataProviderVendorId)}</bdi>
      </span>
    </>
  )
}

interface PartsProps {
  readonly section: RecordSection
  readonly record: AnyRecord
  readonly found: FoundInRecord
  readonly ask: (at: string, signal: AbortSignal) => Promise<readonly Finding[]>
  readonly all: boolean
  readonly rule: string | undefined
  readonly onRule: (rule: string | undefined) => void
}

const text = (words: string, name: string): EntryColumn => ({
  words,
  names: [name],
  cell: (entry) => <bdi>{textOf(entry[name])}</bdi>,
})

const code = (words: string, name: string): EntryColumn => ({
  words,
  names: [name],
  cell: (entry) => <bdi class="mono">{textOf(entry[name])}</bdi>,
})

const lineColumns: readonly EntryColumn[] = [
  {
    words: 'Item',
    names: ['vendorItemCode', 'vendorItemDescription'],
    cell: (line) => (
      <>
        <bdi class="mono">{textOf(line.vendorItemCode)}</bdi>{' '}
        <bdi class="quiet">{textOf(line.vendorItemDescription)}</bdi>
      </>
    ),
  },
  {
    words: 'Lot code',
    names: ['caseLotNumber'],
    cell: ({ caseLotNumber }) =>
      textOf(caseLotNumber) && (
        <a class="mono" dir="auto" href={hrefTo(`/trace${queryOf({ lotCode: textOf(caseLotNumber) })}`)}>
          {textOf(caseLotNumber)}
        </a>
      ),
  },
  {
    words: 'Quantity',
    names: ['shipQuantity', 'shipQuantityUom'],
    cell: (line) => <bdi>{joinGiven(' ', line.shipQuantity, line.shipQuantityUom)}</bdi>,
  },
  { words: 'TLC source', names: [], cell: (line) => <bdi>{tlcSourceWords(line)}</bdi> },
]

/** Of lines that name no item: their first fields. */
const firstColumns = (shape: Shape): readonly EntryColumn[] =>
  Object.keys(shape.properties ?? {})
    .slice(0, 3)
    .map((name) => text(labelOf(name), name))

const locationColumns: readonly EntryColumn[] = [
  code('Location code', 'locationCode'),
  text('Name', 'locationName'),
  {
    words: 'Place',
    names: [],
    cell: ({ address }) => <bdi>{joinGiven(', ', fieldsOf(address).city, fieldsOf(address).state)}</bdi>,
  },
  code('GLN', 'gln'),
]

const productColumns: readonly EntryColumn[] = [
  code('Item code', 'itemCode'),
  text('Description', 'itemDescription'),
  text('FTL category', 'ftlCategory'),
  code('GTIN', 'gtin'),
]

/** Every part of the record. */
function Parts({ section: { kind }, record, found, ask, all, rule, onRule }: PartsProps) {
  const shape = payloadShape(kind)
  const subject = fieldsOf(record[kind.subject])
  const subjectAt = `/${kind.subject}`
  const isEvent = isEventKind(kind.name)
  const declared = isEventKind(kind.name) ? eventKinds[kind.name].lists : {}
  const lists = Object.keys(declared)
  const { findings } = found
  const fields = { findings, all }
  const entries = { found, ask, all }
  return (
    <>
      <FieldFindings findings={findings} pointer="" />
      {lists.map((list) => (
        <EntryTable
          key={list}
          title={labelOf(list)}
          noun="line"
          at={`/eventList/${list}`}
          shape={shapeAt(shape, 'eventList', list, '*')}
          entries={listOf(subject[list])}
          columns={
            declared[list]?.hasItems === false ? firstColumns(shapeAt(shape, 'eventList', list, '*')) : lineColumns
          }
          {...(list === 'productList' && { rule, onRule })}
          {...entries}
        />
      ))}
      <section>
        <div class="section-head">
          <h2>{isEvent ? 'Event and documents' : `Fields of the ${kind.noun}`}</h2>
        </div>
        <FieldList shape={shapeAt(shape, kind.subject)} value={subject} at={subjectAt} without={lists} {...fields} />
      </section>
      {isEvent && (
        <>
          <EntryTable
            title="Locations"
            noun="location"
            at="/locationMasterList"
            shape={shapeAt(shape, 'locationMasterList', '*')}
            entries={listOf(record.locationMasterList)}
            columns={locationColumns}
            {...entries}
          />
          <EntryTable
            title="Products"
            noun="product"
            at="/productMasterDataList"
            shape={shapeAt(shape, 'productMasterDataList', '*')}
            entries={listOf(record.productMasterDataList)}
            columns={productColumns}
            {...entries}
          />
        </>
      )}
      <section>
        <div class="section-head">
          <h2>Payload</h2>
        </div>
        <FieldList
          shape={shape}
          value={record}
          at=""
          without={['eventList', 'locationMasterList', 'productMasterDataList']}
          {...fields}
        />
      </section>
    </>
  )
}
