import { describe, expect, it } from 'vitest'
import { readArchiveLine, versionLine } from '../../src/evidence/archive.ts'

const hash = 'a'.repeat(64)
const lineWith = (findings: string): string =>
  versionLine({
    kind: 'receivingEvent',
    id: '0192f0c4-7a7e-7000-8000-000000000001',
    version: 1,
    submittedDateTime: '2026-03-04T14:00:00.123456Z',
    keyId: 'k-1',
    contentHash: hash,
    detailHash: hash,
    previousHash: null,
    versionHash: hash,
    detail: { payloadId: null, findings, body: '{}' },
    current: undefined,
  }).trimEnd()

describe('a version in an archive', () => {
  it.each([
    '[]',
    '[["product/name","placeholder","/productMasterDataList/0/itemDescription","n/a"]]',
    '[["product-line/lot-code","placeholder","/eventList/productList/*/caseLotNumber",[[[0,2],"n/a"],[[1],"?"]]]]',
    '[["rule/of-another-version","any name","",7,["x",["y"]]]]',
  ])('is read with findings as they are stored: %s', (findings) => {
    expect(readArchiveLine(lineWith(findings))).toMatchObject({ is: 'version', detail: { findings } })
  })

  it.each([
    '[{"rule":"product/name","pointer":"","message":"x"}]',
    '[["product/name","placeholder"]]',
    '[["product/name","placeholder",7]]',
    '[["product/name","placeholder","",{}]]',
    '[["product/name","placeholder","/list/*","n/a"]]',
    '[null]',
  ])('is refused with findings of another form: %s', (findings) => {
    expect(readArchiveLine(lineWith(findings))).toEqual({
      problem: 'findings has an entry that is not a list of rule, sentence, pointer and values.',
    })
  })
})
