// Sheets of the trade, by their headings: each gets the columns that it should have, and is read
// whole after what a person chooses.
import { describe, expect, test } from 'vitest'
import type { EventKindName } from '../../src/contract/record-kinds.ts'
import { withCheckDigit } from '../../src/contract/text/identifiers.ts'
import type { IntakeOptions } from '../../src/intake/intake.ts'
import { judgeRecord } from '../../src/intake/judge-record.ts'
import { csvOf, intakeOf, proposedIn, recordsIn, toldIn } from './files/import-files.ts'
import { now } from './records/prove-rule.ts'

export const harbor = withCheckDigit('061414100001')
export const river = withCheckDigit('061414199999')
export const gtin = withCheckDigit('1061414100041')
export const sscc = withCheckDigit('10614141123456789')

/** What a sheet of a program does not say: its time zone, and who assigned the lot codes. */
export const fromHarbor = { timeZone: 'America/Chicago', defaults: { tlcSourceReferenceGln: harbor } } as const

/** A heading, the column it means (`null`: none), and its value in each row, or the one of all. */
type Headings = Readonly<Record<string, readonly [column: string | null, ...values: string[]]>>

export interface TradeSheet {
  readonly name: string
  readonly kind: EventKindName
  readonly headings: Headings
  /** What a person chooses: at most two of them. Without it, more is missing than that. */
  readonly choices?: Partial<Pick<IntakeOptions, 'timeZone' | 'kind'>> & {
    readonly defaults?: Readonly<Record<string, string>>
  }
  /** Titles above the headings. */
  readonly above?: readonly (readonly string[])[]
}

const contentOf = ({ headings, above = [] }: TradeSheet) => {
  const columns = Object.values(headings).map(([, ...values]) => values)
  const rows = Array.from({ length: 2 }, (_, at) => columns.map((values) => values[at] ?? values[0] ?? ''))
  return csvOf([...above, Object.keys(headings), ...rows])
}

export const proveTradeSheets = (sheets: readonly TradeSheet[]) =>
  describe.each(sheets.map((sheet) => [sheet.name, sheet] as const))('%s', (_, sheet) => {
    test('gets the right column for each heading, and no wrong one', async () => {
      const { kind } = sheet.choices ?? {}
      const proposed = proposedIn(await intakeOf(contentOf(sheet), 'e.csv', { kind }))
      const expected = Object.fromEntries(
        Object.entries(sheet.headings).map(([heading, [column]]) => [heading, column]),
      )
      expect(proposed).toEqual(expected)
    })

    test.skipIf(sheet.choices === undefined)('is read whole as it is proposed, after at most two choices', async () => {
      const { defaults = {}, ...choices } = sheet.choices ?? {}
      expect(Object.keys(defaults).length + Object.keys(choices).length).toBeLessThanOrEqual(2)
      const content = contentOf(sheet)
      const first = await intakeOf(content, 'e.csv', { ...choices, defaults })
      const fault = first.find((one) => one.is === 'fault')
      expect(fault?.columns?.kind).toBe(sheet.kind)
      const mapping = { kind: fault?.columns?.kind, columns: proposedIn(first) }
      const all = await intakeOf(content, 'e.csv', { ...choices, defaults, mapping })
      const records = recordsIn(all)
      expect(new Set(records.map((record) => record.kind.name)), toldIn(all)).toEqual(new Set([sheet.kind]))
      const errors = records
        .flatMap((record) => judgeRecord(record, { lotNumberRequiredFrom: '2026-01-01' }, now).findings)
        .filter(({ severity }) => severity === 'error')
      expect(errors).toEqual([])
      expect(records.reduce((sum, { lines }) => sum + lines, 0)).toBe(2)
    })
  })
