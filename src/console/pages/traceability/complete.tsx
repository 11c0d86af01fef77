// Completes a master product or a location once, for all events that name it, and shows the effect
// before.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { MasterDataEffect, NewMasterData } from '../../../client/generated/shapes.ts'
import { location, masterProduct, type RecordKind } from '../../../contract/record-kinds.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { keyDataElementOf } from '../../../rules/key-data-elements.ts'
import { type DryRun, judgedBy, useDryRun } from '../../drafts/dry-run.ts'
import { TextField } from '../../parts/fields/text-field.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, Failure, When } from '../../parts/frame/states.tsx'
import { FindingList } from '../../parts/records/findings.tsx'
import { hrefTo } from '../../state/frame/address.ts'
import { useAnswer, useAskAgain, useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { labelOf } from '../../words/labels.ts'
import { screenRemedy } from '../../words/screen-words.ts'
import type { PageProps } from '../frame/page.ts'

type Entry = Readonly<Record<string, unknown>>

/** The entry to complete: its kind, the fields of a description, and their place in records. */
interface Subject {
  readonly kind: RecordKind
  readonly noun: string
  readonly code: 'itemCode' | 'locationCode'
  /** Names, through `address` where they are part of it. */
  readonly fields: readonly (readonly string[])[]
  readonly asNew: (entry: Entry) => NewMasterData
}

const subjects: Readonly<Record<'product' | 'location', Subject>> = {
  product: {
    kind: masterProduct,
    noun: 'product',
    code: 'itemCode',
    fields: [
      ['itemDescription'],
      ['packSize'],
      ['packStyle'],
      ['productCommodity'],
      ['productVariety'],
      ['brandName'],
      ['ftlCategory'],
    ],
    asNew: (entry) => ({ masterProduct: entry }) as unknown as NewMasterData,
  },
  location: {
    kind: location,
    noun: 'location',
    code: 'locationCode',
    fields: [
      ['locationName'],
      ['phoneNumber'],
      ...['streetAddress1', 'streetAddress2', 'city', 'state', 'postalCode', 'country'].map((name) => [
        'address',
        name,
      ]),
    ],
    asNew: (entry) => ({ location: entry }) as unknown as NewMasterData,
  },
}

export function CompletePage({ query }: PageProps) {
  const { own } = useOpenSession()
  const mayWrite = useMay('writer')
  const subject = subjects[query.has('location') ? 'location' : 'product']
  const code = query.get(subject.noun) ?? ''
  const vendor = query.get('dataProviderVendorId') ?? ''
  const rule = query.get('rule')
  return (
    <>
      <PageHead title={`Complete ${subject.noun} ${code}`}>
        <p>
          {rule !== null && (
            <>
              Missing: <strong>{keyDataElementOf(rule).kde}</strong>.{' '}
            </>
          )}
          <span class="quiet">
            Stored once for vendor <bdi>{vendor}</bdi>, it completes every event that names it, without a new version of
            the events.
          </span>
        </p>
      </PageHead>
      {!mayWrite ? (
        <p class="callout">
          Only a writer key can complete a {subject.noun}. Yours is a {own.role} key.
        </p>
      ) : code === '' || vendor === '' ? (
        <Empty title="Nothing to complete is named">
          <p>
            Choose what to complete from <a href={hrefTo('/completeness/gaps')}>events with gaps</a>.
          </p>
        </Empty>
      ) : (
        <Known key={`${subject.noun} ${vendor} ${code}`} subject={subject} vendor={vendor} code={code} rule={rule} />
      )}
    </>
  )
}

interface CompleteProps {
  readonly subject: Subject
  readonly vendor: string
  readonly code: string
  readonly rule: string | null
}

/** Stored values, or else those in the newest event. */
interface KnownEntry {
  readonly entry: Entry
  readonly record?: { readonly id: string; readonly envelope: Entry; readonly version: number }
}

function Known(props: CompleteProps) {
  const { subject, vendor, code } = props
  const { api } = useOpenSession()
  const asked = useRequest(async (signal): Promise<KnownEntry> => {
    const calls = api.of(subject.kind.name)
    const { body } = await calls.list({ dataProviderVendorId: vendor, [subject.code]: code, limit: 1, signal })
    const [stored] = body.content
    if (stored !== undefined) {
      const { body: record, version = 1 } = await calls.read({ id: stored.id, signal })
      const { id, payloadId: _, ...envelope } = record as Entry & { readonly id: string }
      return { entry: envelope[subject.kind.subject] as Entry, record: { id, envelope, version } }
    }
    const named = { [subject.code]: code, dataProviderVendorId: vendor }
    const { content } = (
      await api.listReceivingEvents({ dataProviderVendorId: vendor, itemCode: code, limit: 1, signal })
    ).body
    const own = content[0]?.productMasterDataList.find(({ itemCode }) => itemCode === code)
    return { entry: { ...own, ...named } }
  }, [])
  return (
    <When asked={asked} what={`the ${subject.noun}`}>
      {(known) => <CompleteForm {...props} known={known} />}
    </When>
  )
}

const textAt = (entry: Entry, path: readonly string[]): string => {
  const value = path.reduce<unknown>((part, name) => (part as Entry | undefined)?.[name], entry)
  return value === undefined ? '' : String(value)
}

/** The entry with the texts of the form, without blank ones. */
function entryWith(entry: Entry, texts: Readonly<Record<string, string>>): Entry {
  const next: Record<string, unknown> = { ...entry }
  const address: Record<string, unknown> = { ...(entry.address as Entry | undefined) }
  for (const [name, text] of Object.entries(texts)) {
    const [holder, key] = name.startsWith('address.') ? [address, name.slice('address.'.length)] : [next, name]
    if (text.trim() === '') delete holder[key]
    else holder[key] = text.trim()
  }
  if (Object.keys(address).length > 0) next.address = address
  else delete next.address
  return next
}

function CompleteForm({ subject, known, rule }: CompleteProps & { readonly known: KnownEntry }) {
  const { api } = useOpenSession()
  const names = subject.fields.map((path) => path.join('.'))
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(subject.fields.map((path) => [path.join('.'), textAt(known.entry, path)])),
  )
  const [isSending, setSending] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [refusal, setRefusal] = useState<DryRun>()
  const { record } = known
  const entry = useMemo(() => entryWith(known.entry, texts), [known, texts])
  const payload = useMemo(() => ({ ...record?.envelope, [subject.kind.subject]: entry }), [record, subject.kind, entry])
  const calls = api.of(subject.kind.name)
  const write = (body: Entry, options: { readonly dryRun?: true; readonly signal?: AbortSignal }) =>
    record === undefined
      ? calls.create({ body, ...options })
      : calls.replace({ id: record.id, body, ifMatch: record.version, ...options })
  // biome-ignore lint/suspicious/noExplicitAny: a dry run of either call is answered alike
  const judge = (body: Entry, signal: AbortSignal): Promise<any> => write(body, { dryRun: true, signal })
  const dryRun = useDryRun({ value: payload, isSending }, judge, record?.id)
  const effect = useEffectOf(subject.asNew(entry))

  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    setSending(true)
    setRefusal(undefined)
    try {
      await write(payload, {})
      setSaved(true)
    } catch (error) {
      setRefusal(judgedBy(error))
    }
    setSending(false)
  }
  if (isSaved) return <Judging subject={subject} />
  const judged = refusal ?? dryRun
  return (
    <form class="form writing" onSubmit={send}>
      <div class="writing-text">
        <div class="form-fields">
          {names.map((name) => (
            <TextField
              key={name}
              id={`field-${name}`}
              label={labelOf(name.split('.').at(-1) ?? name)}
              value={texts[name]}
              maxLength={100}
              onInput={({ currentTarget }) => {
                setRefusal(undefined)
                setTexts({ ...texts, [name]: currentTarget.value })
              }}
            />
          ))}
        </div>
        {rule !== null && <p class="quiet small">{screenRemedy(rule)}</p>}
        <p class="actions">
          <button
            type="submit"
            class="main"
            disabled={isSending || (judged?.is === 'judged' && (judged.refused || judged.wouldBe === 'unchanged'))}
          >
            {isSending ? 'Saving…' : `Save ${subject.noun}`}
          </button>
          <a class="button" href={hrefTo('/completeness/gaps')}>
            Cancel
          </a>
        </p>
      </div>
      <section class="verdict" aria-label="What it completes">
        <EffectWords effect={effect} />
        <Verdict judged={judged} />
      </section>
    </form>
  )
}

