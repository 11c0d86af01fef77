// The product lines of an event as a table that is filled in. It draws the rows in sight only, so
// that five thousand lines feel like five. Rows are pasted from a spreadsheet, labels are scanned.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { readGs1Label, readScan } from '../../../contract/lots/gs1-label.ts'
import type { MasterProduct } from '../../../contract/product.ts'
import type { Finding } from '../../../contract/shape/finding.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { columnsWith, firstColumns, type KnownItem } from '../../records/line-columns.ts'
import { anchorOf } from '../../records/pointers.ts'
import { type Fields, joinGiven, listOf, textOf } from '../../records/record-summary.ts'
import { type DeclaredField, shapeAt } from '../../records/shapes.ts'
import { dateOrder } from '../../state/frame/date-order.ts'
import {
  addLine,
  type Cell,
  cellIn,
  clearCell,
  commitCell,
  isRows,
  type LineSheet,
  pasteRows,
  readDates,
  readLabel,
  removeLine,
  scanLabel,
  typeText,
} from '../../state/records/line-sheet.ts'
import { type LineWindow, useLineWindow } from '../../state/records/line-window.ts'
import { labelOf } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { DateReading } from '../fields/date-input.tsx'
import { FieldFindings, FindingWords } from './findings.tsx'
import { type FormContext, ObjectFields } from './form-fields.tsx'
import { ScanField } from './scan-field.tsx'

interface Props {
  readonly field: DeclaredField
  readonly value: unknown
  /** Products of the event's own list. */
  readonly listed: unknown
  readonly products: readonly MasterProduct[]
  /** Requests a product that is not loaded yet. */
  readonly seek: (text: string) => void
  readonly vendor: string
  readonly context: FormContext
}

export function LineTable(props: Props) {
  const { field, seek, context, listed } = props
  const { pointer } = field
  const { sheet, apply, window } = useLineSheet(props)
  const { lines, opened } = sheet
  const items = useMemo(() => listedItems(listed, context.findings), [listed, context.findings])
  const cells: CellHandlers = {
    onType: (cell, text) => {
      if (cell.name === 'vendorItemCode') seek(text)
      apply(typeText(sheet, cell, text))
    },
    onPaste: (event, cell) => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      const label = readGs1Label(text)
      if (label === undefined && !isRows(sheet, text, cell)) return
      event.preventDefault()
      apply(label === undefined ? pasteRows(sheet, text, cell, dateOrder.get()) : readLabel(sheet, cell.index, label))
    },
    onCommit: (cell) => apply(commitCell(sheet, cell, dateOrder.get())),
    onKeyDown: (event, cell) => pressKey(event, cell, sheet, apply),
  }
  const scan = (text: string): boolean => {
    const label = readScan(text)
    apply(label === undefined ? { ...sheet, words: noLabel } : scanLabel(sheet, label))
    return label !== undefined
  }
  const pasteAtEnd = (text: string) =>
    apply(pasteRows(sheet, text, cellIn(sheet, isBlank(lines) ? 0 : lines.length), dateOrder.get()))
  const [firstAmbiguous] = sheet.ambiguous
  return (
    <div class="line-table" id={anchorOf(pointer)} tabIndex={-1}>
      <FieldFindings findings={context.findings} pointer={pointer} />
      <ScanField
        label="Scan or paste a label"
        hint="GS1 barcode or Digital Link, then Enter. It fills item, lot code and dates of the next line."
        onScan={scan}
      />
      <LineGrid {...{ sheet, apply, window, cells, pointer, listed: items }} findings={context.findings} />
      <div class="line-foot">
        <button type="button" onClick={() => apply(addLine(sheet))}>
          Add line
        </button>
        <PasteRows onPaste={pasteAtEnd} />
        <span class="quiet small">{totalWords(lines)}</span>
      </div>
      <p class="small" role="status">
        {sheet.words}
      </p>
      {firstAmbiguous && (
        <DateReading
          pasted={firstAmbiguous.pasted}
          taken={undefined}
          onChoose={(order) => {
            dateOrder.set(order)
            apply(readDates(sheet, order))
          }}
        />
      )}
      {opened !== undefined && lines[opened] !== undefined && (
        <OpenLine
          {...{ index: opened, line: lines[opened], shape: sheet.shape, pointer, context }}
          item={items.get(textOf(lines[opened]?.vendorItemCode))}
          onClose={() => apply({ ...sheet, opened: undefined })}
        />
      )}
    </div>
  )
}

/** What an event says of an item in its own list, and what was found about that. */
interface ListedItem {
  readonly entry: Fields
  readonly findings: readonly Finding[]
}

type ListedItems = ReadonlyMap<string, ListedItem>

