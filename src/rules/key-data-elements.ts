// The key data elements of a receiving event, as the gaps that cite them are called. Source: 21 CFR 1.1345(a).
import { catalogue, ruleOf } from './catalogue.ts'

/** By paragraph of 1.1345(a). Quantity (2) and date (6) are required by the contract, and so are never missing. */
const names: Readonly<Record<string, string>> = {
  '21 CFR 1.1345(a)(1)': 'Traceability lot code',
  '21 CFR 1.1345(a)(3)': 'Product description',
  '21 CFR 1.1345(a)(4)': 'Location description of the immediate previous source',
  '21 CFR 1.1345(a)(5)': 'Location description of where the food was received',
  '21 CFR 1.1345(a)(7)': 'Traceability lot code source',
  '21 CFR 1.1345(a)(8)': 'Reference document',
}

/** Ids of all rules that report gaps. */
export const gapRules: readonly string[] = catalogue.filter(({ severity }) => severity === 'gap').map(({ id }) => id)

/** The key data element that a rule finds missing, and what it cites. A tally may outlive its rule: then it goes by the id. */
export function keyDataElementOf(rule: string): { readonly kde: string; readonly cites: string } {
  const cites = ruleOf(rule)?.cites ?? ''
  return { kde: names[cites] ?? rule, cites }
}
