// What the rules found: in a list, each leading to its place; and beside the field it is about.
import type { Finding } from '../../contract/finding.ts'
import { placeWords } from '../records/comparison.ts'
import { anchorOf, isWithin } from '../records/pointers.ts'
import { recordSections } from '../records/record-sections.ts'
import { hrefTo, useAddress } from '../state/address.ts'
import { idParts, isId, screenRemedy } from '../words/screen-words.ts'

/** A text in which ids of records are links. Which kind a record is of, the page behind says. */
function WithLinks({ text }: { readonly text: string }) {
  const here = useAddress().path
  const section = recordSections.find(({ path }) => here === path || here.startsWith(`${path}/`)) ?? recordSections[0]
  return (
    <>{idParts(text).map((part) => (isId(part) ? <a href={hrefTo(`${section?.path}/${part}`)}>{part}</a> : part))}</>
  )
}

/** What one finding says. */
export function FindingWords({
  finding: { severity, message, remedy, cites, rule, docsUrl },
}: {
  readonly finding: Finding
}) {
  return (
    <>
      <p>
        <span class={`tag ${severity}`}>{severity}</span>{' '}
        <bdi>
          <WithLinks text={message} />
        </bdi>
      </p>
      <p>{screenRemedy(remedy)}</p>
      <p class="quiet small">
        {cites} ·{' '}
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

interface ListProps {
  readonly findings: readonly Finding[]
  readonly findingCount: number
  /** Shows the place; without it a finding is a link to the place on the page. */
  readonly onShow?: (pointer: string) => void
}

const listedMax = 50

export function FindingList({ findings, findingCount, onShow }: ListProps) {
  const listed = findings.slice(0, listedMax)
  return (
    <>
      <ol class="finding-list">
        {listed.map((finding) => (
          <li key={finding.rule + finding.pointer + finding.message} class={`finding ${finding.severity}`}>
            {onShow ? (
              <button type="button" class="place" onClick={() => onShow(finding.pointer)}>
                <bdi>{placeWords(finding.pointer)}</bdi>
              </button>
            ) : (
              <a class="place" href={`#${encodeURIComponent(anchorOf(finding.pointer))}`}>
                <bdi>{placeWords(finding.pointer)}</bdi>
              </a>
            )}
            <FindingWords finding={finding} />
          </li>
        ))}
      </ol>
      {findingCount > listed.length && (
        <p class="quiet">And {(findingCount - listed.length).toLocaleString('en')} more.</p>
      )}
    </>
  )
}

export const findingsWithin = (findings: readonly Finding[], pointer: string): readonly Finding[] =>
  findings.filter((finding) => isWithin(finding.pointer, pointer))
