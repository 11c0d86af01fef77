// The settings of a webhook, new or existing.
import { useState } from 'preact/hooks'
import type { NewWebhook, WebhookSettings } from '../../../client/generated/shapes.ts'
import { patternsOf, typeGroups, typesOf } from '../../records/webhook-words.ts'
import { textIn, useSubmission } from '../../state/frame/submission.ts'
import { FormEnd } from '../fields/form-end.tsx'
import { TextField } from '../fields/text-field.tsx'
import { ValueField } from '../fields/value-field.tsx'

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

const filters = ['dataProviderVendorId', 'shipToLocationCode', 'lotCode'] as const

export function WebhookForm({ known, words, busyWords, onSend, onCancel }: Props) {
  const submission = useSubmission()
  const [types, setTypes] = useState(() => typesOf(known?.types ?? []))

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const text = textIn(event.currentTarget)
    if (types.size === 0) return submission.setFault('Choose at least one kind of message.')
    const given = filters.map((name) => [name, text(name)] as const).filter(([, value]) => value !== '')
    await submission.submit(() =>
      onSend({
        url: text('url'),
        ...(text('description') !== '' && { description: text('description') }),
        types: patternsOf(types),
        ...Object.fromEntries(given),
        payload: text('payload') as Payload,
        ...(known === undefined && { signature: text('signature') as Signature }),
      }),
    )
  }

  const toggle = (changed: readonly string[], isOn: boolean) => {
    const next = new Set(types)
    for (const type of changed) isOn ? next.add(type) : next.delete(type)
    setTypes(next)
  }

  return (
    <form class="new-key webhook-form" onSubmit={send} aria-label="Webhook">
      <div class="form-fields">
        <div class="form-field wide-field">
          <label for="webhook-url">Address</label>
          <input
            id="webhook-url"
            name="url"
            type="url"
            required
            autocomplete="off"
            spellcheck={false}
            placeholder="https://erp.example.com/lotkeeper"
            defaultValue={known?.url}
            aria-describedby="webhook-url-hint"
          />
          <p id="webhook-url-hint" class="quiet small">
            Where messages are sent. It begins with https:// and can be reached from the internet.
          </p>
        </div>
        <TextField
          id="webhook-description"
          label="Description (optional)"
          name="description"
          maxLength={100}
          placeholder="ERP"
          defaultValue={known?.description ?? ''}
        />
        <div class="form-field">
          <label for="webhook-payload">Messages contain</label>
          <select id="webhook-payload" name="payload" aria-describedby="webhook-payload-hint">
            <option value="thin" selected={known?.payload !== 'record'}>
              ids only
            </option>
            <option value="record" selected={known?.payload === 'record'}>
              ids and the record
            </option>
          </select>
          <p id="webhook-payload-hint" class="quiet small">
            With ids only, the receiver reads the record with its own key.
          </p>
        </div>
        {known === undefined && (
          <div class="form-field">
            <label for="webhook-signature">Signature</label>
            <select id="webhook-signature" name="signature" aria-describedby="webhook-signature-hint">
              <option value="v1a">v1a (Ed25519)</option>
              <option value="v1">v1 (HMAC-SHA256)</option>
            </select>
            <p id="webhook-signature-hint" class="quiet small">
              With v1a the receiver has a public key, with v1 a secret. Choose v1 if it cannot verify v1a.
            </p>
          </div>
        )}
      </div>
      <h2>What is sent</h2>
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
                    onChange={({ currentTarget }) => toggle(all, currentTarget.checked)}
                  />
                  {words}
                </label>
              </legend>
              {within.map(({ type, words }) => (
                <label key={type} class="check">
                  <input
                    type="checkbox"
                    checked={types.has(type)}
                    onChange={({ currentTarget }) => toggle([type], currentTarget.checked)}
                  />
                  {words}
                </label>
              ))}
            </fieldset>
          )
        })}
      </div>
      <h2>Only changes of</h2>
      <div class="form-fields">
        <ValueField
          id="webhook-vendor"
          label="Vendor"
          name="dataProviderVendorId"
          of="dataProviderVendorId"
          defaultValue={known?.dataProviderVendorId ?? ''}
          placeholder="Any vendor"
        />
        <ValueField
          id="webhook-location"
          label="Receiving location"
          name="shipToLocationCode"
          of="shipToLocationCode"
          defaultValue={known?.shipToLocationCode ?? ''}
          placeholder="Any location"
        />
        <TextField
          id="webhook-lot"
          label="Lot code"
          name="lotCode"
          defaultValue={known?.lotCode ?? ''}
          placeholder="Any lot"
          hint="Events that have this lot, or had it before a correction."
        />
      </div>
      <FormEnd submission={submission} words={words} busyWords={busyWords}>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </FormEnd>
    </form>
  )
}
