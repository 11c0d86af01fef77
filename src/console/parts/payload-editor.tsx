// A payload being written, as text or as fields, beside what the service would say of it.
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Finding, Severity } from '../../contract/finding.ts'
import { linesOf, placesIn } from '../../contract/json-place.ts'
import { draftText, readDraft } from '../drafts/draft.ts'
import type { DryRun } from '../drafts/dry-run.ts'
import { anchorOf } from '../records/pointers.ts'
import type { RecordSection } from '../records/record-sections.ts'
import { payloadShape } from '../records/shapes.ts'
import { failureWords } from '../words/failure-words.ts'
import { FindingList } from './findings.tsx'
import { JsonEditor, type Spot } from './json-editor.tsx'
import { PayloadForm } from './payload-form.tsx'
import { SeverityCounts } from './severity-counts.tsx'

interface Props {
  readonly section: RecordSection
  readonly text: string
  readonly onText: (text: string) => void
  readonly dryRun: DryRun | undefined
  /** Shown under what the service says: what would be removed, and the way to send. */
  readonly children: ComponentChildren
}

export function PayloadEditor({ section, text, onText, dryRun, children }: Props) {
  const [asForm, setAsForm] = useState(false)
  const [spot, setSpot] = useState<Spot>()
  const [shown, setShown] = useState<string>()
  const draft = useMemo(() => readDraft(text), [text])
  const fault = 'fault' in draft ? draft : undefined
  const findings = dryRun?.is === 'judged' && fault === undefined ? dryRun.findings : []

  const show = (pointer: string) => {
    if (fault !== undefined) return
    if (!asForm) return setSpot(placesIn(text, [pointer]).get(pointer))
    setShown(pointer)
    // Once what holds it is open.
    requestAnimationFrame(() => {
      const place = document.getElementById(`field:${pointer}`) ?? document.getElementById(anchorOf(pointer))
      place?.scrollIntoView({ block: 'center' })
      place?.focus({ preventScroll: true })
    })
  }
  const toFault = () => {
    if (fault === undefined) return
    const start =
      text
        .split('\n')
        .slice(0, fault.line - 1)
        .join('\n').length +
      (fault.line > 1 ? 1 : 0) +
      fault.column -
      1
    setAsForm(false)
    setSpot({ start, end: start + 1 })
  }

  return (
    <div class="writing">
      <div class="writing-text">
        <fieldset class="choice">
          <legend class="hidden">Write as</legend>
          <button type="button" aria-pressed={!asForm} onClick={() => setAsForm(false)}>
            JSON
          </button>
          <button type="button" aria-pressed={asForm} disabled={fault !== undefined} onClick={() => setAsForm(true)}>
            Form
          </button>
        </fieldset>
        {asForm && fault === undefined ? (
          <PayloadForm
            shape={payloadShape(section.kind)}
            value={'value' in draft ? draft.value : {}}
            onValue={(value) => onText(draftText(value))}
            findings={findings}
            shown={shown}
          />
        ) : (
          <JsonEditor text={text} onText={onText} marks={marksOf(text, findings)} spot={spot} />
        )}
      </div>
      <aside class="verdict" aria-label="Check by the service">
        {fault === undefined ? (
          <Verdict dryRun={dryRun} onShow={show} />
        ) : (
          <div class="callout error" role="status">
            <p>
              <strong>This is not a payload yet.</strong> {fault.fault}
            </p>
            <p>
              <button type="button" onClick={toFault}>
                Line {fault.line}, column {fault.column}
              </button>
            </p>
          </div>
        )}
        {children}
      </aside>
    </div>
  )
}

const wouldBeWords = {
  created: 'The record would be created.',
  replaced: 'The record would be replaced.',
  voided: 'The record would be voided.',
  unchanged: 'The record already has this content. Nothing would change.',
} as const

function Verdict({
  dryRun,
  onShow,
}: {
  readonly dryRun: DryRun | undefined
  readonly onShow: (pointer: string) => void
}) {
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
  const { refused, problem, wouldBe, findings, findingCount, severities } = dryRun
  return (
    <>
      <div class={refused ? 'callout error' : 'callout fine'} role="status">
        <strong>{refused ? 'The record would be refused.' : wouldBeWords[wouldBe ?? 'replaced']}</strong>{' '}
        {problem ?? (findings.length > 0 && <SeverityCounts counts={severities} />)}
      </div>
      {findings.length > 0 && <FindingList findings={findings} findingCount={findingCount} onShow={onShow} />}
    </>
  )
}

const rank: Readonly<Record<Severity, number>> = { error: 2, warning: 1, gap: 0 }

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
