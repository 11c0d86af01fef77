// The product lines of an event as a table that is filled in. It draws the rows in sight only, so
// that five thousand lines feel like five. Rows are pasted from a spreadsheet, labels are scanned.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Gs1Label, readGs1Label, readScan } from '../../../contract/lots/gs1-label.ts'
import type { MasterProduct } from '../../../contract/product.ts'
import { productLinesMax } from '../../../contract/receiving-event.ts'
import type { Finding } from '../../../contract/shape/finding.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import {
  type AmbiguousCell,
  cellsOf,
  columnsWith,
  firstColumns,
  isDateColumn,
  type KnownItem,
  parseInput,
  withDates,
  withField,
  withLabel,
  withRows,
} from '../../records/line-columns.ts'
import { type DateOrder, dateWords } from '../../records/pasted-dates.ts'
import { anchorOf } from '../../records/pointers.ts'
import { type Fields, joinGiven, listOf, textOf } from '../../records/record-summary.ts'
import { type DeclaredField, shapeAt } from '../../records/shapes.ts'
import { labelOf } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { answerOrder, DateReading, orderAnswered } from '../fields/date-input.tsx'
import { FieldFindings } from './findings.tsx'
import { type FormContext, ObjectFields } from './form-fields.tsx'
import { ScanField } from './scan-field.tsx'

/** Heights in pixels, as in the stylesheet. */
const rowHeight = 37
const tableHeight = 560
/** Rows drawn beyond each edge. */
const beyond = 6

interface Props {
  readonly field: DeclaredField
  readonly value: unknown
  readonly products: readonly MasterProduct[]
  /** Looks for a product that is not among them. */
  readonly seek: (text: string) => void
  readonly vendor: string
  readonly context: FormContext
}

