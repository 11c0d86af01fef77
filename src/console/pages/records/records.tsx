// The records of one kind as a table: sorted, narrowed by every filter of the API, in the chosen
// columns. The view is in the address.

import type { AnyRecord, Client } from '../../../client/client.ts'
import type { ListValues } from '../../../client/generated/shapes.ts'
import { eventKinds, isEventKind } from '../../../contract/record-kinds.ts'
import { useSaving } from '../../files/saving.ts'
import type { TableFormat } from '../../files/table-file.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { WithoutWithdrawn } from '../../parts/records/without-withdrawn.tsx'
import { FilterBar } from '../../parts/tables/filter-bar.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { SavingState } from '../../parts/tables/saving-state.tsx'
import { TableActions, UnknownFilters } from '../../parts/tables/table-actions.tsx'
import { TableRows } from '../../parts/tables/table-rows.tsx'
import { correctionAddress } from '../../records/correction-words.ts'
import { askOf, type Filters } from '../../records/filters.ts'
import { columnsOf } from '../../records/record-columns.tsx'
import { type RecordSection, sectionAt } from '../../records/record-sections.ts'
import { askedOrder, type TableView, viewIn } from '../../records/table-view.ts'
import { totalWords } from '../../records/total-words.ts'
import { hrefTo, useAddress } from '../../state/frame/address.ts'
import { printPage } from '../../state/frame/printing.ts'
import { useRequest } from '../../state/frame/request.ts'
import { type Session, useMay, useOpenSession } from '../../state/frame/session.ts'
import { showView } from '../../state/frame/shown-view.ts'
import { say } from '../../state/frame/toasts.ts'
import { useChosen } from '../../state/records/chosen-records.ts'
import { type JudgedRows, printedRowsMax, useRecordList } from '../../state/records/record-list.ts'
import { minuteWords } from '../../words/labels.ts'
import type { PageProps } from '../frame/page.ts'
import { laterPage } from '../later-page.tsx'

export function RecordsPage({ query }: PageProps) {
  const section = sectionAt(useAddress().path)
  const session = useOpenSession()
  const mayWrite = useMay('writer')
  const isOwn = useMay('reader')
  const { view, unknown } = viewIn(query, section)
  const { filters } = view
  const asked = askOf(filters, section.filters)
  const paged = useRecordList(session, section, view)
  const list = session.api.of(section.kind.name)
  const total = useRequest(
    async (signal) => (await list.list({ ...asked, total: true, limit: 1, signal })).body.total,
    [section.path, filters],
  )
  const { nouns } = section.kind
  const show = (next: TableView) => showView(section, next)
  const { saving, save, giveUp } = useSaving()
  const saveAs = (format: TableFormat) => save((signal) => savedList({ section, view }, { session, format, signal }))
  const printAll = async () => {
    if ((await paged.fetchForPrint()) === undefined) return
    if (total.is === 'answered' && (total.value?.records ?? 0) > printedRowsMax)
      say(`Only the first ${printedRowsMax.toLocaleString('en')} ${nouns} are printed. Save the list as XLSX for all.`)
    printPage()
  }

  const table = (rows: readonly AnyRecord[]) => (
    <RecordTable
      section={section}
      view={view}
      paged={paged}
      rows={rows}
      total={total.is === 'answered' ? total.value?.records : undefined}
    />
  )

  return (
    <>
      <PageHead
        title={section.words}
        actions={<HeadActions section={section} filters={filters} mayWrite={mayWrite} />}
      />
      <FilterBar
        declared={section.filters}
        search={section.search}
        filters={filters}
        onFilter={(next) => show({ ...view, filters: next })}
        values={{
          of: section.picked,
          nouns,
          ask: (of, containing, signal) =>
            listValues(session, section, { ...asked, of, ...(containing && { containing }), signal }),
        }}
        beside={
          <TableActions
            table={section}
            view={view}
            total={
              // Requested separately, so that the rows do not wait for it.
              <p class="total" role="status">
                {total.is === 'answered' && total.value !== undefined ? totalWords(total.value) : ' '}
              </p>
            }
            onSave={saveAs}
            onPrint={printAll}
          />
        }
      />
      <SavingState saving={saving} giveUp={giveUp} again={() => saveAs('xlsx')} />
      <UnknownFilters unknown={unknown} />
      <When asked={paged.asked} what={nouns}>
        {({ content }) =>
          content.length === 0 ? (
            <NoRecords section={section} isFiltered={Object.keys(filters).length > 0} mayWrite={mayWrite} />
          ) : isOwn ? (
            table(content)
          ) : (
            <WithoutWithdrawn section={section} rows={content}>
              {table}
            </WithoutWithdrawn>
          )
        }
      </When>
    </>
  )
}

