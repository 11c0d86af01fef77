// Lot codes that corrections took out of events, found again in the versions of an archive.

import { isEventKind, type RecordKindName } from '../../contract/record-kinds.ts'
import { isGiven } from '../../contract/shape/field.ts'
import type { ArchivedVersion } from '../../evidence/archive.ts'
import type { StoredVersion } from '../../store/database/statement.ts'
import { importEarlierLots, type LostLots } from '../../store/records/earlier-lots.ts'
import { findVersion } from '../../store/records/record-versions.ts'
import type { HandlerContext } from '../base/handler.ts'

/**
 * Compares each of these versions, which are stored already, with the one before it, and stores the
 * lot codes that were lost. A version before it whose content was purged is not known any more, and
 * neither are its lot codes.
 */
export async function importLostLots(
  { store }: HandlerContext,
  provider: string,
  versions: readonly ArchivedVersion[],
): Promise<void> {
  const events = versions.filter(({ kind, version, detail }) => isEventKind(kind) && (version > 1 || detail))
  const details = new Map(events.map(({ id, version, detail }) => [nameOf(id, version), detail]))
  const lost: LostLots[] = []
  for (const { kind, id, version, detail } of events) {
    if (detail === undefined || version === 1) continue
    const before = details.get(nameOf(id, version - 1)) ?? (await storedVersion(kind, id, version - 1))
    if (before === undefined) continue
    const now = new Set(lotCodesOf(detail))
    const lotCodes = lotCodesOf(before).filter((lotCode) => !now.has(lotCode))
    if (lotCodes.length > 0) lost.push({ id, version: version - 1, lotCodes })
  }
  await importEarlierLots(store, provider, lost)

  async function storedVersion(kind: RecordKindName, id: string, version: number): Promise<StoredVersion | undefined> {
    const stored = await findVersion(store, provider, { kind, id, version })
    return stored !== undefined && 'body' in stored ? stored : undefined
  }
}

const nameOf = (id: string, version: number): string => `${id}.${version}`

/**
 * The lot codes of its lines, each text once; a void removed all of them. The version was checked
 * before it was stored.
 */
function lotCodesOf({ body, voidReason }: Pick<StoredVersion, 'body' | 'voidReason'>): readonly string[] {
  if (voidReason !== undefined) return []
  const { eventList } = JSON.parse(body) as { eventList: { productList: readonly { caseLotNumber?: string }[] } }
  return [...new Set(eventList.productList.map(({ caseLotNumber }) => caseLotNumber))].filter(isGiven)
}
