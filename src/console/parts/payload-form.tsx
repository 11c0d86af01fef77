// A payload as fields, made from its declared shape.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Shape } from '../../contract/field.ts'
import type { Finding } from '../../contract/finding.ts'
import { withValueAt } from '../drafts/draft.ts'
import { entryName } from '../records/comparison.ts'
import { anchorOf, stepsOf } from '../records/pointers.ts'
import { type Fields, fieldsOf, textOf } from '../records/record-summary.ts'
import { type DeclaredField, fieldsIn, isPlain } from '../records/shapes.ts'
import { labelOf, pluralize } from '../words/labels.ts'
import { Coordinates, Fence } from './coordinates.tsx'
import { FieldFindings, findingsWithin } from './findings.tsx'
import { SeverityCounts } from './severity-counts.tsx'

interface Props {
  readonly shape: Shape
  readonly value: unknown
  readonly onValue: (value: unknown) => void
  readonly findings: readonly Finding[]
  /** A place to go to, open. */
  readonly shown: string | undefined
}

export function PayloadForm({ shape, value, onValue, findings, shown }: Props) {
  const set = (pointer: string, part: unknown) => onValue(withValueAt(value, stepsOf(pointer), part))
  return (
    <div class="form">
      <FieldFindings findings={findings} pointer="" />
      <Group shape={shape} value={fieldsOf(value)} at="" {...{ set, findings, shown }} />
    </div>
  )
}

interface Shared {
  readonly set: (pointer: string, part: unknown) => void
  readonly findings: readonly Finding[]
  readonly shown: string | undefined
}

/** The fields of an object: those of one value first, then what has parts of its own. */
function Group({
  shape,
  value,
  at,
  ...shared
}: Shared & { readonly shape: Shape; readonly value: Fields; readonly at: string }) {
  const fields = fieldsIn(shape, at)
  const plain = fields.filter((field) => isPlain(field.shape))
  const wanted = plain.filter(
    ({ name, required, pointer }) =>
      required || Object.hasOwn(value, name) || findingsWithin(shared.findings, pointer).length > 0,
  )
  const [all, setAll] = useState(false)
  const hiddenCount = plain.length - wanted.length
  return (
    <>
      <div class="form-fields">
        {(all ? plain : wanted).map((field) => (
          <PlainField key={field.name} field={field} value={value[field.name]} {...shared} />
        ))}
      </div>
      {hiddenCount > 0 && (
        <p>
          <button type="button" onClick={() => setAll(!all)} aria-expanded={all}>
            {all ? 'Only fields with a value' : pluralize(hiddenCount, 'more field')}
          </button>
        </p>
      )}
      {fields
        .filter((field) => !isPlain(field.shape))
        .map((field) => (
          <Nested key={field.name} field={field} value={value[field.name]} {...shared} />
        ))}
    </>
  )
}

function Nested({
  field: { name, pointer, shape, required },
  value,
  ...shared
}: Shared & { readonly field: DeclaredField; readonly value: unknown }) {
  const { set, findings, shown } = shared
  if (shape.type === 'array' && shape.items?.type === 'object') {
    const entries = Array.isArray(value) ? value : []
    return (
      <Fold
        title={labelOf(name)}
        note={pluralize(entries.length, 'entry', 'entries')}
        at={pointer}
        findings={findings}
        shown={shown}
        open={name === 'productList'}
      >
        <FieldFindings findings={findings} pointer={pointer} />
        {entries.map((entry, i) => {
          const at = `${pointer}/${i}`
          return (
            <Fold
              key={at}
              title={entryName(name, i)}
              note={entryWords(entry)}
              at={at}
              findings={findings}
              shown={shown}
            >
              <FieldFindings findings={findings} pointer={at} />
              <Group shape={shape.items as Shape} value={fieldsOf(entry)} at={at} {...shared} />
              <p>
                <button type="button" onClick={() => set(at, undefined)}>
                  Remove entry
                </button>
              </p>
            </Fold>
          )
        })}
        <p>
          <button type="button" onClick={() => set(`${pointer}/${entries.length}`, {})}>
            Add entry
          </button>
        </p>
      </Fold>
    )
  }
  if (shape.type === 'object') {
    // An optional part that is left without anything is left out: an empty one would be a position
    // nowhere.
    const setInside: Shared['set'] = (at, part) => {
      const changed = fieldsOf(withValueAt(value, stepsOf(at.slice(pointer.length)), part))
      set(pointer, required || Object.keys(changed).length > 0 ? changed : undefined)
    }
    return (
      <Fold
        title={labelOf(name)}
        note={shape.description ?? ''}
        at={pointer}
        findings={findings}
        shown={shown}
        open={required}
      >
        <FieldFindings findings={findings} pointer={pointer} />
        <Group shape={shape} value={fieldsOf(value)} at={pointer} {...shared} set={setInside} />
      </Fold>
    )
  }
  const field = { name, pointer, shape, required }
  if (name === 'gpsCoordinates') return <Coordinates {...{ field, value, set, findings }} />
  if (name === 'geoFence') return <Fence {...{ field, value, set, findings }} />
  if (value === undefined) return null
  return (
    <p class="quiet">
      {labelOf(name)} can only be edited as JSON: <code>{JSON.stringify(value)}</code>
    </p>
  )
}

