// What is read of files in the separators in use, and what is reported of files that are broken.
import fc from 'fast-check'
import { X12Parser } from 'node-x12'
import { describe, expect, test } from 'vitest'
import { dialects, exampleNotice, interchangeOf, noticeIn, noticeOf } from '../../../test/samples/ship-notices.ts'
import { runs } from '../../../test/support/runs.ts'
import { type ReleaseCharacterOf, SegmentReader } from '../src/segments.ts'
import { TransactionSetReader } from '../src/transaction-sets.ts'
import { writeInterchange } from '../src/write-segments.ts'

function readSets(pieces: readonly string[], releaseOf?: ReleaseCharacterOf) {
  const reader = new TransactionSetReader(releaseOf)
  return [...pieces.flatMap((piece) => [...reader.read(piece)]), ...reader.read('', { isLast: true })]
}

const setsIn = (text: string, releaseOf?: ReleaseCharacterOf) =>
  readSets([text], releaseOf).flatMap(({ set }) => (set === undefined ? [] : [set]))

/** Ids and elements, set by set. */
const elementsIn = (text: string, releaseOf?: ReleaseCharacterOf) =>
  setsIn(text, releaseOf).map(({ segments }) => segments.map(({ id, elements }) => [id, ...elements]))

const findingsIn = (text: string): string[] =>
  readSets([text])
    .flatMap(({ set, findings }) => findings ?? set?.findings ?? [])
    .map(
      ({ segment, segmentId, element, severity, message }) =>
        `${severity} ${segment} ${segmentId}${element === undefined ? '' : `.${element}`}: ${message}`,
    )

describe('separators', () => {
  const plain = interchangeOf([noticeIn('S-O-P-I')])

  test.each([
    ['line feeds', interchangeOf([noticeIn('S-O-P-I')], { segment: '\n' })],
    ['carriage returns', interchangeOf([noticeIn('S-O-P-I')], { segment: '\r' })],
    ['carriage returns and line feeds', plain.replaceAll('~\n', '\r\n')],
    ['no line breaks', plain.replaceAll('~\n', '~')],
    ['bars and apostrophes', interchangeOf([noticeIn('S-O-P-I')], { element: '|', segment: "'" })],
    ['a line break every 80 characters', plain.replaceAll('\n', '').replaceAll(/.{80}/g, '$&\r\n')],
    ['a blank before the terminator', plain.replace('>~', '> ~')],
    ['an ISA without padding', plain.replaceAll(/ +\*/g, '*')],
    ['a byte order mark', `\uFEFF${plain}`],
  ])('are those of the ISA segment: %s', (_, text) => {
    expect(findingsIn(text)).toEqual([])
    expect(elementsIn(text)).toEqual(elementsIn(plain))
  })

  test('of ISA without component separator are reported, and the rest is read', () => {
    const text = plain.replace('*P*>~', '*P*~')
    expect(findingsIn(text)).toEqual(['warning 1 ISA.16: ISA16, the component separator, is missing.'])
    expect(elementsIn(text)).toEqual(elementsIn(plain))
  })

  test('behind the release character of a sender are text', () => {
    const text = interchangeOf([noticeOf(['LIN**UK*10614141000415*LT*LOT?*A?~B??'])])
    const [set = []] = elementsIn(text, ({ senderQualifier, senderId }) =>
      senderQualifier === 'ZZ' && senderId === 'SENDER' ? '?' : undefined,
    )
    expect(set).toContainEqual(['LIN', '', 'UK', '10614141000415', 'LT', 'LOT*A~B?'])
  })
})

