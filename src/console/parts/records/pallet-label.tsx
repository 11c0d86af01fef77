// The GS1 logistic label of a pallet, in the size it is printed in: names and addresses, then the
// data with their titles, then the barcodes with what they say below each.
import { Fragment } from 'preact'
import type { DrawnBarcode } from '../../files/gs1-128.ts'
import type { PalletLabel } from '../../records/pallet-label.ts'

/** Of GS1’s 0.495 to 0.94 mm the one that is whole dots of label printers: 8 or 12 a millimetre. */
const moduleMm = 0.5
const quietModules = 10

export const labelSizes = {
  /** 4 × 6 inches: two barcodes of 32 mm, the least height that GS1 allows. */
  small: { words: '4 × 6 in (102 × 152 mm)', widthMm: 93, barcodesMax: 2, linesMax: 6 },
  a5: { words: 'A5 (148 × 210 mm)', widthMm: 140, barcodesMax: 3, linesMax: 10 },
} as const
export type LabelSize = keyof typeof labelSizes

interface Props {
  readonly label: PalletLabel
  readonly size: LabelSize
  readonly draw: (elements: string) => DrawnBarcode | undefined
}

export function LogisticLabel({ label, size, draw }: Props) {
  const { sscc, from, to, documents, content, lines } = label
  const { widthMm, barcodesMax, linesMax } = labelSizes[size]
  const drawn = label.barcodes.flatMap((elements) => {
    const barcode = draw(elements)
    return barcode && (barcode.modules + 2 * quietModules) * moduleMm <= widthMm ? [{ elements, barcode }] : []
  })
  const [first] = drawn
  const last = drawn.at(-1)
  const shown = drawn.length > barcodesMax && first && last ? [first, last] : drawn
  return (
    <article class={`pallet-label ${size}`} aria-label={`Label of pallet ${sscc}`}>
      <div class="label-places">
        <Place title="FROM" lines={from} />
        <Place title="TO" lines={to} />
      </div>
      <dl>
        {[['SSCC', sscc] as const, ...content, ...documents].map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {lines.length > 0 && (
        <ul>
          {lines.slice(0, linesMax).map((line, i) => (
            <li key={i}>
              {line.map((text, j) => (
                <Fragment key={j}>
                  {j > 0 && ' · '}
                  <bdi>{text}</bdi>
                </Fragment>
              ))}
            </li>
          ))}
          {lines.length > linesMax && <li>and {lines.length - linesMax} more lines</li>}
        </ul>
      )}
      <div class="label-barcodes">
        {shown.map(({ elements, barcode }) => (
          <Barcode key={elements} elements={elements} barcode={barcode} />
        ))}
      </div>
    </article>
  )
}

const Place = ({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) => (
  <p>
    <span class="label-title">{title}</span>
    {lines.map((line, i) => (
      <bdi key={i}>{line}</bdi>
    ))}
  </p>
)

const Barcode = ({
  elements,
  barcode: { modules, bars },
}: {
  readonly elements: string
  readonly barcode: DrawnBarcode
}) => (
  <figure>
    <svg
      role="img"
      aria-label={`Barcode ${elements}`}
      width={`${(modules + 2 * quietModules) * moduleMm}mm`}
      height="32mm"
      viewBox={`${-quietModules} 0 ${modules + 2 * quietModules} 1`}
      preserveAspectRatio="none"
      shape-rendering="crispEdges"
    >
      <path d={bars.map(({ at, width }) => `M${at} 0h${width}v1h-${width}z`).join('')} />
    </svg>
    <figcaption>{elements.replaceAll(/\((\d\d)\)/g, ' ($1) ').trim()}</figcaption>
  </figure>
)
