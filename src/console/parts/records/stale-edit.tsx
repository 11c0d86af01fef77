// Another user replaced the edited record: their changes, your changes, and how to continue.
import { differencesBetween } from '../../../contract/differences.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { changeCount, mergedOf, placeWords } from '../../records/comparison.ts'
import { Comparison } from './comparison.tsx'

interface Props {
  /** The noun; a record by default. */
  readonly noun?: string
  readonly base: unknown
  readonly baseVersion: number
  readonly mine: unknown
  readonly theirs: unknown
  readonly theirVersion: number
  /** Continues with this content, on top of their version. */
  readonly onSettled: (content: unknown) => void
}

export function StaleEdit({ noun = 'record', base, baseVersion, mine, theirs, theirVersion, onSettled }: Props) {
  const { merged, conflicts } = mergedOf(base, mine, theirs)
  return (
    <section class="stale" aria-label="Edit conflict">
      <div class="callout error" role="alert">
        <h2>The {noun} was replaced while you were editing</h2>
        <p>
          You started from version {baseVersion}. The current version is {theirVersion}. Your changes were not sent, and
          nothing is lost.
        </p>
      </div>
      {conflicts.length > 0 && (
        <p class="callout">
          Both of you changed <bdi>{conflicts.map(placeWords).join(', ')}</bdi>. A merge keeps your values.
        </p>
      )}
      <p class="actions">
        <button type="button" class="main" onClick={() => onSettled(merged)}>
          Merge my changes into theirs
        </button>
        <button type="button" onClick={() => onSettled(mine)}>
          Keep mine, discard theirs
        </button>
        <button type="button" onClick={() => onSettled(theirs)}>
          Use theirs, discard mine
        </button>
      </p>
      <p class="quiet small">Each choice opens the editor. Nothing is sent until you send it.</p>
      <h2>Theirs: {pluralize(changeCount(differencesBetween(base, theirs)), 'change')}</h2>
      <Comparison
        before={base}
        after={theirs}
        beforeWords={`Version ${baseVersion}, your starting point`}
        afterWords={`Version ${theirVersion}, theirs`}
      />
      <h2>Mine: {pluralize(changeCount(differencesBetween(base, mine)), 'change')}</h2>
      <Comparison
        before={base}
        after={mine}
        beforeWords={`Version ${baseVersion}, your starting point`}
        afterWords="Your draft"
      />
    </section>
  )
}