export function LineTable({ field: { pointer, shape }, value, products, seek, vendor, context }: Props) {
  const { set, findings, shown } = context
  const lineShape = shapeAt(shape, '*')
  const lines = useMemo(() => listOf(value), [value])
  const [columns, setColumns] = useState(() => columnsWith(lineShape, lines, firstColumns))
  const [top, setTop] = useState(0)
  const [opened, setOpened] = useState<number>()
  const [notice, setNotice] = useState('')
  const [ambiguous, setAmbiguous] = useState<readonly AmbiguousCell[]>([])
  const scroller = useRef<HTMLDivElement>(null)
  /** A cell to go to, once it is drawn. */
  const goal = useRef<string | undefined>(undefined)
  const byLine = useMemo(() => findingsByLine(findings, pointer), [findings, pointer])
  const items = useMemo(() => itemsOf(products, vendor), [products, vendor])

  const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - beyond, lines.length - 1))
  const end = Math.min(lines.length, Math.ceil((top + tableHeight) / rowHeight) + beyond)

  const put = (next: readonly Fields[], fresh: readonly Fields[] = []) => {
    if (fresh.length > 0) setColumns((before) => columnsWith(lineShape, fresh, before))
    set(pointer, next)
  }
  const putLine = (index: number, line: Fields) => put(lines.with(index, line), [line])
  const toCell = (index: number, name: string) => {
    const box = scroller.current
    goal.current = `field:${pointer}/${index}/${name}`
    if (box === null) return
    const [above, below] = [index * rowHeight, (index + 2) * rowHeight]
    if (above < box.scrollTop) setTop(above)
    else if (below > box.scrollTop + box.clientHeight) setTop(below - box.clientHeight)
    // Where the row stands already, nothing is drawn again.
    requestAnimationFrame(reachGoal)
  }
  const reachGoal = () => {
    const cell = goal.current === undefined ? null : document.getElementById(goal.current)
    if (cell === null) return
    goal.current = undefined
    cell.focus({ preventScroll: true })
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (cell instanceof HTMLInputElement) cell.select()
  }
  useEffect(reachGoal)

  // A finding leads to its cell; to a field that has no column in the list of all its fields.
  useEffect(() => {
    if (shown === undefined || !shown.startsWith(`${pointer}/`)) return
    const [step = '', name = ''] = shown.slice(pointer.length + 1).split('/')
    const index = Number(step)
    if (!Number.isInteger(index) || index >= lines.length) return
    if (name === '' || columns.includes(name)) return toCell(index, name || (columns[0] ?? ''))
    setOpened(index)
    goal.current = `line:field:${shown}`
  }, [shown])

  const addLine = (line: Fields = {}, at = lines.length) => {
    if (lines.length >= productLinesMax) {
      setNotice(`An event takes ${productLinesMax.toLocaleString('en')} lines at most.`)
      return
    }
    put(lines.toSpliced(at, 0, line), [line])
    setOpened(undefined)
    toCell(at, columns[0] ?? '')
  }
  const removeLine = (index: number) => {
    put(lines.toSpliced(index, 1))
    setOpened(undefined)
    setNotice(`Line ${index + 1} is removed.`)
    if (lines.length > 1) toCell(Math.min(index, lines.length - 2), columns[0] ?? '')
  }
  const type = (index: number, name: string, text: string) => {
    if (name === 'vendorItemCode') seek(text)
    const line = withField(lines[index] ?? {}, name, parseInput(shapeAt(lineShape, name), text))
    const item = name === 'vendorItemCode' ? items.find(({ itemCode }) => itemCode === text) : undefined
    const isDescribed = textOf(line.vendorItemDescription) !== ''
    putLine(
      index,
      item?.itemDescription === undefined || isDescribed
        ? line
        : { ...line, vendorItemDescription: item.itemDescription },
    )
  }
  const readLabel = (index: number, label: Gs1Label, line: Fields) => {
    const filled = withLabel(line, label, items)
    put(index < lines.length ? lines.with(index, filled) : [...lines, filled], [filled])
    setNotice(labelWords(index, label, filled))
  }
  const paste = (event: ClipboardEvent, index: number, name: string) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const label = readGs1Label(text)
    if (label !== undefined) {
      event.preventDefault()
      return readLabel(index, label, lines[index] ?? {})
    }
    if (!/[\t\n]/.test(text.trimEnd()) && !isDateColumn(lineShape, name)) return
    event.preventDefault()
    pasteRows(text, index, name)
  }
  /** A date that was typed in another form becomes one of the contract. */
  const commit = (index: number, name: string) => {
    const text = textOf(lines[index]?.[name])
    if (isDateColumn(lineShape, name) && !/^(\d{4}-\d{2}-\d{2})?$/.test(text)) pasteRows(text, index, name)
  }
  const readDates = (order: DateOrder) => {
    answerOrder(order)
    put(withDates(lines, ambiguous, order))
    setAmbiguous([])
  }
  const pasteRows = (text: string, index: number, name: string) => {
    const place = { index, column: name, columns, shape: lineShape }
    const cells = cellsOf(text)
    const pasted = withRows(lines, cells, place, orderAnswered())
    if (pasted.lines.length > productLinesMax)
      return setNotice(
        `Nothing was pasted: the event would have ${pasted.lines.length.toLocaleString('en')} lines, and ${productLinesMax.toLocaleString('en')} is the most.`,
      )
    put(pasted.lines, pasted.lines.slice(index, index + pasted.rowCount))
    const { readDate } = pasted
    setAmbiguous(pasted.ambiguous)
    setNotice(
      joinGiven(
        ' ',
        (cells.length > 1 || (cells[0]?.length ?? 0) > 1) &&
          `${pluralize(pasted.rowCount, 'row')} pasted from line ${index + 1} on.`,
        readDate && `“${readDate.text.slice(0, 40)}” was read as ${dateWords(readDate.date)}.`,
        pasted.unknown.length > 0 && `Left out, as no field is called so: ${pasted.unknown.join(', ')}.`,
      ),
    )
  }
  const onKeyDown = (event: KeyboardEvent, index: number, name: string) => {
    const { key, currentTarget } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (key === 'Enter') {
      event.preventDefault()
      const label = currentTarget instanceof HTMLInputElement ? readGs1Label(currentTarget.value) : undefined
      if (label !== undefined) readLabel(index, label, withField(lines[index] ?? {}, name, undefined))
      if (index + 1 < lines.length) toCell(index + 1, name)
      else if (label === undefined) addLine()
    } else if (key === 'ArrowDown' && index + 1 < lines.length) {
      event.preventDefault()
      toCell(index + 1, name)
    } else if (key === 'ArrowUp' && index > 0) {
      event.preventDefault()
      toCell(index - 1, name)
    }
  }
  const scan = (text: string): boolean => {
    const label = readScan(text)
    if (label === undefined) {
      setNotice(
        'This is no GS1 label. Expected is a GTIN, or a text such as (01)10614141000415(10)GV26063-A, with or without the brackets.',
      )
      return false
    }
    const same = lines.findIndex((line) => isSameLot(line, label))
    if (same >= 0) setNotice(`Line ${same + 1} has this item and lot already. Change its quantity there.`)
    else {
      const blank = lines.findIndex((line) => Object.keys(line).length === 0)
      const index = blank < 0 ? lines.length : blank
      readLabel(index, label, {})
      if (scroller.current !== null) scroller.current.scrollTop = index * rowHeight
    }
    return true
  }

  const [firstAmbiguous] = ambiguous
  const openedLine = opened === undefined ? undefined : lines[opened]
  return (
    <div class="line-table" id={anchorOf(pointer)} tabIndex={-1}>
      <FieldFindings findings={findings} pointer={pointer} />
      <ScanField
        label="Scan or paste a label"
        hint="GS1 barcode or Digital Link, then Enter. It fills item, lot code and dates of the next line."
        onScan={scan}
      />
      <datalist id="known-items">
        {items.map(({ itemCode, itemDescription }) => (
          <option key={itemCode} value={itemCode}>
            {itemDescription}
          </option>
        ))}
      </datalist>
      <div
        class="line-scroller"
        ref={scroller}
        onScroll={({ currentTarget }) => {
          const step = Math.floor(currentTarget.scrollTop / rowHeight / 4) * 4 * rowHeight
          setTop(step)
        }}
      >
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
                  title={`${name}: ${meaningOf(lineShape, name)}`}
                >
                  {labelOf(name)}
                  {lineShape.required?.includes(name) && <span aria-hidden="true"> *</span>}
                </th>
              ))}
              <th scope="col">
                <span class="hidden">Duplicate or remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {first > 0 && <Space height={first * rowHeight} columns={columns.length + 2} />}
            {lines.slice(first, end).map((line, i) => {
              const index = first + i
              return (
                <Row
                  key={index}
                  {...{ line, index, columns, shape: lineShape, at: `${pointer}/${index}` }}
                  findings={byLine.get(index) ?? none}
                  isOpen={opened === index}
                  onOpen={() => setOpened(opened === index ? undefined : index)}
                  onType={type}
                  onPaste={paste}
                  onCommit={commit}
                  onKeyDown={onKeyDown}
                  onDuplicate={() => addLine(line, index + 1)}
                  onRemove={() => removeLine(index)}
                />
              )
            })}
            {end < lines.length && <Space height={(lines.length - end) * rowHeight} columns={columns.length + 2} />}
          </tbody>
        </table>
      </div>
      <div class="line-foot">
        <button type="button" onClick={() => addLine()}>
          Add line
        </button>
        <PasteRows onPaste={(text) => pasteRows(text, isBlank(lines) ? 0 : lines.length, columns[0] ?? '')} />
        <span class="quiet small">{totalWords(lines)}</span>
      </div>
      <p class="small" role="status">
        {notice}
      </p>
      {firstAmbiguous && <DateReading pasted={firstAmbiguous.pasted} taken={undefined} onChoose={readDates} />}
      {opened !== undefined && openedLine !== undefined && (
        <fieldset class="line-fields">
          <legend>
            <strong>Line {opened + 1}: all fields</strong>
          </legend>
          <FieldFindings findings={findings} pointer={`${pointer}/${opened}`} />
          <ObjectFields
            shape={lineShape}
            value={openedLine}
            at={`${pointer}/${opened}`}
            all
            prefix="line:"
            {...context}
          />
          <p>
            <button type="button" onClick={() => setOpened(undefined)}>
              Close line {opened + 1}
            </button>
          </p>
        </fieldset>
      )}
    </div>
  )
}

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