const itemList = '/productMasterDataList'

function listedItems(listed: unknown, findings: readonly Finding[]): ListedItems {
  const byEntry = findingsByLine(findings, itemList)
  return new Map(
    listOf(listed).map((entry, index) => [textOf(entry.itemCode), { entry, findings: byEntry.get(index) ?? none }]),
  )
}

const noLabel =
  'This is no GS1 label. Expected is a GTIN, or a text such as (01)10614141000415(10)GV26063-A, with or without the brackets.'

const isBlank = (lines: readonly Fields[]): boolean => lines.every((line) => Object.keys(line).length === 0)

/** The lines of the form as a sheet, and the visible ones. */
function useLineSheet({ field: { pointer, shape: listShape }, value, products, vendor, context }: Props) {
  const { set, shown } = context
  const shape = shapeAt(listShape, '*')
  const lines = useMemo(() => listOf(value), [value])
  const items = useMemo(() => itemsOf(products, vendor), [products, vendor])
  const window = useLineWindow(pointer, lines.length)
  const [view, setView] = useState<Pick<LineSheet, 'columns' | 'opened' | 'words' | 'ambiguous'>>(() => ({
    columns: columnsWith(shape, lines, firstColumns),
    opened: undefined,
    words: '',
    ambiguous: [],
  }))
  const sheet: LineSheet = { ...view, shape, items, lines }
  const apply = ({ columns, opened, words, ambiguous, ...next }: LineSheet) => {
    if (next.lines !== lines) set(pointer, next.lines)
    setView({ columns, opened, words, ambiguous })
    if (next.goal !== undefined) window.goTo(next.goal)
    if (next.inSight !== undefined) window.scrollTo(next.inSight)
  }

  // A finding leads to its cell; to a field that has no column in the list of all its fields.
  useEffect(() => {
    if (shown === undefined || !shown.startsWith(`${pointer}/`)) return
    const [step = '', name = ''] = shown.slice(pointer.length + 1).split('/')
    const index = Number(step)
    if (!Number.isInteger(index) || index >= lines.length) return
    if (name === '') return window.goTo(cellIn(sheet, index))
    if (view.columns.includes(name)) return window.goTo({ index, name })
    apply({ ...sheet, opened: index })
    window.aimAt(`line:field:${shown}`)
  }, [shown])

  return { sheet, apply, window }
}

/** Enter and the arrows lead to the next line; Enter after a label reads it. */
function pressKey(event: KeyboardEvent, cell: Cell, sheet: LineSheet, apply: (sheet: LineSheet) => void): void {
  const { key, currentTarget } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  const { index } = cell
  const isLast = index + 1 >= sheet.lines.length
  const below = { ...cell, index: index + 1 }
  if (key === 'Enter') {
    event.preventDefault()
    const label = currentTarget instanceof HTMLInputElement ? readGs1Label(currentTarget.value) : undefined
    const read = label === undefined ? sheet : readLabel(clearCell(sheet, cell), index, label)
    if (!isLast) apply({ ...read, goal: below })
    else apply(label === undefined ? addLine(sheet) : read)
  } else if (key === 'ArrowDown' && !isLast) {
    event.preventDefault()
    apply({ ...sheet, goal: below })
  } else if (key === 'ArrowUp' && index > 0) {
    event.preventDefault()
    apply({ ...sheet, goal: { ...cell, index: index - 1 } })
  }
}

interface GridProps {
  readonly sheet: LineSheet
  readonly apply: (sheet: LineSheet) => void
  readonly window: LineWindow
  readonly cells: CellHandlers
  /** Of the list of lines. */
  readonly pointer: string
  readonly findings: readonly Finding[]
  readonly listed: ListedItems
}

