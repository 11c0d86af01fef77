// Edits a payload, as fields or as text, beside the verdict of the service.
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { linesOf, placesIn } from '../../../contract/json/json-place.ts'
import type { Finding, Severity } from '../../../contract/shape/finding.ts'
import { type DraftFault, readWritten, type Written, writtenText } from '../../drafts/draft.ts'
import type { DryRun } from '../../drafts/dry-run.ts'
import { placeWords } from '../../records/comparison.ts'
import { anchorOf } from '../../records/pointers.ts'
import type { RecordSection } from '../../records/record-sections.ts'
import { chooseWriting, useWriting } from '../../state/records/writing.ts'
import { failureWords } from '../../words/failure-words.ts'
import { FindingList, TextWithLinks } from './findings.tsx'
import { JsonEditor, type Spot } from './json-editor.tsx'
import { PayloadForm } from './payload-form.tsx'
import { SeverityCounts } from './severity-counts.tsx'

interface Props {
  readonly section: RecordSection
  readonly written: Written
  readonly onWritten: (written: Written) => void
  readonly dryRun: DryRun | undefined
  /** True of a record that is not stored yet: missing values are still needed, and no fault. */
  readonly isNew?: boolean
  /** Replaces the verdict of the service. */
  readonly notice?: ComponentChildren
  /** Beside the choice between form and JSON. */
  readonly actions?: ComponentChildren
  /** Shown below the verdict: removed values, and the button to send. */
  readonly children: ComponentChildren
}

export function PayloadEditor(props: Props) {
  const { section, written, onWritten, dryRun, isNew = false, notice, actions, children } = props
  const asForm = useWriting() === 'form'
  const [spot, setSpot] = useState<Spot>()
  const [shown, setShown] = useState<string>()
  const draft = useMemo(() => readWritten(written), [written])
  const fault = 'fault' in draft ? draft : undefined
  const text = useMemo(() => (asForm && fault === undefined ? '' : writtenText(written)), [written, asForm])
  const found = dryRun?.is === 'judged' && fault === undefined ? dryRun.findings : none
  const findings = useMemo(() => (isNew ? found.filter((finding) => !isNeeded(finding)) : found), [found, isNew])

  const marks = useMemo(() => (asForm ? noMarks : marksOf(text, findings)), [text, findings, asForm])

  const show = (pointer: string) => {
    if (fault !== undefined) return
    if (!asForm) return setSpot(placesIn(text, [pointer]).get(pointer))
    // The same place can be shown again.
    setShown(undefined)
    requestAnimationFrame(() => {
      setShown(pointer)
      // Once its container is open.
      requestAnimationFrame(() => focusField(pointer))
    })
  }
  const toFault = (at: DraftFault) => {
    chooseWriting('json')
    setSpot(spotOf(text, at))
  }

  return (
    <div class="writing">
      <div class="writing-text">
        <div class="writing-head">
          <WritingChoice asForm={asForm} mayBeForm={fault === undefined} />
          {actions}
        </div>
        {asForm && 'value' in draft ? (
          <PayloadForm
            kind={section.kind}
            value={draft.value}
            onValue={(value) => onWritten({ value })}
            findings={findings}
            shown={shown}
          />
        ) : (
          <JsonEditor text={text} onText={(next) => onWritten({ text: next })} marks={marks} spot={spot} />
        )}
      </div>
      <aside class="verdict" aria-label="Check by the service">
        {fault === undefined ? (
          (notice ?? (
            <Verdict dryRun={dryRun} findings={findings} needed={found.filter(isNeeded)} isNew={isNew} onShow={show} />
          ))
        ) : (
          <NoPayload fault={fault} onShow={() => toFault(fault)} />
        )}
        {children}
      </aside>
    </div>
  )
}

function focusField(pointer: string): void {
  const place = document.getElementById(`field:${pointer}`) ?? document.getElementById(anchorOf(pointer))
  place?.scrollIntoView({ block: 'center' })
  place?.focus({ preventScroll: true })
}

/** The place of a fault in its text. */
function spotOf(text: string, { line, column }: DraftFault): Spot {
  const before = text.split('\n').slice(0, line - 1)
  const start = before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1
  return { start, end: start + 1 }
}

const WritingChoice = ({ asForm, mayBeForm }: { readonly asForm: boolean; readonly mayBeForm: boolean }) => (
  <fieldset class="choice">
    <legend class="hidden">Write as</legend>
    <button type="button" aria-pressed={asForm} disabled={!mayBeForm} onClick={() => chooseWriting('form')}>
      Form
    </button>
    <button type="button" aria-pressed={!asForm} onClick={() => chooseWriting('json')}>
      JSON
    </button>
  </fieldset>
)

