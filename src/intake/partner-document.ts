// Documents of trading partners, which the service reads as they are: which one a file is, by how
// it begins.

import { bytesOf, type ImportFile, textOf } from 'lotkeeper-sheets/import-file'
import { UnreadableFile } from 'lotkeeper-sheets/unreadable-file'
import { type DocumentEncoding, encodingIn } from '../contract/text/document-text.ts'

export type PartnerDocument = 'shipNotices' | 'epcis'

/** How far into a text its type is looked for. */
const beginningLength = 65_536

export async function partnerDocumentOf(file: ImportFile): Promise<PartnerDocument | undefined> {
  const bytes = await bytesOf(file, 0, beginningLength)
  const beginning = new TextDecoder(encodingIn(bytes)).decode(bytes)
  return partnerDocumentIn(beginning) ?? (/\.jsonld$/i.test(file.name) ? 'epcis' : undefined)
}

/** Which one a text is: an X12 interchange, or EPCIS in JSON-LD or XML. */
function partnerDocumentIn(text: string): PartnerDocument | undefined {
  if (/^\uFEFF?\s*ISA[^A-Za-z0-9\s]/.test(text)) return 'shipNotices'
  if (/^\uFEFF?\s*[{<]/.test(text) && /["<:]EPCIS(?:Query)?Document\b/.test(text)) return 'epcis'
  return undefined
}

/**
 * The encoding of a document, and whether only its bytes show it, as of ship notices of old
 * programs.
 */
export async function documentEncoding(
  file: ImportFile,
): Promise<{ readonly encoding: DocumentEncoding; readonly isAssumed: boolean }> {
  const declared = encodingIn(await bytesOf(file, 0, beginningLength))
  if (declared !== undefined) return { encoding: declared, isAssumed: false }
  if ((await partnerDocumentOf(file)) !== 'shipNotices') return { encoding: 'utf-8', isAssumed: false }
  try {
    for await (const _ of textOf(file, 'utf-8'));
    return { encoding: 'utf-8', isAssumed: false }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return { encoding: 'windows-1252', isAssumed: true }
  }
}
