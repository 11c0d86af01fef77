// Edits the traceability plan: gaps of a paragraph are shown while it is written.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { TraceabilityPlan } from '../../../client/generated/shapes.ts'
import { isGiven } from '../../../contract/shape/field.ts'
import { type PlanContent, planParagraphs, planTextMax } from '../../../contract/traceability-plan.ts'
import { Form } from '../../parts/fields/form.tsx'
import { Radios } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { When } from '../../parts/frame/states.tsx'
import { EditConflict } from '../../parts/records/guarded-edit.tsx'
import { PlanHead, planHeadingId } from '../../parts/traceability/plan-paragraph.tsx'
import { go } from '../../state/frame/address.ts'
import { type Edited, useGuardedSave } from '../../state/frame/guarded-save.ts'
import { useAnswer } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'

const path = '/traceability-plan'

export function EditTraceabilityPlanPage() {
  const plan = useAnswer((api, signal) => api.readTraceabilityPlan({ signal }), [])
  return (
    <>
      <PageHead title="Edit traceability plan">
        <p class="quiet">Saving makes a new version, which is in force at once. Earlier versions are kept.</p>
      </PageHead>
      <When asked={plan} what="the traceability plan">
        {(value) => <PlanForm stored={value} />}
      </When>
    </>
  )
}

type Field = {
  [Name in keyof PlanContent]-?: PlanContent[Name] extends string | undefined ? Name : never
}[keyof PlanContent]

interface Description {
  readonly name: Field
  readonly label: string
  readonly hint: string
}

const descriptions: Readonly<Record<'keeping' | 'elsewhere' | 'foods' | 'codes' | 'inferred' | 'map', Description>> = {
  keeping: {
    name: 'recordProcedures',
    label: 'Procedures for keeping records',
    hint: 'Who enters them, from which documents and when, who checks them, and where this service and its backups run.',
  },
  elsewhere: {
    name: 'otherRecords',
    label: 'Records kept elsewhere (optional)',
    hint: 'What they are, their format, and where they are: for example paper bills of lading.',
  },
  foods: {
    name: 'foodIdentification',
    label: 'Procedures for identifying foods',
    hint: 'Who compares the items with the Food Traceability List, when, and where the result is kept.',
  },
  codes: {
    name: 'lotCodeAssignment',
    label: 'How lot codes are assigned',
    hint: 'What a code is made up of, and when and where it is put on the cases.',
  },
  inferred: {
    name: 'lotInferenceMethod',
    label: 'Where lot codes are inferred (optional)',
    hint: 'How you know the lot where nobody reads the code on the case, for example from the pallets at a pick slot.',
  },
  map: {
    name: 'farmMapReference',
    label: 'Where the farm map is',
    hint: 'It shows the name and geographic coordinates of each field or growing area. Send the map to FDA beside the package.',
  },
}

/** The values that are not blank. */
function sent({ contact = {}, ...plan }: PlanContent): PlanContent {
  const given = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)))
  const known = given(contact)
  return { ...given(plan), ...(Object.keys(known).length > 0 && { contact: known }) }
}

function PlanForm({ stored }: { readonly stored: TraceabilityPlan }) {
  const { api } = useOpenSession()
  const { conflict, save, settle } = useGuardedSave<PlanContent>()
  const [base, setBase] = useState<Edited<PlanContent>>({ content: stored.plan, version: stored.version })
  const [plan, setPlan] = useState<PlanContent>(stored.plan)
  const isChanged = JSON.stringify(sent(plan)) !== JSON.stringify(sent(base.content))

  const send = async () => {
    let { version } = base
    const isStored = await save(base, sent(plan), {
      send: async (body, ifMatch) => {
        version = (await api.replaceTraceabilityPlan({ body, ifMatch })).body.version
      },
      read: async () => {
        const { body } = await api.readTraceabilityPlan({})
        return { content: body.plan, version: body.version }
      },
    })
    if (!isStored) return
    say(version === base.version ? 'Nothing changed' : `Version ${version} of the plan is in force`)
    go(path)
  }

  if (conflict !== undefined)
    return (
      <EditConflict
        noun="traceability plan"
        conflict={conflict}
        onSettled={(content) => {
          setPlan(content)
          setBase(conflict.theirs)
          settle()
        }}
      />
    )

  const fields = planFields(plan, setPlan)
  return (
    <Form
      class="sections plan-form"
      aria-label="Traceability plan"
      words="Save plan"
      busyWords="Saving…"
      onSend={send}
      unsaved={isChanged ? 'The traceability plan is not saved.' : undefined}
      beside={
        <button type="button" onClick={() => go(path)}>
          Cancel
        </button>
      }
    >
      {planParagraphs.map((paragraph, i) => (
        <section key={paragraph.cites} aria-labelledby={planHeadingId(paragraph)}>
          <PlanHead paragraph={paragraph} plan={plan} kinds={stored.service.kinds} />
          {fields[i]}
        </section>
      ))}
    </Form>
  )
}

/** What is entered for each paragraph of a plan, in their order. */
function planFields(plan: PlanContent, setPlan: (plan: PlanContent) => void): readonly ComponentChildren[] {
  const describe = ({ name, label, hint }: Description) => (
    <div class="form-field wide-field">
      <label for={`plan-${name}`}>{label}</label>
      <textarea
        id={`plan-${name}`}
        rows={4}
        dir="auto"
        maxLength={planTextMax}
        value={plan[name] ?? ''}
        aria-describedby={`plan-${name}-hint`}
        onInput={({ currentTarget }) => setPlan({ ...plan, [name]: currentTarget.value })}
      />
      <p id={`plan-${name}-hint`} class="quiet small">
        {hint}
      </p>
    </div>
  )
  const choose = (name: 'assignsLotCodes' | 'growsFoods', legend: string, no: string, yes: string) => (
    <Radios
      legend={legend}
      name={name}
      choices={[
        ['false', no],
        ['true', yes],
      ]}
      value={plan[name] === undefined ? undefined : `${plan[name]}`}
      onChoose={(value) => setPlan({ ...plan, [name]: value === 'true' })}
    />
  )
  const contactField = (name: keyof NonNullable<PlanContent['contact']>, label: string, placeholder: string) => (
    <TextField
      id={`plan-contact-${name}`}
      label={label}
      maxLength={100}
      placeholder={placeholder}
      value={plan.contact?.[name] ?? ''}
      onInput={({ currentTarget }) => setPlan({ ...plan, contact: { ...plan.contact, [name]: currentTarget.value } })}
    />
  )
  return [
    <>
      {describe(descriptions.keeping)}
      {describe(descriptions.elsewhere)}
    </>,
    describe(descriptions.foods),
    <>
      {choose(
        'assignsLotCodes',
        'Do you assign traceability lot codes?',
        'No: we keep the codes that we receive',
        'Yes: we pack first, receive first from a fishing vessel, transform foods, or receive food without a code',
      )}
      {plan.assignsLotCodes !== false && describe(descriptions.codes)}
      {describe(descriptions.inferred)}
    </>,
    <div class="form-fields">
      {contactField('name', 'Name', 'Ana Lopez')}
      {contactField('title', 'Job title', 'Compliance manager')}
      {contactField('phoneNumber', 'Phone number', '+1.614.555.0170')}
      {contactField('email', 'Email address', 'ana.lopez@greenvalley.example')}
    </div>,
    <>
      {choose(
        'growsFoods',
        'Do you grow or raise foods on the Food Traceability List other than eggs?',
        'No',
        'Yes: a farm or an aquaculture farm',
      )}
      {plan.growsFoods !== false && describe(descriptions.map)}
    </>,
  ]
}
