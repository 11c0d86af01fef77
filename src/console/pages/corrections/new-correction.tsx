// A new bulk correction: which events, which changes, and why. The preview is the next page.
import { useState } from 'preact/hooks'
import type { NewCorrection } from '../../../client/generated/shapes.ts'
import { gapRules, keyDataElementOf } from '../../../rules/key-data-elements.ts'
import { DateInput } from '../../parts/fields/date-input.tsx'
import { FormEnd } from '../../parts/fields/form-end.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { ValueField } from '../../parts/fields/value-field.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { fieldChoices, fieldsForGap, fieldWords, whereLabel } from '../../records/correction-words.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { textIn, useSubmission } from '../../state/frame/submission.ts'
import type { PageProps } from '../frame/page.ts'

const lists = ['dataProviderVendorId', 'shipToLocationCode', 'purchaseOrderNumber', 'itemCode', 'lotCode'] as const
const dates = [
  ['eventStartDate', 'Received from'],
  ['eventEndDate', 'Received until'],
] as const

const changesMax = 20

/** Where a change applies. */
type When = 'missing' | 'replace' | 'overwrite'
const whenWords: Readonly<Record<When, string>> = {
  missing: 'where it is missing',
  replace: 'where it is exactly',
  overwrite: 'in every case',
}

interface ChangeDraft {
  readonly id: number
  readonly field: string
  readonly when: When
  readonly replace: string
  readonly set: string
}

let drafts = 0
const draftOf = (field: string): ChangeDraft => ({ id: ++drafts, field, when: 'missing', replace: '', set: '' })

type Change = NewCorrection['changes'][number]

/** A change as it is sent; a blank new value removes the field. */
const changeOf = ({ field, when, replace, set }: ChangeDraft): Change => ({
  field: field as Change['field'],
  ...(set.trim() === '' ? { remove: true } : { set: set.trim() }),
  ...(when === 'replace' && { replace }),
  ...(when === 'overwrite' && { overwrite: true }),
})

export function NewCorrectionPage({ query }: PageProps) {
  const { own } = useOpenSession()
  const mayWrite = useMay('writer')
  return (
    <>
      <PageHead title="New correction">
        <p class="quiet">
          Choose events and say what changes in them. The next page shows what the rules say of each result. Nothing is
          stored before you apply it.
        </p>
      </PageHead>
      {mayWrite ? (
        <CorrectionForm query={query} />
      ) : (
        <p class="callout">Only a writer key can correct events. Yours is a {own.role} key.</p>
      )}
    </>
  )
}