function Verdict({ judged }: { readonly judged: DryRun | undefined }) {
  if (judged?.is === 'failed') return <Failure error={judged.error} />
  if (judged?.is !== 'judged') return null
  return (
    <>
      {judged.problem && <p class="callout error">{judged.problem}</p>}
      {judged.wouldBe === 'unchanged' && <p class="quiet">Nothing is changed yet.</p>}
      <FindingList findings={judged.findings} findingCount={judged.findingCount} onShow={() => undefined} />
    </>
  )
}

type Effect = { readonly of: string; readonly value?: MasterDataEffect; readonly error?: unknown }

/** Pause after the last key before the stored events are judged, in milliseconds. */
const pauseMs = 500

/** The gaps that the entry would close; undefined while it is counted. */
function useEffectOf(body: NewMasterData): Effect | undefined {
  const { api } = useOpenSession()
  const [effect, setEffect] = useState<Effect>()
  const of = JSON.stringify(body)
  useEffect(() => {
    const giveUp = new AbortController()
    const timer = setTimeout(
      () =>
        api.previewMasterData({ body, signal: giveUp.signal }).then(
          ({ body: value }) => setEffect({ of, value }),
          (error: unknown) => giveUp.signal.aborted || setEffect({ of, error }),
        ),
      pauseMs,
    )
    return () => {
      clearTimeout(timer)
      giveUp.abort()
    }
  }, [of])
  return effect?.of === of ? effect : undefined
}

