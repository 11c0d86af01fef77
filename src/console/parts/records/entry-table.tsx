// A list inside a record as a table; an entry opens to all of its fields. Only rows near the window
// are drawn, so that 5,000 lines open as fast as five.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Shape } from '../../../contract/shape/field.ts'
import type { SeverityCounts as Counts, Finding } from '../../../contract/shape/finding.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { FoundInRecord } from '../../records/finding-groups.ts'
import { anchorOf, isWithin, pointerIn } from '../../records/pointers.ts'
import { type Fields, joinGiven, textOf } from '../../records/record-summary.ts'
import { fieldsIn, isPlain } from '../../records/shapes.ts'
import { useAddress } from '../../state/frame/address.ts'
import { useNearWindow } from '../../state/frame/near-window.ts'
import { usePrinting } from '../../state/frame/printing.ts'
import { useRequest } from '../../state/frame/request.ts'
import { labelOf } from '../../words/labels.ts'
import { When } from '../frame/states.tsx'
import { FieldList } from './field-list.tsx'
import { FieldFindings } from './findings.tsx'
import { SeverityCounts } from './severity-counts.tsx'

export interface EntryColumn {
  readonly words: string
  /** Names of the fields it shows. */
  readonly names: readonly string[]
  readonly cell: (entry: Fields) => ComponentChildren
}

interface Props {
  readonly title: string
  /** Name of one entry. */
  readonly noun: string
  readonly at: string
  readonly shape: Shape
  readonly entries: readonly Fields[]
  readonly columns: readonly EntryColumn[]
  readonly found: FoundInRecord
  /** Asks for the findings within a place, when not all are at hand. */
  readonly ask: (at: string, signal: AbortSignal) => Promise<readonly Finding[]>
  readonly all: boolean
  /** Rule whose entries are shown alone. */
  readonly rule?: string | undefined
  readonly onRule?: (rule: string | undefined) => void
}

/** Entries drawn together. */
const chunkSize = 50
/** Fewer entries are seen at a glance. */
const filteredFrom = 20

export function EntryTable({ title, noun, at, entries, found, rule, onRule, ...shared }: Props) {
  const { columns } = shared
  const [narrowed, setNarrowed] = useState<Narrowed>({ only: false, sought: '' })
  const printing = usePrinting()
  const target = entryIn(useAddress().hash, at)
  const [opened, toggle] = useOpened(target)
  const shown = useMemo(() => {
    const those = narrowed.only || rule !== undefined ? new Set(found.entriesWith(at, rule)) : undefined
    const words = narrowed.sought.trim().toLowerCase()
    return entries.flatMap((entry, index) =>
      index === target || ((those?.has(index) ?? true) && (words === '' || holds(entry, words))) ? [index] : [],
    )
  }, [entries, found, narrowed, rule, target])
  const chunks = Array.from({ length: Math.ceil(shown.length / chunkSize) }, (_, i) =>
    shown.slice(i * chunkSize, (i + 1) * chunkSize),
  )
  const isLong = entries.length > filteredFrom

  return (
    <section class="entries" id={anchorOf(at)} tabIndex={-1} aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        <span class="quiet" role="status">
          {shown.length < entries.length
            ? `${shown.length.toLocaleString('en')} of ${pluralize(entries.length, noun)}`
            : pluralize(entries.length, noun)}
        </span>
        {isLong && <EntryFilters noun={noun} narrowed={narrowed} onNarrow={setNarrowed} />}
      </div>
      {rule !== undefined && (
        <p>
          <button
            type="button"
            class="chip"
            aria-label={`${rule} ×: show all ${noun}s`}
            onClick={() => onRule?.(undefined)}
          >
            <code>{rule}</code> ×
          </button>
        </p>
      )}
      <FieldFindings findings={found.findings} pointer={at} />
      {entries.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        <section class="scroller" tabIndex={0} aria-label={`Table of ${noun}s`}>
          <table class={isLong ? 'entry-table long' : 'entry-table'} aria-rowcount={shown.length + 1}>
            <thead>
              <tr aria-rowindex={1}>
                <th scope="col">
                  <span class="hidden">{noun}</span>#
                </th>
                {[...columns.map(({ words }) => words), 'Findings'].map((words) => (
                  <th key={words} scope="col">
                    {words}
                  </th>
                ))}
              </tr>
            </thead>
            {chunks.map((indexes, i) => (
              <Chunk
                key={indexes[0]}
                isFirst={i === 0}
                holdsTarget={target !== undefined && indexes.includes(target)}
                firstRow={i * chunkSize + 2}
                {...{ indexes, entries, noun, at, found, opened, toggle, printing }}
                {...shared}
              />
            ))}
          </table>
        </section>
      )}
      {shown.length === 0 && entries.length > 0 && <p class="quiet">No {noun} matches.</p>}
    </section>
  )
}

