// The records of one kind.
import { useAddress } from '../address.ts'
import { PageHead } from '../parts/page-head.tsx'
import { sectionAt } from '../record-sections.ts'

export function RecordsPage() {
  const section = sectionAt(useAddress().path)
  return <PageHead title={section.words} />
}
