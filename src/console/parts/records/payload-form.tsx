// A payload as fields: their meaning is that of the declared shape, their order that of the work.
import { useState } from 'preact/hooks'
import { eventKinds, isEventKind, type RecordKind } from '../../../contract/record-kinds.ts'
import type { Shape } from '../../../contract/shape/field.ts'
import type { Finding } from '../../../contract/shape/finding.ts'
import { type Payload, withValueAt } from '../../drafts/draft.ts'
import { entryName, entryNoun } from '../../records/comparison.ts'
import { placeFields, withVendor } from '../../records/event-places.ts'
import { type FormGroup, formLayouts, otherFields } from '../../records/form-layout.ts'
import { anchorOf, stepsOf, valueAt } from '../../records/pointers.ts'
import { type Fields, fieldsOf, joinGiven, textOf } from '../../records/record-summary.ts'
import { type DeclaredField, fieldsIn, isPlain, payloadShape, shapeAt } from '../../records/shapes.ts'
import { type KnownRecords, useKnownRecords } from '../../state/records/known-records.ts'
import { labelOf } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { Picker } from '../fields/picker.tsx'
import { DateTimeField } from './date-time-field.tsx'
import { FieldFindings, findingsWithin } from './findings.tsx'
import {
  FieldFrame,
  type FieldProps,
  Fold,
  type FormContext,
  isRefused,
  Nested,
  ObjectFields,
  ObjectPart,
  PlainField,
} from './form-fields.tsx'
import { LineTable } from './line-table.tsx'
import { PlaceField } from './place-field.tsx'
import { SeverityCounts } from './severity-counts.tsx'

interface Props {
  readonly kind: RecordKind
  readonly value: Payload
  readonly onValue: (value: Payload) => void
  readonly findings: readonly Finding[]
  /** A place to go to, open. */
  readonly shown: string | undefined
}

export function PayloadForm({ kind, value, onValue, findings, shown }: Props) {
  const known = useKnownRecords()
  const set = (pointer: string, part: unknown) => onValue(withValueAt(value, stepsOf(pointer), part) as Payload)
  const add = (pointer: string, entry: unknown) => {
    const list = valueAt(value, pointer)
    set(pointer, [...(Array.isArray(list) ? list : []), entry])
  }
  const form = { kind, payload: value, onPayload: onValue, known, context: { set, add, findings, shown } }
  return (
    <div class="form">
      <FieldFindings findings={findings} pointer="" />
      {groupsOf(kind).map((group) => (
        <Group key={group.title} group={group} {...form} />
      ))}
    </div>
  )
}

interface FieldGroup extends Omit<FormGroup, 'fields'> {
  readonly fields: readonly DeclaredField[]
}

/** The groups of the layout, and one of every field that no layout names. */
function groupsOf(kind: RecordKind): readonly FieldGroup[] {
  const shape = payloadShape(kind)
  const declared = new Map<string, DeclaredField>([
    ...fieldsIn(shape, '')
      .filter(({ name }) => name !== kind.subject)
      .map((field) => [`/${field.name}`, field] as const),
    ...fieldsIn(shapeAt(shape, kind.subject), `/${kind.subject}`).map((field) => [field.name, field] as const),
  ])
  const groups = formLayouts[kind.name].map(({ fields, ...group }) => ({
    ...group,
    fields: fields.flatMap((name) => {
      const field = declared.get(name)
      declared.delete(name)
      return field === undefined ? [] : [field]
    }),
  }))
  return [...groups, { title: otherFields, isFolded: true, fields: [...declared.values()] }]
}

interface FormProps {
  readonly kind: RecordKind
  readonly payload: Payload
  readonly onPayload: (payload: Payload) => void
  readonly known: KnownRecords
  readonly context: FormContext
}

function Group({ group: { title, fields, isFolded }, ...form }: FormProps & { readonly group: FieldGroup }) {
  const { payload, context } = form
  const [isChosen, setChosen] = useState<boolean>()
  const within = fields.flatMap(({ pointer }) => findingsWithin(context.findings, pointer))
  const given = fields.filter(({ pointer, shape }) => isPlain(shape) && valueAt(payload, pointer) !== undefined)
  const isShown = fields.some(
    ({ pointer }) => context.shown !== undefined && `${context.shown}/`.startsWith(`${pointer}/`),
  )
  const isOpen = isFolded !== true || (isChosen ?? (given.length > 0 || isShown))
  const entryCount = fields.reduce((count, field) => count + listedEntries(payload, field).length, 0)
  return (
    <section class="form-group" aria-label={title}>
      <h2>
        {isFolded ? (
          <button type="button" class="plain opener" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
            {title}
          </button>
        ) : (
          title
        )}{' '}
        {isFolded && entryCount > 0 && <span class="quiet small">{entryCount.toLocaleString('en')}</span>}{' '}
        {!isOpen && within.length > 0 && <SeverityCounts findings={within} />}
      </h2>
      {isOpen && (
        <div class={fields.every(({ shape }) => isPlain(shape)) ? 'form-fields' : 'form-parts'}>
          {fields.map((field) => (
            <FormField key={field.pointer} field={field} {...form} />
          ))}
        </div>
      )}
    </section>
  )
}

/** Entries of a list with their places, without the two locations that have fields of their own. */
function listedEntries(payload: Payload, { name, pointer, shape }: DeclaredField) {
  const value = valueAt(payload, pointer)
  if (shape.items?.type !== 'object' || !Array.isArray(value)) return []
  const event = fieldsOf(payload.eventList)
  const named = name === 'locationMasterList' ? placeFields.map((field) => event[field]) : []
  return value
    .map((entry: unknown, index) => ({ entry: fieldsOf(entry), index }))
    .filter(({ entry }) => entry.locationCode === undefined || !named.includes(entry.locationCode))
}

