// Documents of trading partners, which the service reads as they are: which one a file is, by how
// it begins.
import { bytesOf, type ImportFile } from '../workbook/import-file.ts'

export type PartnerDocument = 'shipNotices' | 'epcis'

/** How far into a text its type is looked for. */
const beginningLength = 65_536

export async function partnerDocumentOf(file: ImportFile): Promise<PartnerDocument | undefined> {
  const beginning = new TextDecoder().decode(await bytesOf(file, 0, beginningLength))
  return partnerDocumentIn(beginning) ?? (/\.jsonld$/i.test(file.name) ? 'epcis' : undefined)
}

/** Which one a text is: an X12 interchange, or EPCIS in JSON-LD or XML. */
function partnerDocumentIn(text: string): PartnerDocument | undefined {
  if (/^\uFEFF?\s*ISA[^A-Za-z0-9\s]/.test(text)) return 'shipNotices'
  if (/^\uFEFF?\s*[{<]/.test(text) && /["<:]EPCIS(?:Query)?Document\b/.test(text)) return 'epcis'
  return undefined
}
