// The package for FDA: choose records, see their number and their gaps, download.

import { useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import { epcisDocument, epcisFileName } from '../../../client/epcis-document.ts'
import type { Completeness, CreatedPackageLink } from '../../../client/generated/shapes.ts'
import { earlierLotText } from '../../../contract/earlier-lot.ts'
import { leastDefault } from '../../../contract/lots/grounds.ts'
import { type EventKindName, eventKinds } from '../../../contract/record-kinds.ts'
import { capitalize } from '../../../contract/text/capitalize.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { eventSelection, lineSelection } from '../../../operations/base/event-selection.ts'
import { type FdaLines, fdaSelection, sheetNames } from '../../../operations/traceability/export-fda.ts'
import { fileOfParts, useSaving } from '../../files/saving.ts'
import { NamedFirst } from '../../parts/fields/display-name.tsx'
import { type Choices, Select } from '../../parts/fields/select.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { When } from '../../parts/frame/states.tsx'
import { TextList } from '../../parts/records/text-list.tsx'
import { FilterBar } from '../../parts/tables/filter-bar.tsx'
import { SavingState } from '../../parts/tables/saving-state.tsx'
import { Count } from '../../parts/traceability/completeness-table.tsx'
import { CreatePackageLink, MadePackageLink } from '../../parts/traceability/package-link.tsx'
import { PackagesMade } from '../../parts/traceability/packages-made.tsx'
import { askOf, type DeclaredFilter, type Filters, filtersIn, queryOf, valuesOf } from '../../records/filters.ts'
import { groundChoices } from '../../records/note-ways.ts'
import { sectionOf } from '../../records/record-sections.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { useAnswer, useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { shareWords } from '../../words/percent.ts'
import type { PageProps } from '../frame/page.ts'

const path = '/fda'
/** Packages of the history; the access log has all. */
const packagesShown = 10

/** Lot codes that read alike have a switch of their own. */
const { readAlike: _, ...inFields } = lineSelection
const barSelection: Readonly<Record<string, DeclaredFilter>> = {
  ...inFields,
  eventStartDate: { ...inFields.eventStartDate, label: 'From' },
  eventEndDate: { ...inFields.eventEndDate, label: 'Until' },
}

const files = {
  package: {
    words: 'Package',
    says: 'a ZIP of the workbook, the same as CSV, an explanation and a manifest with hashes',
  },
  xlsx: { words: 'Workbook', says: 'the electronic sortable spreadsheet in the form of FDA’s template' },
  csv: { words: 'CSV', says: 'one of its sheets alone' },
  epcis: {
    words: 'EPCIS',
    says: 'the events, whole and with their corrections, as EPCIS 2.0 (JSON-LD), for partners who ask for that',
  },
} as const
type File = keyof typeof files

interface Choice {
  readonly file: File
  /** A CSV has one sheet, and EPCIS one step: receiving or shipping. */
  readonly sheet: Sheet
  readonly gaps: boolean
  readonly contact: string
}

type Sheet = (typeof sheetNames)[number]

/** The sheets that a file may have alone. */
const sheetsOf = (file: File): readonly Sheet[] => (file === 'epcis' ? steps : sheetNames)
const steps = ['receiving', 'shipping'] as const
const sheetOf = ({ file, sheet }: Pick<Choice, 'file' | 'sheet'>) => (sheetsOf(file).includes(sheet) ? sheet : steps[0])

/** Files with all sheets, in which empty cells can be marked. */
const hasGaps = (file: File): boolean => file === 'package' || file === 'xlsx'

export function FdaPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const mayManage = useMay('administrator')
  const mayRead = useMay('reader')
  const { filters } = filtersIn(query, fdaSelection)
  // The file is made of the filters that are counted here, not of those still being typed.
  const [typedOn, setTypedOn] = useState<string>()
  const chosen = JSON.stringify(filters)
  const isTyping = typedOn === chosen
  const [choice, setChoice] = useState<Choice>({ file: 'package', sheet: 'receiving', gaps: true, contact: '' })
  const { file } = choice
  const { readAlike, chain, least: _, ...inBar } = filters
  const show = (next: Filters) => {
    setTypedOn(undefined)
    go(path + queryOf(next, fdaSelection))
  }
  const { saving, save, giveUp } = useSaving()
  const [isCreatingLink, setCreatingLink] = useState(false)
  const [madeLink, setMadeLink] = useState<CreatedPackageLink>()
  const download = () => save((signal) => fdaFile(api, choice, filters, signal))
  return (
    <>
      <FdaHead />
      <Fields filters={filters} show={show} onTyped={() => setTypedOn(chosen)} />
      <EventCounts filters={filters} />
      <ChainChoice
        filters={filters}
        onChoose={(next) => show({ ...(isChainOfFood(filters) ? filters : inBar), ...next })}
      />
      <FileChoice
        choice={choice}
        onChoice={setChoice}
        isOfLines={chain !== undefined || Object.keys(inBar).some((name) => !(name in eventSelection))}
        readsAlike={{
          isOn: readAlike === 'true',
          isOffered: filters.lotCode !== undefined && chain === undefined && file !== 'epcis',
          onChange: (next) => show({ ...inBar, ...(next && { readAlike: 'true' }) }),
        }}
      />
      <form
        id="fda-file"
        onSubmit={(event) => {
          event.preventDefault()
          download()
        }}
      >
        <p class="actions">
          <button type="submit" class="main" disabled={saving.is === 'running' || isTyping}>
            Download {file === 'package' || file === 'xlsx' ? files[file].words.toLowerCase() : files[file].words}
          </button>
          {mayManage && file === 'package' && (
            <button type="button" disabled={isTyping} onClick={() => setCreatingLink(true)}>
              Create link…
            </button>
          )}
          {isTyping && <span role="status">The fields above have changed. Press Find first.</span>}
        </p>
      </form>
      <SavingState saving={saving} giveUp={giveUp} again={download} />
      {mayRead && <PlanNote />}
      {isCreatingLink && (
        <NamedFirst onClose={() => setCreatingLink(false)}>
          <CreatePackageLink
            asked={linesAsked(choice, filters)}
            onMade={(link) => {
              setMadeLink(link)
              setCreatingLink(false)
            }}
            onClose={() => setCreatingLink(false)}
          />
        </NamedFirst>
      )}
      {madeLink && <MadePackageLink made={madeLink} onDone={() => setMadeLink(undefined)} />}
      {mayManage && <LatestPackages key={saving.is} />}
    </>
  )
}

