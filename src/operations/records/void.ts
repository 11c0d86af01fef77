// Void: an event that was entered by mistake. Not shown in the contract; decided in 0066.

import {
  type EventKindName,
  eventKindList,
  eventKindNames,
  placeFieldsOf,
  type RecordKind,
  receivingEvent,
} from '../../contract/record-kinds.ts'
import { object, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { Ingested, Judged, keyName, listedPage } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { dryRun, paging } from '../base/query.ts'
import { ofKinds } from './of-kinds.ts'
import { purged } from './read.ts'

export const NewVoid = object('NewVoid', {
  reason: text({
    meaning: 'Why the record was entered by mistake, for whoever reads its history.',
    example: 'Entered twice: the delivery is record 019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f',
    section: '3',
  }),
})

const voidEvent = (record: RecordKind & { readonly name: EventKindName }, name: string) =>
  ({
    name,
    method: 'POST',
    path: `${record.path}/{id}/void`,
    cites: '§3; decision 0066',
    summary: `Voids a ${record.noun} that was entered by mistake.`,
    description: `The void is the next version of the record: it has the same content, and the reason. The record stays readable. Lists, traces, completeness and exports leave it out, and another record may have its event date time. A replacement brings the record back. Voiding a voided record changes nothing.`,
    role: 'writer',
    topic: record.nouns,
    query: { dryRun },
    headers: ['If-Match', 'If-None-Match'],
    body: NewVoid,
    outcomes: {
      refused: { status: 422, when: 'The reason is missing, blank or too long. Nothing is stored.', retry: 'changed' },
      unknownRecord: { status: 404, when: `The provider has no ${record.noun} with this id.`, retry: 'never' },
      purged,
      stale: {
        status: 412,
        when: 'If-Match does not name the current version of the record, or If-None-Match names it.',
        retry: 'changed',
      },
      judged: { status: 200, when: 'The request was a dry run. Nothing is stored.', body: Judged, retry: 'never' },
      unchanged: {
        status: 200,
        when: 'The record is voided already. No version is created, and the first reason stays.',
        body: Ingested,
        retry: 'never',
      },
      voided: { status: 200, when: 'The record is voided.', body: Ingested, retry: 'never' },
    },
  }) as const satisfies Operation

const Void = Type.Object(
  {
    kind: Type.Enum([...eventKindNames], { description: 'Kind of the event.' }),
    id: Type.String({ description: 'Id of the event.' }),
    version: Type.Integer({ description: 'Version of the void.' }),
    voidedDateTime: Type.String({ description: 'When it was voided, in UTC.' }),
    keyId: Type.String({ description: 'Id of the key that voided it.' }),
    keyName,
    reason: Type.String(),
    eventDate: Type.String({
      description:
        'Date of the event at its place: received at the ship-to location, shipped from the ship-from location.',
    }),
    purchaseOrderNumber: Type.Union([Type.String(), Type.Null()], {
      description: 'Null of an event without one.',
    }),
    dataProviderVendorId: Type.String(),
    ...Object.fromEntries(
      [...new Set(eventKindList.flatMap(placeFieldsOf))].map((field) => [
        field,
        Type.Optional(Type.String({ description: 'Of an event of a kind with this location.' })),
      ]),
    ),
  },
  { title: 'Void', additionalProperties: false },
)

const listVoids = {
  name: 'listVoids',
  method: 'GET',
  path: '/voids',
  cites: 'decision 0066',
  summary: 'Lists the events of all kinds that are voided, the latest void first.',
  description: 'Who voided each event, when and why. An event that was brought back is not listed.',
  role: 'partner',
  topic: receivingEvent.nouns,
  query: paging,
  headers: [],
  outcomes: {
    listed: listedPage(Void, 'VoidPage'),
  },
} as const satisfies Operation

/** Whether a list or an export has the records in force, or the voided ones. */
export const voided = {
  form: 'choice',
  values: ['exclude', 'only'],
  meaning: '`only` for voided events; by default they are left out.',
  example: 'only',
} as const

/**
 * The parameters that a list of voided events takes. It cannot be sorted or counted, and their gaps
 * are not known.
 */
export const besideVoided: readonly string[] = [
  ...['voided', 'limit', 'cursor', 'dataProviderVendorId', 'purchaseOrderNumber', 'asnNumber', 'billOfLadingNumber'],
  ...['itemCode', 'lotCode'],
  ...eventKindList.flatMap(placeFieldsOf),
  ...['eventStartDateTime', 'eventEndDateTime', 'eventStartDate', 'eventEndDate'],
  ...['submitStartDateTime', 'submitEndDateTime'],
]

export const voidEventOperations = ofKinds(eventKindList, ['void', ''], voidEvent)
export const voidOperations = { ...voidEventOperations, listVoids }
