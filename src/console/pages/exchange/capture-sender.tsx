// What fills in the EPCIS documents of a sender, or of all senders: set, tried on a document, and
// saved.
import type { NewCaptureSender } from '../../../client/generated/shapes.ts'
import { captureBody } from '../../files/partner-documents.ts'
import { CaptureVerdicts } from '../../parts/exchange/capture-verdicts.tsx'
import { SenderFormFrame, useSenderForm } from '../../parts/exchange/sender-form.tsx'
import { TriedDocument } from '../../parts/exchange/tried-document.tsx'
import { type SettingField, SettingFields } from '../../parts/fields/setting-fields.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { GuardedEdit } from '../../parts/records/guarded-edit.tsx'
import { captureSenderOf, captureSenderTexts } from '../../records/sender-settings.ts'
import { go } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import type { PageProps } from '../frame/page.ts'

export function CaptureSenderPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const maySet = useMay('administrator')
  const id = query.get('sender')
  const read = async (signal?: AbortSignal) => {
    const { body, version = 0 } = await api.listCaptureSenders({ signal })
    const known = body.content.find(({ sender }) => (sender.sender ?? '') === id)?.sender
    return { known, content: known ?? (id ? { sender: id } : {}), version }
  }
  const asked = useRequest(read, [])
  const known = asked.is === 'answered' ? asked.value.known : undefined
  if (!maySet)
    return (
      <>
        <PageHead title="Defaults of EPCIS documents" />
        <Empty title="This key cannot change senders">
          <p>Sign in with an administrator key.</p>
        </Empty>
      </>
    )
  return (
    <>
      <PageHead title={known === undefined ? 'Add defaults of EPCIS documents' : 'Edit defaults of EPCIS documents'}>
        <p class="quiet">
          What events say comes first, then the header of the document and stored locations and products. Defaults fill
          in the rest. Those of a sender hold before those of all senders.
        </p>
      </PageHead>
      <When asked={asked} what="the defaults">
        {(start) => (
          <GuardedEdit<NewCaptureSender>
            noun="defaults"
            start={start}
            read={read}
            send={(sender, version) => api.setCaptureSenders({ body: { senders: [sender] }, ifMatch: version })}
            onSaved={({ sender = 'all senders' }) => {
              say(`The defaults of ${sender} are set`)
              go('/senders')
            }}
          >
            {({ content, isUnsaved, save }) => (
              <CaptureSenderForm
                first={content}
                isKnown={start.known !== undefined}
                isUnsaved={isUnsaved}
                onSave={save}
              />
            )}
          </GuardedEdit>
        )}
      </When>
    </>
  )
}

const code = { maxLength: 100, spellcheck: false }

const senderField = {
  ...code,
  name: 'sender',
  label: 'Sender (optional)',
  placeholder: 'All senders',
  hint: 'As its documents have it. Empty for all senders.',
} satisfies SettingField

const whoFields: readonly SettingField[] = [
  {
    is: 'value',
    name: 'dataProviderVendorId',
    of: 'dataProviderVendorId',
    label: 'Vendor',
    hint: 'Where no stored location says it.',
  },
  { ...code, name: 'dataProviderVendorName', label: 'Vendor name' },
]

const eventFields: readonly SettingField[] = [
  { ...code, name: 'purchaseOrderNumber', label: 'Purchase order', hint: 'For example Standing order.' },
  { ...code, name: 'shipFromLocationCode', label: 'Ship-from location' },
  { is: 'value', name: 'shipToLocationCode', of: 'shipToLocationCode', label: 'Receiving location' },
  {
    ...code,
    name: 'shipQuantityUom',
    label: 'Unit',
    hint: 'What a quantity without a unit counts, for example case.',
  },
]

const lotFields: readonly SettingField[] = [
  { ...code, name: 'tlcSourceReferenceGln', label: 'GLN of the lot code source' },
  { ...code, name: 'tlcSourceReferenceOther', label: 'Other reference', hint: 'For example USDA 1234.' },
]

const placeFields: readonly SettingField[] = [
  {
    ...code,
    name: 'locationPhoneNumber',
    label: 'Phone number',
    hint: 'Of places with an address and without a number.',
    placeholder: '+1.831.555.0100',
  },
]

interface FormProps {
  readonly first: NewCaptureSender
  readonly isKnown: boolean
  /** True where the initial settings are unsaved. */
  readonly isUnsaved: boolean
  readonly onSave: (sender: NewCaptureSender) => Promise<void>
}

function CaptureSenderForm({ first, isKnown, isUnsaved, onSave }: FormProps) {
  const { api } = useOpenSession()
  const fields = useSenderForm(captureSenderTexts(first))
  const { texts, read } = fields
  const sender = captureSenderOf(texts)
  const settings = JSON.stringify(sender)

  const tryText = async (text: string) => {
    const body = { ...captureBody(text), senderDefaults: sender }
    const ofSender = sender.sender === undefined ? {} : { sender: sender.sender }
    const { body: result } = await api.captureEpcis({ body, dryRun: true, ...ofSender })
    return (
      <>
        {result.sender !== null && sender.sender === undefined && (
          <p class="quiet">
            The document names its sender: <bdi class="mono">{result.sender}</bdi>.
          </p>
        )}
        <CaptureVerdicts result={result} isDryRun />
      </>
    )
  }

  const draw = (fields: readonly SettingField[]) => (
    <SettingFields form="capture" fields={fields} values={texts} onPick={read} />
  )
  const check = (name: keyof NewCaptureSender, words: string) => (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={texts[name] !== undefined} />
      {words}
    </label>
  )
  return (
    <>
      <SenderFormFrame
        label="Defaults of EPCIS documents"
        fields={fields}
        isChanged={isUnsaved || settings !== JSON.stringify(captureSenderOf(captureSenderTexts(first)))}
        onSave={() => onSave(sender)}
      >
        <section aria-labelledby="capture-who">
          <h2 id="capture-who">Who it is</h2>
          {draw([{ ...senderField, readOnly: isKnown }, ...whoFields])}
        </section>
        <section aria-labelledby="capture-events">
          <h2 id="capture-events">Events that do not say it</h2>
          {draw(eventFields)}
        </section>
        <section aria-labelledby="capture-lots">
          <h2 id="capture-lots">Who assigned the lot codes</h2>
          {check('tlcSourceIsShipFrom', 'The ship-from location')}
          {draw(lotFields)}
        </section>
        <section aria-labelledby="capture-places">
          <h2 id="capture-places">Places</h2>
          {check('locationNameIsCode', 'A place that nobody names has its code as name')}
          {draw(placeFields)}
        </section>
      </SenderFormFrame>
      <TriedDocument what="an EPCIS document" accept=".json,.jsonld,.xml" settings={settings} onTry={tryText} />
    </>
  )
}
