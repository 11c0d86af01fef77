// The sheets and headings of FDA's template of the electronic sortable spreadsheet (June 2024).
// `template.json` has their exact text: by sheet, each heading with the hint that FDA writes below
// it. Doubled and trailing spaces, slashes and line breaks are FDA's own, and stay so that a
// comparison finds the same text. Source: 21 CFR 1.1455(c)(3).
import sheets from './template.json' with { type: 'json' }

/** Sheets of the template that explain the others; the sender fills them. */
export const introductionSheet = 'Introduction'
export const definitionsSheet = 'Definitions'
export const definitionsHeadings = ['Food Traceability Rule Term', 'Definition'] as const

/** The sheets that are filled. */
export const receivingSheet = 'Receiving'
export const shippingSheet = 'Shipping'

export interface TemplateHeading {
  readonly heading: string
  /** FDA's hint below the heading in the same cell, or empty. */
  readonly hint: string
}

export interface TemplateSheet {
  readonly name: string
  readonly headings: readonly TemplateHeading[]
}

/** One sheet per critical tracking event, in the order of the template. */
export const eventSheets: readonly TemplateSheet[] = Object.entries(sheets).map(([name, hints]) => ({
  name,
  headings: Object.entries(hints).map(([heading, hint]) => ({ heading, hint })),
}))

/** The text of a heading cell: the heading, a blank line, the hint. */
export const headingCell = ({ heading, hint }: TemplateHeading): string =>
  hint === '' ? heading : `${heading}\n\n${hint}`

/** The heading without line breaks. */
export const headingLine = ({ heading }: TemplateHeading): string =>
  heading
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