/** The entries that show all of their fields, and a way to open or close one. */
function useOpened(target: number | undefined): readonly [ReadonlySet<number>, (index: number) => void] {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  // An address can lead into an entry: it opens, despite the choice.
  useEffect(() => {
    if (target === undefined) return
    setOpened((before) => new Set([...before, target]))
  }, [target])
  const toggle = (index: number) =>
    setOpened((before) => {
      const after = new Set(before)
      if (!after.delete(index)) after.add(index)
      return after
    })
  return [opened, toggle]
}

interface Narrowed {
  /** True to leave out entries without findings. */
  readonly only: boolean
  readonly sought: string
}

interface FiltersProps extends Pick<Props, 'noun'> {
  readonly narrowed: Narrowed
  readonly onNarrow: (narrowed: Narrowed) => void
}

const EntryFilters = ({ noun, narrowed, onNarrow }: FiltersProps) => (
  <div class="entry-filters">
    <input
      type="search"
      aria-label={`Find a ${noun}`}
      placeholder={`Find a ${noun}`}
      value={narrowed.sought}
      onInput={({ currentTarget }) => onNarrow({ ...narrowed, sought: currentTarget.value })}
    />
    <label class="switch">
      <input
        type="checkbox"
        checked={narrowed.only}
        onChange={({ currentTarget }) => onNarrow({ ...narrowed, only: currentTarget.checked })}
      />
      With findings
    </label>
  </div>
)

/** The entry an address leads into. */
function entryIn(hash: string, at: string): number | undefined {
  const pointer = pointerIn(hash)
  if (pointer === undefined || !isWithin(pointer, at)) return undefined
  const index = Number.parseInt(pointer.slice(at.length + 1), 10)
  return Number.isNaN(index) ? undefined : index
}

const holds = (entry: Fields, words: string): boolean =>
  Object.values(entry).some((value) => typeof value !== 'object' && textOf(value).toLowerCase().includes(words))

/** Height of a row in pixels, until it was drawn. */
const rowHeight = 36

interface ChunkProps extends Pick<Props, 'noun' | 'at' | 'shape' | 'entries' | 'columns' | 'found' | 'ask' | 'all'> {
  readonly indexes: readonly number[]
  readonly isFirst: boolean
  readonly holdsTarget: boolean
  readonly firstRow: number
  readonly printing: boolean
  readonly opened: ReadonlySet<number>
  readonly toggle: (index: number) => void
}

function Chunk({
  indexes,
  isFirst,
  holdsTarget,
  firstRow,
  entries,
  at,
  found,
  opened,
  toggle,
  printing,
  ...shared
}: ChunkProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const height = useRef(indexes.length * rowHeight)
  const isNear = useNearWindow(body)
  // The first ones always are: short lists stay whole, and the box they scroll in has a focus.
  const isDrawn = isFirst || isNear || holdsTarget || printing
  // A row out of sight keeps its height, so that nothing moves.
  useLayoutEffect(() => {
    if (isDrawn && body.current !== null) height.current = body.current.offsetHeight
  })
  return (
    <tbody ref={body}>
      {isDrawn ? (
        indexes.map((index, i) => (
          <Entry
            key={index}
            {...shared}
            {...{ index, found, printing }}
            entry={entries[index] ?? {}}
            row={firstRow + i}
            at={`${at}/${index}`}
            counts={found.countsAt(at, index)}
            open={opened.has(index)}
            onToggle={() => toggle(index)}
          />
        ))
      ) : (
        <tr class="space">
          <td colSpan={shared.columns.length + 2} style={{ height: `${height.current}px` }} />
        </tr>
      )}
    </tbody>
  )
}

