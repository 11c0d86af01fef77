// The package for FDA: choose, see what there is and what is missing, download.
import { useState } from 'preact/hooks'
import type { Client } from '../../client/client.ts'
import { epcisDocument, epcisFileName } from '../../client/epcis-document.ts'
import { eventSelection } from '../../operations/event-selection.ts'
import { go, hrefTo } from '../address.ts'
import { useAsked } from '../asked.ts'
import { type Filters, filtersIn, queryOf } from '../filters.ts'
import { counted } from '../labels.ts'
import type { PageProps } from '../page.ts'
import { Count } from '../parts/completeness-table.tsx'
import { FilterBar } from '../parts/filter-bar.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { SavingState } from '../parts/saving-state.tsx'
import { When } from '../parts/states.tsx'
import { fileOfText, useSaving } from '../saving.ts'
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
  epcis: {
    words: 'EPCIS',
    says: 'the events, whole and with their corrections, as EPCIS 2.0 (JSON-LD), for partners who ask for that',
  },
} as const
type File = keyof typeof files

export function FdaPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const { filters } = filtersIn(query, eventSelection)
  // The file is made of what is counted here, not of what is still being typed.
  const [typedOn, setTypedOn] = useState<string>()
  const chosen = JSON.stringify(filters)
  const isTyping = typedOn === chosen
  const [file, setFile] = useState<File>('package')
  const [gaps, setGaps] = useState(true)
  const hasGaps = file === 'package' || file === 'xlsx'
  const [readAlike, setReadAlike] = useState(false)
  const canReadAlike = filters.lotCode !== undefined && file !== 'epcis'
  const { saving, save, giveUp } = useSaving()
  const download = () =>
    save((signal) => {
      if (file === 'epcis') return epcisFile(api, { ...filters, signal })
      const lines = { ...filters, ...(canReadAlike && readAlike && { readAlike }) }
      if (file === 'package') return api.exportFdaPackage({ ...lines, gaps, signal })
      return api.exportFdaSpreadsheet({ ...lines, format: file, ...(file === 'xlsx' && { gaps }), signal })
    })
  return (
    <>
      <PageHead title="FDA package">
        <p class="quiet">
          What FDA asks for within 24 hours: the records of the foods, and the dates or lot codes, it names (21 CFR
          1.1455(c)(3)). Dates are those of the receiver, as written in the records.
        </p>
      </PageHead>
      <FilterBar
        declared={eventSelection}
        search="lotCode"
        besides={['eventStartDate', 'eventEndDate']}
        filters={filters}
        onFilter={(next) => {
          setTypedOn(undefined)
          go(path + queryOf(next))
        }}
        onTyped={() => setTypedOn(chosen)}
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
            checked={gaps && hasGaps}
            disabled={!hasGaps}
            onChange={({ currentTarget }) => setGaps(currentTarget.checked)}
          />
          <span>Mark cells that are empty because the record lacks a key data element, and list them</span>
        </label>
        <label>
          <input
            type="checkbox"
            checked={readAlike && canReadAlike}
            disabled={!canReadAlike}
            onChange={({ currentTarget }) => setReadAlike(currentTarget.checked)}
          />
          <span>Include lines whose lot code only reads alike: the same but for case, blanks, dashes and the like</span>
        </label>
      </fieldset>
      <p class="actions">
        <button type="button" class="main" disabled={saving.is === 'running' || isTyping} onClick={download}>
          Download {file === 'package' || file === 'xlsx' ? files[file].words.toLowerCase() : files[file].words}
        </button>
        {isTyping && <span role="status">Press Find first: the fields above were changed.</span>}
      </p>
      <SavingState saving={saving} giveUp={giveUp} again={download} />
    </>
  )
}

const epcisFile = async (api: Client, asked: Parameters<typeof epcisDocument>[1]) => ({
  file: fileOfText(epcisFileName, 'application/ld+json', epcisDocument(api, asked)),
})

/** Most events of a lot or an item that are counted before the file is made. */
const countedMax = 100

/** What the filters choose: event by event for a lot or an item, and from the tallies of events otherwise. */
function Counts({ filters }: { readonly filters: Filters }) {
  const { api } = useOpenSession()
  const { lotCode, itemCode, eventStartDate, eventEndDate, dataProviderVendorId, shipToLocationCode } = filters
  const asked = useAsked(
    async (signal) => {
      if (lotCode !== undefined || itemCode !== undefined) {
        const { body, next } = await api.exportEpcis({ ...filters, perPage: countedMax, signal })
        const eventList = 'queryResults' in body.epcisBody ? body.epcisBody.queryResults.resultsBody.eventList : []
        // Replaced versions and pallets belong to the same event.
        return {
          events: eventList.filter(({ type, errorDeclaration }) => type === 'ObjectEvent' && !errorDeclaration).length,
          more: next !== undefined,
        }
      }
      const selection = { eventStartDate, eventEndDate, dataProviderVendorId, shipToLocationCode }
      return { completeness: (await api.readCompleteness({ ...selection, limit: 1, signal })).body }
    },
    [filters],
  )
  return (
    <When asked={asked} what="the counts">
      {({ completeness, events = 0, more }) => {
        if (completeness === undefined)
          return (
            <p class={events === 0 ? 'callout' : 'facts totals'}>
              {events === 0 ? (
                <span>
                  No event has all of these. The file would have headings and no rows. Check the code and the dates; the
                  trace shows lot codes that read alike.
                </span>
              ) : (
                <span>
                  {more ? `More than ${countedMax} events` : counted(events, 'event')} with such lines; the package says
                  how many lines, and which are incomplete.
                </span>
              )}
              {lotCode !== undefined && <a href={hrefTo(`/trace${queryOf({ lotCode })}`)}>Trace this lot</a>}
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
