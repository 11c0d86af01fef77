// The results of the parts of a document of a trading partner, one below the other; each opens to
// its findings.
import type { ComponentChildren } from 'preact'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { screenText } from '../../words/screen-words.ts'

export interface VerdictItem {
  readonly key: string
  readonly title: ComponentChildren
  /** The verdict in words, and how it is coloured. */
  readonly verdict: string
  readonly tone: 'fine' | 'error' | 'neutral'
  readonly details: ComponentChildren
  /** True for parts that are read first. */
  readonly isOpen: boolean
}

interface Props {
  readonly label: string
  readonly items: readonly VerdictItem[]
  /** All of them, where only the first are at hand. */
  readonly count: number
  readonly noun: string
}

export const VerdictList = ({ label, items, count, noun }: Props) => (
  <>
    <ol class="verdicts" aria-label={label}>
      {items.map(({ key, title, verdict, tone, details, isOpen }) => (
        <li key={key}>
          <details open={isOpen}>
            <summary>
              <span class={`tag ${tone}`}>{verdict}</span> {title}
            </summary>
            <div class="verdict-details">{details}</div>
          </details>
        </li>
      ))}
    </ol>
    {count > items.length && (
      <p class="quiet">
        {items.length.toLocaleString('en')} of {pluralize(count, noun)} are shown, refused ones first.
      </p>
    )}
  </>
)

/** The remedy in words of the page: addresses of the API are for programs. */
export const withoutAddresses = (text: string): string =>
  screenText(text.replaceAll(/ \((?:GET|POST|PUT) \/[^()]*\)/g, '').replaceAll(/ with (?:GET|POST|PUT) \/[\w/-]+/g, ''))

/** The remedy of a finding, for a reader who has the file and not the sender's program. */
export const partnerRemedy = ({ rule, remedy }: { readonly rule?: string | null; readonly remedy: string }): string =>
  rule === 'product-line/tlc-source-given'
    ? 'Say in the settings of the sender who assigned the lot codes, or have the sender send it.'
    : withoutAddresses(remedy)
