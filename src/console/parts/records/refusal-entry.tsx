// One refusal: the payload, the outcome and the answer.

import type { Refusal } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { copy } from '../../files/clipboard.ts'
import { placeWords } from '../../records/comparison.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { operationWords, outcomeOf, recordAt, refusalWords, sectionPathOf } from '../../words/refusals.ts'
import { KeyName } from '../fields/key-name.tsx'
import { Instant } from '../frame/instant.tsx'
import { FindingWords, TextWithLinks } from './findings.tsx'

/** So many findings are in sight at once; more are a click away. */
const openMax = 2

/** An instant to the second, in UTC. */
export const RefusedAt = ({ refusal: { refusedDateTime } }: { readonly refusal: Refusal }) => (
  <Instant instant={refusedDateTime} toSecond />
)

export function RefusalEntry({ refusal }: { readonly refusal: Refusal }) {
  const { requestId, keyId, keyName, operation, outcome, findings, findingCount } = refusal
  const record = recordAt(refusal)
  return (
    <div class="refusal">
      <h2 id="refusal-title">
        {operationWords(operation)} <span class="tag error">{outcomeOf(outcome)}</span>
      </h2>
      <p class="facts quiet">
        <RefusedAt refusal={refusal} />
        <span>
          by <KeyName name={keyName} id={keyId} />
        </span>
        <span>
          request <code>{requestId}</code>{' '}
          <button type="button" class="plain in-line" onClick={() => copy(requestId, 'Request id')}>
            Copy<span class="hidden"> request id {requestId}</span>
          </button>
        </span>
        {record && <a href={hrefTo(record)}>The current record</a>}
      </p>
      <p>
        <bdi>
          <TextWithLinks text={refusalWords(refusal)} path={sectionPathOf(operation)} />
        </bdi>
      </p>
      {findings.length > 0 && (
        <details open={findings.length <= openMax}>
          <summary>{pluralize(findingCount, 'finding')}</summary>
          <ol class="finding-list">
            {findings.map((finding) => (
              <li key={finding.rule + finding.pointer + finding.message} class={`finding ${finding.severity}`}>
                <span class="place">
                  <bdi>{placeWords(finding.pointer)}</bdi>
                </span>
                <FindingWords finding={finding} path={sectionPathOf(operation)} />
                <p class="small">
                  <code dir="auto">{finding.pointer || '(the whole body)'}</code>
                </p>
              </li>
            ))}
          </ol>
          {findingCount > findings.length && (
            <p class="quiet">The first {findings.length} findings are kept. The answer to the request listed more.</p>
          )}
        </details>
      )}
    </div>
  )
}