function CorrectionForm({ query }: Pick<PageProps, 'query'>) {
  const { api } = useOpenSession()
  const [changes, setChanges] = useState<readonly ChangeDraft[]>(() =>
    fieldsForGap(query.get('gap') ?? undefined).map(draftOf),
  )
  const submission = useSubmission()

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const text = textIn(event.currentTarget)
    const blank = changes.find(({ when, set }) => when === 'missing' && set.trim() === '')
    if (blank !== undefined)
      return submission.setFault(
        `Enter the new value of ${blank.field === '' ? 'the field' : fieldWords(blank.field)}.`,
      )
    const where = Object.fromEntries([
      ...lists.filter((name) => text(name) !== '').map((name) => [name, [text(name)]]),
      ...['gap', 'eventStartDate', 'eventEndDate']
        .filter((name) => text(name) !== '')
        .map((name) => [name, text(name)]),
    ])
    await submission.submit(async () => {
      const { body } = await api.createCorrection({
        body: { reason: text('reason'), where, changes: changes.map(changeOf) },
      })
      go(`/corrections/${body.id}`)
    })
  }
  const edit = (id: number, edited: Partial<ChangeDraft>) =>
    setChanges(changes.map((one) => (one.id === id ? { ...one, ...edited } : one)))

  return (
    <form class="form correction-form" onSubmit={send}>
      <fieldset>
        <legend>Which events</legend>
        <div class="form-fields">
          {lists.map((name) => {
            const field = {
              key: name,
              id: `where-${name}`,
              label: whereLabel(name),
              defaultValue: query.get(name) ?? '',
            }
            return name === 'dataProviderVendorId' || name === 'shipToLocationCode' ? (
              <ValueField {...field} name={name} of={name} />
            ) : (
              <TextField {...field} name={name} />
            )
          })}
          {dates.map(([name, words]) => (
            <div key={name} class="form-field">
              <label for={`where-${name}`}>{words}</label>
              <DateInput id={`where-${name}`} name={name} defaultValue={query.get(name) ?? ''} />
            </div>
          ))}
          <div class="form-field">
            <label for="where-gap">With this gap</label>
            <select id="where-gap" name="gap" defaultValue={query.get('gap') ?? ''}>
              <option value="">with or without gaps</option>
              {gapRules.map((rule) => (
                <option key={rule} value={rule} selected={rule === query.get('gap')}>
                  {keyDataElementOf(rule).kde}
                </option>
              ))}
            </select>
          </div>
        </div>
        <p class="quiet small">
          Events that fit all fields are chosen. Item, lot code and gap also choose the lines: others stay as they are.
          Codes match exactly.
        </p>
      </fieldset>
      <fieldset>
        <legend>What changes</legend>
        {changes.map((change, index) => (
          <ChangeRow
            key={change.id}
            change={change}
            number={index + 1}
            onEdit={(edited) => edit(change.id, edited)}
            onRemove={changes.length > 1 ? () => setChanges(changes.filter(({ id }) => id !== change.id)) : undefined}
          />
        ))}
        {changes.length < changesMax && (
          <button type="button" onClick={() => setChanges([...changes, draftOf('')])}>
            Add change
          </button>
        )}
      </fieldset>
      <fieldset>
        <legend>Why</legend>
        <TextField
          id="correction-reason"
          label="Reason"
          name="reason"
          required
          maxLength={100}
          hint="The history of each corrected event shows it, e.g. Pack style confirmed by the vendor."
        />
      </fieldset>
      <FormEnd submission={submission} words="Preview" busyWords="Choosing events…">
        <a class="button" href={hrefTo('/corrections')}>
          Cancel
        </a>
      </FormEnd>
    </form>
  )
}

interface ChangeProps {
  readonly change: ChangeDraft
  readonly number: number
  readonly onEdit: (edited: Partial<ChangeDraft>) => void
  readonly onRemove: (() => void) | undefined
}

function ChangeRow({ change: { id, field, when, replace, set }, number, onEdit, onRemove }: ChangeProps) {
  return (
    <fieldset class="change">
      <legend class="hidden">Change {number}</legend>
      <div class="form-field">
        <label for={`field-${id}`}>Field</label>
        <select
          id={`field-${id}`}
          required
          value={field}
          onChange={({ currentTarget }) => onEdit({ field: currentTarget.value })}
        >
          <option value="" selected={field === ''}>
            Choose a field
          </option>
          {fieldChoices.map(({ part, fields }) => (
            <optgroup key={part} label={part}>
              {fields.map(([name, words]) => (
                <option key={name} value={name} selected={name === field}>
                  {words}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <div class="form-field">
        <label for={`when-${id}`}>Where</label>
        <select
          id={`when-${id}`}
          value={when}
          onChange={({ currentTarget }) => onEdit({ when: currentTarget.value as When })}
        >
          {Object.entries(whenWords).map(([value, words]) => (
            <option key={value} value={value} selected={value === when}>
              {words}
            </option>
          ))}
        </select>
      </div>
      {when === 'replace' && (
        <TextField
          id={`replace-${id}`}
          label="Present value"
          required
          value={replace}
          onInput={({ currentTarget }) => onEdit({ replace: currentTarget.value })}
        />
      )}
      <TextField
        id={`set-${id}`}
        label={when === 'missing' ? 'New value' : 'New value (blank removes it)'}
        value={set}
        maxLength={100}
        onInput={({ currentTarget }) => onEdit({ set: currentTarget.value })}
      />
      {onRemove && (
        <button type="button" class="plain" onClick={onRemove}>
          Remove<span class="hidden"> change {number}</span>
        </button>
      )}
    </fieldset>
  )
}
