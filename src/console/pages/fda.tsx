// The package for FDA: choose, see what there is and what is missing, download.
import { useState } from 'preact/hooks'
import { eventSelection } from '../../operations/event-selection.ts'
import { go } from '../address.ts'
import { useAsked } from '../asked.ts'
import { type Filters, filtersIn, queryOf } from '../filters.ts'
import { counted } from '../labels.ts'
import type { PageProps } from '../page.ts'
import { Count } from '../parts/completeness-table.tsx'
import { FilterBar } from '../parts/filter-bar.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { SavingState } from '../parts/saving-state.tsx'
import { When } from '../parts/states.tsx'
import { useSaving } from '../saving.ts'
import { useOpenSession } from '../session.ts'
import { shareWords } from '../shares.ts'

const path = '/fda'

const files = {
  package: {
    words: 'Package',
    says: 'a ZIP of the workbook, the same as CSV, an explanation and a manifest with hashes',
  },
  xlsx: { words: 'Workbook', says: 'the electronic sortable spreadsheet in the form of FDA’s template' },
  csv: { words: 'CSV', says: 'its sheet Receiving alone' },
} as const
type File = keyof typeof files

export function FdaPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const { filters } = filtersIn(query, eventSelection)
  const [file, setFile] = useState<File>('package')
  const [gaps, setGaps] = useState(true)
  const { saving, save, giveUp } = useSaving()
  const download = () =>
    save((signal) => {
      if (file === 'package') return api.exportFdaPackage({ ...filters, gaps, signal })
      return api.exportFdaSpreadsheet({ ...filters, format: file, ...(file === 'xlsx' && { gaps }), signal })
    })
  return (
    <>
      <PageHead title="FDA package" />
      <p class="quiet">
        What FDA asks for within 24 hours: the records of the foods, and the dates or lot codes, it names (21 CFR
        1.1455(c)(3)). Dates are those of the receiver, as written in the records.
      </p>
      <FilterBar
        declared={eventSelection}
        search="lotCode"
        filters={filters}
        onFilter={(next) => go(path + queryOf(next))}
      />
      <Counts filters={filters} />
      <fieldset class="choices">
        <legend>What to make</legend>
        {(Object.keys(files) as File[]).map((one) => (
          <label key={one}>
            <input type="radio" name="file" checked={file === one} onChange={() => setFile(one)} />
            <span>
              <strong>{files[one].words}</strong>: {files[one].says}
            </span>
          </label>
        ))}
        <label>
          <input
            type="checkbox"
            checked={gaps && file !== 'csv'}
            disabled={file === 'csv'}
            onChange={({ currentTarget }) => setGaps(currentTarget.checked)}
          />
          <span>Mark cells that are empty because the record lacks a key data element, and list them</span>
        </label>
      </fieldset>
      <p>
        <button type="button" class="main" disabled={saving.is === 'running'} onClick={download}>
          Download {files[file].words.toLowerCase()}
        </button>
      </p>
      <SavingState saving={saving} giveUp={giveUp} again={download} />
    </>
  )
}

/** What the filters choose: counted exactly for a lot, and from the tallies of events otherwise. */
function Counts({ filters }: { readonly filters: Filters }) {
  const { api } = useOpenSession()
  const { lotCode, itemCode, eventStartDate, eventEndDate, dataProviderVendorId, shipToLocationCode } = filters
  const asked = useAsked(
    async (signal) => {
      if (lotCode !== undefined || itemCode !== undefined) {
        const { body } = await api.listReceivingEvents({ lotCode, itemCode, limit: 1, signal })
        return { some: body.content.length > 0 }
      }
      const selection = { eventStartDate, eventEndDate, dataProviderVendorId, shipToLocationCode }
      return { completeness: (await api.readCompleteness({ ...selection, limit: 1, signal })).body }
    },
    [filters],
  )
  return (
    <When asked={asked} what="the counts">
      {({ completeness, some }) => {
        if (completeness === undefined)
          return (
            <p class="callout">
              {some
                ? 'There are records of this lot or item. The package says how many lines it holds and which are incomplete.'
                : 'No record has this lot or item. The file would have headings and no rows; check the code, upper and lower case count.'}
            </p>
          )
        const { total } = completeness
        if (total.events === 0)
          return <p class="callout">Nothing was received then. The file would have headings and no rows.</p>
        const incomplete = total.lines - total.completeLines
        return (
          <p class="facts totals">
            <span>
              {counted(total.events, 'event')}, {counted(total.lines, 'line')} from {completeness.eventStartDate} to{' '}
              {completeness.eventEndDate}
              {eventStartDate === undefined && ' (counted; without dates the file has all there is)'}
            </span>
            <span>
              <strong>{shareWords(total.share)}</strong> complete
            </span>
            <span>
              <Count count={incomplete} to={total.records} what={`${incomplete} incomplete lines: show the events`} />{' '}
              incomplete
            </span>
          </p>
        )
      }}
    </When>
  )
}
