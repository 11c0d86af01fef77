// Bulk corrections: one change of fields in many receiving events, previewed and then applied as
// new versions with one reason. Not shown in the contract; decided in 0067.
import type { Static } from 'typebox'
import { changedFieldNames } from '../../contract/field-change.ts'
import { boolean, choice, date, list, number, object, optional, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { listedPage } from '../base/bodies.ts'
import { eventSelection } from '../base/event-selection.ts'
import type { Operation } from '../base/operation.ts'
import { paging, parameterValuesMax, type QueryParameter } from '../base/query.ts'

/** Most events and lines that one correction chooses, and most changes that it makes. */
export const correctionEventsMax = 20_000
export const correctionLinesMax = 1_000_000
const correctionChangesMax = 20

/** Differences of one event that are listed. */
export const differencesMax = 3

/** Events that one choice names at most. */
export const chosenEventsMax = 1_000

const section = '1'

const many = (meaning: string, example: string, maxItems: number = parameterValuesMax) =>
  optional(
    list(
      text({ meaning: 'One of the values.', example, section }),
      { meaning, example: [example], section },
      { minItems: 1, maxItems },
    ),
  )

const CorrectionSelection = object(
  'CorrectionSelection',
  {
    eventStartDate: optional(
      date({ meaning: 'Only events received on this date or later.', example: '2026-03-01', section }),
    ),
    eventEndDate: optional(
      date({ meaning: 'Only events received on this date or earlier.', example: '2026-03-31', section }),
    ),
    recordId: many(
      'Only these events, by their ids: as a person chose them in a list.',
      '0197f7a2-3c5e-7b41-9d2a-8f6e5c4b3a21',
      chosenEventsMax,
    ),
    dataProviderVendorId: many('Only events of these vendors.', 'V-1001'),
    shipToLocationCode: many('Only events received at these locations.', 'DC-07'),
    purchaseOrderNumber: many('Only events with these purchase order numbers.', '4500012345'),
    itemCode: many('Only lines and products of these vendor or purchaser item codes.', 'ROM-24'),
    lotCode: many(
      'Only lines of these lots, and their products: lot codes, or any GS1 text that contains one.',
      'GV26063-A',
    ),
    gap: optional(
      text({
        meaning: 'Only lines, products and locations with a gap that this rule finds with the current master data.',
        example: 'product-line/tlc-source-place',
        section,
      }),
    ),
  },
  {
    meaning: 'Which events are corrected, and which of their lines and products: those that fit every condition.',
    example: { dataProviderVendorId: ['V-1001'], itemCode: ['ROM-24'] },
    section,
  },
)

const { eventStartDate, eventEndDate, dataProviderVendorId, shipToLocationCode, itemCode, lotCode } = eventSelection
/** The same conditions as query parameters, for operations without a body. */
export const correctionQuery = {
  eventStartDate,
  eventEndDate,
  dataProviderVendorId,
  shipToLocationCode,
  itemCode,
  lotCode,
  recordId: {
    form: 'text',
    many: true,
    meaning: 'Only this event, by its id.',
    example: '0197f7a2-3c5e-7b41-9d2a-8f6e5c4b3a21',
  },
  purchaseOrderNumber: {
    form: 'text',
    many: true,
    meaning: 'Only events with this purchase order number.',
    example: '4500012345',
  },
  gap: {
    form: 'text',
    meaning: 'Only lines, products and locations with a gap that this rule finds.',
    example: 'product-line/tlc-source-place',
  },
} as const satisfies Record<string, QueryParameter>

const FieldChange = object('FieldChange', {
  field: choice(changedFieldNames, {
    meaning: 'The field, with the part of the payload that has it.',
    example: 'product.packStyle',
    section,
  }),
  set: optional(
    text({
      meaning:
        'The new value, as text; a number or boolean as JSON writes it. Without `replace` and `overwrite` it fills the field only where it is missing or a placeholder.',
      example: 'Carton',
      section,
    }),
  ),
  remove: optional(
    boolean({ meaning: '`true` removes the field. Needs `replace` or `overwrite`.', example: true, section }),
  ),
  replace: optional(text({ meaning: 'Only where the field has exactly this value.', example: 'Crate', section })),
  overwrite: optional(boolean({ meaning: '`true` changes the field whatever its value is.', example: true, section })),
})

export const NewCorrection = object('NewCorrection', {
  reason: text({
    meaning: 'Why the events are corrected. Shown with each version that the correction makes.',
    example: 'Pack style confirmed by Green Valley Farms',
    section,
  }),
  where: CorrectionSelection,
  changes: list(
    FieldChange,
    { meaning: 'What is changed.', example: [{ field: 'product.packStyle', set: 'Carton' }], section },
    { minItems: 1, maxItems: correctionChangesMax },
  ),
})
export type NewCorrection = Static<typeof NewCorrection>

const chosenEvents = (meaning: string) =>
  optional(
    list(
      text({ meaning: 'Id of an event.', example: '0197f7a2-3c5e-7b41-9d2a-8f6e5c4b3a21', section }),
      { meaning, example: ['0197f7a2-3c5e-7b41-9d2a-8f6e5c4b3a21'], section },
      { minItems: 1, maxItems: chosenEventsMax },
    ),
  )

/** Approves the preview: applying fails when the preview has changed. */
export const CorrectionApproval = object('CorrectionApproval', {
  ready: number({
    meaning: 'Events that are ready, as the preview shows it in `outcomes.ready`.',
    example: 812,
    section,
  }),
  leaveOut: chosenEvents('Corrects all events that are ready but these. They stay as they are.'),
  only: chosenEvents('Corrects only these of the events that are ready. The others stay as they are.'),
})
export type CorrectionApproval = Static<typeof CorrectionApproval>

const CorrectionUndoing = object('CorrectionUndoing', {
  reason: text({
    meaning: 'Why the correction is undone. Shown with each version that brings an event back.',
    example: 'Green Valley Farms confirmed the crate after all',
    section,
  }),
})
export type CorrectionUndoing = Static<typeof CorrectionUndoing>

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const countOf = (description: string) => Type.Integer({ description })

const CorrectionCounts = Type.Object(
  {
    waiting: countOf('Not previewed yet.'),
    ready: countOf('To be corrected when the correction is applied.'),
    leftOut: countOf('Ready, and left out by who applied the correction. They stay as they are.'),
    unchanged: countOf('They have nothing to change.'),
    refused: countOf('The rules refuse the result. They stay as they are.'),
    corrected: countOf('Corrected: they have a new version.'),
    superseded: countOf('They changed after they were chosen. They stay as they are.'),
    gone: countOf('They were purged.'),
    failed: countOf('The service failed on them. They stay as they are.'),
  },
  { title: 'CorrectionCounts', description: 'Events of the correction by outcome.', additionalProperties: false },
)

const asSent = { description: 'As it was sent.' }
const manySent = Type.Optional(Type.Array(Type.String(), asSent))
const oneSent = Type.Optional(Type.String(asSent))

const ChosenEvents = Type.Object(
  {
    eventStartDate: oneSent,
    eventEndDate: oneSent,
    recordId: manySent,
    dataProviderVendorId: manySent,
    shipToLocationCode: manySent,
    purchaseOrderNumber: manySent,
    itemCode: manySent,
    lotCode: manySent,
    gap: oneSent,
  },
  { title: 'ChosenEvents', description: 'Which events it chose, as it was sent.', additionalProperties: false },
)

const ChosenChange = Type.Object(
  {
    field: Type.String(asSent),
    set: oneSent,
    remove: Type.Optional(Type.Boolean(asSent)),
    replace: oneSent,
    overwrite: Type.Optional(Type.Boolean(asSent)),
  },
  { title: 'ChosenChange', additionalProperties: false },
)

const Correction = Type.Object(
  {
    id: Type.String({ description: 'Id of the correction.' }),
    state: Type.Enum(['previewing', 'previewed', 'applying', 'done', 'cancelled'], {
      description:
        '`previewing`: the service validates the result of each event. `previewed`: it can be applied. `applying`: it is being applied. `done` and `cancelled`: it is ended.',
    }),
    reason: Type.String(),
    where: ChosenEvents,
    changes: Type.Array(ChosenChange),
    events: Type.Integer({ description: 'Events that it chose.' }),
    outcomes: CorrectionCounts,
    values: Type.Integer({ description: 'Values that it changes in events that are ready or corrected.' }),
    completedLines: Type.Integer({ description: 'Lines of them that become complete.' }),
    closedGaps: Type.Integer({ description: 'Gaps of them that it closes.' }),
    createdDateTime: Type.String({ description: 'When it was created, in UTC.' }),
    createdBy: Type.String({ description: 'Id of the key that created it.' }),
    appliedDateTime: orNull('When it was applied, in UTC; null while it is a preview.'),
    appliedBy: orNull('Id of the key that applied it. The versions name this key.'),
    endedDateTime: orNull('When it was done or cancelled, in UTC.'),
    undoes: orNull('Id of the correction that it undoes; null where it changes fields.'),
    undoneBy: orNull('Id of the latest correction that undoes it and is not cancelled.'),
  },
  { title: 'Correction', additionalProperties: false },
)
export type Correction = Static<typeof Correction>

const anyValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

const CorrectionEvent = Type.Object(
  {
    id: Type.String({ description: 'Id of the receiving event.' }),
    version: Type.Integer({ description: 'The version that was chosen. Only this one is replaced.' }),
    toVersion: Type.Union([Type.Integer(), Type.Null()], { description: 'The version that the correction made.' }),
    outcome: Type.Enum(Object.keys(CorrectionCounts.properties)),
    eventDate: orNull('Date received; null when the event is gone.'),
    dataProviderVendorId: orNull('Its vendor.'),
    shipToLocationCode: orNull('Its ship-to location.'),
    purchaseOrderNumber: orNull('Its purchase order number.'),
    lines: Type.Integer({ description: 'Its lines.' }),
    values: Type.Integer({ description: 'Values that the correction changes.' }),
    completedLines: Type.Integer(),
    closedGaps: Type.Integer(),
    differences: Type.Array(
      Type.Object(
        { pointer: Type.String({ description: 'JSON Pointer into the record.' }), before: anyValue, after: anyValue },
        { title: 'Difference', additionalProperties: false },
      ),
      { description: `The first ${differencesMax} of these values, before and after; null where there is none.` },
    ),
    detail: orNull('Why it was not corrected.'),
  },
  { title: 'CorrectionEvent', additionalProperties: false },
)
export type CorrectionEvent = Static<typeof CorrectionEvent>

const shared = { cites: '§1; decision 0067', topic: 'corrections', headers: [], role: 'writer' } as const

const unknownCorrection = {
  status: 404,
  when: 'The provider has no correction with this id.',
  retry: 'never',
} as const

const createCorrection = {
  ...shared,
  name: 'createCorrection',
  method: 'POST',
  path: '/corrections',
  summary: 'Creates a bulk correction: chooses receiving events and previews a change of their fields.',
  description: `The answer comes at once. In the background, the service changes a copy of each event and validates it as a replacement. Nothing is stored before \`applyCorrection\`. At most ${correctionEventsMax.toLocaleString('en-US')} events and ${correctionLinesMax.toLocaleString('en-US')} lines. A preview that is not applied is cancelled after a day.`,
  query: {},
  body: NewCorrection,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, or a change says nothing. Every finding is listed, and no correction is created.',
      retry: 'changed',
    },
    tooMany: { status: 422, when: 'More events or lines are chosen than one correction takes.', retry: 'changed' },
    tooManyOpen: { status: 409, when: 'Too many corrections are not ended. Apply or cancel some.', retry: 'changed' },
    created: { status: 201, when: 'The events are chosen, and the preview begins.', body: Correction, retry: 'never' },
  },
} as const satisfies Operation

