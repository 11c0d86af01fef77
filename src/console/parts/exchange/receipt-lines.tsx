// The lines of a receipt, by pallet: ticked when they arrived, with quantity and lot code to
// correct.
import { useState } from 'preact/hooks'
import { readScan } from '../../../contract/lots/gs1-label.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import {
  itemWords,
  lineOf,
  lotWords,
  palletsOf,
  type Receipt,
  type ReceiptFault,
  type ReceiptLine,
} from '../../records/receipt.ts'
import { type Fields, joinGiven, textOf } from '../../records/record-summary.ts'
import { Fault } from '../frame/fault.tsx'
import { FindingWords } from '../records/findings.tsx'

/** Lines drawn at once. A scan also ticks lines that are not drawn. */
const drawnMax = 200

interface Props {
  readonly receipt: Receipt
  readonly faults: readonly ReceiptFault[]
  readonly onChange: (lines: readonly number[], change: Partial<ReceiptLine>) => void
  /**
   * A label was scanned while a field of a line had the focus; `before` is the value of the line.
   */
  readonly onScan: (text: string, line: number, before: Partial<ReceiptLine>) => void
}

export const lineAnchor = (index: number): string => `line-${index + 1}`

export function ReceiptLines({ receipt, faults, onChange, onScan }: Props) {
  const [most, setMost] = useState(drawnMax)
  let left = most
  return (
    <>
      {palletsOf(receipt).map(({ palletId, lines }) => {
        const shown = lines.slice(0, left)
        left -= shown.length
        if (shown.length === 0) return null
        const arrived = lines.filter((i) => receipt.lines[i]?.hasArrived).length
        return (
          <section key={palletId} class="pallet" aria-label={palletId === '' ? 'Lines' : `Pallet ${palletId}`}>
            {palletId !== '' && (
              <label class="tick pallet-tick">
                <input
                  type="checkbox"
                  checked={arrived === lines.length}
                  ref={(box) => {
                    if (box !== null) box.indeterminate = arrived > 0 && arrived < lines.length
                  }}
                  onChange={({ currentTarget }) => onChange(lines, { hasArrived: currentTarget.checked })}
                />
                <span>
                  Pallet <bdi class="mono">{palletId}</bdi>{' '}
                  <span class="quiet small">
                    {arrived} of {pluralize(lines.length, 'line')}
                  </span>
                </span>
              </label>
            )}
            <ol class="receipt-lines">
              {shown.map((i) => (
                <Line
                  key={i}
                  receipt={receipt}
                  index={i}
                  fault={faults.find(({ line }) => line === i)?.words}
                  onChange={(change) => onChange([i], change)}
                  onScan={(text, before) => onScan(text, i, before)}
                />
              ))}
            </ol>
          </section>
        )
      })}
      {receipt.lines.length > most && (
        <p class="actions">
          <button type="button" onClick={() => setMost(most + drawnMax)}>
            Show more of {pluralize(receipt.lines.length, 'line')}
          </button>
        </p>
      )}
    </>
  )
}

interface LineProps {
  readonly receipt: Receipt
  readonly index: number
  readonly fault: string | undefined
  readonly onChange: (change: Partial<ReceiptLine>) => void
  readonly onScan: (text: string, before: Partial<ReceiptLine>) => void
}