function FormField({ field, ...form }: FormProps & { readonly field: DeclaredField }) {
  const { kind, payload, onPayload, known, context } = form
  const { name, pointer, shape } = field
  const value = valueAt(payload, pointer)
  const isEvent = isEventKind(kind.name)
  const vendor = textOf(fieldsOf(payload[kind.subject]).dataProviderVendorId)
  if (name === 'dataProviderVendorId') return <VendorField field={field} value={value} {...form} />
  if (isEvent && placeFields.includes(name))
    return (
      <PlaceField
        {...{ field, payload, onPayload, known, context }}
        shape={shapeAt(payloadShape(kind), 'locationMasterList', '*')}
      />
    )
  if (name === 'productList')
    return (
      <LineTable
        {...{ field, value, vendor, context }}
        listed={payload.productMasterDataList}
        products={known.products}
        seek={known.seek}
      />
    )
  if (shape['x-form'] === 'dateTime') {
    const { place, happened } = isEventKind(kind.name) ? eventKinds[kind.name] : { place: '', happened: '' }
    const dateLabel = `Date ${happened}`
    const placeZone = known.timeZone(vendor, textOf(fieldsOf(payload[kind.subject])[place]))
    return <TimeField {...{ field, value, context, placeZone, dateLabel }} />
  }
  if (shape.items?.type === 'object')
    return <Entries field={field} entries={listedEntries(payload, field)} context={context} />
  if (name === 'address') return <ObjectPart field={field} value={value} context={context} isPlain />
  return isPlain(shape) ? (
    <PlainField field={field} value={value} {...context} />
  ) : (
    <Nested field={field} value={value} context={context} />
  )
}

function VendorField({
  field,
  value,
  kind,
  payload,
  onPayload,
  known,
  context,
}: FormProps & { readonly field: DeclaredField; readonly value: unknown }) {
  const { pointer } = field
  const { set, findings } = context
  const choose = (text: string) => {
    known.seek(text)
    const vendor = text === '' ? undefined : text
    if (!isEventKind(kind.name)) return set(pointer, vendor)
    const { name } = known.vendors.find(({ id }) => id === vendor) ?? {}
    const before = known.vendors.find(({ id }) => id === value)?.name
    const next = withVendor(payload, vendor, known.locations)
    const event = fieldsOf(next.eventList)
    const written = textOf(event.dataProviderVendorName)
    // A name that came with another vendor is removed with it.
    if (name === undefined || (written !== '' && written !== before)) return onPayload(next)
    onPayload({ ...next, eventList: { ...event, dataProviderVendorName: name } })
  }
  return (
    <FieldFrame field={field} findings={findings}>
      {(common) => (
        <Picker
          {...common}
          value={textOf(value)}
          choices={known.vendors.map(({ id, name }) => ({ value: id, words: name }))}
          placeholder={textOf(field.shape.examples?.[0])}
          onValue={choose}
        />
      )}
    </FieldFrame>
  )
}

interface TimeFieldProps extends FieldProps {
  readonly placeZone: string | undefined
  readonly dateLabel: string
}

function TimeField({ field, value, context, placeZone, dateLabel }: TimeFieldProps) {
  const { name, pointer, required, shape } = field
  const { set, findings } = context
  const id = `field:${pointer}`
  return (
    <div class="form-field wide-field" id={anchorOf(pointer)} tabIndex={-1}>
      <DateTimeField
        id={id}
        label={labelOf(name)}
        required={required}
        value={textOf(value)}
        describedBy={`${id}:meaning`}
        invalid={isRefused(findings, pointer)}
        placeZone={placeZone}
        dateLabel={name === 'eventDateTime' ? dateLabel : undefined}
        onValue={(text) => set(pointer, text)}
      />
      <p id={`${id}:meaning`} class="hidden">
        {screenText(shape.description ?? '')}
      </p>
      <FieldFindings findings={findings} pointer={pointer} />
    </div>
  )
}

/** More are drawn when they are asked for. */
const entriesShown = 50

interface EntriesProps extends Omit<FieldProps, 'value'> {
  readonly entries: ReturnType<typeof listedEntries>
}

/** A list of objects, each of which opens to its fields. */
function Entries({ field: { name, pointer, shape }, entries, context }: EntriesProps) {
  const { set, add, findings, shown } = context
  const [max, setMax] = useState(entriesShown)
  return (
    <div class="form-parts" id={anchorOf(pointer)} tabIndex={-1}>
      <FieldFindings findings={findings} pointer={pointer} />
      {entries.slice(0, max).map(({ entry, index }) => {
        const at = `${pointer}/${index}`
        return (
          <Fold
            key={at}
            title={entryName(name, index)}
            note={entryWords(entry)}
            at={at}
            findings={findings}
            shown={shown}
          >
            <FieldFindings findings={findings} pointer={at} />
            <ObjectFields shape={shape.items as Shape} value={entry} at={at} {...context} />
            <p>
              <button type="button" onClick={() => set(at, undefined)}>
                Remove<span class="hidden"> {entryName(name, index)}</span>
              </button>
            </p>
          </Fold>
        )
      })}
      <p class="actions">
        {entries.length > max && (
          <button type="button" onClick={() => setMax(entries.length)}>
            Show all {entries.length.toLocaleString('en')}
          </button>
        )}
        <button type="button" onClick={() => add(pointer, {})}>
          Add {entryNoun(name)}
        </button>
      </p>
    </div>
  )
}

const entryWords = ({ locationCode, locationName, itemCode, itemDescription }: Fields): string =>
  joinGiven(' · ', locationCode, locationName, itemCode, itemDescription)
