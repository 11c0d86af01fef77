// Somebody else replaced the record while it was written: what they changed, what you changed, and how to go on.
import { changesBetween } from '../../contract/changes.ts'
import { changeCount, mergedOf, placeWords } from '../comparison.ts'
import { counted } from '../labels.ts'
import { Comparison } from './comparison.tsx'

interface Props {
  readonly base: unknown
  readonly baseVersion: number
  readonly mine: unknown
  readonly theirs: unknown
  readonly theirVersion: number
  /** Goes on writing with this content, on top of their version. */
  readonly onSettled: (content: unknown) => void
}

export function StaleEdit({ base, baseVersion, mine, theirs, theirVersion, onSettled }: Props) {
  const { merged, conflicts } = mergedOf(base, mine, theirs)
  return (
    <section class="stale" aria-label="A stale edit">
      <div class="callout error" role="alert">
        <h2>The record was replaced while you wrote</h2>
        <p>
          You began from version {baseVersion}; it is at version {theirVersion} now. Nothing of yours was sent, and
          nothing is lost.
        </p>
      </div>
      {conflicts.length > 0 && (
        <p class="callout">
          Both of you changed <bdi>{conflicts.map(placeWords).join(', ')}</bdi>; together, yours stands.
        </p>
      )}
      <p class="actions">
        <button type="button" class="main" onClick={() => onSettled(merged)}>
          Put my changes on theirs
        </button>
        <button type="button" onClick={() => onSettled(mine)}>
          Keep mine, undo theirs
        </button>
        <button type="button" onClick={() => onSettled(theirs)}>
          Take theirs, drop mine
        </button>
      </p>
      <p class="quiet small">Each leads back to the editor; nothing is sent before you send it.</p>
      <h2>Theirs: {counted(changeCount(changesBetween(base, theirs)), 'change')}</h2>
      <Comparison
        before={base}
        after={theirs}
        beforeWords={`Version ${baseVersion}, where you began`}
        afterWords={`Version ${theirVersion}, theirs`}
      />
      <h2>Mine: {counted(changeCount(changesBetween(base, mine)), 'change')}</h2>
      <Comparison
        before={base}
        after={mine}
        beforeWords={`Version ${baseVersion}, where you began`}
        afterWords="Your draft"
      />
    </section>
  )
}
