// What to complete once, so that the gaps of many lines close.
import type { GapCauses } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useMay } from '../../state/frame/session.ts'
import { VendorName } from '../records/vendor-name.tsx'

type Cause = GapCauses['causes'][number]

/**
 * Where the cause is completed, and the words of the button; undefined where only the event itself
 * can be edited.
 */
function actionOf({ completedBy, rule, dataProviderVendorId, code }: Cause): readonly [string, string] | undefined {
  if (completedBy !== 'correction' && code !== null) {
    const kind = completedBy === 'location' ? 'location' : 'product'
    const about = new URLSearchParams({ [kind]: code, dataProviderVendorId, rule })
    return [`/completeness/complete?${about}`, `Complete ${kind}`]
  }
  if (rule === 'receiving-event/date-received') return undefined
  const about = new URLSearchParams({ gap: rule, dataProviderVendorId, ...(code !== null && { itemCode: code }) })
  return [`/corrections/new?${about}`, 'Correct events']
}

export function GapCauseTable({ causes: { causes, causeCount } }: { readonly causes: GapCauses }) {
  const mayWrite = useMay('writer')
  if (causes.length === 0) return null
  return (
    <section class="causes" aria-labelledby="causes-title">
      <h2 id="causes-title">What to complete</h2>
      <p class="quiet">One entry completes all of these lines. The cause of the most lines is first.</p>
      <table class="measures cards" aria-label="What to complete">
        <thead>
          <tr>
            <th scope="col">Missing</th>
            <th scope="col">Of</th>
            <th scope="col" class="number">
              Lines
            </th>
            <th scope="col" class="number">
              Events
            </th>
            {mayWrite && (
              <th scope="col">
                <span class="hidden">Complete</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {causes.map((cause) => (
            <CauseRow
              key={`${cause.rule} ${cause.dataProviderVendorId} ${cause.code}`}
              cause={cause}
              mayWrite={mayWrite}
            />
          ))}
        </tbody>
      </table>
      {causeCount > causes.length && (
        <p class="list-end quiet">
          The {causes.length} with the most lines, of {pluralize(causeCount, 'cause')}.
        </p>
      )}
    </section>
  )
}

const nouns = { masterProduct: 'Item', location: 'Location', correction: 'Lines of item' } as const

function CauseRow({ cause, mayWrite }: { readonly cause: Cause; readonly mayWrite: boolean }) {
  const { kde, cites, completedBy, code, dataProviderVendorId, dataProviderVendorName, lines, events } = cause
  const action = actionOf(cause)
  return (
    <tr>
      <th scope="row">
        {kde} <span class="quiet small">{cites}</span>
      </th>
      <td data-words="Of">
        {code === null ? (
          'Events'
        ) : (
          <>
            {nouns[completedBy]} <bdi class="mono">{code}</bdi>
          </>
        )}{' '}
        <span class="quiet">
          of vendor <VendorName id={dataProviderVendorId} name={dataProviderVendorName} />
        </span>
      </td>
      <td class="number" data-words="Lines">
        {lines.toLocaleString('en')}
      </td>
      <td class="number" data-words="Events">
        {events.toLocaleString('en')}
      </td>
      {mayWrite && (
        <td class="row-action">
          {action && (
            <a class="button" href={hrefTo(action[0])}>
              {action[1]}
              <span class="hidden">
                {' '}
                {code}: {kde}
              </span>
            </a>
          )}
        </td>
      )}
    </tr>
  )
}