const listCorrections = {
  ...shared,
  name: 'listCorrections',
  method: 'GET',
  path: '/corrections',
  summary: 'Lists bulk corrections, newest first.',
  description: 'The list includes corrections that are done or cancelled.',
  role: 'reader',
  query: { ...paging },
  outcomes: {
    listed: listedPage(Correction, 'CorrectionPage'),
  },
} as const satisfies Operation

const readCorrection = {
  ...shared,
  name: 'readCorrection',
  method: 'GET',
  path: '/corrections/{id}',
  summary: 'Reads a bulk correction and how far it has come.',
  description: 'Ask again while `state` is `previewing` or `applying`.',
  role: 'reader',
  query: {},
  outcomes: {
    unknownCorrection,
    found: { status: 200, when: 'The provider has it.', body: Correction, retry: 'never' },
  },
} as const satisfies Operation

const listCorrectionEvents = {
  ...shared,
  name: 'listCorrectionEvents',
  method: 'GET',
  path: '/corrections/{id}/events',
  summary: 'Lists the events of a bulk correction: what it changes, or why it does not.',
  description: 'In the order of their ids. The list is kept for 90 days after the correction is ended.',
  role: 'reader',
  query: {
    outcome: {
      form: 'choice',
      values: ['all', ...Object.keys(CorrectionCounts.properties)],
      meaning: 'Only events with this outcome.',
      example: 'refused',
    },
    ...paging,
  },
  outcomes: {
    unknownCorrection,
    listed: listedPage(CorrectionEvent, 'CorrectionEventPage'),
  },
} as const satisfies Operation

