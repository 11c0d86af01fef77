// The handlers of records. Those that every kind has are made from the operations of the kinds.
import { eventKindList, type RecordKind, recordKinds } from '../../contract/record-kinds.ts'
import type { Operation } from '../../operations/base/operation.ts'
import { createOperations } from '../../operations/records/create.ts'
import { findingsOperations, versionFindingsOperations } from '../../operations/records/findings.ts'
import { listOperations, listVersionsOperations } from '../../operations/records/list.ts'
import { listFileOperations } from '../../operations/records/list-file.ts'
import { listValuesOperations } from '../../operations/records/list-values.ts'
import { operationOf } from '../../operations/records/of-kinds.ts'
import type { recordOperations } from '../../operations/records/operations.ts'
import { readOperations, readVersionOperations } from '../../operations/records/read.ts'
import { replaceOperations } from '../../operations/records/replace.ts'
import { voidEventOperations } from '../../operations/records/void.ts'
import type { Handler, HandlerContext, HandlersOf } from '../base/handler.ts'
import { countEventsByDay } from './count-events.ts'
import { create } from './create.ts'
import { readFindings, readVersionFindings } from './findings.ts'
import { list, listVersions } from './list.ts'
import { saveList } from './list-file.ts'
import { listValues } from './list-values.ts'
import { listViewHandlers } from './list-views.ts'
import { timeZoneHandlers } from './location-time-zones.ts'
import { read, readVersion } from './read.ts'
import { listRefusals } from './refusals.ts'
import { replace } from './replace.ts'
import { search } from './search.ts'
import { storedKinds } from './stored-kinds.ts'
import { listVoids, voidEvent } from './void.ts'

/** A handler for the operation of each kind. */
function forKinds<Kind extends RecordKind, Group extends Readonly<Record<string, Operation>>>(
  kinds: readonly Kind[],
  group: Group,
  handlerOf: (context: HandlerContext, kind: Kind, operation: Group[keyof Group]) => Handler<Group[keyof Group]>,
): HandlersOf<Group> {
  const handlers: Readonly<Record<string, unknown>> = Object.fromEntries(
    kinds.map((kind) => {
      const operation = operationOf(group, kind)
      return [operation.name, (context: HandlerContext) => handlerOf(context, kind, operation)]
    }),
  )
  return handlers as HandlersOf<Group>
}

export const recordHandlers: HandlersOf<typeof recordOperations> = {
  ...forKinds(recordKinds, createOperations, (context, { name }, operation) =>
    create(context, storedKinds[name], operation),
  ),
  ...forKinds(recordKinds, replaceOperations, (context, { name }, operation) =>
    replace(context, storedKinds[name], operation),
  ),
  ...forKinds(eventKindList, voidEventOperations, voidEvent),
  listVoids,
  ...forKinds(recordKinds, readOperations, read),
  ...forKinds(recordKinds, readVersionOperations, readVersion),
  ...forKinds(recordKinds, findingsOperations, readFindings),
  ...forKinds(recordKinds, versionFindingsOperations, readVersionFindings),
  ...forKinds(recordKinds, listOperations, (context, { name }) => list(context, storedKinds[name])),
  ...forKinds(recordKinds, listVersionsOperations, listVersions),
  ...forKinds(recordKinds, listValuesOperations, (context, { name }) => listValues(context, storedKinds[name])),
  ...forKinds(recordKinds, listFileOperations, (context, { name }) => saveList(context, storedKinds[name])),
  search,
  ...listViewHandlers,
  ...timeZoneHandlers,
  listRefusals,
  countEventsByDay,
}
