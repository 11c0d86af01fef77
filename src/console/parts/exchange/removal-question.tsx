// The question before a replacement removes product lines from a stored event.
import { useState } from 'preact/hooks'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { recordNames } from '../../../intake/record-name.ts'
import { recordSections } from '../../records/record-sections.ts'
import type { RemovalAsked } from '../../state/exchange/removal-question.ts'
import { hrefTo } from '../../state/frame/address.ts'

const shownMax = 20

export function RemovalQuestion({ removal: { id, version, lines, record }, answer }: RemovalAsked) {
  const { kind, payload } = record
  const [name = ''] = recordNames(kind, payload)
  const path = recordSections.find((section) => section.kind.name === kind.name)?.path ?? ''
  const [isForAll, setForAll] = useState(false)
  return (
    <section class="callout error" role="alertdialog" aria-labelledby="removal-title">
      <h3 id="removal-title">Remove {pluralize(lines.length, 'product line')} from a stored event?</h3>
      <p>
        Version {version} of the stored event{' '}
        <a href={hrefTo(`${path}/${id}`)} dir="auto">
          {name}
        </a>{' '}
        has lines that the file lacks. Replacing the event removes them:
      </p>
      <ul>
        {lines.slice(0, shownMax).map((line) => (
          <li key={line} dir="auto">
            {line}
          </li>
        ))}
        {lines.length > shownMax && <li>and {pluralize(lines.length - shownMax, 'more line')}</li>}
      </ul>
      <label>
        <input type="checkbox" checked={isForAll} onChange={({ currentTarget }) => setForAll(currentTarget.checked)} />{' '}
        <span>Give the same answer for all further events of this file</span>
      </label>
      <p class="actions">
        <button type="button" class="main" onClick={() => answer({ remove: false, isForAll })}>
          Keep lines
        </button>
        <button type="button" onClick={() => answer({ remove: true, isForAll })}>
          Remove lines
        </button>
      </p>
    </section>
  )
}
