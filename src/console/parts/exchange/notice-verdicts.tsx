// The results of ship notices: the verdict of each, its shipping events, and findings at their
// segment and element.
import type { NoticeFinding, NoticeResult } from '../../../client/generated/shapes.ts'
import type { NoticeSender } from '../../../contract/ship-notice-sender.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { Column } from '../../records/drawn-column.ts'
import { eventSummary, type Fields, fieldsOf, joinGiven, listOf, textOf } from '../../records/record-summary.ts'
import { noticeSenderPath } from '../../records/sender-settings.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { screenText } from '../../words/screen-words.ts'
import { DataTable } from '../tables/data-table.tsx'
import { partnerRemedy, type VerdictItem, VerdictList } from './verdict-list.tsx'

type Verdict = NoticeResult['verdict']

export const noticeVerdictWords: Readonly<Record<Verdict, string>> = {
  accepted: 'can be imported',
  created: 'imported',
  replaced: 'replaced',
  cancelled: 'cancelled',
  duplicate: 'imported before',
  superseded: 'superseded by a later one',
  refused: 'refused',
}
const toneOf = (verdict: Verdict): VerdictItem['tone'] =>
  verdict === 'refused' ? 'error' : verdict === 'duplicate' || verdict === 'superseded' ? 'neutral' : 'fine'

const effectWords = { created: '', replaced: ' (replaced)', voided: ' (voided)', unchanged: ' (unchanged)' } as const
const purposeWords = {
  original: 'Notice',
  replacement: 'Replacement of notice',
  cancellation: 'Cancellation of notice',
}

interface Props {
  readonly notices: readonly NoticeResult[]
  /** About the file around them. */
  readonly findings: readonly NoticeFinding[]
  /** Notices of the file. */
  readonly count: number
  /** The file, where it is at hand: findings show the segment that they are about. */
  readonly text?: string
  /** False where the page sets up the sender itself. */
  readonly offersSetUp?: boolean
}

export function NoticeVerdicts({ notices, findings, count, text = '', offersSetUp = true }: Props) {
  const segmentOf = segmentsIn(text)
  const shared = { segmentOf, offersSetUp }
  const items = notices.map(
    (notice): VerdictItem => ({
      key: `${notice.interchange} ${notice.segment}`,
      title: (
        <>
          {purposeWords[notice.purpose ?? 'original']} <bdi>{notice.number ?? 'without a number'}</bdi>{' '}
          <span class="quiet small">
            from <bdi>{notice.senderId}</bdi>, segment {notice.segment.toLocaleString('en')}
          </span>
        </>
      ),
      verdict: noticeVerdictWords[notice.verdict],
      tone: toneOf(notice.verdict),
      isOpen: notices.length <= 3 || notice.verdict === 'refused',
      details: <NoticeDetails notice={notice} {...shared} />,
    }),
  )
  return (
    <>
      {findings.length > 0 && <Findings findings={findings} {...shared} sender={{ senderId: '' }} />}
      <VerdictList label="Ship notices" items={items} count={count} noun="notice" />
    </>
  )
}

interface Shared {
  readonly segmentOf: (finding: NoticeFinding) => string | undefined
  readonly offersSetUp: boolean
}

function NoticeDetails({ notice, ...shared }: Shared & { readonly notice: NoticeResult }) {
  const { verdict, effects, events = [], findings, findingCount } = notice
  const changed = effects.flatMap(({ id, effect }) => (id === null ? [] : [{ id, effect }]))
  return (
    <>
      {changed.length > 0 && (
        <p>
          {changed.map(({ id, effect }, i) => (
            <a key={id} class="event-link" href={hrefTo(`/shipping/${id}`)}>
              Shipping event{changed.length > 1 && ` ${i + 1}`}
              {effectWords[effect]}
            </a>
          ))}
        </p>
      )}
      {events.map((event, i) => (
        <NoticeEvent key={String(i)} event={fieldsOf(event)} />
      ))}
      {findings.length === 0 ? (
        <p class="quiet">Nothing to report.</p>
      ) : (
        <Findings findings={findings} sender={notice} {...shared} />
      )}
      {findingCount > findings.length && (
        <p class="quiet">These are the first of {pluralize(findingCount, 'finding')}.</p>
      )}
      {shared.offersSetUp && verdict === 'refused' && !findings.some(isUnknownSender) && (
        <p>
          <a href={hrefTo(noticeSenderPath(notice))}>
            Settings of <bdi>{notice.senderId}</bdi>
          </a>
        </p>
      )}
    </>
  )
}