function LineGrid({ sheet, apply, window, cells, pointer, findings, listed }: GridProps) {
  const { lines, columns, shape, items, opened } = sheet
  const { first, end } = window
  const byLine = useMemo(() => findingsByLine(findings, pointer), [findings, pointer])
  return (
    <>
      <datalist id="known-items">
        {items.map(({ itemCode, itemDescription }) => (
          <option key={itemCode} value={itemCode}>
            {itemDescription}
          </option>
        ))}
      </datalist>
      <div class="line-scroller" ref={window.scroller} onScroll={window.onScroll}>
        <table aria-label="Product lines" aria-rowcount={lines.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">
                <span class="hidden">Line</span>#
              </th>
              {columns.map((name) => (
                <th
                  key={name}
                  scope="col"
                  class={`column-${widthOf(name)}`}
                  title={`${name}: ${meaningOf(shape, name)}`}
                >
                  {labelOf(name)}
                  {shape.required?.includes(name) && <span aria-hidden="true"> *</span>}
                </th>
              ))}
              <th scope="col">
                <span class="hidden">Duplicate or remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {first > 0 && <Space height={window.above} columns={columns.length + 2} />}
            {lines.slice(first, end).map((line, i) => {
              const index = first + i
              return (
                <Row
                  key={index}
                  {...{ line, index, columns, shape, cells, at: `${pointer}/${index}` }}
                  findings={byLine.get(index) ?? none}
                  item={listed.get(textOf(line.vendorItemCode))}
                  isOpen={opened === index}
                  onOpen={() => apply({ ...sheet, opened: opened === index ? undefined : index })}
                  onDuplicate={() => apply(addLine(sheet, line, index + 1))}
                  onRemove={() => apply(removeLine(sheet, index))}
                />
              )
            })}
            {end < lines.length && <Space height={window.below} columns={columns.length + 2} />}
          </tbody>
        </table>
      </div>
    </>
  )
}

interface OpenProps {
  readonly index: number
  readonly line: Fields
  readonly shape: DeclaredField['shape']
  readonly pointer: string
  readonly context: FormContext
  /** What the event says of its item. */
  readonly item: ListedItem | undefined
  readonly onClose: () => void
}

/** All fields of a line, of which the table has some. */
const OpenLine = ({ index, line, shape, pointer, context, item, onClose }: OpenProps) => (
  <fieldset class="line-fields">
    <legend>
      <strong>Line {index + 1}: all fields</strong>
    </legend>
    <FieldFindings findings={context.findings} pointer={`${pointer}/${index}`} />
    {item !== undefined && (
      <section aria-label={`Item of line ${index + 1} in this event`}>
        <p class="quiet small">
          This event says of the item: <bdi>{itemWords(item.entry) || 'nothing'}</bdi>
        </p>
        {item.findings.map((finding) => (
          <div key={finding.pointer + finding.rule} class={`finding ${finding.severity}`}>
            <FindingWords finding={finding} />
          </div>
        ))}
      </section>
    )}
    <ObjectFields shape={shape} value={line} at={`${pointer}/${index}`} all prefix="line:" {...context} />
    <p>
      <button type="button" onClick={onClose}>
        Close line {index + 1}
      </button>
    </p>
  </fieldset>
)

const itemWords = ({ itemDescription, packSize, packStyle, brandName, ftlCategory, gtin }: Fields): string =>
  joinGiven(' · ', itemDescription, joinGiven(' ', packSize, packStyle), brandName, ftlCategory, gtin)

const none: readonly Finding[] = []

function findingsByLine(findings: readonly Finding[], at: string): ReadonlyMap<number, readonly Finding[]> {
  const byLine = new Map<number, Finding[]>()
  for (const finding of findings) {
    if (!finding.pointer.startsWith(`${at}/`)) continue
    const index = Number.parseInt(finding.pointer.slice(at.length + 1), 10)
    const before = byLine.get(index)
    if (before === undefined) byLine.set(index, [finding])
    else before.push(finding)
  }
  return byLine
}

/** Of the vendor; of every vendor while none is chosen. */
const itemsOf = (products: readonly MasterProduct[], vendor: string): readonly KnownItem[] =>
  products.filter(({ dataProviderVendorId }) => vendor === '' || dataProviderVendorId === vendor)

/** "1,120 case in 12 lines". */
function totalWords(lines: readonly Fields[]): string {
  const totals = new Map<string, number>()
  for (const { shipQuantity, shipQuantityUom } of lines)
    if (typeof shipQuantity === 'number')
      totals.set(textOf(shipQuantityUom), (totals.get(textOf(shipQuantityUom)) ?? 0) + shipQuantity)
  const amounts = [...totals].slice(0, 4).map(([unit, total]) => joinGiven(' ', total.toLocaleString('en'), unit))
  return joinGiven(' in ', amounts.join(', '), pluralize(lines.length, 'line'))
}

const meaningOf = ({ properties }: DeclaredField['shape'], name: string): string =>
  properties?.[name]?.description ?? ''

const widthOf = (name: string): string => {
  if (name === 'shipQuantity' || name === 'shipQuantityUom') return 'narrow'
  return /description|name|address/i.test(name) ? 'wide' : 'text'
}

const Space = ({ height, columns }: { readonly height: number; readonly columns: number }) => (
  <tr class="space">
    <td colSpan={columns} style={{ height: `${height}px` }} />
  </tr>
)

interface CellHandlers {
  readonly onType: (cell: Cell, text: string) => void
  readonly onPaste: (event: ClipboardEvent, cell: Cell) => void
  /** A cell is left after somebody typed in it. */
  readonly onCommit: (cell: Cell) => void
  readonly onKeyDown: (event: KeyboardEvent, cell: Cell) => void
}

interface RowProps {
  readonly line: Fields
  readonly index: number
  readonly at: string
  readonly columns: readonly string[]
  readonly shape: DeclaredField['shape']
  readonly findings: readonly Finding[]
  readonly item: ListedItem | undefined
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly cells: CellHandlers
  readonly onDuplicate: () => void
  readonly onRemove: () => void
}

function Row(props: RowProps) {
  const { line, index, at, columns, shape, findings, item, isOpen, onOpen, cells } = props
  const ofItem = item?.findings ?? none
  const all = [...findings, ...ofItem]
  const worst = ['error', 'warning', 'gap'].find((severity) => all.some((one) => one.severity === severity))
  return (
    <tr aria-rowindex={index + 2} class={isOpen ? 'open' : undefined}>
      <td class={worst}>
        <button
          type="button"
          class="plain opener"
          aria-expanded={isOpen}
          aria-label={joinGiven(
            ', ',
            `Line ${index + 1}: all fields`,
            findings.length > 0 && pluralize(findings.length, 'finding'),
            ofItem.length > 0 && `${pluralize(ofItem.length, 'finding')} about its item`,
          )}
          onClick={onOpen}
        >
          {index + 1}
        </button>
      </td>
      {columns.map((name) => {
        const cell = { index, name }
        const pointer = `${at}/${name}`
        const own = findings.filter((finding) => finding.pointer === pointer)
        const here = name === 'vendorItemCode' ? [...own, ...ofItem] : own
        const field = shape.properties?.[name]
        return (
          <td key={name} class={here[0]?.severity}>
            <input
              id={`field:${pointer}`}
              type="text"
              aria-label={`${labelOf(name)}, line ${index + 1}`}
              aria-invalid={own.some(({ severity }) => severity === 'error')}
              title={here.map(({ message }) => screenText(message)).join(' ') || undefined}
              class={field?.type === 'number' ? 'number' : undefined}
              inputMode={field?.type === 'number' ? 'decimal' : 'text'}
              list={name === 'vendorItemCode' ? 'known-items' : undefined}
              placeholder={placeholderOf(name, field, item)}
              value={textOf(line[name])}
              autocomplete="off"
              spellcheck={false}
              dir="auto"
              onInput={({ currentTarget }) => cells.onType(cell, currentTarget.value)}
              onPaste={(event) => cells.onPaste(event, cell)}
              onChange={() => cells.onCommit(cell)}
              onKeyDown={(event) => cells.onKeyDown(event, cell)}
            />
          </td>
        )
      })}
      <td class="line-actions">
        <button type="button" class="plain" title="Duplicate line" onClick={props.onDuplicate}>
          <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
            <path d="M2.5 10.5v-8h8M5.5 5.5h8v8h-8z" fill="none" stroke="currentColor" />
          </svg>
          <span class="hidden">Duplicate line {index + 1}</span>
        </button>
        <button type="button" class="plain" title="Remove line" onClick={props.onRemove}>
          <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
            <path d="m3.5 3.5 9 9m0-9-9 9" stroke="currentColor" />
          </svg>
          <span class="hidden">Remove line {index + 1}</span>
        </button>
      </td>
    </tr>
  )
}

/** The form of a date; of a description, what the event says of the item elsewhere. */
const placeholderOf = (name: string, field: DeclaredField['shape'] | undefined, item: ListedItem | undefined) =>
  name === 'vendorItemDescription'
    ? textOf(item?.entry.itemDescription) || undefined
    : field?.['x-form'] === 'date'
      ? 'yyyy-mm-dd'
      : undefined

/** For rows that are in a file or a mail; a paste into a cell does the same from there. */
function PasteRows({ onPaste }: { readonly onPaste: (text: string) => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Paste rows
      </button>
      <dialog ref={dialog} aria-labelledby="paste-title" class="paste-rows">
        <h2 id="paste-title">Paste rows from a spreadsheet</h2>
        <p class="quiet">
          Copy the cells there with their headings, such as Item code, Lot code, Quantity and Unit. Without headings the
          columns are those of the table. You can also paste into a cell of the table.
        </p>
        <textarea
          aria-label="Rows"
          rows={10}
          value={text}
          spellcheck={false}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <form method="dialog" class="actions">
          <button
            type="button"
            class="main"
            disabled={text.trim() === ''}
            onClick={() => {
              dialog.current?.close()
              onPaste(text)
              setText('')
            }}
          >
            Add rows
          </button>
          <button type="submit">Cancel</button>
        </form>
      </dialog>
    </>
  )
}
