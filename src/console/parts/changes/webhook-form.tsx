// The settings of a webhook, new or existing.
import { useState } from 'preact/hooks'
import type { NewWebhook, WebhookSettings } from '../../../client/generated/shapes.ts'
import { patternsOf, typeGroups, typesOf } from '../../records/webhook-words.ts'
import { Mistake } from '../../state/frame/submission.ts'
import { Form } from '../fields/form.tsx'
import { type SettingField, SettingFields } from '../fields/setting-fields.tsx'

interface Props {
  /** The existing webhook; undefined for a new one. */
  readonly known?: WebhookSettings
  readonly words: string
  readonly busyWords: string
  readonly onSend: (webhook: NewWebhook) => Promise<void>
  readonly onCancel: () => void
}

type Payload = NonNullable<NewWebhook['payload']>
type Signature = NonNullable<NewWebhook['signature']>

const messageFields: readonly SettingField[] = [
  {
    name: 'url',
    label: 'Address',
    type: 'url',
    required: true,
    isWide: true,
    spellcheck: false,
    placeholder: 'https://erp.example.com/lotkeeper',
    hint: 'Where messages are sent. It begins with https:// and can be reached from the internet.',
  },
  { name: 'description', label: 'Description (optional)', maxLength: 100, placeholder: 'ERP' },
  {
    is: 'choice',
    name: 'payload',
    label: 'Messages contain',
    choices: [
      ['thin', 'ids only'],
      ['record', 'ids and the record'],
    ],
    hint: 'With ids only, the receiver reads the record with its own key.',
  },
]

const signatureField: SettingField = {
  is: 'choice',
  name: 'signature',
  label: 'Signature',
  choices: [
    ['v1a', 'v1a (Ed25519)'],
    ['v1', 'v1 (HMAC-SHA256)'],
  ],
  hint: 'With v1a the receiver has a public key, with v1 a secret. Choose v1 if it cannot verify v1a.',
}

const filterFields: readonly SettingField[] = [
  { is: 'value', name: 'dataProviderVendorId', of: 'dataProviderVendorId', label: 'Vendor', placeholder: 'Any vendor' },
  {
    is: 'value',
    name: 'shipToLocationCode',
    of: 'shipToLocationCode',
    label: 'Receiving location',
    placeholder: 'Any location',
  },
  {
    name: 'lotCode',
    label: 'Lot code',
    placeholder: 'Any lot',
    hint: 'Events that have this lot, or had it before a correction.',
  },
]

export function WebhookForm({ known, words, busyWords, onSend, onCancel }: Props) {
  const [types, setTypes] = useState(() => typesOf(known?.types ?? []))

  const send = async (text: (name: string) => string) => {
    if (types.size === 0) throw new Mistake('Choose at least one kind of message.')
    const given = filterFields.map(({ name }) => [name, text(name)] as const).filter(([, value]) => value !== '')
    await onSend({
      url: text('url'),
      ...(text('description') !== '' && { description: text('description') }),
      types: patternsOf(types),
      ...Object.fromEntries(given),
      payload: text('payload') as Payload,
      ...(known === undefined && { signature: text('signature') as Signature }),
    })
  }

  return (
    <Form
      aria-label="Webhook"
      words={words}
      busyWords={busyWords}
      onSend={send}
      beside={
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      }
    >
      <SettingFields
        form="webhook"
        fields={[...messageFields, known === undefined && signatureField]}
        values={{ payload: 'thin', ...known }}
      />
      <h2>What is sent</h2>
      <TypeGroups types={types} onTypes={setTypes} />
      <h2>Only changes of</h2>
      <SettingFields form="webhook" fields={filterFields} values={known ?? {}} />
    </Form>
  )
}

interface TypeProps {
  readonly types: ReadonlySet<string>
  readonly onTypes: (types: ReadonlySet<string>) => void
}

/** The kinds of messages, by what they are about. */
function TypeGroups({ types, onTypes }: TypeProps) {
  const toggle = (changed: readonly string[], { isOn }: { readonly isOn: boolean }) => {
    const next = new Set(types)
    for (const type of changed) isOn ? next.add(type) : next.delete(type)
    onTypes(next)
  }
  return (
    <div class="type-groups">
      {typeGroups.map(({ name, words, types: within }) => {
        const all = within.map(({ type }) => type)
        const count = all.filter((type) => types.has(type)).length
        return (
          <fieldset key={name} class="type-group">
            <legend>
              <label class="check">
                <input
                  type="checkbox"
                  checked={count === all.length}
                  ref={(box) => {
                    if (box) box.indeterminate = count > 0 && count < all.length
                  }}
                  onChange={({ currentTarget }) => toggle(all, { isOn: currentTarget.checked })}
                />
                {words}
              </label>
            </legend>
            {within.map(({ type, words }) => (
              <label key={type} class="check">
                <input
                  type="checkbox"
                  checked={types.has(type)}
                  onChange={({ currentTarget }) => toggle([type], { isOn: currentTarget.checked })}
                />
                {words}
              </label>
            ))}
          </fieldset>
        )
      })}
    </div>
  )
}