interface EntryProps extends Pick<Props, 'noun' | 'shape' | 'columns' | 'found' | 'ask' | 'all'> {
  readonly entry: Fields
  readonly index: number
  readonly row: number
  readonly at: string
  readonly counts: Counts | undefined
  readonly printing: boolean
  readonly open: boolean
  readonly onToggle: () => void
}

function Entry({ entry, columns, noun, index, row, at, counts, printing, open, onToggle, ...shared }: EntryProps) {
  return (
    <>
      <tr id={anchorOf(at)} tabIndex={-1} aria-rowindex={row} class={open ? 'open' : undefined}>
        <td>
          <button
            type="button"
            class="plain opener"
            aria-expanded={open}
            aria-label={`${noun} ${index + 1}: all fields`}
            onClick={onToggle}
          >
            {index + 1}
          </button>
        </td>
        {columns.map(({ words, cell }) => (
          <td key={words}>{cell(entry)}</td>
        ))}
        <td>{counts && <SeverityCounts counts={counts} />}</td>
      </tr>
      {open && (
        <tr class="entry-fields">
          <td colSpan={columns.length + 2}>
            <EntryFields entry={entry} at={at} {...shared} />
          </td>
        </tr>
      )}
      {printing && !open && <PrintedFields entry={entry} columns={columns} shape={shared.shape} />}
    </>
  )
}

type FieldsProps = Pick<EntryProps, 'entry' | 'at' | 'found' | 'ask' | 'shape' | 'all'>

/** All fields of an entry, with the findings in each. */
const EntryFields = ({ found, ask, ...fields }: FieldsProps) =>
  found.isWhole ? <FieldsWith findings={found.within(fields.at)} {...fields} /> : <AskedFields ask={ask} {...fields} />

function AskedFields({ ask, ...fields }: Omit<FieldsProps, 'found'>) {
  const asked = useRequest((signal) => ask(fields.at, signal), [fields.at])
  return (
    <When asked={asked} what="the findings">
      {(findings) => <FieldsWith findings={findings} {...fields} />}
    </When>
  )
}

const FieldsWith = ({
  entry,
  findings,
  ...shared
}: Omit<FieldsProps, 'found' | 'ask'> & { readonly findings: readonly Finding[] }) => (
  <>
    <FieldFindings findings={findings} pointer={shared.at} />
    <FieldList value={entry} findings={findings} {...shared} />
  </>
)

/** On paper an entry has all of its fields without being opened. */
function PrintedFields({ entry, columns, shape }: Pick<EntryProps, 'entry' | 'columns' | 'shape'>) {
  const shown = new Set(columns.flatMap(({ names }) => names))
  const fields = fieldsIn(shape, '').filter(({ name }) => Object.hasOwn(entry, name) && !shown.has(name))
  if (fields.length === 0) return null
  return (
    <tr class="printed-fields">
      <td />
      <td colSpan={columns.length + 1}>
        {/* One element for each field: of 5,000 lines, three would be more than a browser prints. */}
        {fields.map(({ name, shape }) => [
          `${labelOf(name)} `,
          <bdi key={name}>{printedText(isPlain(shape), entry[name])}</bdi>,
          ' ',
        ])}
      </td>
    </tr>
  )
}

const printedText = (isText: boolean, value: unknown): string =>
  isText ? textOf(value) : typeof value === 'object' && value !== null ? leavesOf(value) : textOf(value)

/** The values of an address or a position, one behind the other. */
const leavesOf = (value: object): string =>
  joinGiven(
    ', ',
    ...Object.values(value).map((part) => (typeof part === 'object' && part !== null ? leavesOf(part) : part)),
  )
