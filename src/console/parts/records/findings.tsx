// Findings of the rules: in a list, each leading to its place; and beside their field.
import { useMemo, useState } from 'preact/hooks'
import type { Finding } from '../../../contract/shape/finding.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { placeWords } from '../../records/comparison.ts'
import { type FindingGroup, groupByRule, namedSpans } from '../../records/finding-groups.ts'
import { anchorOf, isWithin } from '../../records/pointers.ts'
import { recordSections } from '../../records/record-sections.ts'
import { hrefTo, useAddress } from '../../state/frame/address.ts'
import { usePages } from '../../state/frame/paged.ts'
import { usePrinting } from '../../state/frame/printing.ts'
import { idParts, isId, screenRemedy, screenText } from '../../words/screen-words.ts'
import { When } from '../frame/states.tsx'
import { ListEnd } from '../tables/list-end.tsx'

/**
 * A message of the service, with labels for names of fields, and ids of records as links. Without a
 * section they lead to records of the kind of this page; the page behind corrects another kind.
 */
export function TextWithLinks({ text, path }: { readonly text: string; readonly path?: string | undefined }) {
  const here = useAddress().path
  const section =
    recordSections.find((one) => here === one.path || here.startsWith(`${one.path}/`)) ?? recordSections[0]
  return (
    <>
      {idParts(text).map((part) =>
        isId(part) ? <a href={hrefTo(`${path ?? section?.path}/${part}`)}>{part}</a> : screenText(part),
      )}
    </>
  )
}

/** The words of one finding. */
export function FindingWords({
  finding: { severity, message, remedy, cites, rule, docsUrl },
  path,
}: {
  readonly finding: Finding
  /** Of the records that it names, where the page is about others. */
  readonly path?: string | undefined
}) {
  return (
    <>
      <p>
        <span class={`tag ${severity}`}>{severity}</span>{' '}
        <bdi>
          <TextWithLinks text={message} path={path} />
        </bdi>
      </p>
      <p>{screenRemedy(rule, remedy)}</p>
      <p class="quiet small">
        {screenText(cites)} ·{' '}
        <a href={docsUrl} target="_blank" rel="noreferrer">
          <code>{rule}</code>
        </a>
      </p>
    </>
  )
}

/** The findings about a field itself. */
export function FieldFindings({
  findings,
  pointer,
}: {
  readonly findings: readonly Finding[]
  readonly pointer: string
}) {
  const here = findings.filter((finding) => finding.pointer === pointer)
  return here.map((finding) => (
    <div key={finding.rule + finding.message} class={`finding ${finding.severity}`}>
      <FindingWords finding={finding} />
    </div>
  ))
}

/** Where something was found: a place on the page to go to, or one that the editor shows. */
function Place({
  pointer,
  words = placeWords(pointer),
  onShow,
}: {
  readonly pointer: string
  readonly words?: string
  readonly onShow: ((pointer: string) => void) | undefined
}) {
  return onShow ? (
    <button type="button" class="place" onClick={() => onShow(pointer)}>
      <bdi>{words}</bdi>
    </button>
  ) : (
    <a class="place" href={`#${encodeURIComponent(anchorOf(pointer))}`}>
      <bdi>{words}</bdi>
    </a>
  )
}

interface ListProps {
  readonly findings: readonly Finding[]
  readonly findingCount: number
  /** Shows the place; without it a finding is a link to the place on the page. */
  readonly onShow?: (pointer: string) => void
}

/** Findings of a draft or a refusal, of which the service lists the first ones. */
export function FindingList({ findings, findingCount, onShow }: ListProps) {
  const groups = useMemo(() => groupByRule(findings), [findings])
  return (
    <>
      <FindingGroups groups={groups} findings={findings} onShow={onShow} />
      {findingCount > findings.length && (
        <p class="quiet">
          These are the first {findings.length.toLocaleString('en')} of {findingCount.toLocaleString('en')} findings.
        </p>
      )}
    </>
  )
}

interface GroupsProps {
  readonly groups: readonly FindingGroup[]
  /** Those at hand. */
  readonly findings: readonly Finding[]
  readonly onShow?: ((pointer: string) => void) | undefined
  /** Asks for a page of the findings of a rule, when not all are at hand. */
  readonly ask?: (rule: string, options: PageOptions) => Promise<FindingPage>
  /** Shows the entries that have findings of a rule. */
  readonly onChoose?: (rule: string) => void
}

interface PageOptions {
  readonly cursor?: string
  readonly signal?: AbortSignal
}

interface FindingPage {
  readonly content: readonly Finding[]
  readonly nextCursor: string | null
}

