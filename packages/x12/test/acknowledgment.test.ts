// The answers 997 and 999: what they say of notices, and that they are X12 again.
import { X12Parser } from 'node-x12'
import { expect, test } from 'vitest'
import { interchangeOf, noticeIn, noticeOf } from '../../../test/samples/ship-notices.ts'
import { type AcknowledgedSet, writeAcknowledgments } from '../src/acknowledgment.ts'
import { readHierarchy } from '../src/hierarchy.ts'
import { TransactionSetReader } from '../src/transaction-sets.ts'

const broken = noticeOf([
  ...['HL*2*1*O', 'PRF*PO-1', 'HL*3*9*I', 'LIN**UP*614141000418', 'SN1**5*CA'],
  // An order without an item: the order of the levels does not say what they are part of.
  'HL*4*1*O',
])

const setsIn = (text: string) =>
  [...new TransactionSetReader().read(text, { isLast: true })].flatMap(({ set }) => (set === undefined ? [] : [set]))

const acknowledged = (text: string): AcknowledgedSet[] =>
  setsIn(text).map((set) => {
    const { findings } = readHierarchy(set.segments)
    const isTaken = findings.every(({ severity }) => severity !== 'error')
    return { set, firstSegment: set.segments[0]?.number ?? 0, isTaken, findings }
  })

const answer = (kind: '997' | '999', text: string) =>
  writeAcknowledgments(kind, acknowledged(text), '2026-03-03T17:00:00Z')

test('a 997 says per notice whether it was taken, and where its faults are', () => {
  const lines = answer('997', interchangeOf([noticeIn('S-O-I'), broken])).split('~\n')
  expect(lines.slice(0, 2)).toEqual([
    'ISA*00*          *00*          *ZZ*RECEIVER       *ZZ*SENDER         *260303*1700*U*00401*000000001*0*P*>',
    'GS*FA*RECEIVER*SENDER*20260303*1700*1*X*004010',
  ])
  expect(lines.slice(2)).toEqual([
    'ST*997*0001',
    'AK1*SH*1',
    'AK2*856*0001',
    'AK5*A',
    'AK2*856*0002',
    'AK3*HL*12**8',
    'AK4*2**7',
    'AK5*R*5',
    'AK9*P*2*2*1',
    'SE*10*0001',
    'GE*1*1',
    'IEA*1*000000001',
    '',
  ])
})

test('a 999 says the same in its segments, and its version', () => {
  const text = answer('999', interchangeOf([broken], { version: '00501', repetition: '^' }))
  expect(text).toContain('*^*00501*')
  expect(text).toContain('X*005010X231A1~')
  expect(text).toContain('IK3*HL*12**8~\nIK4*2**7~\nIK5*R*5~\nAK9*R*1*1*0~')
})

test('each interchange of a file is answered by one, which node-x12 reads', () => {
  const text = answer('997', interchangeOf([noticeIn('S-I')]) + interchangeOf([broken], { element: '|' }))
  const read = new X12Parser(true).parse(text)
  expect('interchanges' in read ? read.interchanges.length : 1).toBe(2)
  expect(setsIn(text).map(({ id }) => id)).toEqual(['997', '997'])
})