const applyCorrection = {
  ...shared,
  name: 'applyCorrection',
  method: 'POST',
  path: '/corrections/{id}/apply',
  summary: 'Applies a previewed bulk correction.',
  description:
    'In the background, the service replaces each event that is ready, if it is still at the version that was previewed. Each replacement is a new version. It goes on after a restart, and corrects no event twice. Applying it again changes nothing.',
  query: {},
  body: CorrectionApproval,
  outcomes: {
    unknownCorrection,
    refused: {
      status: 422,
      when: 'The body does not say how many events are ready, or not as many as the preview; or it chooses an event that is not ready, or none. Nothing is applied.',
      retry: 'changed',
    },
    notPreviewed: { status: 409, when: 'The preview is not finished.', retry: 'later' },
    correctionCancelled: { status: 409, when: 'The correction was cancelled.', retry: 'never' },
    applying: { status: 200, when: 'The correction is being applied, or is done.', body: Correction, retry: 'never' },
  },
} as const satisfies Operation

const cancelCorrection = {
  ...shared,
  name: 'cancelCorrection',
  method: 'DELETE',
  path: '/corrections/{id}',
  summary: 'Cancels a bulk correction.',
  description: 'It stays in the list. Events that are corrected stay so. Cancelling it again changes nothing.',
  query: {},
  outcomes: {
    unknownCorrection,
    correctionDone: { status: 409, when: 'The correction is done.', retry: 'never' },
    cancelled: { status: 200, when: 'The correction is cancelled.', body: Correction, retry: 'never' },
  },
} as const satisfies Operation

