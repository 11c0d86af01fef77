// The fields of an object as they are filled in: each with its label, its meaning and its findings.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Shape } from '../../../contract/shape/field.ts'
import type { Finding } from '../../../contract/shape/finding.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { withValueAt } from '../../drafts/draft.ts'
import { parseInput } from '../../records/line-columns.ts'
import { anchorOf, stepsOf } from '../../records/pointers.ts'
import { type Fields, fieldsOf, joinGiven, textOf } from '../../records/record-summary.ts'
import { type DeclaredField, fieldsIn, isPlain } from '../../records/shapes.ts'
import { labelOf } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { DateInput } from '../fields/date-input.tsx'
import { Picker } from '../fields/picker.tsx'
import { type Choices, Select } from '../fields/select.tsx'
import { Coordinates, Fence } from './coordinates.tsx'
import { FieldFindings, findingsWithin } from './findings.tsx'
import { SeverityCounts } from './severity-counts.tsx'

/** The context of every part of the form. */
export interface FormContext {
  readonly set: (pointer: string, part: unknown) => void
  /** Puts an entry at the end of a list. */
  readonly add: (pointer: string, entry: unknown) => void
  readonly findings: readonly Finding[]
  readonly shown: string | undefined
}

export interface FieldProps {
  readonly field: DeclaredField
  readonly value: unknown
  readonly context: FormContext
}

export const isRefused = (findings: readonly Finding[], pointer: string): boolean =>
  findings.some((finding) => finding.pointer === pointer && finding.severity === 'error')

interface ObjectProps extends FormContext {
  readonly shape: Shape
  readonly value: Fields
  readonly at: string
  /** Shown immediately, beside required, filled and wrong fields. */
  readonly first?: readonly string[]
  readonly without?: readonly string[]
  /** Shows every field at once. */
  readonly all?: boolean
  /** Prefix of the ids, where the page has a field twice. */
  readonly prefix?: string
}

/** The fields of an object: those of one value first, then objects and lists. */
export function ObjectFields({
  shape,
  value,
  at,
  first = [],
  without = [],
  all = false,
  prefix = '',
  ...context
}: ObjectProps) {
  const { findings, shown } = context
  const fields = fieldsIn(shape, at).filter(({ name }) => !without.includes(name))
  const plain = fields.filter((field) => isPlain(field.shape))
  const wanted = plain.filter(
    ({ name, required, pointer }) =>
      required ||
      first.includes(name) ||
      Object.hasOwn(value, name) ||
      pointer === shown ||
      findings.some((finding) => finding.pointer === pointer),
  )
  const [isWhole, setWhole] = useState(all)
  const hiddenCount = plain.length - wanted.length
  return (
    <>
      <div class="form-fields">
        {(isWhole ? plain : wanted).map((field) => (
          <PlainField key={field.name} field={field} value={value[field.name]} prefix={prefix} {...context} />
        ))}
      </div>
      {hiddenCount > 0 && !all && (
        <p>
          <button type="button" class="plain in-line" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
            {isWhole ? 'Only fields with a value' : pluralize(hiddenCount, 'more field')}
          </button>
        </p>
      )}
      {fields
        .filter((field) => !isPlain(field.shape))
        .map((field) => (
          <Nested key={field.name} field={field} value={value[field.name]} context={context} />
        ))}
    </>
  )
}

/** An object with parts, such as an address; left out when nothing is left in it. */
export function ObjectPart({
  field: { name, pointer, shape, required },
  value,
  context,
  isPlain: isBare = false,
}: FieldProps & { readonly isPlain?: boolean }) {
  const { set, findings, shown } = context
  // An empty one would be a position nowhere.
  const setInside: FormContext['set'] = (at, part) => {
    const changed = fieldsOf(withValueAt(value, stepsOf(at.slice(pointer.length)), part))
    set(pointer, required || Object.keys(changed).length > 0 ? changed : undefined)
  }
  const inside = (
    <>
      <FieldFindings findings={findings} pointer={pointer} />
      <ObjectFields shape={shape} value={fieldsOf(value)} at={pointer} all {...context} set={setInside} />
    </>
  )
  if (isBare)
    return (
      <div class="form-parts" id={anchorOf(pointer)} tabIndex={-1}>
        {inside}
      </div>
    )
  return (
    <Fold
      title={labelOf(name)}
      note={joinGiven(', ', ...Object.values(fieldsOf(value)).filter((part) => typeof part === 'string'))}
      at={pointer}
      findings={findings}
      shown={shown}
      open={required}
    >
      {inside}
    </Fold>
  )
}