describe('files', () => {
  test('with several interchanges, groups and sets give all sets, each with its separators', () => {
    const first = interchangeOf([noticeIn('S-O-I'), noticeIn('S-I')])
    const text = `${first}\n${interchangeOf([noticeIn('S-P-I')], { element: '|', segment: "'" })}`
    expect(findingsIn(text)).toEqual([])
    expect(setsIn(text).map(({ interchange }) => interchange.separators.element)).toEqual(['*', '*', '|'])
  })

  const whole = interchangeOf([noticeIn('S-O-I')])
  test.each([
    ['', 'error 1 ISA: The file has no transaction set.'],
    ['hello', 'error 1 hel: The file begins with "hello", not with an ISA segment.'],
    [
      'ISA*00*~GS*SH*~ST*856*0001~',
      'error 1 ISA.5: ISA05 is "856". It has at most 2 characters, and an element separator follows.',
    ],
    ['ISA', 'error 1 ISA.1: The file ends within ISA.'],
    [whole.slice(0, 300), 'error 9 N3: The file ends before SE.'],
    [whole.replace(/IEA[^~]*~\n/, ''), 'error 18 GE: The file ends before IEA.'],
    [whole.replace(/SE\*[^~]*~\n/, ''), 'error 17 GE: GE comes before SE.'],
    [whole.replace(/ST\*[^~]*~\n/, ''), 'error 3 BSN: "BSN" is outside its envelope: no ST comes before it.'],
    [whole.replace('GE*1*1', 'GE*2*1'), 'warning 18 GE.1: GE01 is "2", but there are 1 transaction sets.'],
    [
      whole.replace('IEA*1*000000001', 'IEA*1*000000009'),
      'warning 19 IEA.2: IEA02 is "000000009", but ISA13 is "000000001".',
    ],
    [
      whole.replace('PO-1', 'P'.repeat(11_000)),
      'error 13 PRF: A segment has more than 10,000 characters or 100 elements.',
    ],
  ])('that are broken are reported at their place: %.30s', (text, finding) => {
    expect(findingsIn(text)).toContain(finding)
  })

  test('without element separators are reported by the beginnings of their segments', () => {
    const lost = whole.replace(/ST\*856[^~]*/, 'ST-856-with-a-lot-of-text')
    expect(findingsIn(lost)[0]).toContain(' ST-856-wit: ')
  })

  test('read alike, however they arrive in pieces', () => {
    const text =
      interchangeOf([noticeIn('S-O-T-P-I'), noticeIn('S-O-I')]) + interchangeOf([noticeIn('S-I')], { element: '|' })
    const read = JSON.stringify(readSets([text]))
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 40 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length]
        const pieces = at.slice(1).map((end, i) => text.slice(at[i], end))
        return JSON.stringify(readSets(pieces)) === read
      }),
      { numRuns: runs(1_000) },
    )
  })

  test('that are written are read as the same elements', () => {
    const element = fc.stringMatching(/^[A-Za-z0-9 .,:?'-]{0,20}$/).map((text) => text.trim())
    const segment = fc.tuple(fc.constantFrom('REF', 'N1', 'LIN'), fc.array(element, { minLength: 1, maxLength: 9 }))
    const envelope = {
      ...{ senderQualifier: 'ZZ', senderId: 'SENDER', receiverQualifier: 'ZZ', receiverId: 'RECEIVER', group: 'SH' },
      ...{ version: '004010', usage: 'P', controlNumber: 1, writtenAt: '2026-03-03T16:15:00Z' },
    }
    const isEmpty = (text: string) => text === ''
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 20 }), (segments) => {
        const text = writeInterchange(envelope, [
          { id: '856', segments: segments.map(([id, elements]) => [id, ...elements]) },
        ])
        expect(findingsIn(text)).toEqual([])
        // Empty elements at the end of a segment are not written.
        const written = segments.map(([id, elements]) => [
          id,
          ...elements.slice(0, elements.findLastIndex((one) => !isEmpty(one)) + 1),
        ])
        expect(elementsIn(text)[0]?.slice(1, -1)).toEqual(written)
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('node-x12, as a second opinion,', () => {
  const dialectNames = Object.keys(dialects) as (keyof typeof dialects)[]

  test.each(['the example', ...dialectNames] as const)('finds the same segments and elements in %s', (name) => {
    const text = name === 'the example' ? exampleNotice : interchangeOf([noticeIn(name)])
    const theirs = new X12Parser(true).parse(text)
    const sets = ('interchanges' in theirs ? theirs.interchanges : [theirs]).flatMap(({ functionalGroups }) =>
      functionalGroups.flatMap(({ transactions }) => transactions),
    )
    const ours = new SegmentReader().read(text, { isLast: true }).segments
    const first = ours.findIndex(({ id }) => id === 'ST')
    const last = ours.findLastIndex(({ id }) => id === 'SE')
    expect(
      sets.flatMap(({ segments }) => segments.map(({ tag, elements }) => [tag, ...elements.map(({ value }) => value)])),
    ).toEqual(ours.slice(first + 1, last).map(({ id, elements }) => [id, ...elements]))
  })
})
