// The traceability plan: the text of the firm, its gaps, the facts that the service adds, and its
// versions. It prints as a document.

import type { TraceabilityPlan, TraceabilityPlanVersion } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { planParagraphs } from '../../../contract/traceability-plan.ts'
import { useOwnName } from '../../parts/fields/display-name.tsx'
import { KeyName } from '../../parts/fields/key-name.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { When } from '../../parts/frame/states.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import { PlanParagraphs, PlanStatements } from '../../parts/traceability/plan-paragraph.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { printPage, usePrinting } from '../../state/frame/printing.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import type { PageProps } from '../frame/page.ts'

const path = '/traceability-plan'

export function TraceabilityPlanPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const ownName = useOwnName()
  const mayWrite = useMay('administrator')
  const asked = query.get('version')
  const plan = useRequest(
    async (signal) =>
      (asked === null
        ? await api.readTraceabilityPlan({ signal })
        : await api.readTraceabilityPlanVersion({ version: Number(asked), signal })
      ).body,
    [asked],
  )
  return (
    <>
      <PageHead
        title="Traceability plan"
        actions={
          <>
            {mayWrite && asked === null && (
              <a class="button main" href={hrefTo(`${path}/edit`)}>
                {plan.is === 'answered' && plan.value.version === 0 ? 'Write plan' : 'Edit plan'}
              </a>
            )}
            <button type="button" onClick={printPage}>
              Print
            </button>
          </>
        }
      >
        <p class="quiet on-screen">
          How your firm keeps its records, finds foods on the list and assigns lot codes, and whom FDA may ask (21 CFR
          1.1315). The FDA package contains it.
        </p>
        <p class="on-paper">
          <bdi>{ownName}</bdi>, 21 CFR 1.1315
        </p>
      </PageHead>
      <When asked={plan} what="the traceability plan">
        {(value) => <Plan plan={value} mayWrite={mayWrite} />}
      </When>
    </>
  )
}

function Plan({ plan: read, mayWrite }: { readonly plan: TraceabilityPlan; readonly mayWrite: boolean }) {
  const isPrinting = usePrinting()
  const { version, inForceFrom, replacedDateTime, submittedBy, submittedByName, plan, gaps, service } = read
  return (
    <div class="sections plan">
      {inForceFrom !== null && submittedBy !== null && (
        <p>
          Version {version}, {replacedDateTime === null ? 'in force since' : 'in force from'}{' '}
          <Instant instant={inForceFrom} />
          {replacedDateTime !== null && (
            <>
              {' '}
              to <Instant instant={replacedDateTime} />
            </>
          )}
          , by <KeyName name={submittedByName} id={submittedBy} />.{' '}
          {replacedDateTime !== null && (
            <a class="on-screen" href={hrefTo(path)}>
              Show the plan in force
            </a>
          )}
        </p>
      )}
      {version === 0 ? (
        <p class="callout on-screen">
          No plan is written yet. Every firm that the rule covers needs one.
          {!mayWrite && ' An administrator writes it here.'}
        </p>
      ) : gaps.length === 0 ? (
        <p class="callout fine on-screen">Every paragraph of 21 CFR 1.1315(a) is answered.</p>
      ) : (
        <p class="callout on-screen">
          {pluralize(gaps.length, 'thing')} {gaps.length === 1 ? 'is' : 'are'} missing.
        </p>
      )}
      {planParagraphs.map((paragraph) => (
        <PlanParagraphs
          key={paragraph.cites}
          paragraph={paragraph}
          plan={plan}
          kinds={service.kinds}
          statements={service.statements.filter(({ cites }) => cites === paragraph.cites)}
        />
      ))}
      {version > 0 && <Versions shown={version} />}
      <section aria-labelledby="plan-elements">
        <h2 id="plan-elements">Key data elements</h2>
        <p class="quiet">Where each one is in the stored records. The service keeps this part current.</p>
        <details open={isPrinting}>
          <summary>{pluralize(service.keyDataElements.length, 'key data element')} and their fields</summary>
          <DataTable
            label="Key data elements"
            columns={[
              { heading: 'Sheet of FDA', cell: ({ sheet }) => sheet },
              { heading: 'Key data element', cell: ({ element }) => element },
              { heading: '21 CFR', cell: ({ cites }) => cites.replace('21 CFR ', '') },
              { heading: 'Fields', cell: ({ fields }) => withCodes(fields) },
            ]}
            rows={service.keyDataElements}
            keyOf={({ sheet, cites, element }) => `${sheet} ${cites} ${element}`}
          />
          <PlanStatements statements={service.statements.filter(({ cites }) => !cites.includes('1315'))} />
        </details>
      </section>
    </div>
  )
}

/** Names of fields in a sentence, as code. */
const withCodes = (text: string) =>
  text
    .split(/(\b(?:[a-z]+\.)?[a-z]+(?:[A-Z][A-Za-z]*\d?)+|\b[a-z]+\.[a-z]+)/)
    .map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))

function Versions({ shown }: { readonly shown: number }) {
  const paged = usePaged((api, options) => api.listTraceabilityPlanVersions(options), [])
  return (
    <section class="on-screen" aria-labelledby="plan-versions">
      <h2 id="plan-versions">Versions</h2>
      <PagedTable
        paged={paged}
        noun="version"
        newestFirst
        label="Versions"
        columns={[
          {
            heading: 'Version',
            cell: ({ version, replacedDateTime }) =>
              version === shown ? (
                version
              ) : (
                <a href={hrefTo(replacedDateTime === null ? path : `${path}?version=${version}`)}>{version}</a>
              ),
          },
          ...versionColumns,
        ]}
        keyOf={({ version }) => version}
      />
    </section>
  )
}

const versionColumns: readonly Column<TraceabilityPlanVersion>[] = [
  { heading: 'In force from', cell: ({ inForceFrom }) => <Instant instant={inForceFrom} /> },
  {
    heading: 'Until',
    cell: ({ replacedDateTime }) => (replacedDateTime === null ? 'in force' : <Instant instant={replacedDateTime} />),
  },
  { heading: 'By', cell: ({ submittedBy, submittedByName }) => <KeyName name={submittedByName} id={submittedBy} /> },
]
