// The history of a record: who, when, by which payload; any two versions side by side; an old one
// brought back.
import { useEffect, useState } from 'preact/hooks'
import type { AnyRecord } from '../../../client/client.ts'
import { ProblemError } from '../../../client/failure.ts'
import type { VersionPage, VersionSummary } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { KeyName } from '../../parts/fields/key-name.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { Empty, Failure, When } from '../../parts/frame/states.tsx'
import { Comparison } from '../../parts/records/comparison.tsx'
import { FindingList } from '../../parts/records/findings.tsx'
import { ReasonField } from '../../parts/records/reason-field.tsx'
import { RecordHead } from '../../parts/records/record-head.tsx'
import { type RecordSection, sectionAt } from '../../records/record-sections.ts'
import { recordName } from '../../records/record-summary.ts'
import { versionNumber, versionPair } from '../../records/version-pair.ts'
import { go, hrefTo, useAddress } from '../../state/frame/address.ts'
import { useAnswer, useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { failureWords } from '../../words/failure-words.ts'
import type { PageProps } from '../frame/page.ts'

const listedMax = 200

export function VersionsPage({ values: { id = '' }, query }: PageProps) {
  const { api } = useOpenSession()
  const section = sectionAt(useAddress().path)
  const [written, setWritten] = useState(0)
  const record = useRequest((signal) => api.of(section.kind.name).read({ id, signal }), [section.path, id, written])
  const versions = useAnswer(
    (api, signal) => api.of(section.kind.name).listVersions({ id, limit: listedMax, signal }),
    [section.path, id, written],
  )
  const found = record.is === 'answered' ? record.value.body : undefined
  const compared = versionPair(query.get('compare'))
  const restoreVersion = versionNumber(query.get('restore'))
  const here = `${section.path}/${id}/versions`

  return (
    <>
      <RecordHead section={section} id={id} tab="versions" name={found && recordName(section.kind.name, found)} />
      <When asked={versions} what="the versions">
        {(list) => (
          <>
            {compared && (
              <ComparedVersions key={compared.join()} section={section} id={id} pair={compared} list={list} />
            )}
            {restoreVersion !== undefined && record.is === 'answered' && (
              <BringBack
                key={restoreVersion}
                section={section}
                current={record.value.body}
                currentVersion={record.value.version ?? 0}
                old={restoreVersion}
                onDone={(version) => {
                  setWritten(written + 1)
                  go(`${here}?compare=${version - 1}..${version}`)
                }}
                onStale={() => setWritten(written + 1)}
              />
            )}
            <Timeline list={list} here={here} compared={compared} />
          </>
        )}
      </When>
    </>
  )
}

interface TimelineProps {
  readonly list: VersionPage
  readonly here: string
  readonly compared: readonly [number, number] | undefined
}

function Timeline({ list: { content, nextCursor }, here, compared }: TimelineProps) {
  const newest = content[0]?.version ?? 1
  /** A version that is not on the list is requested, and reported if it was purged. */
  const isKept = (version: number) => !content.some((one) => one.version === version && one.purgedDateTime !== null)
  return (
    <section aria-label="Versions">
      <div class="section-head">
        <h2>Versions</h2>
        <span class="quiet">{pluralize(newest, 'version')}, newest first</span>
      </div>
      <CompareChoice content={content} here={here} compared={compared} newest={newest} />
      <ol class="timeline">
        {content.map((one) => (
          <Version key={one.version} version={one} here={here} newest={newest} isKept={isKept} />
        ))}
      </ol>
      {nextCursor !== null && (
        <p class="quiet">
          The {listedMax} newest versions are shown. To compare older ones, write their numbers into the address.
        </p>
      )}
    </section>
  )
}

interface CompareProps extends Pick<TimelineProps, 'here' | 'compared'> {
  readonly content: readonly VersionSummary[]
  readonly newest: number
}

/** Chooses two versions to see side by side. */
function CompareChoice({ content, here, compared, newest }: CompareProps) {
  const [chosen, setChosen] = useState<readonly [number, number]>([Math.max(1, newest - 1), newest])
  useEffect(() => {
    if (compared) setChosen(compared)
  }, [compared?.join()])
  const kept = content.filter(({ purgedDateTime }) => purgedDateTime === null)
  if (kept.length <= 1) return null
  return (
    <form
      class="compare-choice"
      onSubmit={(event) => {
        event.preventDefault()
        go(`${here}?compare=${chosen[0]}..${chosen[1]}`)
      }}
    >
      <VersionChoice
        words="Compare version"
        content={kept}
        value={chosen[0]}
        onChoose={(one) => setChosen([one, chosen[1]])}
      />
      <VersionChoice
        words="with version"
        content={kept}
        value={chosen[1]}
        onChoose={(one) => setChosen([chosen[0], one])}
      />
      <button type="submit">Compare</button>
    </form>
  )
}

interface VersionProps {
  readonly version: VersionSummary
  readonly here: string
  readonly newest: number
  readonly isKept: (version: number) => boolean
}

/** One version: when and by whom it was stored, what replaced it, and what can be done with it. */
function Version({ version: one, here, newest, isKept }: VersionProps) {
  const mayWrite = useMay('writer')
  const isVoided = one.voidReason !== null
  // A correction names its own reason below.
  const saidFor = one.voidReason ?? (one.correction === null ? one.reason : null)
  return (
    <li class={isVoided ? 'voided' : undefined}>
      <div>
        <h3>
          <span class="version-name">Version {one.version}</span>{' '}
          {one.version === newest && <span class="tag added">current</span>}{' '}
          {isVoided && <span class="tag removed">voided</span>}
        </h3>
        {saidFor !== null && (
          <p>
            <bdi>“{saidFor}”</bdi>
          </p>
        )}
        <p>
          <Instant instant={one.submittedDateTime} toSecond /> by <KeyName name={one.keyName} id={one.keyId} />
          {one.payloadId !== null && (
            <>
              , payload <bdi class="mono">{one.payloadId}</bdi>
            </>
          )}
        </p>
        {one.correction !== null && (
          <p>
            <a href={hrefTo(`/corrections/${one.correction.id}`)}>Correction</a>: <bdi>{one.correction.reason}</bdi>
          </p>
        )}
        {one.shipNotice !== null && (
          <p>
            Replaced by ship notice <bdi>{one.shipNotice.number}</bdi> of <bdi>{one.shipNotice.senderId}</bdi>
          </p>
        )}
        <p class="quiet small">
          {one.findingCount !== null && one.findingCount > 0 && <>{pluralize(one.findingCount, 'finding')} · </>}
          {one.purgedDateTime !== null && (
            <>
              purged <Instant instant={one.purgedDateTime} toSecond /> after the retention time ·{' '}
            </>
          )}
          content <code title={one.contentHash}>{one.contentHash.slice(0, 12)}</code>
        </p>
      </div>
      <div class="actions">
        {one.version > 1 && !isVoided && isKept(one.version - 1) && isKept(one.version) && (
          <a class="button" href={hrefTo(`${here}?compare=${one.version - 1}..${one.version}`)}>
            What changed
          </a>
        )}
        {mayWrite && one.version !== newest && !isVoided && isKept(one.version) && (
          <a class="button" href={hrefTo(`${here}?restore=${one.version}`)}>
            Restore
          </a>
        )}
      </div>
    </li>
  )
}

interface ChoiceProps {
  readonly words: string
  readonly content: readonly VersionSummary[]
  readonly value: number
  readonly onChoose: (version: number) => void
}

const VersionChoice = ({ words, content, value, onChoose }: ChoiceProps) => (
  <label>
    {words}{' '}
    <Select
      choices={content.map(({ version }) => [`${version}`, `${version}`])}
      value={`${value}`}
      onChoose={(version) => onChoose(Number(version))}
    />
  </label>
)

interface ComparedProps {
  readonly section: RecordSection
  readonly id: string
  readonly pair: readonly [number, number]
  readonly list: VersionPage
}

function ComparedVersions(props: ComparedProps) {
  const { pair, list } = props
  const newest = list.content[0]?.version ?? 1
  const missing = pair.find((version) => version > newest)
  if (missing === undefined) return <BothVersions {...props} />
  return (
    <Empty title={`There is no version ${missing}`}>
      <p>Choose two of the versions below.</p>
    </Empty>
  )
}

function BothVersions({ section, id, pair: [one, other], list }: ComparedProps) {
  const { api } = useOpenSession()
  const both = useRequest(
    (signal) =>
      Promise.all([one, other].map((version) => api.of(section.kind.name).readVersion({ id, version, signal }))),
    [section.path, id, one, other],
  )
  return (
    <section aria-label="Comparison" class="compared-box">
      <div class="section-head">
        <h2>
          Version {one} and version {other}
        </h2>
      </div>
      <When asked={both} what="the versions">
        {([before, after]) => (
          <Comparison
            before={before?.body}
            after={after?.body}
            beforeWords={versionWords(one, list)}
            afterWords={versionWords(other, list)}
          />
        )}
      </When>
    </section>
  )
}

const versionWords = (version: number, { content }: VersionPage): string =>
  `Version ${version}${content[0]?.version === version ? ', current' : ''}`

interface BringBackProps {
  readonly section: RecordSection
  readonly current: AnyRecord
  readonly currentVersion: number
  readonly old: number
  readonly onDone: (version: number) => void
  readonly onStale: () => void
}

function BringBack({ section, current, currentVersion, old, onDone, onStale }: BringBackProps) {
  const { api } = useOpenSession()
  const { id } = current
  const version = useRequest(
    (signal) => api.of(section.kind.name).readVersion({ id, version: old, signal }),
    [section.path, id, old],
  )
  const [reason, setReason] = useState('')
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  const send = async (body: AnyRecord) => {
    setSending(true)
    setFailure(undefined)
    try {
      const answer = await api.of(section.kind.name).replace({
        id,
        body,
        ifMatch: currentVersion,
        reason: reason.trim() || undefined,
      })
      const now = answer.version ?? currentVersion + 1
      say(
        now === currentVersion
          ? 'Nothing changed: no new version was created'
          : `Version ${old} was restored as version ${now}`,
      )
      onDone(now)
    } catch (error) {
      setSending(false)
      setFailure(error)
      say(failureWords(error).title, 'failed')
      if (error instanceof ProblemError && error.status === 412) onStale()
    }
  }

  return (
    <section aria-label="Restore version" class="compared-box">
      <div class="section-head">
        <h2>Restore version {old}: changes to be made</h2>
      </div>
      <When asked={version} what="the version">
        {({ body }) => (
          <>
            <Comparison
              before={current}
              after={body}
              beforeWords={`Version ${currentVersion}, current`}
              afterWords={`Version ${old}, restored`}
            />
            {failure !== undefined && <Failure error={failure} />}
            {failure instanceof ProblemError && failure.findings.length > 0 && (
              <FindingList findings={failure.findings} findingCount={failure.problem.findingCount ?? 0} />
            )}
            <ReasonField reason={reason} onReason={setReason} />
            <p class="actions">
              <button type="button" class="main" disabled={sending} onClick={() => send(body)}>
                {sending ? 'Sending…' : `Restore as version ${currentVersion + 1}`}
              </button>
              <a class="button" href={hrefTo(`${section.path}/${id}/versions`)}>
                Cancel
              </a>
            </p>
          </>
        )}
      </When>
    </section>
  )
}
