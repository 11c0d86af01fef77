// What is done with the chosen records of a list: one act for all, each with its own result.
import { useState } from 'preact/hooks'
import type { AnyRecord } from '../../../client/client.ts'
import { type EventKindName, eventKinds, isEventKind, linesOf } from '../../../contract/record-kinds.ts'
import { parameterValuesMax } from '../../../operations/base/query.ts'
import { useSaving } from '../../files/saving.ts'
import { fileOfTable, type TableFormat } from '../../files/table-file.ts'
import { chosenAddress } from '../../records/chosen-address.ts'
import type { DrawnColumn } from '../../records/drawn-column.ts'
import { queryOf } from '../../records/filters.ts'
import type { RecordSection } from '../../records/record-sections.ts'
import { type Fields, fieldsOf, textOf } from '../../records/record-summary.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useMay } from '../../state/frame/session.ts'
import type { Chosen } from '../../state/records/chosen-records.ts'
import { Menu } from '../frame/menu.tsx'
import { SavingState } from '../tables/saving-state.tsx'
import { VoidMany } from './void-many.tsx'

interface Props {
  readonly section: RecordSection
  /** Of the list that is shown. */
  readonly rows: readonly AnyRecord[]
  readonly columns: readonly DrawnColumn<AnyRecord>[]
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen) => void
  /** How many match the filters, where that is more than are shown, and can be chosen. */
  readonly all: number | undefined
  readonly chooseAll: () => Promise<void>
  /** Asks for the list again. */
  readonly again: () => void
}

const lotsIn = (kind: EventKindName, records: readonly AnyRecord[]): readonly string[] => [
  ...new Set(
    records
      .flatMap((record) => linesOf<Fields>(fieldsOf((record as Fields).eventList), eventKinds[kind]))
      .map(({ caseLotNumber }) => textOf(caseLotNumber))
      .filter((lot) => lot.trim() !== ''),
  ),
]

export function ChosenRecords({ section, rows, columns, chosen, onChoose, all, chooseAll, again }: Props) {
  const mayWrite = useMay('writer')
  const { saving, save, giveUp } = useSaving()
  const [isVoiding, setVoiding] = useState(false)
  const [isLoading, setLoading] = useState(false)
  const { kind } = section
  const records = rows.filter(({ id }) => chosen.has(id))
  if (records.length === 0) return null
  const correction = chosenAddress(records.map(({ id }) => id))
  const lots = isEventKind(kind.name) ? lotsIn(kind.name, records) : []
  const saveAs = (format: TableFormat) =>
    save(async () => ({ file: fileOfTable(section.words, columns, records, format) }))
  const takeAll = async () => {
    setLoading(true)
    await chooseAll()
    setLoading(false)
  }
  return (
    <section class="chosen-records" aria-label="Chosen records">
      <p role="status">
        <strong>{records.length.toLocaleString('en')}</strong> chosen
      </p>
      <button type="button" class="plain" onClick={() => onChoose(new Set())}>
        Choose none
      </button>
      {all !== undefined && records.length < all && (
        <button type="button" class="plain" disabled={isLoading} onClick={takeAll}>
          {isLoading ? 'Loading…' : `Choose all ${all.toLocaleString('en')} that match`}
        </button>
      )}
      <div class="chosen-acts">
        {mayWrite && kind.name === 'receivingEvent' && correction !== undefined && (
          <a class="button" href={hrefTo(correction)}>
            Correct…
          </a>
        )}
        {mayWrite && isEventKind(kind.name) && (
          <button type="button" onClick={() => setVoiding(true)}>
            Void…
          </button>
        )}
        <Menu words="Save chosen as">
          {(close) => (
            <ul class="column-list">
              {(['xlsx', 'csv'] as const).map((format) => (
                <li key={format}>
                  <button
                    type="button"
                    class="plain view-link"
                    onClick={() => {
                      close()
                      saveAs(format)
                    }}
                  >
                    {format.toUpperCase()}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Menu>
        {lots.length > 0 && lots.length <= parameterValuesMax && (
          <a class="button" href={hrefTo(`/fda${queryOf({ lotCode: lots.join('\n') }, section.filters)}`)}>
            Package or link of {lots.length === 1 ? 'their lot' : `their ${lots.length} lots`}
          </a>
        )}
      </div>
      <SavingState saving={saving} giveUp={giveUp} again={() => saveAs('xlsx')} />
      {isVoiding && isEventKind(kind.name) && (
        <VoidMany
          kind={kind.name}
          records={records}
          onClose={(left) => {
            setVoiding(false)
            if (left === undefined) return
            onChoose(left)
            again()
          }}
        />
      )}
    </section>
  )
}
