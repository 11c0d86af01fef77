// The records of one kind, newest first, with every filter of the API; what is shown stands in the address.
import { go, hrefTo, useAddress } from '../address.ts'
import { filtersIn, queryOf } from '../filters.ts'
import type { PageProps } from '../page.ts'
import { FilterBar } from '../parts/filter-bar.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { RecordRows } from '../parts/record-rows.tsx'
import { Empty, When } from '../parts/states.tsx'
import { useRecordList } from '../record-list.ts'
import { sectionAt } from '../record-sections.ts'
import { useMay, useOpenSession } from '../session.ts'

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
          The address names {unknown.join(', ')}, which is no filter here. It is left out: more is shown than was meant.
        </p>
      )}
      <When asked={paged.asked} what={nouns}>
        {({ content }) =>
          content.length === 0 ? (
            <Empty title={filtered ? `No ${noun} has all of these` : `There are no ${nouns} yet`}>
              {filtered ? (
                <p>
                  Filters are exact: a code has to be given whole, as it was submitted. A lot code may be given in any
                  form of GS1.
                </p>
              ) : (
                <p>
                  They are sent to <code>POST {section.kind.path}</code>
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