interface FieldsProps {
  readonly filters: Filters
  readonly show: (filters: Filters) => void
  readonly onTyped: () => void
}

/** The fields that choose records. Food of a chain is chosen on its own page. */
function Fields({ filters, show, onTyped }: FieldsProps) {
  const { readAlike, chain, least, ...inBar } = filters
  if (isChainOfFood(filters))
    return (
      <p class="callout">
        <span>
          The records of {foodNamed(filters)}, of the lots that were packed of it, and of all that was made of them.
        </span>{' '}
        <a href={hrefTo(path)}>Choose other records</a>
      </p>
    )
  const ofChain = mayHaveChain(filters) && chain !== undefined ? { chain, ...(least && { least }) } : {}
  return (
    <FilterBar
      declared={barSelection}
      search="lotCode"
      shownElsewhere={['eventStartDate', 'eventEndDate']}
      filters={inBar}
      onFilter={(next) =>
        show({
          ...next,
          ...(next.lotCode && readAlike && { readAlike }),
          ...(mayHaveChain({ ...next, ...(readAlike && { readAlike }) }) && ofChain),
        })
      }
      onTyped={onTyped}
    />
  )
}

const FdaHead = () => (
  <PageHead title="FDA package">
    <p class="quiet">
      The records that FDA may request within 24 hours, for the foods and the dates or lot codes that it names (21 CFR
      1.1455(c)(3)). Dates are those at the place of each event, such as the receiving location. Enter several lot
      codes, items or other values one per line.
    </p>
  </PageHead>
)