function EffectWords({ effect }: { readonly effect: Effect | undefined }) {
  if (effect === undefined) return <p class="callout">Counting what it completes…</p>
  if (effect.value === undefined) return null
  const { events, judgedLines, completedEvents, completedLines, closedGaps, isWhole } = effect.value
  const most = isWhole ? '' : 'At least '
  return (
    <div class={`callout ${closedGaps > 0 ? 'fine' : ''}`} role="status">
      {closedGaps > 0 ? (
        <>
          <p>
            <strong>
              {most}
              {pluralize(closedGaps, 'gap')} would close
            </strong>
          </p>
          <p>
            {pluralize(completedLines, 'line')} in {pluralize(completedEvents, 'event')} would be complete.
          </p>
        </>
      ) : (
        <p>No gap would close yet.</p>
      )}
      <p class="quiet small">
        {pluralize(events, 'event')} {events === 1 ? 'names' : 'name'} it.
        {!isWhole && ` Judged were the first ${pluralize(judgedLines, 'line')}.`}
      </p>
    </div>
  )
}

/** How often the page asks whether all events were judged again, in milliseconds. */
const askAgainMs = 1_000

function Judging({ subject }: Pick<CompleteProps, 'subject'>) {
  const asked = useAnswer((api, signal) => api.listGapCauses({ limit: 1, signal }), [])
  useAskAgain(asked, ({ recounting }) => recounting !== null, askAgainMs)
  return (
    <When asked={asked} what="the counts">
      {({ recounting }) => (
        <div class="callout fine" role="status">
          <p>
            <strong>The {subject.noun} is saved.</strong>{' '}
            {recounting === null ? 'All events are judged with it.' : 'The events are being judged again with it…'}
          </p>
          {recounting !== null && <progress aria-label="Judging events" />}
          <p class="actions">
            <a class="button main" href={hrefTo('/completeness/gaps')}>
              What else to complete
            </a>
          </p>
        </div>
      )}
    </When>
  )
}
