import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { fdaPackage } from '../../../src/exports/fda-package/package.ts'
import { sampleExport } from '../../samples/exported-events.ts'
import { textIn, unzipped, whole } from '../../support/files/read-workbook.ts'

const sha256 = () => {
  const hash = createHash('sha256')
  return { update: (part: string | Uint8Array) => void hash.update(part), digest: () => hash.digest('hex') }
}

const gap = {
  rule: 'product/packaging-size',
  severity: 'gap',
  pointer: '/productMasterDataList/0/packSize',
  message: 'The product has no packSize.',
  docsUrl: '/docs/rules/product/packaging-size',
  remedy: 'Send packSize.',
  cites: '21 CFR 1.1345(a)(3)',
} as const

const events = [sampleExport(), sampleExport((payload) => delete payload.productMasterDataList[0].packSize, [gap])]

const packed = (madeAt: string, provider = 'Harbor Greens') =>
  whole(
    fdaPackage(
      { provider, filters: { lotCode: ['HG-2026-061'] }, madeAt: new Date(madeAt), gaps: true },
      2,
      async function* () {
        yield events
      },
      sha256,
    ),
  )

test('the same events, request and time give the same bytes', async () => {
  expect(await packed('2026-03-04T05:06:07Z')).toEqual(await packed('2026-03-04T05:06:07Z'))
})

test('another time changes the workbook, the explanation and the manifest by the time alone', async () => {
  const [one, other] = [unzipped(await packed('2026-03-04T05:06:07Z')), unzipped(await packed('2027-01-01T00:00:00Z'))]
  const timeless = (bytes: Uint8Array | undefined) => textIn(bytes).replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'T')
  expect(Object.keys(one)).toEqual(Object.keys(other))
  expect(timeless(one['explanation.html'])).toBe(timeless(other['explanation.html']))
  expect(one['fda-receiving-lot-HG-2026-061.csv']).toEqual(other['fda-receiving-lot-HG-2026-061.csv'])
  const sheets = [one, other].map((files) =>
    unzipped(files['fda-spreadsheet-lot-HG-2026-061.xlsx'] ?? new Uint8Array()),
  )
  for (const name of Object.keys(sheets[0] ?? {})) expect(timeless(sheets[0]?.[name])).toBe(timeless(sheets[1]?.[name]))
})

test('text of the request cannot break out of the explanation', async () => {
  const page = textIn(unzipped(await packed('2026-03-04T05:06:07Z', '<script>x</script>'))['explanation.html'])
  expect(page).toContain('&lt;script&gt;x')
  expect(page).not.toContain('<script')
})

test('the explanation counts what is missing by key data element', async () => {
  const page = textIn(unzipped(await packed('2026-03-04T05:06:07Z'))['explanation.html'])
  expect(page).toContain(
    '<tr><td>H</td><td>Product Description - Packaging Size</td><td>1.1345(a)(3)</td><td>1</td><td>50.0 %</td></tr>',
  )
})