const LatestPackages = () => (
  <section class="packages-made on-screen" aria-labelledby="packages-made">
    <h2 id="packages-made">Packages made</h2>
    <p>
      <a href={hrefTo('/package-links')}>Links to packages</a>
    </p>
    <PackagesMade limit={packagesShown} declared={barSelection} />
  </section>
)

const chainChoices = [
  ['', 'the lot alone'],
  ['forward', 'the lot, and the lots that were made of it'],
  ['back', 'the lot, and the lots that are in it'],
  ['both', 'the lot, the lots that were made of it, and the lots that are in it'],
] as const satisfies Choices

/** The chain of food from its harvest or cooling, which its page opens. */
const isChainOfFood = ({ chain, lotCode }: Filters): boolean => chain !== undefined && lotCode === undefined

const foodNamed = ({ recordId, record = 'harvestingEvent', locationCode, date }: Filters) =>
  recordId === undefined ? (
    <>
      food {eventKinds[record as EventKindName].happened} on {date} at <bdi>{locationCode}</bdi>
    </>
  ) : (
    <a href={hrefTo(`/food${queryOf({ recordId })}`)}>the food of a harvest or a cooling</a>
  )

/** A chain begins at one lot, and has all records of its lots. */
const mayHaveChain = ({ lotCode = '', chain: _, least: __, ...others }: Filters): boolean =>
  valuesOf(lotCode).length === 1 &&
  Object.entries(others).every(
    ([name, value]) => (name === 'tlcSource' || name === 'gtin') && valuesOf(value).length === 1,
  )

interface ChainChoiceProps {
  readonly filters: Filters
  readonly onChoose: (chain: Filters) => void
}

function ChainChoice({ filters, onChoose }: ChainChoiceProps) {
  const { chain = '', least = leastDefault } = filters
  const isOfFood = isChainOfFood(filters)
  if (!isOfFood && (filters.lotCode === undefined || !(chain !== '' || mayHaveChain(filters)))) return null
  const beginning = isOfFood ? {} : named(filters)
  return (
    <p class="check">
      {!isOfFood && (
        <label>
          Records of{' '}
          <Select
            choices={chainChoices}
            value={chain as (typeof chainChoices)[number][0]}
            onChoose={(next) => onChoose(next === '' ? beginning : { ...beginning, chain: next })}
          />
        </label>
      )}
      {chain !== '' && (
        <label>
          {isOfFood ? 'Follow' : 'by'}{' '}
          <Select
            choices={groundChoices}
            value={least as (typeof groundChoices)[number][0]}
            onChoose={(next) => onChoose({ ...beginning, chain, least: next })}
          />
        </label>
      )}
    </p>
  )
}

/** The filters that a chain may have. */
const named = ({ lotCode = '', tlcSource = '', gtin = '' }: Filters): Filters => ({ lotCode, tlcSource, gtin })

interface ChoiceProps {
  readonly choice: Choice
  readonly onChoice: (choice: Choice) => void
  /** EPCIS has whole events: it cannot be chosen by what lines have. */
  readonly isOfLines: boolean
  readonly readsAlike: Omit<TickProps, 'words'>
}

interface TickProps {
  readonly isOn: boolean
  readonly isOffered: boolean
  readonly onChange: (isOn: boolean) => void
  readonly words: string
}

const Tick = ({ isOn, isOffered, onChange, words }: TickProps) => (
  <label>
    <input
      type="checkbox"
      checked={isOn && isOffered}
      disabled={!isOffered}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    <span>{words}</span>
  </label>
)