const entryWords = (entry: unknown): string => {
  const { vendorItemCode, caseLotNumber, locationCode, locationName, itemCode, itemDescription } = fieldsOf(entry)
  return [vendorItemCode, caseLotNumber, locationCode, locationName, itemCode, itemDescription]
    .map(textOf)
    .filter(Boolean)
    .join(' · ')
}

interface FoldProps {
  readonly title: string
  readonly note: string
  readonly at: string
  readonly findings: readonly Finding[]
  readonly shown: string | undefined
  readonly open?: boolean
  readonly children: ComponentChildren
}

/** Its inside is drawn only when it is open: a payload can have thousands of entries. */
function Fold({ title, note, at, findings, shown, open: initially = false, children }: FoldProps) {
  const [open, setOpen] = useState(initially)
  const within = findingsWithin(findings, at)
  const isOpen = open || (shown?.startsWith(`${at}/`) ?? false)
  return (
    <section class="fold" id={anchorOf(at)} tabIndex={-1}>
      <h3>
        <button type="button" class="plain opener" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {title}
        </button>{' '}
        <bdi class="quiet small">{note}</bdi> {within.length > 0 && <SeverityCounts findings={within} />}
      </h3>
      {isOpen && <div class="fold-inside">{children}</div>}
    </section>
  )
}

function PlainField({
  field: { name, pointer, shape, required },
  value,
  set,
  findings,
}: Omit<Shared, 'shown'> & { readonly field: DeclaredField; readonly value: unknown }) {
  const id = `field:${pointer}`
  const described = `${id}:meaning`
  const common = {
    id,
    'aria-describedby': described,
    'aria-invalid': findings.some((finding) => finding.pointer === pointer && finding.severity === 'error'),
  }
  const listed = shape['x-listed-values']
  return (
    <div class="form-field" id={anchorOf(pointer)} tabIndex={-1}>
      <label for={id}>
        {labelOf(name)} {required && <span class="quiet small">required</span>}
      </label>
      {shape.type === 'boolean' ? (
        <select
          {...common}
          value={value === undefined ? '' : String(value)}
          onChange={({ currentTarget }) => set(pointer, { true: true, false: false }[currentTarget.value])}
        >
          <option value="">not given</option>
          <option value="true">yes</option>
          <option value="false">no</option>
        </select>
      ) : (
        <input
          {...common}
          type="text"
          value={textOf(value)}
          placeholder={textOf(shape.examples?.[0])}
          inputMode={shape.type === 'number' ? 'decimal' : 'text'}
          autocomplete="off"
          dir="auto"
          list={listed && `${id}:listed`}
          onInput={({ currentTarget }) => set(pointer, parseInput(shape, currentTarget.value))}
        />
      )}
      {listed && (
        <datalist id={`${id}:listed`}>
          {listed.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <p id={described} class="quiet small">
        {shape.description}
      </p>
      <FieldFindings findings={findings} pointer={pointer} />
    </div>
  )
}

/**
 * What was typed, as its value: an empty field is left out; what is no number stays text, for the
 * rules to say so.
 */
function parseInput({ type }: Shape, text: string): unknown {
  if (text === '') return undefined
  return type === 'number' && text.trim() !== '' && String(Number(text)) === text ? Number(text) : text
}
