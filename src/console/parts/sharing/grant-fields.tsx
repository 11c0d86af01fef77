// One grant that is written: its sentence, and the fields that change it.
import type { Grant } from '../../../client/generated/shapes.ts'
import { type WithholdableField, withheldByDefault } from '../../../contract/sharing.ts'
import { readEventValues } from '../../records/event-values.ts'
import { endAfterDay, lastDayOfGrant, type WithheldGroup, withheldGroups } from '../../records/sharing-words.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { labelOf } from '../../words/labels.ts'
import { DateInput } from '../fields/date-input.tsx'
import { type Choices, Select } from '../fields/select.tsx'
import { ValuePicker } from '../fields/value-picker.tsx'
import { GrantSentence } from './grant-sentence.tsx'

interface Props {
  readonly name: string
  readonly places: number
  readonly grant: Grant
  /** Counted from 1. */
  readonly number: number
  readonly onGrant: (grant: Grant) => void
  readonly onRemove: () => void
}

const directions: Choices<NonNullable<Grant['direction']>> = [
  ['shipTo', 'shipped to its places'],
  ['shipFrom', 'shipped from its places'],
]

interface ScopeProps {
  readonly id: string
  readonly grant: Grant
  readonly onChange: (changed: Partial<Grant>) => void
}

/** Which events a grant opens. */
const GrantScope = ({ id, grant, onChange: change }: ScopeProps) => (
  <div class="form-fields">
    <div class="form-field">
      <label for={`${id}-direction`}>Which events</label>
      <Select
        id={`${id}-direction`}
        choices={directions}
        value={grant.direction ?? 'shipTo'}
        onChoose={(chosen) => change({ direction: chosen })}
      />
    </div>
    <Values
      id={`${id}-vendors`}
      words="Vendors"
      filter="dataProviderVendorId"
      values={grant.dataProviderVendorIds ?? []}
      onValues={(dataProviderVendorIds) => change({ dataProviderVendorIds })}
    />
    <Values
      id={`${id}-items`}
      words="Items"
      filter="itemCode"
      values={grant.itemCodes ?? []}
      onValues={(itemCodes) => change({ itemCodes })}
    />
    <div class="form-field">
      <label for={`${id}-from`}>Received from (optional)</label>
      <DateInput
        id={`${id}-from`}
        value={grant.firstEventDate ?? ''}
        onInput={({ currentTarget }) => change({ firstEventDate: currentTarget.value })}
      />
    </div>
    <div class="form-field">
      <label for={`${id}-until`}>Last day of access (optional)</label>
      <DateInput
        id={`${id}-until`}
        value={lastDayOfGrant(grant)}
        onInput={({ currentTarget }) => change({ endDateTime: endAfterDay(currentTarget.value) ?? '' })}
        aria-describedby={`${id}-until-hint`}
      />
      <p id={`${id}-until-hint`} class="quiet small">
        To the end of the day in UTC. Then everything of this grant is withdrawn.
      </p>
    </div>
  </div>
)

export function GrantFields({ name, places, grant, number, onGrant, onRemove }: Props) {
  const { lotCode, withHistory = false, withheld = withheldByDefault } = grant
  const id = `grant-${number}`
  const change = (changed: Partial<Grant>) => onGrant({ ...grant, ...changed })
  return (
    <fieldset class="grant">
      <legend class="hidden">Grant {number}</legend>
      <p aria-live="polite">
        <GrantSentence name={name} places={places} grant={grant} />
      </p>
      {!lotCode && <GrantScope id={id} grant={grant} onChange={change} />}
      <details>
        <summary>Withheld fields and history</summary>
        <p class="quiet small">
          Ticked fields are taken out before anything is shared. Key data elements that 21 CFR 1.1340(b) has a shipper
          hand over cannot be withheld.
        </p>
        <div class="type-groups">
          {withheldGroups.map((group) => (
            <WithheldGroupFields
              key={group.words}
              group={group}
              withheld={withheld}
              onWithheld={(next) => change({ withheld: next })}
            />
          ))}
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={withHistory}
            onChange={({ currentTarget }) => change({ withHistory: currentTarget.checked })}
          />
          <span>
            Share earlier versions too{' '}
            <span class="quiet small">Otherwise history begins with the version of today.</span>
          </span>
        </label>
      </details>
      <p>
        <button type="button" class="plain in-line" onClick={onRemove}>
          Remove<span class="hidden"> grant {number}</span>
        </button>
      </p>
    </fieldset>
  )
}

interface WithheldProps {
  readonly group: WithheldGroup
  readonly withheld: readonly WithholdableField[]
  readonly onWithheld: (withheld: WithholdableField[]) => void
}

function WithheldGroupFields({ group: { words, fields }, withheld, onWithheld }: WithheldProps) {
  const count = fields.filter((field) => withheld.includes(field)).length
  const toggle = (changed: readonly WithholdableField[], { isWithheld }: { readonly isWithheld: boolean }) =>
    onWithheld([...withheld.filter((field) => !changed.includes(field)), ...(isWithheld ? changed : [])])
  return (
    <fieldset class="type-group">
      <legend>
        <label class="check">
          <input
            type="checkbox"
            checked={count === fields.length}
            ref={(box) => {
              if (box) box.indeterminate = count > 0 && count < fields.length
            }}
            onChange={({ currentTarget }) => toggle(fields, { isWithheld: currentTarget.checked })}
          />
          {words}
        </label>
      </legend>
      {fields.map((field) => (
        <label key={field} class="check">
          <input
            type="checkbox"
            checked={withheld.includes(field)}
            onChange={({ currentTarget }) => toggle([field], { isWithheld: currentTarget.checked })}
          />
          {labelOf(field)}
        </label>
      ))}
    </fieldset>
  )
}

interface ValuesProps {
  readonly id: string
  readonly words: string
  readonly filter: 'dataProviderVendorId' | 'itemCode'
  readonly values: readonly string[]
  readonly onValues: (values: string[]) => void
}

/** None means all: chosen values narrow the grant. */
function Values({ id, words, filter, values, onValues }: ValuesProps) {
  const { api } = useOpenSession()
  const without = (value: string) => values.filter((one) => one !== value)
  /** Typed text counts without being chosen: otherwise it only seems to narrow the grant. */
  const take = (event: Event) => {
    const { target } = event
    if (!(target instanceof HTMLInputElement)) return
    const typed = target.value.trim()
    if (typed === '') return
    target.value = ''
    onValues([...without(typed), typed])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events are those of the field in it
    <div
      class="form-field"
      onFocusOut={take}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.defaultPrevented) return
        event.preventDefault()
        take(event)
      }}
    >
      <label for={id}>{words}</label>
      <ValuePicker
        id={id}
        name={id}
        value={values.join('\n')}
        many
        nouns="events"
        about={filter}
        ask={(containing, signal) => readEventValues(api, filter, containing, signal)}
        onPick={(value) => onValues(values.includes(value) ? without(value) : [...values, value])}
      />
      {values.length > 0 && (
        <ul class="chips" aria-label={`${words} that are chosen`}>
          {values.map((value) => (
            <li key={value} class="chip">
              <bdi>{value}</bdi>
              <button
                type="button"
                class="plain"
                onClick={() => onValues(without(value))}
                aria-label={`Remove ${value}`}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
