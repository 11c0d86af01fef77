// The fields of an object: the label of each, its value, its meaning, and its findings.
import type { ComponentChildren } from 'preact'
import type { Shape } from '../../../contract/shape/field.ts'
import type { Finding } from '../../../contract/shape/finding.ts'
import { copy } from '../../files/clipboard.ts'
import { anchorOf } from '../../records/pointers.ts'
import { type Fields, fieldsOf, textOf } from '../../records/record-summary.ts'
import { type DeclaredField, fieldsIn, isPlain } from '../../records/shapes.ts'
import { dateTimeWords, labelOf } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { FieldFindings, findingsWithin } from './findings.tsx'

interface Props {
  readonly shape: Shape
  readonly value: Fields
  readonly at: string
  readonly findings: readonly Finding[]
  /** Shows the fields without a value too. */
  readonly all?: boolean
  /** Names that are shown elsewhere. */
  readonly without?: readonly string[]
}

export function FieldList({ shape, value, at, findings, all = false, without = [] }: Props) {
  const fields = fieldsIn(shape, at).filter(
    ({ name, pointer }) =>
      !without.includes(name) && (all || Object.hasOwn(value, name) || findingsWithin(findings, pointer).length > 0),
  )
  if (fields.length === 0) return <p class="quiet">No field has a value.</p>
  return (
    <dl class="fields">
      {fields.map((field) => (
        <Field key={field.name} field={field} value={value[field.name]} findings={findings} all={all} />
      ))}
    </dl>
  )
}

interface FieldProps {
  readonly field: DeclaredField
  readonly value: unknown
  readonly findings: readonly Finding[]
  readonly all: boolean
}

function Field({ field: { name, pointer, shape, required }, value, findings, all }: FieldProps) {
  const within = findingsWithin(findings, pointer)
  return (
    <div class={`field ${within[0]?.severity ?? ''}`} id={anchorOf(pointer)} tabIndex={-1}>
      <dt>
        <span class="field-name" title={`§${shape['x-section'] ?? ''} · ${pointer}`}>
          {labelOf(name)}
        </span>{' '}
        <button
          type="button"
          class="pointer"
          title={`Copy the pointer ${pointer}`}
          onClick={() => copy(pointer, 'Pointer')}
        >
          <code>{name}</code>
        </button>
      </dt>
      <dd>
        {value === undefined ? (
          <span class="quiet">{required ? 'missing' : 'not given'}</span>
        ) : (
          <FieldValue shape={shape} value={value} at={pointer} findings={findings} all={all} />
        )}
        <FieldFindings findings={findings} pointer={pointer} />
      </dd>
      <dd class="meaning">
        {screenText(shape.description ?? '')}
        {shape['x-required-when'] && <> Required when {shape['x-required-when']}.</>}
      </dd>
    </div>
  )
}

interface ValueProps {
  readonly shape: Shape
  readonly value: unknown
  readonly at: string
  readonly findings: readonly Finding[]
  readonly all: boolean
}

function FieldValue({ shape, value, at, findings, all }: ValueProps): ComponentChildren {
  if (shape.type === 'object')
    return <FieldList shape={shape} value={fieldsOf(value)} at={at} findings={findings} all={all} />
  if (!isPlain(shape)) return <code class="value">{JSON.stringify(value)}</code>
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = textOf(value)
  return (
    <bdi class="value" title={shape['x-form'] === 'dateTime' ? text : undefined}>
      {shape['x-form'] === 'dateTime' ? dateTimeWords(text) : text}
    </bdi>
  )
}