const NoPayload = ({ fault, onShow }: { readonly fault: DraftFault; readonly onShow: () => void }) => (
  <div class="callout error" role="status">
    <p>
      <strong>This is not a payload yet.</strong> {fault.fault}
    </p>
    <p>
      <button type="button" onClick={onShow}>
        Line {fault.line}, column {fault.column}
      </button>
    </p>
  </div>
)

const none: readonly Finding[] = []

/** The missing values without which a record cannot be stored. */
const isNeeded = ({ rule }: Finding): boolean => rule === 'shape/required' || rule === 'shape/list-minimum'

const wouldBeWords = {
  created: 'The record would be created.',
  replaced: 'The record would be replaced.',
  voided: 'The record would be voided.',
  unchanged: 'The record already has this content. Nothing would change.',
} as const

interface VerdictProps {
  readonly dryRun: DryRun | undefined
  readonly findings: readonly Finding[]
  readonly needed: readonly Finding[]
  readonly isNew: boolean
  readonly onShow: (pointer: string) => void
}

function Verdict({ dryRun, findings, needed, isNew, onShow }: VerdictProps) {
  if (dryRun === undefined || dryRun.is === 'asking')
    return (
      <p role="status" class="quiet">
        Checking…
      </p>
    )
  if (dryRun.is === 'failed') {
    const { title, detail } = failureWords(dryRun.error)
    return (
      <div class="callout" role="status">
        <strong>{title}.</strong> {detail}
      </div>
    )
  }
  const { refused, problem, wouldBe } = dryRun
  const isClean = !refused && findings.length === 0
  const isBegun = isNew && refused && problem === undefined && findings.length === 0
  // Values still needed have a list of their own.
  const ownCount = isNew ? needed.length : 0
  const findingCount = dryRun.findingCount - ownCount
  const counts = { ...dryRun.severities, error: dryRun.severities.error - ownCount }
  return (
    <>
      <div
        class={isBegun ? 'callout neutral' : refused ? 'callout error' : isClean ? 'callout fine' : 'callout'}
        role="status"
      >
        <strong>
          {isBegun
            ? 'Not complete yet.'
            : refused
              ? 'The record would be refused.'
              : wouldBeWords[wouldBe ?? 'replaced']}
        </strong>{' '}
        {problem === undefined ? (
          findings.length > 0 && <SeverityCounts counts={counts} />
        ) : (
          <bdi>
            <TextWithLinks text={problem} />
          </bdi>
        )}
      </div>
      {isNew && needed.length > 0 && <StillNeeded needed={needed} onShow={onShow} />}
      {findings.length > 0 && <FindingList findings={findings} findingCount={findingCount} onShow={onShow} />}
    </>
  )
}

/** Places that are listed at once. */
const neededMax = 12

/** The missing values of a new record, each a way to its field. */
const StillNeeded = ({ needed, onShow }: Pick<VerdictProps, 'needed' | 'onShow'>) => (
  <section aria-label="Still needed" class="still-needed">
    <h2>Still needed</h2>
    <ul>
      {needed.slice(0, neededMax).map(({ pointer }) => (
        <li key={pointer}>
          <button type="button" class="plain in-line" title={pointer} onClick={() => onShow(pointer)}>
            <bdi>{placeWords(pointer)}</bdi>
          </button>
        </li>
      ))}
      {needed.length > neededMax && <li class="quiet">and {needed.length - neededMax} more</li>}
    </ul>
  </section>
)

const rank: Readonly<Record<Severity, number>> = { error: 2, warning: 1, gap: 0 }

const noMarks: ReadonlyMap<number, Severity> = new Map()

/** The lines with findings, each with its worst. */
function marksOf(text: string, findings: readonly Finding[]): ReadonlyMap<number, Severity> {
  const marks = new Map<number, Severity>()
  if (findings.length === 0) return marks
  const places = placesIn(
    text,
    findings.map(({ pointer }) => pointer),
  )
  const placeAt = linesOf(text)
  for (const { pointer, severity } of findings) {
    const { line } = placeAt(places.get(pointer)?.start ?? 0)
    const before = marks.get(line)
    if (before === undefined || rank[severity] > rank[before]) marks.set(line, severity)
  }
  return marks
}
