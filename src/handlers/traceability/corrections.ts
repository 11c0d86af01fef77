// Changes by replacements in the records of an export, read version by version.
import type { EventKindName } from '../../contract/record-kinds.ts'
import {
  type Correction,
  correctionsBetween,
  purgedBefore,
  type RecordedVersion,
} from '../../exports/fda-spreadsheet/corrections.ts'
import type { ExportFilters } from '../../exports/fda-spreadsheet/event-lines.ts'
import { type EventVersion, listEventVersions, type SelectedEvent } from '../../store/records/event-selection.ts'
import type { HandlerContext } from '../base/handler.ts'
import { eventsOfKind, type MasterDataCache } from '../records/exported-events.ts'

/** Most versions looked up by one statement. */
const versionsAtOnce = 500

/**
 * The corrections up to the selected versions, record by record in the order of the selection, a
 * batch for each version. Later versions are left out, so that reading an export twice gives the
 * same.
 */
export async function* corrections(
  context: HandlerContext,
  provider: string,
  {
    selected,
    filters,
    master,
    kind,
  }: {
    readonly selected: readonly SelectedEvent[]
    readonly filters: ExportFilters
    readonly master: MasterDataCache
    readonly kind: EventKindName
  },
): AsyncGenerator<readonly Correction[]> {
  let before: RecordedVersion | undefined
  for await (const version of versionsOf(context, provider, { selected, master, kind })) {
    if (before?.event.id === version.event.id) yield correctionsBetween(before, version, filters)
    else if (version.purgedBefore !== null) yield purgedBefore(version)
    before = version
  }
}

/** The versions of those records that were replaced, each from its first to the chosen one. */
async function* versionsOf(
  context: HandlerContext,
  provider: string,
  {
    selected,
    master,
    kind,
  }: {
    readonly selected: readonly SelectedEvent[]
    readonly master: MasterDataCache
    readonly kind: EventKindName
  },
): AsyncGenerator<RecordedVersion> {
  const chosen = new Map(selected.filter(({ version }) => version > 1).map(({ id, version }) => [id, version]))
  let left = [...chosen.keys()].map((id) => ({ id, after: 0 }))
  while (left.length > 0) {
    const asked = left.slice(0, versionsAtOnce)
    const found = await listEventVersions(context.store, {
      provider,
      records: asked,
      limit: versionsAtOnce,
      withVoids: true,
      kind,
    })
    const wanted = found.filter(({ id, version }) => version <= (chosen.get(id) ?? 0))
    const known = new Map(wanted.map((version) => [nameOf(version), version]))
    for await (const events of eventsOfKind(context, provider, { selected: wanted, master, kind }))
      for (const event of events) {
        const { submittedAt, purgedBefore: purged, voidReason, reason } = known.get(nameOf(event)) as EventVersion
        yield { event, submittedAt, purgedBefore: purged, voidReason, reason }
      }
    const last = found.length === versionsAtOnce ? found.at(-1) : undefined
    left = [
      ...(last === undefined ? [] : [{ id: last.id, after: last.version }]),
      ...left.slice(last === undefined ? asked.length : asked.findIndex(({ id }) => id === last.id) + 1),
    ]
  }
}

const nameOf = ({ id, version }: { readonly id: string; readonly version: number }): string => `${id}.${version}`