const isBlank = (lines: readonly Fields[]): boolean => lines.every((line) => Object.keys(line).length === 0)

const isSameLot = (line: Fields, { caseGtin, caseLotNumber, palletId }: Gs1Label): boolean =>
  (caseGtin !== undefined || palletId !== undefined) &&
  line.caseGtin === caseGtin &&
  line.caseLotNumber === caseLotNumber &&
  line.palletId === palletId

function labelWords(index: number, { caseGtin, caseLotNumber }: Gs1Label, line: Fields): string {
  const item = textOf(line.vendorItemCode)
  const isKnown = caseGtin === undefined || item !== ''
  return joinGiven(
    ' ',
    `Line ${index + 1}:`,
    joinGiven(', ', item && `item ${item}`, caseLotNumber && `lot ${caseLotNumber}`) || 'read from the label',
    isKnown ? '' : `– no stored product has the GTIN ${caseGtin}, so enter the item code`,
  ).concat('.')
}

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

interface RowProps {
  readonly line: Fields
  readonly index: number
  readonly at: string
  readonly columns: readonly string[]
  readonly shape: DeclaredField['shape']
  readonly findings: readonly Finding[]
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onType: (index: number, name: string, text: string) => void
  readonly onPaste: (event: ClipboardEvent, index: number, name: string) => void
  /** A cell is left after somebody typed in it. */
  readonly onCommit: (index: number, name: string) => void
  readonly onKeyDown: (event: KeyboardEvent, index: number, name: string) => void
  readonly onDuplicate: () => void
  readonly onRemove: () => void
}