function Line({ receipt, index, fault, onChange, onScan }: LineProps) {
  const own = receipt.lines[index] as ReceiptLine
  const line = lineOf(receipt, own)
  const number = index + 1
  const isOtherLot = own.lotCode !== textOf(line.caseLotNumber)
  const findings = receipt.refusal?.findings.filter((one) => one.line === index) ?? []
  return (
    <li class={own.hasArrived ? 'arrived' : undefined} id={lineAnchor(index)}>
      <label class="tick">
        <input
          type="checkbox"
          checked={own.hasArrived}
          onChange={({ currentTarget }) => onChange({ hasArrived: currentTarget.checked })}
        />
        <span>
          <strong>
            <bdi>{itemWords(receipt, line)}</bdi>
          </strong>{' '}
          <span class="quiet small">
            line {number}, item <bdi class="mono">{textOf(line.vendorItemCode)}</bdi>
          </span>
          <br />
          {own.lotCode === '' ? (
            <span class="quiet">No lot code</span>
          ) : (
            <>
              Lot <bdi class="mono">{lotWords(own.lotCode)}</bdi>
            </>
          )}
          {own.isAdded ? (
            <span class="tag warning">not announced</span>
          ) : (
            isOtherLot && <span class="tag warning">changed</span>
          )}
        </span>
      </label>
      <LineValues {...{ own, line, number, isOtherLot, fault, onChange, onScan }} />
      <Fault id={`fault-${number}`}>{fault}</Fault>
      {findings.map(({ finding }) => (
        <div key={finding.rule + finding.pointer} class={`finding ${finding.severity}`}>
          <FindingWords finding={finding} path="/events" />
        </div>
      ))}
    </li>
  )
}

interface ValuesProps extends Pick<LineProps, 'fault' | 'onChange' | 'onScan'> {
  readonly own: ReceiptLine
  readonly line: Fields
  readonly number: number
  readonly isOtherLot: boolean
}

/** What arrived of a line: its quantity, and its lot code where that is corrected. */
function LineValues({ own, line, number, isOtherLot, fault, onChange, onScan }: ValuesProps) {
  const [isLotOpen, setLotOpen] = useState(false)
  const scannable = useScannable(own, onScan)
  const unit = textOf(line.shipQuantityUom)
  return (
    <div class="receipt-values">
      <label>
        <span class="small quiet">
          Quantity<span class="hidden">, line {number}</span>
        </span>
        <input
          type="text"
          inputMode="decimal"
          value={own.quantity}
          aria-invalid={fault !== undefined}
          aria-describedby={`fault-${number}`}
          {...scannable('quantity')}
          onInput={({ currentTarget }) =>
            onChange({ quantity: currentTarget.value.replace(',', '.'), hasArrived: true })
          }
        />
      </label>
      <span class="receipt-unit">
        <bdi>{unit}</bdi>
        {!own.isAdded && own.quantity !== textOf(line.shipQuantity) && (
          <span class="small"> shipped: {joinGiven(' ', line.shipQuantity, unit)}</span>
        )}
      </span>
      {isLotOpen || isOtherLot ? (
        <label>
          <span class="small quiet">
            Lot code<span class="hidden">, line {number}</span>
          </span>
          <input
            type="text"
            autocapitalize="off"
            spellcheck={false}
            value={own.lotCode}
            {...scannable('lotCode')}
            onInput={({ currentTarget }) => onChange({ lotCode: currentTarget.value, hasArrived: true })}
          />
        </label>
      ) : (
        <button type="button" class="plain" onClick={() => setLotOpen(true)}>
          Correct lot<span class="hidden"> of line {number}</span>
        </button>
      )}
    </div>
  )
}

/** Attributes of a field that takes a scan: a label is no quantity and no lot code. */
function useScannable({ quantity, lotCode, hasArrived }: ReceiptLine, onScan: LineProps['onScan']) {
  // As it was when the focus came.
  const [before, setBefore] = useState<Partial<ReceiptLine>>({})
  return (name: 'quantity' | 'lotCode') => ({
    autocomplete: 'off',
    /** Typing replaces the old value. */
    onFocus: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
      setBefore({ quantity, lotCode, hasArrived })
      currentTarget.select()
    },
    /** A scanner types into the focused field, and ends with Enter. */
    onKeyDown: (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      const { currentTarget: field } = event
      const label = [field.value, field.value.replace(before[name] ?? '', '')].find((text) => readScan(text))
      if (label === undefined) return document.getElementById('scan')?.focus()
      onScan(label, before)
      field.select()
    },
  })
}
