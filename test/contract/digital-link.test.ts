// Paths of GS1 Digital Link URIs, read as a resolver must. The examples are those of GS1's resolver
// tests, its vocabulary and others' documents. Source: decision 0099.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digitalLinkPath, readDigitalLinkPath } from '../../src/contract/text/digital-link.ts'
import { withCheckDigit } from '../../src/contract/text/identifiers.ts'
import { runs } from '../support/runs.ts'

describe('a path that GS1 or others publish is read', () => {
  test.each([
    ['/01/09506000134352', '01', '09506000134352', {}],
    ['/01/09506000134376/10/LOT01', '01', '09506000134376', { 10: 'LOT01' }],
    ['/01/09506000134376/21/HELLOWORLD', '01', '09506000134376', { 21: 'HELLOWORLD' }],
    ['/01/04000044001236/10/BATCH123', '01', '04000044001236', { 10: 'BATCH123' }],
    ['/01/01234567890128/10/LOT2025001/21/123456', '01', '01234567890128', { 10: 'LOT2025001', 21: '123456' }],
    ['/01/09506000134352/10/LOT-ABC/', '01', '09506000134352', { 10: 'LOT-ABC' }],
    ['/01/04012345999990/10/20210401-A/21/XYZ-1234', '01', '04012345999990', { 10: '20210401-A', 21: 'XYZ-1234' }],
    ['/01/09506000164908/22/2A/10/abc%2F1%3F', '01', '09506000164908', { 22: '2A', 10: 'abc/1?' }],
    ['/414/4012345000108', '414', '4012345000108', {}],
    ['/414/9520123456788/254/32a%2Fb', '414', '9520123456788', { 254: '32a/b' }],
    ['/00/106141410000000019', '00', '106141410000000019', {}],
  ] as const)('%s', (path, key, value, qualifiers) => {
    const read = readDigitalLinkPath(path)
    expect('problem' in read ? read : { ...read, qualifiers: Object.fromEntries(read.qualifiers) }).toEqual({
      key,
      value,
      qualifiers,
    })
  })
})

describe('a path is refused with what is wrong', () => {
  test.each([
    ['/01/09506000134353', /check digit of GTIN 09506000134353 is wrong: after 0950600013435 it is 2/],
    ['/01/9506000134352', /write \/01\/09506000134352/],
    ['/01/614141123452', /write \/01\/00614141123452/],
    ['/01/0950600013435X', /has 14 digits/],
    ['/01/', /has 14 digits/],
    ['/01', /has 14 digits/],
    ['/01/09506000134376/badrequest', /Nothing follows \/badrequest/],
    ['/01/09506000134376/10', /Nothing follows \/10/],
    ['/01/09506000134376/10/', /Nothing follows \/10/],
    ['/01/09506000134376/lot/ABC', /Write \/10 in place of \/lot/],
    ['/01/09506000134376/10/A/10/B', /occurs twice/],
    ['/01/09506000134376/21/A/10/B', /After a GTIN come \/22, then \/10, then \/21/],
    ['/01/09506000134376/254/A', /After a GTIN/],
    ['/01/09506000134376/10/LOT%20A', /character set 82/],
    ['/01/09506000134376/10/caf%C3%A9', /character set 82/],
    ['/01/09506000134376/10/012345678901234567890', /1 to 20/],
    ['/01/09506000134376/10/A%00', /character set 82/],
    ['/01/09506000134376/10/%', /percent-encoding/],
    ['/00/106141410000000019/10/A', /After a SSCC come no others/],
    ['/00/106141410000000018', /check digit of SSCC/],
    ['/414/061414100001', /has 13 digits/],
    // Compressed: one segment of base64.
    ['/ARHjfZ1MI-mB', /must begin with \/00, \/01, \/414/],
    ['/8004/0950600013430000001', /must begin with/],
    ['/01/09506000134376//10/A', /./],
  ])('%s', (path, why) => {
    expect(readDigitalLinkPath(path)).toEqual({ problem: expect.stringMatching(why) })
  })
})

test('whatever a path says, it is read or refused, and what is read is written as it was', () => {
  const signs = [...'!"%&\'()*+,-./0123456789:;<=>?ABCXYZ_abcxyz']
  const code = fc.string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength: 20 })
  const gtin = fc.stringMatching(/^\d{13}$/).map(withCheckDigit)
  fc.assert(
    fc.property(gtin, code, code, (value, lot, serial) => {
      const path = `/01/${value}/10/${encodeURIComponent(lot)}/21/${encodeURIComponent(serial)}`
      const read = readDigitalLinkPath(path)
      if ('problem' in read) throw new Error(read.problem)
      expect([...read.qualifiers]).toEqual([
        ['10', lot],
        ['21', serial],
      ])
      expect(digitalLinkPath(read)).toBe(path)
    }),
    { numRuns: runs(200) },
  )
  fc.assert(
    fc.property(fc.webPath(), (path) => {
      expect(readDigitalLinkPath(`/01/09506000134352${path}`)).toBeDefined()
    }),
    { numRuns: runs(200) },
  )
})
