// How the ship notices of one sender are read: set up, tried on a file, and saved.
import { useState } from 'preact/hooks'
import type { NewShipNoticeSender } from '../../../client/generated/shapes.ts'
import {
  lineDateFields,
  type NoticePurpose,
  noticePurposes,
  senderKeyOf,
  settingsOf,
} from '../../../contract/ship-notice-sender.ts'
import { NoticeVerdicts } from '../../parts/exchange/notice-verdicts.tsx'
import { SenderFormFrame, useSenderForm } from '../../parts/exchange/sender-form.tsx'
import { TriedDocument } from '../../parts/exchange/tried-document.tsx'
import { Radios } from '../../parts/fields/select.tsx'
import { type SettingField, SettingFields } from '../../parts/fields/setting-fields.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { CodeRows, type CodeRowsProps } from '../../parts/records/code-rows.tsx'
import { GuardedEdit } from '../../parts/records/guarded-edit.tsx'
import {
  type CodeList,
  type CodeLists,
  codeLists,
  codeListsOf,
  codeNouns,
  type FormTexts,
  lineDefaultNames,
  noticeDefaultNames,
  noticeSenderOf,
  noticeSenderTexts,
  senderInFile,
} from '../../records/sender-settings.ts'
import { go } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { labelOf } from '../../words/labels.ts'
import type { PageProps } from '../frame/page.ts'