/** The values of a filter: the field offers only parameters of this kind's operation. */
async function listValues({ api }: Session, section: RecordSection, request: object): Promise<ListValues> {
  const ask = api[section.valuesOperation] as Client['listReceivingEventValues']
  return (await ask(request as Parameters<typeof ask>[0])).body
}

/** The list as a file, in the columns and the order of its view. */
function savedList(
  { section, view }: { readonly section: RecordSection; readonly view: TableView },
  asked: { readonly session: Session; readonly format: TableFormat; readonly signal: AbortSignal },
) {
  const { session, format, signal } = asked
  const ask = session.api[section.fileOperation] as Client['saveReceivingEventList']
  const chosen = { ...askOf(view.filters, section.filters), ...askedOrder(view), columns: view.columns }
  return ask({ ...chosen, format, signal } as Parameters<typeof ask>[0])
}

interface TableProps {
  readonly section: RecordSection
  readonly view: TableView
  readonly paged: ReturnType<typeof useRecordList>
  readonly rows: readonly AnyRecord[]
  /** How many match the filters, where that is known. */
  readonly total: number | undefined
}

const ChosenRecords = laterPage((pages) => pages.ChosenRecords)

const RecordTable = ({ section, view, paged, rows, total }: TableProps) => {
  const [chosen, onChoose] = useChosen(paged.name)
  const columns = columnsOf(section, view.columns, paged.judged?.findings ?? new Map())
  return (
    <div aria-busy={paged.isStale === true}>
      <TableRows
        table={section}
        columns={columns}
        choice={{ chosen, onChoose }}
        rows={rows}
        keyOf={({ id }) => id}
        pathOf={({ id }) => `${section.path}/${id}`}
        view={view}
        onSort={(next) => showView(section, next)}
      />
      {paged.judged !== undefined && (
        <p class="list-end">
          <span class="quiet">{judgedWords(paged.judged)}</span>
        </p>
      )}
      <ListEnd
        paged={paged}
        noun={section.kind.noun}
        nouns={section.kind.nouns}
        ordered={orderWords(section, view)}
        printHint={`“Save as” has the file with all, and prints up to ${printedRowsMax.toLocaleString('en')}.`}
      />
      {chosen.size > 0 && (
        <ChosenRecords
          {...{ section, rows, columns, chosen, onChoose }}
          all={total !== undefined && total <= printedRowsMax ? total : undefined}
          chooseAll={async () => {
            const loaded = await paged.fetchForPrint()
            if (loaded !== undefined) onChoose(new Set(loaded.map(({ id }) => id)))
          }}
          again={paged.again}
        />
      )}
    </div>
  )
}

/** When the findings of the rows were judged, on the screen and on paper. */
function judgedWords({ from, to }: JudgedRows): string {
  const [first, last] = [minuteWords(from), minuteWords(to)]
  return `Findings as judged at ${first}${last === first ? '' : ` to ${last}`}, with the master data of that time.`
}

interface SectionProps {
  readonly section: RecordSection
  readonly mayWrite: boolean
}

function HeadActions({ section, filters, mayWrite }: SectionProps & { readonly filters: Filters }) {
  const correction = section.kind.name === 'receivingEvent' ? correctionAddress(filters) : undefined
  return (
    <>
      {section.kind.name === 'location' && (
        <a class="button" href={hrefTo('/time-zones')}>
          Time zones
        </a>
      )}
      {mayWrite && correction !== undefined && (
        <a class="button" href={hrefTo(correction)}>
          Correct these events
        </a>
      )}
      {mayWrite && (
        <a class="button" href={hrefTo(`${section.path}/new`)}>
          New {section.kind.noun}
        </a>
      )}
    </>
  )
}

function NoRecords({ section, isFiltered, mayWrite }: SectionProps & { readonly isFiltered: boolean }) {
  const isOwn = useMay('reader')
  return (
    <Empty
      title={isFiltered ? `No ${section.kind.nouns} match these filters` : `There are no ${section.kind.nouns} yet`}
    >
      {isFiltered ? (
        <p>Filters match exactly: enter the whole code, as it was submitted. A lot code may be in any GS1 form.</p>
      ) : (
        <p>
          {isOwn
            ? 'Programs send them through the API.'
            : 'What is shared with you appears here as soon as it is stored.'}
          {mayWrite && (
            <>
              {' '}
              You can also <a href={hrefTo('/import')}>import a file</a> or{' '}
              <a href={hrefTo(`${section.path}/new`)}>enter one by hand</a>.
            </>
          )}
        </p>
      )}
    </Empty>
  )
}

/** The words for an order by time; an order by text has its heading. */
function orderWords({ kind }: RecordSection, { sort, ascending }: TableView): string {
  const way = ascending ? 'oldest' : 'newest'
  if (sort === 'eventDateTime' && isEventKind(kind.name)) return `${way} ${eventKinds[kind.name].happened} first`
  return sort === 'created' ? `${way} first` : ''
}