function Row(props: RowProps) {
  const { line, index, at, columns, shape, findings, isOpen, onOpen, onType, onPaste, onCommit, onKeyDown } = props
  const worst = ['error', 'warning', 'gap'].find((severity) => findings.some((one) => one.severity === severity))
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
          )}
          onClick={onOpen}
        >
          {index + 1}
        </button>
      </td>
      {columns.map((name) => {
        const pointer = `${at}/${name}`
        const here = findings.filter((finding) => finding.pointer === pointer)
        const field = shape.properties?.[name]
        return (
          <td key={name} class={here[0]?.severity}>
            <input
              id={`field:${pointer}`}
              type="text"
              aria-label={`${labelOf(name)}, line ${index + 1}`}
              aria-invalid={here.some(({ severity }) => severity === 'error')}
              title={here.map(({ message }) => screenText(message)).join(' ') || undefined}
              class={field?.type === 'number' ? 'number' : undefined}
              inputMode={field?.type === 'number' ? 'decimal' : 'text'}
              list={name === 'vendorItemCode' ? 'known-items' : undefined}
              placeholder={field?.['x-form'] === 'date' ? 'yyyy-mm-dd' : undefined}
              value={textOf(line[name])}
              autocomplete="off"
              spellcheck={false}
              dir="auto"
              onInput={({ currentTarget }) => onType(index, name, currentTarget.value)}
              onPaste={(event) => onPaste(event, index, name)}
              onChange={() => onCommit(index, name)}
              onKeyDown={(event) => onKeyDown(event, index, name)}
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
