// What notes of traces and chains advise: in the words of the page, with a way to do it.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chainAdvice, traceAdvice, traceNoteKinds } from '../../../src/console/records/note-ways.ts'
import type { LotChain } from '../../../src/tracing/lot-chain.ts'
import type { LotTrace } from '../../../src/tracing/lot-trace.ts'
import { center, cooler, store, traced, went, wholesaler } from '../../samples/lot-events.ts'

const trace: LotTrace = {
  ...traced([
    went(cooler, wholesaler, { day: 4, lines: [{ caseGtin: '10614141000415', tlcSourceName: 'Green Valley' }] }),
    went(wholesaler, center, { day: 5, vendor: 'V-2' }),
    went(center, store, { day: 6, vendor: 'V-3' }),
  ]),
  reading: { form: 'text', spellings: [{ lotCode: 'other 1', lines: 1 }] },
  readAlike: [{ lotCode: 'O-1' }] as unknown as LotTrace['readAlike'],
}

const noteOf = (kind: LotTrace['notes'][number]['kind'], remedy = ''): LotTrace['notes'][number] => ({
  kind,
  message: '',
  remedy,
  places: trace.places.map(({ id }) => id),
  sources: trace.sources.map(({ id }) => id),
  events: trace.events.map(({ id }) => id),
  eventCount: trace.events.length,
})

const pathWith = (values: Readonly<Record<string, string>>) => `/trace?${new URLSearchParams(values)}`

/** Remedies in the sources of the tracing, each with the kind of its note; of a chain with none. */
const remedies = ['../../../src/tracing', '../../../src/handlers/traceability'].flatMap((folder) => {
  const at = new URL(`${folder}/`, import.meta.url)
  return readdirSync(at).flatMap((name) => {
    const text = readFileSync(new URL(name, at), 'utf8')
    return [...text.matchAll(/remedy:\s*(?:'([^'\n]*)'|`([^`\n]*)`)/g)].map(({ 1: plain, 2: filled, index }) => {
      const kind =
        [...text.slice(0, index).matchAll(/(?:notes\.add\(|note\(|kind: )\s*'(\w+)'/g)].at(-1)?.[1] ?? 'truncated'
      return [name.startsWith('chain') ? '' : kind, plain ?? filled ?? ''] as const
    })
  })
})

const ofPrograms = /`|\bSend\b|\btlcSource|least=|\b(?:PUT|POST|GET)\b|\b[a-z]+[a-z]*[A-Z]\w*|\/unit-conversions/

test('no note advises what only a program can do', () => {
  expect(remedies.length).toBeGreaterThan(30)
  for (const [kind, remedy] of remedies) {
    const isOfTrace = (traceNoteKinds as readonly string[]).includes(kind)
    const written = remedy.replaceAll(/\$\{sourceRemedy\}/g, '').replaceAll(/\$\{ground\}/g, 'reference')
    const says = isOfTrace
      ? traceAdvice(noteOf(kind as 'cycle', written), { trace, mayWrite: true, pathWith }).says
      : chainAdvice(
          { kind: 'leftOut', message: '', remedy: written, lots: [], events: [] },
          { chain: noChain, mayWrite: true },
        ).says
    expect(says.replaceAll(/\$\{[^}]*\}/g, 'x'), `${kind}: ${remedy}`).not.toMatch(ofPrograms)
  }
})

test('every note of a trace leads a writer to where its advice is followed', () => {
  for (const kind of traceNoteKinds) {
    const { ways } = traceAdvice(noteOf(kind, 'with eventStartDate'), { trace, mayWrite: true, pathWith })
    if (kind !== 'notReceived') expect(ways, kind).not.toEqual([])
    for (const { words, to } of ways) {
      expect(words, kind).not.toMatch(ofPrograms)
      expect(to, kind).toMatch(/^(?:#|\/)\S+$/)
    }
  }
})

test('who may only read is led to no page that writes', () => {
  for (const kind of traceNoteKinds)
    for (const { to } of traceAdvice(noteOf(kind), { trace, mayWrite: false, pathWith }).ways)
      expect(to, kind).not.toMatch(/\/edit$|^\/corrections|^\/completeness|^\/dock|\/new$/)
})

test('a lot code in another spelling is corrected to the one of the trace, and nothing else is', () => {
  const [way] = traceAdvice(noteOf('spellings'), { trace, mayWrite: true, pathWith }).ways
  expect(way?.words).toBe(`Correct “other 1” to “${trace.lotCode}”`)
  expect(Object.fromEntries(new URL(way?.to ?? '', 'http://x').searchParams)).toEqual({
    lotCode: 'other 1',
    field: 'line.caseLotNumber',
    replace: 'other 1',
    set: trace.lotCode,
  })
})

const noChain = { events: [] as LotChain['events'] } as LotChain

test('a note of a chain names the steps to follow as the page does, and offers them', () => {
  const remedy = 'Send a tlcSource… field. For what is certain, ask with least=sameSource.'
  const note = { kind: 'sourceUnknown', message: '', remedy, lots: [], events: [] } as const
  const { says, follow } = chainAdvice({ ...note, lots: [], events: [] }, { chain: noChain, mayWrite: true })
  expect(says).toBe('Enter a TLC source field. For what is certain, follow “only what is certain”.')
  expect(follow).toEqual([['sameSource', 'only what is certain']])
})
