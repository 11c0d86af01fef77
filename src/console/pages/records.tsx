// The records of one kind, newest first, with every filter of the API; what is shown stands in the
// address.

import { FilterBar } from '../parts/filter-bar.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { RecordRows } from '../parts/record-rows.tsx'
import { Empty, When } from '../parts/states.tsx'
import { filtersIn, queryOf } from '../records/filters.ts'
import { sectionAt } from '../records/record-sections.ts'
import { go, hrefTo, useAddress } from '../state/address.ts'
import { useRecordList } from '../state/record-list.ts'
import { useMay, useOpenSession } from '../state/session.ts'
import type { PageProps } from './page.ts'

export function RecordsPage({ query }: PageProps) {
  const section = sectionAt(useAddress().path)
  const session = useOpenSession()
  const mayWrite = useMay('writer')
  const { filters, unknown } = filtersIn(query, section.filters)
  const paged = useRecordList(session, section, filters)
  const filtered = Object.keys(filters).length > 0
  const { noun, nouns } = section.kind

  return (
    <>
      <PageHead
        title={section.words}
        actions={
          <>
            {section.kind.name === 'location' && (
              <a class="button" href={hrefTo('/time-zones')}>
                Time zones
              </a>
            )}
            {mayWrite && (
              <a class="button" href={hrefTo(`${section.path}/new`)}>
                New {noun}
              </a>
            )}
          </>
        }
      />
      <FilterBar
        declared={section.filters}
        search={section.search}
        filters={filters}
        onFilter={(next) => go(section.path + queryOf(next))}
      />
      {unknown.length > 0 && (
        <p class="callout" role="alert">
          The address contains {unknown.join(', ')}, which is not a filter of this page. It is ignored, so the list may
          show more than you asked for.
        </p>
      )}
      <When asked={paged.asked} what={nouns}>
        {({ content }) =>
          content.length === 0 ? (
            <Empty title={filtered ? `No ${nouns} match these filters` : `There are no ${nouns} yet`}>
              {filtered ? (
                <p>
                  Filters match exactly: enter the whole code, as it was submitted. A lot code may be in any GS1 form.
                </p>
              ) : (
                <p>
                  Programs send them to <code>POST {section.kind.path}</code>
                  {mayWrite && (
                    <>
                      , or <a href={hrefTo(`${section.path}/new`)}>entered by hand</a>
                    </>
                  )}
                  .
                </p>
              )}
            </Empty>
          ) : (
            <>
              <RecordRows section={section} records={content} />
              <ListEnd paged={paged} noun={noun} nouns={nouns} newestFirst />
            </>
          )
        }
      </When>
    </>
  )
}