/** Lines that are shown of an event. */
const linesMax = 50

const lineColumns: readonly Column<Fields>[] = [
  {
    heading: 'Item',
    cell: ({ vendorItemCode, vendorItemDescription }) => (
      <bdi>{joinGiven(' ', vendorItemCode, vendorItemDescription)}</bdi>
    ),
  },
  {
    heading: 'Lot code',
    class: 'mono',
    cell: ({ caseLotNumber }) =>
      caseLotNumber === undefined ? <span class="tag gap">none</span> : textOf(caseLotNumber),
  },
  { heading: 'Quantity', cell: ({ shipQuantity, shipQuantityUom }) => joinGiven(' ', shipQuantity, shipQuantityUom) },
  { heading: 'Pallet', class: 'mono', cell: ({ palletId }) => textOf(palletId) },
]

function NoticeEvent({ event }: { readonly event: Readonly<Record<string, unknown>> }) {
  const { received: shipped, from, to, purchaseOrder, vendor, lineCount } = eventSummary(event)
  const lines = listOf(fieldsOf(event.eventList).productList).slice(0, linesMax)
  const name = `Shipping event${purchaseOrder === '' ? '' : ` for order ${purchaseOrder}`}`
  return (
    <div class="notice-event">
      <p>
        <strong>{name}</strong>{' '}
        <bdi>{joinGiven(' · ', `${from} to ${to}`, `shipped ${shipped}`, `vendor ${vendor}`)}</bdi>
      </p>
      <DataTable
        isWide
        label={`Lines of ${name}`}
        columns={lineColumns}
        rows={lines}
        keyOf={(line) => lines.indexOf(line)}
      />
      {lineCount > lines.length && (
        <p class="quiet">
          The first {linesMax} of {pluralize(lineCount, 'line')}.
        </p>
      )}
    </div>
  )
}

interface FindingsProps extends Shared {
  readonly findings: readonly NoticeFinding[]
  readonly sender: NoticeSender
}

/** A finding at several places is shown once, with the places. */
function Findings({ findings, sender, segmentOf, offersSetUp }: FindingsProps) {
  const groups = new Map<string, NoticeFinding[]>()
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.message} ${finding.remedy}`
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return (
    <ul class="place-findings" aria-label="Findings">
      {[...groups].map(([key, group]) => {
        const [first] = group as [NoticeFinding]
        const { severity, message } = first
        return (
          <li key={key} class={`finding ${severity}`}>
            <p>
              <span class={`tag ${severity}`}>{severity}</span> <bdi>{screenText(message)}</bdi>
            </p>
            {group.slice(0, placesMax).map((finding, i) => (
              <p key={String(i)} class="small">
                {placeWords(finding)} <code class="segment">{segmentOf(finding)}</code>
              </p>
            ))}
            {group.length > placesMax && (
              <p class="small">and {pluralize(group.length - placesMax, 'more place', 'more places')}</p>
            )}
            {!isUnknownSender(first) ? (
              <p>{partnerRemedy(first)}</p>
            ) : (
              offersSetUp && (
                <p>
                  <a href={hrefTo(noticeSenderPath(sender))}>
                    Set up the sender <bdi>{sender.senderId}</bdi>
                  </a>
                  , then choose the file again.
                </p>
              )
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The only finding about ISA06. */
const isUnknownSender = ({ segmentId, element }: Pick<NoticeFinding, 'segmentId' | 'element'>): boolean =>
  segmentId === 'ISA' && element === 6

/** Places that are named of one finding. */
const placesMax = 5

const placeWords = ({ segment, segmentId, element }: NoticeFinding): string =>
  `Segment ${segment.toLocaleString('en')}, ${segmentId}${element === undefined ? '' : String(element).padStart(2, '0')}`

/** Of an interchange whose separators end its ISA segment as they should. */
function segmentsIn(text: string): Shared['segmentOf'] {
  const start = text.search(/\S/)
  const terminator = text[start + 105]
  if (start < 0 || terminator === undefined || !text.startsWith('ISA', start)) return () => undefined
  const segments = text.slice(start).split(terminator)
  return ({ segment, segmentId }) => {
    const written = segments[segment - 1]?.trim()
    return written?.startsWith(segmentId) ? written : undefined
  }
}