function FileChoice({ choice, onChoice, isOfLines, readsAlike }: ChoiceProps) {
  const { file, gaps, contact } = choice
  const isWhole = hasGaps(file)
  return (
    <fieldset class="choices">
      <legend>File to create</legend>
      {(Object.keys(files) as File[]).map((one) => (
        <label key={one}>
          <input
            type="radio"
            name="file"
            checked={file === one}
            disabled={one === 'epcis' && isOfLines}
            onChange={() => onChoice({ ...choice, file: one })}
          />
          <span>
            <strong>{files[one].words}</strong>: {files[one].says}
            {one === 'epcis' && isOfLines && '. It cannot be filtered by product, source or chain'}
          </span>
        </label>
      ))}
      <label>
        <span>Sheet of a CSV or EPCIS file</span>
        <select
          disabled={isWhole}
          value={sheetOf(choice)}
          onChange={({ currentTarget }) => onChoice({ ...choice, sheet: currentTarget.value as Sheet })}
        >
          {sheetsOf(file).map((one) => (
            <option key={one} value={one}>
              {capitalize(one.replaceAll('-', ' ')).replace(' rfe ', ' RFE ')}
            </option>
          ))}
        </select>
      </label>
      <Tick
        isOn={gaps}
        isOffered={isWhole}
        onChange={(isOn) => onChoice({ ...choice, gaps: isOn })}
        words="Mark cells that are empty because the record lacks a key data element, and list them"
      />
      <Tick
        {...readsAlike}
        words="Include lines whose lot code only reads alike: other signs, zeros or words, or several lots in one code"
      />
      <label class="contact">
        <span>Contact for FDA’s questions, name and phone number (optional)</span>
        <input
          type="text"
          name="contact"
          form="fda-file"
          maxLength={100}
          autocomplete="off"
          placeholder="Ana Lopez, +1.614.555.0170"
          value={contact}
          disabled={!isWhole}
          onInput={({ currentTarget }) => onChoice({ ...choice, contact: currentTarget.value })}
        />
      </label>
    </fieldset>
  )
}

/** The package has the traceability plan, as soon as there is one. */
function PlanNote() {
  const asked = useAnswer((api, signal) => api.readTraceabilityPlan({ signal }), [])
  const version = asked.is === 'answered' ? asked.value.version : undefined
  return (
    <p class="quiet last-package on-screen">
      {version !== undefined && (
        <>
          {version === 0
            ? 'FDA may also ask for your traceability plan, and none is written yet.'
            : `The package contains version ${version} of your traceability plan.`}{' '}
          <a href={hrefTo('/traceability-plan')}>Traceability plan</a>
        </>
      )}
    </p>
  )
}

/** The parameters of a file with both steps. */
const linesAsked = ({ file, gaps, contact }: Choice, filters: Filters) => ({
  ...askOf(filters, fdaSelection),
  ...(hasGaps(file) && contact.trim() !== '' && { contact: contact.trim() }),
  gaps,
})

async function fdaFile(api: Client, choice: Choice, filters: Filters, signal: AbortSignal) {
  const { file, sheet } = choice
  const { gaps, ...lines } = linesAsked(choice, filters)
  if (file === 'package') return api.exportFdaPackage({ ...lines, gaps, signal })
  if (file === 'xlsx') return api.exportFdaSpreadsheet({ ...lines, format: 'xlsx', gaps, signal })
  if (file === 'csv') return api.exportFdaSpreadsheet({ ...lines, format: 'csv', sheet, signal })
  const { readAlike: _, ...ofEvents } = filters
  const bizStep = sheet === 'shipping' ? sheet : steps[0]
  const parts = epcisDocument(api, { ...askOf(ofEvents, lineSelection), bizStep, signal })
  return { file: fileOfParts(epcisFileName, 'application/ld+json', parts) }
}

/** Filters that the tallies of completeness know. */
const tallied = ['eventStartDate', 'eventEndDate', 'dataProviderVendorId', 'shipToLocationCode']

/** What the filters choose, and how complete the lines are that were received. */
function EventCounts({ filters }: { readonly filters: Filters }) {
  const { api } = useOpenSession()
  const asked = useRequest(
    async (signal) => {
      const chosen = askOf(filters, fdaSelection)
      const isTallied = Object.keys(filters).every((name) => tallied.includes(name))
      const [lines, completeness] = await Promise.all([
        api.countFdaLines({ ...chosen, signal }),
        isTallied ? api.readCompleteness({ ...chosen, limit: 1, signal }) : undefined,
      ])
      return { lines: lines.body, completeness: completeness?.body }
    },
    [filters],
  )
  return (
    <When asked={asked} what="the counts">
      {({ lines, completeness }) => (
        <>
          <LineCounts filters={filters} lines={lines} />
          {completeness !== undefined && completeness.total.events > 0 && <CompleteLines completeness={completeness} />}
        </>
      )}
    </When>
  )
}

