// The hash by which a replacement leaves search rows as they are.
import { describe, expect, test } from 'vitest'
import { eventKindNames } from '../../../src/contract/record-kinds.ts'
import { storedEvents } from '../../../src/handlers/records/stored-kinds.ts'
import { writtenEvents } from '../../../src/store/records/events.ts'
import { type Payload, payloadOf } from '../../support/records/payloads.ts'

/** The payload once for each of its values, with that one changed. */
function* eachChanged(payload: Payload): Generator<[place: string, Payload]> {
  const visit = function* (part: Payload, place: string): Generator<string> {
    for (const [name, value] of Object.entries(part))
      if (typeof value === 'object') yield* visit(value, `${place}/${name}`)
      else yield `${place}/${name}`
  }
  for (const place of visit(payload, '')) {
    const changed = structuredClone(payload)
    const steps = place.split('/').slice(1)
    const last = steps.pop() ?? ''
    const holder = steps.reduce((part, step) => part[step], changed)
    const { [last]: value } = holder
    holder[last] = typeof value === 'string' ? `${value.slice(0, -1)}~` : Number(value) + 1
    yield [place, changed]
  }
}

describe.each(eventKindNames)('of a %s', (kind) => {
  const { rows } = writtenEvents[kind]
  const searchOf = (content: Payload, warnings = 0, complete = 1) =>
    storedEvents[kind].searchOf({
      content,
      warnings,
      tallies: [{ item: 'ROM-24', lines: 1, complete, gaps: {} }],
      judgedIn: 7,
    })
  const hashOf = (search: ReturnType<typeof searchOf>) => rows.searchHash?.(search).toString('hex')
  /** What is written beside the version, without ids that are drawn. */
  const writtenOf = (search: ReturnType<typeof searchOf>) =>
    JSON.stringify([
      Object.entries(rows.columns).map(([name, column]) =>
        typeof column === 'string' ? search[name as keyof typeof search] : column[1](search, 0),
      ),
      search.locations(),
      rows.rowsOf([{ id: '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f', search }]).codes,
    ])
  const payload = payloadOf[kind]()
  const before = searchOf(payload)

  test('it is another for every change of a value that changes a search row', () => {
    const changes = [...eachChanged(payload)].map(([place, changed]) => ({ place, search: searchOf(changed) }))
    const written = changes.filter(({ search }) => writtenOf(search) !== writtenOf(before))
    expect(written.length).toBeGreaterThan(15)
    expect(written.filter(({ search }) => hashOf(search) === hashOf(before)).map(({ place }) => place)).toEqual([])
    expect(hashOf(searchOf(payload, 1))).not.toBe(hashOf(before))
  })

  test('it stays with every value that no search row has', () => {
    const other = structuredClone(payload)
    other.eventList.productList[0].shipQuantity += 1
    other.eventList.dataProviderVendorName = 'Another name'
    expect(hashOf(searchOf(other))).toBe(hashOf(before))
  })
})
