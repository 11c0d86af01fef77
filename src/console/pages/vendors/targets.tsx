// Targets of vendors: the share of complete lines, deliveries, refusals.
import { useEffect, useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import type { NewVendorTarget, VendorTarget } from '../../../client/generated/shapes.ts'
import { defaultTarget } from '../../../contract/alerts.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { Form } from '../../parts/fields/form.tsx'
import { type Choices, Select } from '../../parts/fields/select.tsx'
import { type SettingField, SettingFields } from '../../parts/fields/setting-fields.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { When } from '../../parts/frame/states.tsx'
import { EditConflict } from '../../parts/records/guarded-edit.tsx'
import { VendorName } from '../../parts/records/vendor-name.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { readEventValues } from '../../records/event-values.ts'
import { queryOf } from '../../records/filters.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { type Edited, isStale, useGuardedSave } from '../../state/frame/guarded-save.ts'
import { useVersionedAnswer } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { Mistake } from '../../state/frame/submission.ts'
import { say } from '../../state/frame/toasts.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { shareWords } from '../../words/percent.ts'

export function TargetsPage() {
  const { own } = useOpenSession()
  const maySet = useMay('administrator')
  const [edited, setEdited] = useState<EditedTarget>()
  const targets = useVersionedAnswer((api, signal) => api.listVendorTargets({ signal }))
  return (
    <>
      <PageHead title="Targets">
        <p class="quiet">
          What you expect of vendors. The overview shows who is below, silent or refused more than usual. A target never
          refuses a record. <a href={hrefTo('/completeness/history')}>Completeness over time</a>
        </p>
      </PageHead>
      {maySet && targets.is === 'answered' && targets.value.content.length === 0 && edited === undefined && (
        <p class="callout">
          No targets are set. Good ones to begin with: {shareWords(firstTarget.completeShare)} of lines complete, silent
          after {pluralize(firstTarget.silentDays, 'day')}, and {firstTarget.refusalFactor} times the refusals of a
          usual week.{' '}
          <button type="button" onClick={() => setEdited(startOf(firstTarget, targets.value.version))}>
            Fill these in
          </button>
        </p>
      )}
      {maySet ? (
        <SetTarget
          edited={edited}
          known={targets.is === 'answered' ? targets.value : undefined}
          onEdit={(target) => {
            setEdited(target)
            targets.again()
          }}
          onSet={() => {
            setEdited(undefined)
            targets.again()
          }}
        />
      ) : (
        <p class="callout">Only an administrator key can set targets. Yours is a {own.role} key.</p>
      )}
      <When asked={targets} what="the targets">
        {({ content, ofAll, version }) => (
          <DataTable
            label="Targets"
            columns={[
              ...columns,
              maySet && {
                heading: 'Change',
                isAction: true,
                cell: (target) => (
                  <TargetActions
                    target={target}
                    version={version}
                    onEdit={() => setEdited(startOf(sentTarget(target), version))}
                    onSet={targets.again}
                  />
                ),
              },
            ]}
            rows={[
              { ...ofAll, dataProviderVendorId: null },
              ...content.filter(({ dataProviderVendorId }) => dataProviderVendorId !== null),
            ]}
            keyOf={({ dataProviderVendorId }) => dataProviderVendorId ?? ''}
          />
        )}
      </When>
    </>
  )
}

/** Offered where none are set: who delivers every week is missed after the second. */
const firstTarget = { ...defaultTarget, silentDays: 14 } as const

const asForAll = <span class="quiet">as for all vendors</span>

const columns: readonly Column<ListedTarget>[] = [
  {
    heading: 'Vendor',
    cell: ({ dataProviderVendorId: vendor, dataProviderVendorName = null }) =>
      vendor === null ? (
        'All vendors'
      ) : (
        <a href={hrefTo(`/scorecard${queryOf({ vendor })}`)}>
          <VendorName id={vendor} name={dataProviderVendorName} />
        </a>
      ),
  },
  {
    heading: 'Complete lines',
    cell: ({ completeShare, dataProviderVendorId }) =>
      completeShare === null && dataProviderVendorId !== null ? asForAll : shareWords(completeShare),
  },
  {
    heading: 'Silent after',
    cell: ({ silentDays, dataProviderVendorId }) => {
      if (silentDays !== null) return pluralize(silentDays, 'day')
      return dataProviderVendorId === null ? <span class="quiet">no vendor is expected</span> : asForAll
    },
  },
  {
    heading: 'Refusals above normal',
    cell: ({ refusalFactor }) => (refusalFactor === null ? asForAll : `${refusalFactor} times a usual week`),
  },
]

interface ActionProps {
  readonly target: ListedTarget
  /** Of the list. */
  readonly version: number
  readonly onEdit: () => void
  readonly onSet: () => void
}

function TargetActions({ target: { dataProviderVendorId: vendor }, version, onEdit, onSet }: ActionProps) {
  const { api } = useOpenSession()
  if (vendor === null)
    return (
      <button type="button" onClick={onEdit}>
        Change<span class="hidden"> the targets of all vendors</span>
      </button>
    )
  const remove = async () => {
    try {
      await api.setVendorTargets({ body: { targets: [{ dataProviderVendorId: vendor }] }, ifMatch: version })
      say(`Vendor ${vendor} has the targets of all vendors`)
      onSet()
    } catch (error) {
      say(failureSentence(error), 'failed')
      if (isStale(error)) onSet()
    }
  }
  return (
    <span class="actions">
      <button type="button" onClick={onEdit}>
        Change<span class="hidden"> the targets of {vendor}</span>
      </button>
      <button type="button" onClick={remove}>
        Remove<span class="hidden"> the targets of {vendor}</span>
      </button>
    </span>
  )
}

/** Targets that are changed, and as they were read when that began. */
interface EditedTarget {
  readonly target: NewVendorTarget
  readonly base: Edited<NewVendorTarget>
}

const startOf = (target: NewVendorTarget, version: number): EditedTarget => ({
  target,
  base: { content: target, version },
})

interface FormProps {
  /** Undefined for new targets. */
  readonly edited: EditedTarget | undefined
  /** The targets that the page shows; undefined until they are there. */
  readonly known: KnownTargets | undefined
  readonly onEdit: (edited: EditedTarget) => void
  readonly onSet: () => void
}

type Target = Pick<VendorTarget, 'dataProviderVendorId' | 'completeShare' | 'silentDays' | 'refusalFactor'>

type ListedTarget = Target & Partial<Pick<VendorTarget, 'dataProviderVendorName'>>

/** A target as it is sent. */
function sentTarget({ dataProviderVendorId, completeShare, silentDays, refusalFactor }: Target): NewVendorTarget {
  const values = { dataProviderVendorId, completeShare, silentDays, refusalFactor }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

interface KnownTargets {
  readonly content: readonly VendorTarget[]
  readonly version: number
}

/** The targets of a vendor, or of all vendors, as they are sent. */
function targetIn({ content }: KnownTargets, vendor: string): NewVendorTarget {
  const target = content.find((one) => (one.dataProviderVendorId ?? '') === vendor)
  return target === undefined ? { ...(vendor !== '' && { dataProviderVendorId: vendor }) } : sentTarget(target)
}

const whose: Choices<'one' | 'all'> = [
  ['one', 'One vendor'],
  ['all', 'All vendors'],
]

const vendorField: SettingField = {
  ...{ is: 'value', name: 'dataProviderVendorId', of: 'dataProviderVendorId', label: 'Vendor', required: true },
}

const targetFields: readonly SettingField[] = [
  { name: 'percent', label: 'Complete lines (%)', type: 'number', min: '0', max: '100', step: '0.01' },
  {
    name: 'silentDays',
    label: 'Silent after (days)',
    type: 'number',
    min: '1',
    max: '366',
    step: '1',
    hint: 'Days without an event. Empty where none is expected.',
  },
  {
    name: 'refusalFactor',
    label: 'Refusals (usual weeks)',
    type: 'number',
    min: '1',
    max: '1000',
    step: '0.1',
    hint: '3: an alert above three times those of a usual week.',
  },
]

/** A target of a vendor that nobody has would look right and never apply. */
async function checkVendor(api: Client, vendor: string): Promise<void> {
  const { content } = await readEventValues(api, 'dataProviderVendorId', vendor, AbortSignal.timeout(10_000))
  if (content.some(({ value }) => value === vendor)) return
  const named = content.find(({ label }) => label?.toLowerCase() === vendor.toLowerCase())
  throw new Mistake(
    named === undefined
      ? `No vendor ${vendor} has events. Choose one from the list.`
      : `${vendor} is the name of vendor ${named.value}. Choose it from the list.`,
  )
}

function SetTarget({ edited, known, onEdit, onSet }: FormProps) {
  const { api } = useOpenSession()
  const { conflict, save, settle } = useGuardedSave<NewVendorTarget>()
  // "All" is chosen in words: an empty field never means it.
  const [isOfAll, setOfAll] = useState(false)
  useEffect(() => {
    setOfAll(edited !== undefined && edited.target.dataProviderVendorId === undefined)
    // Who presses "Change" of a row below goes on here.
    if (edited !== undefined) document.getElementById('target-percent')?.focus()
  }, [edited])

  const send = async (text: (name: string) => string, form: HTMLFormElement) => {
    const vendor = isOfAll ? '' : text('dataProviderVendorId')
    if (!isOfAll && vendor !== edited?.target.dataProviderVendorId) await checkVendor(api, vendor)
    const given = Object.fromEntries(
      ['silentDays', 'refusalFactor'].filter((name) => text(name) !== '').map((name) => [name, Number(text(name))]),
    )
    const target: NewVendorTarget = {
      ...(vendor !== '' && { dataProviderVendorId: vendor }),
      ...(text('percent') !== '' && { completeShare: Math.round(Number(text('percent')) * 100) / 10_000 }),
      ...given,
    }
    const seen = known ?? { content: [], version: 0 }
    const isEdited = edited !== undefined && (edited.target.dataProviderVendorId ?? '') === vendor
    const base = isEdited ? edited.base : { content: targetIn(seen, vendor), version: seen.version }
    const isSet = await save(base, target, {
      entry: vendor,
      send: (sent, version) => api.setVendorTargets({ body: { targets: [sent] }, ifMatch: version }),
      read: async () => {
        const { body, version = 0 } = await api.listVendorTargets()
        return { content: targetIn({ ...body, version }, vendor), version }
      },
    })
    if (!isSet) return
    say(vendor === '' ? 'The targets of all vendors are set' : `The targets of vendor ${vendor} are set`)
    form.reset()
    onSet()
  }

  const share = edited?.target.completeShare
  if (conflict !== undefined)
    return (
      <EditConflict
        noun="target"
        conflict={conflict}
        onSettled={(content) => {
          settle()
          onEdit({ target: content, base: conflict.theirs })
        }}
      />
    )
  return (
    <Form
      key={JSON.stringify(edited?.target)}
      aria-labelledby="set-target"
      words="Set targets"
      busyWords="Setting…"
      onSend={send}
    >
      <h2 id="set-target">{edited === undefined ? 'Set targets' : 'Change targets'}</h2>
      <div class="form-fields">
        <div class="form-field">
          <label for="target-whose">Targets of</label>
          <Select
            id="target-whose"
            choices={whose}
            value={isOfAll ? 'all' : 'one'}
            onChoose={(one) => setOfAll(one === 'all')}
          />
        </div>
      </div>
      <SettingFields
        form="target"
        fields={[!isOfAll && vendorField, ...targetFields]}
        values={{ ...edited?.target, percent: share == null ? '' : Math.round(share * 10_000) / 100 }}
      />
      <p class="quiet small">
        {isOfAll
          ? 'Each vendor without a target of its own is measured by these.'
          : 'An empty field takes the value of all vendors.'}
      </p>
    </Form>
  )
}