function CompleteLines({
  completeness: { total, eventStartDate, eventEndDate },
}: {
  readonly completeness: Completeness
}) {
  const incomplete = total.lines - total.completeLines
  return (
    <p class="facts totals">
      <span>
        Received {eventStartDate} to {eventEndDate}: <strong>{shareWords(total.share)}</strong> complete
      </span>
      <span>
        <Count count={incomplete} to={total.records} what={`${incomplete} incomplete lines: show the events`} />{' '}
        incomplete
      </span>
    </p>
  )
}

function ChainCounts({ chain }: { readonly chain: NonNullable<FdaLines['chain']> }) {
  const { lots, food, uncertainLines, leftOutLines, isWhole } = chain
  const harvests = food > 0 ? ` and food of ${pluralize(food, 'harvest or cooling', 'harvests and coolings')}` : ''
  return (
    <>
      <span>
        {pluralize(lots, 'lot')}
        {harvests}
      </span>
      {uncertainLines > 0 && <span>{pluralize(uncertainLines, 'line')} may be of other lots</span>}
      {leftOutLines > 0 && <span>{pluralize(leftOutLines, 'less certain line')} left out</span>}
      {!isWhole && <span class="tag warning">not the whole chain: it is too large</span>}
    </>
  )
}

/** Records with an earlier lot code that are named. */
const earlierShownMax = 5

function LineCounts({ filters, lines }: { readonly filters: Filters; readonly lines: FdaLines }) {
  const lots = valuesOf(filters.lotCode ?? '')
  const { readAlikeLines: alike, readAlikeLotCodes: codes, earlierLots } = lines
  const counts = [
    ...(lines.events > 0 ? [`${pluralize(lines.lines, 'line')} of ${pluralize(lines.events, 'receiving event')}`] : []),
    ...(lines.shippingEvents > 0
      ? [`${pluralize(lines.shippingLines, 'line')} of ${pluralize(lines.shippingEvents, 'shipping event')}`]
      : []),
    ...lines.others.map(
      ({ kind, events, lines }) => `${pluralize(lines, 'line')} of ${pluralize(events, eventKinds[kind].noun)}`,
    ),
  ]
  return (
    <>
      <p class={counts.length === 0 ? 'callout' : 'facts totals'}>
        {counts.length === 0 && (
          <span>No lines match. The file would have headings and no rows. Check the codes and the dates.</span>
        )}
        {counts.map((words) => (
          <span key={words}>{words}</span>
        ))}
        {lines.chain !== undefined && <ChainCounts chain={lines.chain} />}
        {lines.correctedEvents > 0 && (
          <span>{pluralize(lines.correctedEvents, 'event')} corrected; the package shows how</span>
        )}
        {lots.length === 1 && <a href={hrefTo(`/trace${queryOf({ lotCode: lots[0] ?? '' })}`)}>Trace this lot</a>}
      </p>
      {alike > 0 && filters.readAlike === undefined && (
        <p class="callout">
          <span>
            {pluralize(alike, 'line')} {alike === 1 ? 'has a lot code that reads' : 'have lot codes that read'} alike:{' '}
            <TextList texts={codes} />.
          </span>{' '}
          <a href={hrefTo(path + queryOf({ ...filters, readAlike: 'true' }, fdaSelection))}>Include them</a>
        </p>
      )}
      {earlierLots.length > 0 && (
        <div class="callout">
          <p>Records that had such a lot code until a correction or a void:</p>
          <ul>
            {earlierLots.slice(0, earlierShownMax).map((lot) => (
              <li key={`${lot.id} ${lot.lotCode}`}>
                <a href={hrefTo(`${sectionOf({ name: lot.kind }).path}/${lot.id}/versions`)}>{earlierLotText(lot)}</a>
              </li>
            ))}
          </ul>
          {earlierLots.length > earlierShownMax && <p>And {earlierLots.length - earlierShownMax} more.</p>}
        </div>
      )}
    </>
  )
}
