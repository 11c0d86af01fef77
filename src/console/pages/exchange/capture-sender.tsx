// What fills in the EPCIS documents of a sender, or of all senders: set, tried on a document, and
// saved.
import type { NewCaptureSender } from '../../../client/generated/shapes.ts'
import { captureBody } from '../../files/partner-documents.ts'
import { CaptureVerdicts } from '../../parts/exchange/capture-verdicts.tsx'
import { SenderFormFrame, useSenderForm } from '../../parts/exchange/sender-form.tsx'
import { TriedDocument } from '../../parts/exchange/tried-document.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { ValueField } from '../../parts/fields/value-field.tsx'
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

interface FormProps {
  readonly first: NewCaptureSender
  readonly isKnown: boolean
  /** True where it begins with what is not saved. */
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

  const text = (name: keyof NewCaptureSender, label: string, hint?: string, placeholder?: string) => (
    <TextField
      id={`capture-${name}`}
      name={name}
      label={label}
      hint={hint}
      placeholder={placeholder}
      maxLength={100}
      spellcheck={false}
      defaultValue={texts[name] ?? ''}
    />
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
          <div class="form-fields">
            <TextField
              id="capture-sender"
              name="sender"
              label="Sender (optional)"
              maxLength={100}
              spellcheck={false}
              readOnly={isKnown}
              defaultValue={texts.sender ?? ''}
              placeholder="All senders"
              hint="As its documents have it. Empty for all senders."
            />
            <ValueField
              id="capture-vendor"
              name="dataProviderVendorId"
              of="dataProviderVendorId"
              label="Vendor"
              defaultValue={texts.dataProviderVendorId ?? ''}
              hint="Where no stored location says it."
              onPick={read}
            />
            {text('dataProviderVendorName', 'Vendor name')}
          </div>
        </section>
        <section aria-labelledby="capture-events">
          <h2 id="capture-events">Events that do not say it</h2>
          <div class="form-fields">
            {text('purchaseOrderNumber', 'Purchase order', 'For example Standing order.')}
            {text('shipFromLocationCode', 'Ship-from location')}
            <ValueField
              id="capture-ship-to"
              name="shipToLocationCode"
              of="shipToLocationCode"
              label="Receiving location"
              defaultValue={texts.shipToLocationCode ?? ''}
              onPick={read}
            />
            {text('shipQuantityUom', 'Unit', 'What a quantity without a unit counts, for example case.')}
          </div>
        </section>
        <section aria-labelledby="capture-lots">
          <h2 id="capture-lots">Who assigned the lot codes</h2>
          {check('tlcSourceIsShipFrom', 'The ship-from location')}
          <div class="form-fields">
            {text('tlcSourceReferenceGln', 'GLN of the lot code source')}
            {text('tlcSourceReferenceOther', 'Other reference', 'For example USDA 1234.')}
          </div>
        </section>
        <section aria-labelledby="capture-places">
          <h2 id="capture-places">Places</h2>
          {check('locationNameIsCode', 'A place that nobody names has its code as name')}
          <div class="form-fields">
            {text(
              'locationPhoneNumber',
              'Phone number',
              'Of places with an address and without a number.',
              '+1.831.555.0100',
            )}
          </div>
        </section>
      </SenderFormFrame>
      <TriedDocument what="an EPCIS document" accept=".json,.jsonld,.xml" settings={settings} onTry={tryText} />
    </>
  )
}
