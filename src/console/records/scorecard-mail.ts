// The scorecard of a vendor as the text of a mail to that vendor. Pure.
import type { DifferencePage, OwnKey, Scorecard } from '../../client/generated/shapes.ts'
import { kindCountsText } from '../../contract/difference-kinds.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { shareWords } from '../words/percent.ts'
import { screenText } from '../words/screen-words.ts'

/** Key data elements that a mail names; the workbook has all. */
const namedMax = 5

/** The account of an installation that has one, which means nothing to a vendor. */
const unnamed = 'default'

/** The part of the mail about differences between shipped and received goods. */
type CountedDifferences = Pick<DifferencePage, 'eventStartDate' | 'eventEndDate' | 'differences' | 'kinds'>

/** The text of the mail. It counts differences where there are some. */
export function scorecardMail(
  {
    dataProviderVendorId: vendor,
    label,
    eventStartDate,
    eventEndDate,
    total,
    target,
    missing,
    refusalCount,
  }: Scorecard,
  { personName, provider }: Pick<OwnKey, 'personName' | 'provider'>,
  compared?: CountedDifferences,
): string {
  const incomplete = total.lines - total.completeLines
  const named = missing.slice(0, namedMax)
  const paragraphs = [
    `Subject: Traceability data of ${label ?? vendor} (${vendor}), ${eventStartDate} to ${eventEndDate}`,
    'Hello,',
    `We received ${pluralize(total.events, 'delivery', 'deliveries')} from you between ${eventStartDate} and ${eventEndDate} with ${pluralize(total.lines, 'product line')} that need key data elements under 21 CFR 1.1345. ${shareWords(total.share)} of these lines are complete. Our target is ${shareWords(target.completeShare)}.`,
    incomplete === 0
      ? 'Nothing is missing. Thank you.'
      : [
          `${pluralize(incomplete, 'line')} ${incomplete === 1 ? 'is' : 'are'} incomplete:`,
          ...named.map(
            ({ kde, cites, lines, remedy, examples }) =>
              `- ${kde} (${cites}): missing in ${pluralize(lines, 'line')}. ${screenText(remedy)}${examplesText(examples)}`,
          ),
          ...(missing.length > named.length ? [`- and ${missing.length - named.length} more kinds of gaps.`] : []),
        ].join('\n'),
    ...(refusalCount > 0
      ? [`In the same time, ${pluralize(refusalCount, 'message')} of yours could not be accepted because of errors.`]
      : []),
    ...(incomplete > 0
      ? ['The attached workbook lists each line with what is missing. Please correct these lines and send them again.']
      : []),
    ...(compared !== undefined && compared.differences > 0
      ? [
          `From ${compared.eventStartDate} to ${compared.eventEndDate}, what you shipped and what we received do not agree in ${pluralize(compared.differences, 'case')}: ${kindCountsText(compared.kinds)}. The attached list of differences names each of them.`,
        ]
      : []),
    ['Kind regards,', personName ?? '[your name]', ...(provider === unnamed ? [] : [provider])].join('\n'),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

const examplesText = (examples: Scorecard['missing'][number]['examples']): string =>
  examples.length === 0
    ? ''
    : ` For example: ${examples.map(({ purchaseOrderNumber, eventDate }) => `purchase order ${purchaseOrderNumber} of ${eventDate}`).join(', ')}.`