export function ShipNoticeSenderPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const maySet = useMay('administrator')
  const id = query.get('sender') ?? ''
  const qualifier = query.get('qualifier') ?? ''
  const read = async (signal?: AbortSignal) => {
    const { body, version = 0 } = await api.listShipNoticeSenders({ signal })
    const ofId = body.content.map(({ sender }) => sender).filter(({ senderId }) => senderId === id)
    const known = settingsOf(new Map(ofId.map((sender) => [senderKeyOf(sender), sender])), {
      senderId: id,
      ...(qualifier !== '' && { senderQualifier: qualifier }),
    })
    // Where others have the id, its qualifier tells them apart.
    const content = { senderId: id, ...(ofId.length > 0 && qualifier !== '' && { senderQualifier: qualifier }) }
    return { known, content: known ?? content, version }
  }
  const asked = useRequest(read, [])
  const known = asked.is === 'answered' ? asked.value.known : undefined
  if (!maySet)
    return (
      <>
        <PageHead title="Sender of ship notices" />
        <Empty title="This key cannot change senders">
          <p>Sign in with an administrator key.</p>
        </Empty>
      </>
    )
  return (
    <>
      <PageHead title={known === undefined ? 'Add a sender of ship notices' : `Edit sender ${id}`}>
        <p class="quiet">
          Only the id and the vendor are needed. The rest fills in what the notices of this sender leave out.
        </p>
      </PageHead>
      <When asked={asked} what="the sender">
        {(start) => (
          <GuardedEdit<NewShipNoticeSender>
            noun="sender"
            start={start}
            read={read}
            send={(sender, version) => api.setShipNoticeSenders({ body: { senders: [sender] }, ifMatch: version })}
            onSaved={({ senderId }) => {
              say(`The ship notices of ${senderId} are read from now on`)
              go('/senders')
            }}
          >
            {({ content, isUnsaved, save }) => (
              <ShipNoticeSenderForm
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
  /** The initial settings; for a new sender its id, if a file names it. */
  readonly first: NewShipNoticeSender
  readonly isKnown: boolean
  /** True where the initial settings are unsaved. */
  readonly isUnsaved: boolean
  readonly onSave: (sender: NewShipNoticeSender) => Promise<void>
}

function ShipNoticeSenderForm({ first, isKnown, isUnsaved, onSave }: FormProps) {
  const { api } = useOpenSession()
  const firstTexts = noticeSenderTexts(first)
  const fields = useSenderForm(firstTexts)
  const [lists, setLists] = useState(codeListsOf(first))
  const { form, texts, read } = fields
  const sender = noticeSenderOf(texts, lists)

  const tryText = async (text: string) => {
    const found = senderInFile(text)
    const idField = form.current?.elements.namedItem('senderId')
    if (sender.senderId === '' && found !== undefined && idField instanceof HTMLInputElement) {
      idField.value = found
      read()
    }
    const tried = { ...sender, senderId: sender.senderId || found || '' }
    if (form.current?.reportValidity() === false) return <p class="fault">Fill in the fields that are marked.</p>
    const { body } = await api.importShipNotices({ body: { interchange: text, sender: tried }, dryRun: true })
    return (
      <>
        {found !== undefined && found !== tried.senderId && (
          <p class="callout">
            This file is from <bdi class="mono">{found}</bdi>. The settings above are those of{' '}
            <bdi class="mono">{tried.senderId}</bdi>.
          </p>
        )}
        <NoticeVerdicts
          notices={body.notices}
          findings={body.findings}
          count={body.notices.length}
          text={text}
          offersSetUp={false}
        />
      </>
    )
  }

  return (
    <>
      <SenderFormFrame
        label="Sender of ship notices"
        fields={fields}
        isChanged={
          isUnsaved || JSON.stringify(sender) !== JSON.stringify(noticeSenderOf(firstTexts, codeListsOf(first)))
        }
        onSave={() => onSave(sender)}
      >
        <section aria-labelledby="sender-who">
          <h2 id="sender-who">Who it is</h2>
          <SettingFields
            form="sender"
            fields={[{ ...idField, readOnly: isKnown }, { ...qualifierField, readOnly: isKnown }, ...whoFields]}
            values={texts}
            onPick={read}
          />
        </section>
        <LotCodeSource texts={texts} />
        <Codes lists={lists} onLists={setLists} />
        <LeftOut texts={texts} firstTexts={firstTexts} />
      </SenderFormFrame>
      <TriedDocument
        what="a ship notice"
        accept=".edi,.x12,.856,.txt"
        settings={JSON.stringify({ ...sender, senderId: '' })}
        onTry={tryText}
      />
    </>
  )
}

const code = { maxLength: 100, spellcheck: false }

const idField = {
  ...code,
  name: 'senderId',
  label: 'Sender id',
  required: true,
  placeholder: 'GREENVALLEY',
  hint: 'The id in its files (ISA06). “Try” below finds it in a file.',
} satisfies SettingField

const qualifierField = {
  ...code,
  name: 'senderQualifier',
  label: 'Qualifier of the id (optional)',
  placeholder: 'ZZ',
  hint: 'ISA05. Only where two senders have one id.',
} satisfies SettingField

const whoFields: readonly SettingField[] = [
  {
    is: 'value',
    name: 'dataProviderVendorId',
    of: 'dataProviderVendorId',
    label: 'Vendor',
    required: true,
    hint: 'The vendor of its shipments, as you number it.',
  },
  { ...code, name: 'dataProviderVendorName', label: 'Vendor name (optional)' },
  { is: 'zone', name: 'timeZone', label: 'Time zone (optional)', hint: 'Of times that name none.' },
]

const lotCodeSources = [
  ['notice', 'The notices say it, or the values for all lines below'],
  ['shipFrom', 'The ship-from location'],
  ['role', 'A party of the notice, by its role'],
] as const

const roleField: SettingField = {
  ...code,
  name: 'tlcSourceRole',
  label: 'Role of the party (N101)',
  hint: 'For example MP or DA.',
}

const LotCodeSource = ({ texts }: { readonly texts: FormTexts }) => (
  <section aria-labelledby="sender-lots">
    <h2 id="sender-lots">Who assigned the lot codes</h2>
    <Radios
      legend="Who assigned the lot codes"
      isLegendHidden
      name="lotCodeSource"
      choices={lotCodeSources}
      value={lotCodeSources.find(([value]) => value === texts.lotCodeSource)?.[0]}
    />
    {texts.lotCodeSource === 'role' && <SettingFields form="sender" fields={[roleField]} values={texts} />}
  </section>
)

const purposeWords: Readonly<Record<NoticePurpose, string>> = {
  original: 'New shipment',
  replacement: 'Replaces the earlier notice',
  cancellation: 'Cancels the earlier notice',
}

const codeWords: Readonly<Record<CodeList, Pick<CodeRowsProps, 'legend' | 'hint' | 'heads' | 'choices'>>> = {
  places: {
    legend: 'Places',
    hint: 'A code or name of a place in the notices, and your location code for it. Store the location itself first.',
    heads: ['Place in the notice', 'Location code', 'Name (optional)'],
  },
  items: {
    legend: 'Items',
    hint: 'A code of an item in the notices, and the item code of the vendor.',
    heads: ['Item in the notice', 'Item code'],
  },
  units: {
    legend: 'Units',
    hint: 'Usual codes such as CA (case) and LB are known. Add those that mean something else.',
    heads: ['Unit in the notice', 'Unit'],
  },
  dates: {
    legend: 'Dates of lines',
    hint: 'Usual codes such as 036 (expiration) and 094 (production) are known.',
    heads: ['Date in the notice', 'Date'],
    choices: lineDateFields.map((field) => [field, labelOf(field)]),
  },
  purposes: {
    legend: 'Purposes',
    hint: '00 (original), 01 (cancellation), 05 (replacement) and other usual codes are known. Add those that mean something else.',
    heads: ['Purpose in the notice', 'Purpose'],
    choices: noticePurposes.map((purpose) => [purpose, purposeWords[purpose]]),
  },
}

interface CodesProps {
  readonly lists: CodeLists
  readonly onLists: (lists: CodeLists) => void
}

const Codes = ({ lists, onLists }: CodesProps) => (
  <section aria-labelledby="sender-codes">
    <h2 id="sender-codes">What its codes mean</h2>
    <p class="quiet">Only codes that are not yours. Rows copied from a spreadsheet can be pasted into a first cell.</p>
    {codeLists.map((list) => (
      <CodeRows
        key={list}
        id={list}
        noun={codeNouns[list]}
        rows={lists[list]}
        onRows={(rows) => onLists({ ...lists, [list]: rows })}
        {...codeWords[list]}
      />
    ))}
  </section>
)

interface LeftOutProps {
  /** Of the fields as they are now. */
  readonly texts: FormTexts
  /** Sections with values are open at first. */
  readonly firstTexts: FormTexts
}

function LeftOut({ texts, firstTexts }: LeftOutProps) {
  const isSet = (name: string) => firstTexts[name] !== undefined
  return (
    <>
      <section aria-labelledby="sender-left-out">
        <h2 id="sender-left-out">What its notices leave out</h2>
        <details open={[...noticeDefaultNames, 'locationCodeIsName'].some(isSet)}>
          <summary>Places, phone numbers and units that the notices leave out</summary>
          <SettingFields
            form="sender"
            fields={noticeDefaultNames.map((name) => ({ ...code, name, label: defaultLabels[name] }))}
            values={texts}
          />
          <label class="check">
            <input type="checkbox" name="locationCodeIsName" defaultChecked={texts.locationCodeIsName !== undefined} />A
            place without a code has its name as code
          </label>
        </details>
      </section>
      <section aria-labelledby="sender-more">
        <h2 id="sender-more">For all lines</h2>
        <details open={lineDefaultNames.some(isSet)}>
          <summary>Values of lines that the notices leave out</summary>
          <SettingFields
            form="sender"
            fields={lineDefaultNames.map((name) => ({ ...code, name, label: labelOf(name) }))}
            values={texts}
          />
        </details>
        <details open={isSet('releaseCharacter')}>
          <summary>Release character</summary>
          <SettingFields form="sender" fields={[releaseField]} values={texts} />
        </details>
      </section>
    </>
  )
}

const releaseField: SettingField = {
  ...code,
  name: 'releaseCharacter',
  label: 'Release character',
  hint: 'Only if the sender writes, for example, ?* for an asterisk in a text.',
}

const defaultLabels: Readonly<Record<(typeof noticeDefaultNames)[number], string>> = {
  shipFromLocationCode: 'Ship-from location code',
  shipToLocationCode: 'Ship-to location code',
  shipQuantityUom: 'Unit of quantities without one',
  locationPhoneNumber: 'Phone number of places without one',
}
