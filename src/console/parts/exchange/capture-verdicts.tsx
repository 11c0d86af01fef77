// The results of the events of an EPCIS document: captured, captured before, out of scope, refused.
import type { CaptureResult, CaptureVerdict } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { senderNames } from '../../records/sender-settings.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { screenText } from '../../words/screen-words.ts'
import { partnerRemedy, type VerdictItem, VerdictList, withoutAddresses } from './verdict-list.tsx'

const tones = { captured: 'fine', duplicate: 'neutral', outOfScope: 'neutral', refused: 'error' } as const

const effectWords: Readonly<Record<string, readonly [done: string, before: string]>> = {
  created: ['captured', 'can be captured'],
  replaced: ['replaced a record', 'would replace a record'],
  voided: ['voided a record', 'would void a record'],
  remembered: ['declared wrong', 'declared wrong'],
}

const verdictWords = ({ verdict, effect }: CaptureVerdict, { isDryRun }: Pick<Props, 'isDryRun'>): string => {
  if (verdict === 'duplicate') return 'captured before'
  if (verdict === 'outOfScope') return 'out of scope'
  if (verdict === 'refused') return 'refused'
  return effectWords[effect ?? 'created']?.[isDryRun ? 1 : 0] ?? 'captured'
}

const kinds: Readonly<Record<string, readonly [path: string, words: string]>> = {
  receivingEvent: ['/events', 'Receiving event'],
  shippingEvent: ['/shipping', 'Shipping event'],
}

interface Props {
  readonly result: CaptureResult
  readonly isDryRun: boolean
}

/** Events that are drawn. */
const shownMax = 200

export function CaptureVerdicts({ result: { events, eventCount }, isDryRun }: Props) {
  const refused = events.filter(({ verdict }) => verdict === 'refused')
  const shown =
    events.length > shownMax ? [...refused, ...events.filter(({ verdict }) => verdict !== 'refused')] : events
  const items = shown.slice(0, shownMax).map(
    (event): VerdictItem => ({
      key: event.pointer,
      title: (
        <>
          {event.kind === null ? 'Event' : kinds[event.kind]?.[1]}{' '}
          <bdi class="quiet small">{event.eventId ?? event.pointer}</bdi>
        </>
      ),
      verdict: verdictWords(event, { isDryRun }),
      tone: tones[event.verdict],
      isOpen: events.length <= 3 || event.verdict === 'refused',
      details: <EventDetails event={event} />,
    }),
  )
  return <VerdictList label="Events" items={items} count={eventCount} noun="event" />
}

/** Settings of the sender and fields by the names of the screen. */
const detailWords = (detail: string): string =>
  screenText(
    detail.replaceAll(/\w+/g, (word) => (Object.hasOwn(senderNames, word) ? (senderNames[word] ?? word) : word)),
  )

function EventDetails({
  event: { kind, recordId, detail, findings, findingCount, severities },
}: {
  readonly event: CaptureVerdict
}) {
  const [path, words] = kinds[kind ?? ''] ?? []
  const found =
    severities === null
      ? []
      : ([
          ['warning', severities.warning],
          ['gap', severities.gap],
        ] as const)
  const counts = found.filter(([, count]) => count > 0).map(([noun, count]) => pluralize(count, noun))
  return (
    <>
      {recordId !== null && path !== undefined && (
        <p>
          <a href={hrefTo(`${path}/${recordId}`)}>{words}</a>
        </p>
      )}
      {detail !== null && findings.length === 0 && <p dir="auto">{withoutAddresses(detailWords(detail))}</p>}
      {counts.length > 0 && <p class="quiet">Findings of the record: {counts.join(', ')}.</p>}
      {findings.length > 0 && (
        <ul class="place-findings" aria-label="Findings">
          {findings.map(({ pointer, message, remedy, rule }) => (
            <li key={pointer + message} class="finding error">
              <code class="segment">{pointer}</code>
              <p>
                <bdi>{screenText(message)}</bdi>
              </p>
              <p>{partnerRemedy({ rule, remedy })}</p>
            </li>
          ))}
        </ul>
      )}
      {findingCount > findings.length && (
        <p class="quiet">These are the first of {pluralize(findingCount, 'finding')}.</p>
      )}
      {recordId === null && detail === null && findings.length + counts.length === 0 && (
        <p class="quiet">Nothing to report.</p>
      )}
    </>
  )
}