export function Nested({ field, value, context }: FieldProps) {
  const { name, shape } = field
  const { set, findings } = context
  if (shape.type === 'object') return <ObjectPart field={field} value={value} context={context} />
  if (name === 'gpsCoordinates') return <Coordinates {...{ field, value, set, findings }} />
  if (name === 'geoFence') return <Fence {...{ field, value, set, findings }} />
  if (value === undefined) return null
  return (
    <p class="quiet">
      {labelOf(name)} can only be edited as JSON: <code>{JSON.stringify(value)}</code>
    </p>
  )
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
export function Fold({ title, note, at, findings, shown, open: initially = false, children }: FoldProps) {
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

const yesOrNo: Choices<'' | 'true' | 'false'> = [
  ['', 'not given'],
  ['true', 'yes'],
  ['false', 'no'],
]

interface FrameProps {
  readonly field: DeclaredField
  readonly findings: readonly Finding[]
  readonly prefix?: string
  readonly children: (common: {
    readonly id: string
    readonly 'aria-describedby': string
    readonly 'aria-invalid': boolean
  }) => ComponentChildren
}

/** A field with its label, its meaning and its findings. */
export function FieldFrame({ field: { name, pointer, shape, required }, findings, prefix = '', children }: FrameProps) {
  const id = `${prefix}field:${pointer}`
  const described = `${id}:meaning`
  return (
    <div class="form-field" id={prefix + anchorOf(pointer)} tabIndex={-1}>
      <label for={id} title={name}>
        {labelOf(name)} {required && <span class="quiet small">required</span>}
      </label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': isRefused(findings, pointer) })}
      <p id={described} class={saysMore(name, shape) ? 'quiet small' : 'hidden'}>
        {screenText(shape.description ?? '')}
      </p>
      <FieldFindings findings={findings} pointer={pointer} />
    </div>
  )
}

/** False for "Purchase order date." below "Purchase order date". */
const saysMore = (name: string, { description = '' }: Shape): boolean =>
  description.replace(/\.$/, '').toLowerCase() !== labelOf(name).toLowerCase()

interface PlainProps extends Pick<FormContext, 'set' | 'findings'> {
  readonly field: DeclaredField
  readonly value: unknown
  readonly prefix?: string
}

export function PlainField({ field, value, set, findings, prefix = '' }: PlainProps) {
  const { pointer, shape } = field
  const listed = shape['x-listed-values']
  return (
    <FieldFrame field={field} findings={findings} prefix={prefix}>
      {(common) => {
        if (shape.type === 'boolean')
          return (
            <Select
              {...common}
              choices={yesOrNo}
              value={value === undefined ? '' : value === true ? 'true' : 'false'}
              onChoose={(chosen) => set(pointer, chosen === '' ? undefined : chosen === 'true')}
            />
          )
        if (listed !== undefined)
          return (
            <Picker
              {...common}
              value={textOf(value)}
              choices={listed.map((one) => ({ value: one }))}
              onValue={(text) => set(pointer, text === '' ? undefined : text)}
            />
          )
        const input = {
          ...common,
          value: textOf(value),
          onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
            set(pointer, parseInput(shape, currentTarget.value)),
        }
        return shape['x-form'] === 'date' ? (
          <DateInput isText={!isDate(value)} {...input} />
        ) : (
          <input
            type="text"
            {...input}
            placeholder={textOf(shape.examples?.[0])}
            inputMode={shape.type === 'number' ? 'decimal' : 'text'}
            autocomplete="off"
            dir="auto"
          />
        )
      }}
    </FieldFrame>
  )
}

const isDate = (value: unknown): boolean => /^(\d{4}-\d{2}-\d{2})?$/.test(textOf(value))