const undoCorrection = {
  ...shared,
  name: 'undoCorrection',
  method: 'POST',
  path: '/corrections/{id}/undo',
  summary: 'Creates a bulk correction that undoes another one.',
  description:
    'It brings each event that was corrected back to what stood before, as a new version with its own reason. Events that changed since then are left as they are. It is previewed and applied like any other correction, and can be undone itself. Possible for 90 days after the correction is ended.',
  query: {},
  body: CorrectionUndoing,
  outcomes: {
    unknownCorrection,
    refused: { status: 422, when: 'The reason is missing or blank. No correction is created.', retry: 'changed' },
    notEnded: { status: 409, when: 'The correction is not ended.', retry: 'later' },
    nothingToUndo: { status: 409, when: 'It corrected no event, or ended long ago.', retry: 'never' },
    tooManyOpen: { status: 409, when: 'Too many corrections are not ended. Apply or cancel some.', retry: 'changed' },
    created: { status: 201, when: 'The events are chosen, and the preview begins.', body: Correction, retry: 'never' },
  },
} as const satisfies Operation

const exportCorrectionReport = {
  ...shared,
  name: 'exportCorrectionReport',
  method: 'GET',
  path: '/corrections/{id}/report',
  summary: 'Makes the report of a bulk correction: a row for each event.',
  description:
    'Event, version before and after, what changed, and why not. The rows are kept for 90 days after the correction is ended.',
  role: 'reader',
  recorded: 'everyFile',
  query: {
    format: {
      form: 'choice',
      values: ['xlsx', 'csv'],
      meaning: 'The workbook, or the same rows as CSV.',
      example: 'csv',
    },
  },
  outcomes: {
    unknownCorrection,
    exported: {
      status: 200,
      when: 'The file follows.',
      media: {
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'The workbook.',
        'text/csv; charset=utf-8': 'The rows, with a byte order mark.',
      },
      retry: 'never',
    },
  },
} as const satisfies Operation

export const correctionOperations = {
  createCorrection,
  listCorrections,
  readCorrection,
  listCorrectionEvents,
  applyCorrection,
  cancelCorrection,
  undoCorrection,
  exportCorrectionReport,
}