/** Findings by rule: each with its count, its law and its remedy once, and the places. */
export function FindingGroups({ groups, findings, ...ways }: GroupsProps) {
  return (
    <ol class="finding-list">
      {groups.map((group) => (
        <Group key={group.rule} group={group} known={findings.filter(({ rule }) => rule === group.rule)} {...ways} />
      ))}
    </ol>
  )
}

/** Places named one by one; more are shown as spans of lines. */
const placesMax = 3
const spansMax = 10

interface GroupProps extends Omit<GroupsProps, 'groups' | 'findings'> {
  readonly group: FindingGroup
  readonly known: readonly Finding[]
}

function Group({ group, known, onShow, ask, onChoose }: GroupProps) {
  const { severity, findingCount, message, summary, remedy, cites, rule, docsUrl, entries } = group
  const [open, setOpen] = useState(false)
  const isShort = findingCount <= placesMax && known.length === findingCount
  const title = message ?? (summary === undefined ? undefined : screenText(summary))
  return (
    <li class={`finding ${severity}`}>
      {isShort && <Places findings={known} without={message} onShow={onShow} />}
      <p class="finding-title">
        <span class={`tag ${severity}`}>{findingCount === 1 ? severity : pluralize(findingCount, severity)}</span>{' '}
        {title !== undefined && (
          <bdi>
            <TextWithLinks text={title} />
          </bdi>
        )}
      </p>
      {!isShort && <Spans entries={entries} onShow={onShow} />}
      <p>{screenRemedy(rule, remedy)}</p>
      <p class="quiet small">
        {screenText(cites)} ·{' '}
        <a href={docsUrl} target="_blank" rel="noreferrer">
          <code>{rule}</code>
        </a>
      </p>
      {!isShort && (
        <p class="finding-ways">
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide places' : `Show ${pluralize(findingCount, 'place')}`}
          </button>
          {onChoose && entries.some(({ list }) => list === lineList) && (
            <button type="button" onClick={() => onChoose(rule)}>
              Show only these lines
            </button>
          )}
        </p>
      )}
      {open &&
        (ask === undefined || known.length === findingCount ? (
          <Places findings={known} without={message} onShow={onShow} />
        ) : (
          <PagedPlaces rule={rule} ask={ask} without={message} onShow={onShow} />
        ))}
    </li>
  )
}

const lineList = '/eventList/productList'

interface PlacesProps {
  readonly findings: readonly Finding[]
  /** The message above the list. */
  readonly without: string | undefined
  readonly onShow: GroupsProps['onShow']
}

const Places = ({ findings, without, onShow }: PlacesProps) => (
  <ul class="places">
    {findings.map(({ pointer, message }) => (
      <li key={pointer + message}>
        <Place pointer={pointer} onShow={onShow} />
        {message !== without && (
          <bdi class="small">
            <TextWithLinks text={message} />
          </bdi>
        )}
      </li>
    ))}
  </ul>
)

function PagedPlaces({
  rule,
  ask,
  ...places
}: Omit<PlacesProps, 'findings'> & { readonly rule: string; readonly ask: NonNullable<GroupsProps['ask']> }) {
  const paged = usePages((options) => ask(rule, options), [rule])
  return (
    <When asked={paged.asked} what="the findings">
      {({ content }) => (
        <>
          <Places findings={content} {...places} />
          <ListEnd paged={paged} noun="place" />
        </>
      )}
    </When>
  )
}

/** "Lines 1–389, 401": on a screen the first of them, on paper all. */
function Spans({
  entries,
  onShow,
}: {
  readonly entries: FindingGroup['entries']
  readonly onShow: GroupsProps['onShow']
}) {
  const [all, setAll] = useState(false)
  const isWhole = usePrinting() || all
  return (
    <>
      {namedSpans(entries).map(({ words, spans }) => {
        const shown = isWhole ? spans : spans.slice(0, spansMax)
        return (
          <p key={words} class="spans">
            {words}{' '}
            {shown.map((span, i) => (
              <span key={span.pointer}>
                {i > 0 && ', '}
                <Place pointer={span.pointer} words={span.words} onShow={onShow} />
              </span>
            ))}
            {shown.length < spans.length && (
              <>
                {' '}
                <button type="button" class="plain" onClick={() => setAll(true)}>
                  and {(spans.length - shown.length).toLocaleString('en')} more
                </button>
              </>
            )}
          </p>
        )
      })}
    </>
  )
}

export const findingsWithin = (findings: readonly Finding[], pointer: string): readonly Finding[] =>
  findings.filter((finding) => isWithin(finding.pointer, pointer))
