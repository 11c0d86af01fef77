// Two states of a record side by side. Removed values come first and are marked in words.
import { useState } from 'preact/hooks'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { type ComparedRow, comparedRows, placeWords } from '../../records/comparison.ts'

interface Props {
  readonly before: unknown
  readonly after: unknown
  readonly beforeWords: string
  readonly afterWords: string
}

const removedListedMax = 12

export function Comparison({ before, after, beforeWords, afterWords }: Props) {
  const [all, setAll] = useState(false)
  const rows = comparedRows(before, after)
  const of = (change: ComparedRow['change']) => rows.filter((row) => row.change === change)
  const [removed, same] = [of('removed'), of('same')]
  const shown = all ? rows : rows.filter(({ change }) => change !== 'same')
  return (
    <div class="comparison">
      {removed.length > 0 && (
        <Removed
          pointers={removed.map(({ pointer }) => pointer)}
          from={afterWords.replace(/^./, (first) => first.toLowerCase()).replace(/,.*/, '')}
        />
      )}
      <p class="counts">
        <span class="tag removed">{removed.length} removed</span>
        <span class="tag replaced">{of('replaced').length} replaced</span>
        <span class="tag added">{of('added').length} added</span>
      </p>
      {shown.length === 0 ? (
        <p class="quiet">Both are the same.</p>
      ) : (
        <div class="scroller">
          <table class="compared">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">{beforeWords}</th>
                <th scope="col">{afterWords}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Row key={row.pointer} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {same.length > 0 && (
        <p>
          <button type="button" onClick={() => setAll(!all)} aria-pressed={all}>
            {all ? 'Hide' : 'Show'} the {pluralize(same.length, 'field that is', 'fields that are')} the same
          </button>
        </p>
      )}
    </div>
  )
}

interface RemovedProps {
  readonly pointers: readonly string[]
  /** What they were removed from, as part of a sentence. */
  readonly from: string
}

export function Removed({ pointers, from }: RemovedProps) {
  return (
    <div class="callout error removed-fields">
      <h3>
        {pluralize(pointers.length, 'field')} removed: not in {from}
      </h3>
      <ul>
        {pointers.slice(0, removedListedMax).map((pointer) => (
          <li key={pointer}>
            <bdi>{placeWords(pointer)}</bdi>
          </li>
        ))}
        {pointers.length > removedListedMax && <li>and {pointers.length - removedListedMax} more</li>}
      </ul>
    </div>
  )
}

function Row({ row: { pointer, change, before, after } }: { readonly row: ComparedRow }) {
  return (
    <tr class={change}>
      <th scope="row" title={pointer}>
        <bdi>{placeWords(pointer)}</bdi>
      </th>
      <td>
        {change === 'added' ? (
          <span class="quiet">not there</span>
        ) : (
          <Side value={before} gone={change === 'removed'} />
        )}
      </td>
      <td>
        {change === 'removed' ? <strong class="tag removed">removed</strong> : <Side value={after} gone={false} />}
      </td>
    </tr>
  )
}

function Side({ value, gone }: { readonly value: unknown; readonly gone: boolean }) {
  const isParts = typeof value === 'object' && value !== null
  const text = isParts ? JSON.stringify(value, null, 2) : String(value)
  const shown = isParts ? <pre>{text}</pre> : <bdi class="value">{text}</bdi>
  return gone ? <del>{shown}</del> : shown
}
