// A new bulk correction: which events, which changes, and why. The preview is the next page.
import { useState } from 'preact/hooks'
import type { NewCorrection } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { gapRules, keyDataElementOf } from '../../../rules/key-data-elements.ts'
import { Form } from '../../parts/fields/form.tsx'
import { type Choices, Select } from '../../parts/fields/select.tsx'
import { type SettingField, SettingFields } from '../../parts/fields/setting-fields.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { chosenIn } from '../../records/chosen-address.ts'
import { fieldChoices, fieldsForGap, fieldWords, whereLabel } from '../../records/correction-words.ts'
import { go, hrefTo, useAddress } from '../../state/frame/address.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { Mistake } from '../../state/frame/submission.ts'
import type { PageProps } from '../frame/page.ts'

const whereFields: readonly SettingField[] = [
  {
    is: 'value',
    name: 'dataProviderVendorId',
    of: 'dataProviderVendorId',
    label: whereLabel('dataProviderVendorId'),
  },
  { is: 'value', name: 'shipToLocationCode', of: 'shipToLocationCode', label: whereLabel('shipToLocationCode') },
  ...['purchaseOrderNumber', 'itemCode', 'lotCode'].map((name) => ({ name, label: whereLabel(name) })),
  { is: 'date', name: 'eventStartDate', label: 'Received from' },
  { is: 'date', name: 'eventEndDate', label: 'Received until' },
  {
    is: 'choice',
    name: 'gap',
    label: 'With this gap',
    choices: [['', 'with or without gaps'], ...gapRules.map((rule) => [rule, keyDataElementOf(rule).kde] as const)],
  },
]

/** Conditions of one value; the others take several. */
const ofOneValue = ['gap', 'eventStartDate', 'eventEndDate']

/** Conditions that also say which lines change. */
const ofLines = ['itemCode', 'lotCode', 'gap']

const reasonField: SettingField = {
  name: 'reason',
  label: 'Reason',
  isWide: true,
  required: true,
  maxLength: 100,
  hint: 'The history of each corrected event shows it, e.g. Pack style confirmed by the vendor.',
}

const changesMax = 20

/** Where a change applies. */
type When = 'missing' | 'replace' | 'overwrite'
const whens: Choices<When> = [
  ['missing', 'where it is missing'],
  ['replace', 'where it is exactly'],
  ['overwrite', 'in every case'],
]

interface ChangeDraft {
  readonly id: number
  readonly field: string
  readonly when: When
  readonly replace: string
  readonly set: string
}

const draftOf = (field: string, id: number): ChangeDraft => ({ id, field, when: 'missing', replace: '', set: '' })

/** The changes that an address names: of one field, or of those that fill a gap. */
function draftsIn(query: URLSearchParams): readonly ChangeDraft[] {
  const [field, replace, set] = ['field', 'replace', 'set'].map((name) => query.get(name) ?? '')
  if (!field) return fieldsForGap(query.get('gap') ?? undefined).map(draftOf)
  return [{ ...draftOf(field, 0), ...(replace && { when: 'replace', replace }), ...(set && { set }) }]
}

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
  const [changes, setChanges] = useState<readonly ChangeDraft[]>(() => draftsIn(query))

  const chosen = chosenIn(useAddress().hash)
  // What is chosen by name needs no other condition, except which of its lines.
  const fields = chosen.length === 0 ? whereFields : whereFields.filter(({ name }) => ofLines.includes(name))

  const send = async (text: (name: string) => string) => {
    const blank = changes.find(({ when, set }) => when === 'missing' && set.trim() === '')
    if (blank !== undefined)
      throw new Mistake(`Enter the new value of ${blank.field === '' ? 'the field' : fieldWords(blank.field)}.`)
    const where = {
      ...Object.fromEntries(
        fields
          .filter(({ name }) => text(name) !== '')
          .map(({ name }) => [name, ofOneValue.includes(name) ? text(name) : [text(name)]]),
      ),
      ...(chosen.length > 0 && { recordId: [...chosen] }),
    }
    const body = { reason: text('reason'), where, changes: changes.map(changeOf) }
    go(`/corrections/${(await api.createCorrection({ body })).body.id}`)
  }
  const edit = (id: number, edited: Partial<ChangeDraft>) =>
    setChanges(changes.map((one) => (one.id === id ? { ...one, ...edited } : one)))

  return (
    <Form
      class="form correction-form"
      words="Preview"
      busyWords="Choosing events…"
      onSend={send}
      beside={
        <a class="button" href={hrefTo('/corrections')}>
          Cancel
        </a>
      }
    >
      <fieldset>
        <legend>Which events</legend>
        {chosen.length > 0 && (
          <p>
            <strong>{pluralize(chosen.length, 'event')}</strong> that you chose in the list.{' '}
            <a href={hrefTo('/corrections/new')}>Choose by conditions</a>
          </p>
        )}
        <SettingFields form="where" fields={fields} values={Object.fromEntries(query)} />
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
          <button
            type="button"
            onClick={() => setChanges([...changes, draftOf('', 1 + Math.max(...changes.map(({ id }) => id)))])}
          >
            Add change
          </button>
        )}
      </fieldset>
      <fieldset>
        <legend>Why</legend>
        <SettingFields form="correction" fields={[reasonField]} values={{}} />
      </fieldset>
    </Form>
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
        <Select
          id={`field-${id}`}
          required
          choices={[['', 'Choose a field']]}
          groups={fieldChoices}
          value={field}
          onChoose={(chosen) => onEdit({ field: chosen })}
        />
      </div>
      <div class="form-field">
        <label for={`when-${id}`}>Where</label>
        <Select id={`when-${id}`} choices={whens} value={when} onChoose={(chosen) => onEdit({ when: chosen })} />
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
