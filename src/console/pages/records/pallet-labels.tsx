// Labels for the pallets of an event that have an SSCC, to be printed on stickers.
import { useMemo, useState } from 'preact/hooks'
import type { AnyRecord } from '../../../client/client.ts'
import { Select } from '../../parts/fields/select.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, Loading, When } from '../../parts/frame/states.tsx'
import { type LabelSize, LogisticLabel, labelSizes } from '../../parts/records/pallet-label.tsx'
import { palletLabelsOf } from '../../records/pallet-label.ts'
import { sectionAt } from '../../records/record-sections.ts'
import { recordName } from '../../records/record-summary.ts'
import { hrefTo, useAddress } from '../../state/frame/address.ts'
import { printPage } from '../../state/frame/printing.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import type { PageProps } from '../frame/page.ts'

export function PalletLabelsPage({ values: { id = '' } }: PageProps) {
  const { api } = useOpenSession()
  const section = sectionAt(useAddress().path)
  const record = useRequest((signal) => api.of(section.kind.name).read({ id, signal }), [section.path, id])
  const name = record.is === 'answered' ? recordName(section.kind.name, record.value.body) : ''
  return (
    <>
      <PageHead title="Pallet labels">
        <p class="facts">
          <span>
            <a href={hrefTo(`${section.path}/${id}`)}>
              The {section.kind.noun} <bdi>{name}</bdi>
            </a>
          </span>
        </p>
      </PageHead>
      <When asked={record} what={`the ${section.kind.noun}`}>
        {({ body }) => <Labels record={body} />}
      </When>
    </>
  )
}

const sizes = Object.entries(labelSizes).map(([size, { words }]) => [size as LabelSize, words] as const)

function Labels({ record }: { readonly record: AnyRecord }) {
  const labels = useMemo(() => palletLabelsOf({ ...record }), [record])
  // The library of barcodes is loaded with the first label.
  const drawing = useRequest(async () => (await import('../../files/gs1-128.ts')).drawGs1128, [])
  const [size, setSize] = useState<LabelSize>('small')
  const [only, setOnly] = useState('')
  if (labels.length === 0)
    return (
      <Empty title="No pallet of this event has an SSCC">
        <p>
          A label needs the pallet id of a line: 18 digits, the last of them the check digit. Enter it in the event.
        </p>
      </Empty>
    )
  if (drawing.is === 'asking') return <Loading what="the barcodes" />
  if (drawing.is === 'failed')
    return (
      <Empty title="The barcodes could not be loaded">
        <p>The network was interrupted, or the service was updated. Reload the page.</p>
      </Empty>
    )
  return (
    <div class="pallet-labels">
      <div class="label-choice">
        <label>
          <span class="small quiet">Pallet</span>
          <Select
            choices={[['', `All ${labels.length}`], ...labels.map(({ sscc }) => [sscc, sscc] as const)]}
            value={only}
            onChoose={setOnly}
          />
        </label>
        <label>
          <span class="small quiet">Size of the sticker</span>
          <Select choices={sizes} value={size} onChoose={setSize} />
        </label>
        <button type="button" class="main" onClick={printPage}>
          Print
        </button>
      </div>
      <p class="quiet small label-choice">
        Print at 100 %, not fitted to the page: smaller bars may not be read.
        {size === 'small' && ' On A5 there is room for the barcode of the lot too.'}
      </p>
      {labels
        .filter(({ sscc }) => only === '' || sscc === only)
        .map((label) => (
          <LogisticLabel key={label.sscc} label={label} size={size} draw={drawing.value} />
        ))}
    </div>
  )
}
