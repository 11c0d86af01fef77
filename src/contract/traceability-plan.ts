// The traceability plan of a firm: its procedures, and its gaps. Source: 21 CFR 1.1315;
// decision 0084.
import type { Static } from 'typebox'
import { declareLimit } from '../limits.ts'
import { type EventKind, type EventKindName, eventKinds } from './record-kinds.ts'
import { boolean, type FieldSays, isGiven, object, optional, text } from './shape/field.ts'
import { Type } from './shape/type.ts'

export const planTextMax = declareLimit('planText', 10_000, 'characters', 'Each description in the traceability plan.')

const section = '8'

const description = (says: FieldSays) => optional(Type.String({ ...text(says), maxLength: planTextMax }))

const PlanContact = object(
  'TraceabilityPlanContact',
  {
    name: optional(text({ meaning: 'Name of the person.', example: 'Ana Lopez', section })),
    title: optional(
      text({ meaning: 'Job title, instead of a name or beside it.', example: 'Compliance manager', section }),
    ),
    phoneNumber: optional(text({ meaning: 'Phone number with country code.', example: '+1.614.555.0170', section })),
    email: optional(text({ meaning: 'Email address.', example: 'ana.lopez@greenvalley.example', section })),
  },
  {
    meaning: 'Whom to ask about the plan and the records: a name or a job title, and how to reach it.',
    example: { name: 'Ana Lopez', phoneNumber: '+1.614.555.0170' },
    section,
  },
)

/** The fields of a plan. Everything is optional: a plan is written in several sittings. */
export const PlanContent = object('TraceabilityPlanContent', {
  recordProcedures: description({
    meaning: 'How the records are kept: who enters them, from which documents and when, who checks them.',
    example:
      'Receiving clerks scan the case labels at the dock and send each event from the warehouse system within an hour. The compliance manager checks gaps every Monday.',
    section,
  }),
  otherRecords: description({
    meaning: 'Records that are not in this service: what they are, their format, and where they are.',
    example: 'Paper bills of lading, in binders by month, office of DC 7.',
    section,
  }),
  foodIdentification: description({
    meaning:
      'How foods on the Food Traceability List are identified among those that are manufactured, processed, packed or held.',
    example: 'Purchasing compares each new item with the list before its first order and sets its category.',
    section,
  }),
  assignsLotCodes: optional(
    boolean({
      meaning:
        'Whether traceability lot codes are assigned here: at initial packing, at first land-based receiving, at transformation, or at receipt of food without a code (21 CFR 1.1320, 1.1345(b)).',
      example: false,
      section,
    }),
  ),
  lotCodeAssignment: description({
    meaning: 'How lot codes are assigned, if they are.',
    example: 'Plant code, Julian date and line, e.g. GV26063-A, printed by the case labeller.',
    section,
  }),
  lotInferenceMethod: description({
    meaning: 'How a lot code is inferred, or a range of codes is recorded, where nobody reads the code on the case.',
    example: 'Cases sent to stores get the lot codes of the pallets that were open at the pick slot that day.',
    section,
  }),
  contact: optional(PlanContact),
  growsFoods: optional(
    boolean({
      meaning: 'Whether foods on the Food Traceability List other than eggs are grown or raised here.',
      example: false,
      section,
    }),
  ),
  farmMapReference: description({
    meaning:
      'Where the farm map is: with the name and geographic coordinates of each field, growing area or container.',
    example: 'Farm map 2026-03, https://maps.greenvalley.example/farms',
    section,
  }),
})
export type PlanContent = Static<typeof PlanContent>

/** A gap of a plan, in words of people. */
export interface PlanGap {
  readonly cites: string
  /** The field that would close it. */
  readonly pointer: string
  readonly message: string
  readonly remedy: string
}

/** A statement of the plan, with its own heading if it has one. */
interface PlanPart {
  readonly heading?: string
  readonly text: string
}

export interface PlanParagraph {
  readonly cites: string
  readonly title: string
  /** The statements of the plan, in order. */
  readonly partsOf: (plan: PlanContent) => readonly PlanPart[]
  /** `kinds` are those of which there are events. */
  readonly gapsOf: (plan: PlanContent, kinds: readonly EventKindName[]) => readonly Omit<PlanGap, 'cites'>[]
}

const partIf = (text: string | undefined, heading?: string): readonly PlanPart[] =>
  isGiven(text) ? [{ text: text.trim(), ...(heading !== undefined && { heading }) }] : []

const gapIf = (lacks: boolean, pointer: string, message: string, remedy: string) =>
  lacks ? [{ pointer, message, remedy }] : []

/** Kinds of events that assign lot codes, and those of who grows or raises the food. */
export const makesLots = ({ lists }: EventKind): boolean => Object.values(lists).some(({ lots }) => lots === 'made')
const isOfGrowers = ({ name }: EventKind): boolean => name === 'harvestingEvent'
const kindsWhere = (isMeant: (kind: EventKind) => boolean, names: readonly EventKindName[]): readonly EventKind[] =>
  names.map((name) => eventKinds[name]).filter(isMeant)

/** Kinds of events in words. */
export const nounsOf = (kinds: readonly EventKind[]): string =>
  new Intl.ListFormat('en').format(kinds.map(({ nouns }) => nouns))

/** The requirements of 21 CFR 1.1315(a), paragraph by paragraph. */
export const planParagraphs: readonly PlanParagraph[] = [
  {
    cites: '21 CFR 1.1315(a)(1)',
    title: 'How records are kept',
    partsOf: ({ recordProcedures, otherRecords }) => [
      ...partIf(recordProcedures),
      ...partIf(otherRecords, 'Records kept elsewhere'),
    ],
    gapsOf: ({ recordProcedures }) =>
      gapIf(
        !isGiven(recordProcedures),
        '/recordProcedures',
        'The procedures for keeping records are not described.',
        'Describe who enters the records, from which documents and when, and who checks them. The service adds their format and location.',
      ),
  },
  {
    cites: '21 CFR 1.1315(a)(2)',
    title: 'How foods on the Food Traceability List are identified',
    partsOf: ({ foodIdentification }) => partIf(foodIdentification),
    gapsOf: ({ foodIdentification }) =>
      gapIf(
        !isGiven(foodIdentification),
        '/foodIdentification',
        'The procedures that identify foods on the Food Traceability List are not described.',
        'Describe who compares the items with the list, and when.',
      ),
  },
  {
    cites: '21 CFR 1.1315(a)(3)',
    title: 'How traceability lot codes are assigned',
    partsOf: ({ assignsLotCodes, lotCodeAssignment, lotInferenceMethod }) => [
      ...partIf(assignsLotCodes === false ? 'No traceability lot codes are assigned.' : undefined),
      ...partIf(lotCodeAssignment),
      ...partIf(lotInferenceMethod, 'Where lot codes are inferred'),
    ],
    gapsOf({ assignsLotCodes, lotCodeAssignment }, kinds) {
      const assigning = kindsWhere(makesLots, kinds)
      if (isGiven(lotCodeAssignment)) return []
      if (assignsLotCodes === false)
        return gapIf(
          assigning.length > 0,
          '/assignsLotCodes',
          `The plan says that no traceability lot codes are assigned, and there are ${nounsOf(assigning)}, which assign them.`,
          'Describe how lot codes are assigned. If these events were entered by mistake, void them.',
        )
      return assignsLotCodes
        ? [
            {
              pointer: '/lotCodeAssignment',
              message: 'Traceability lot codes are assigned, and the plan does not describe how.',
              remedy: 'Describe how a lot code is made up, and when and where it is put on the cases.',
            },
          ]
        : [
            {
              pointer: '/assignsLotCodes',
              message: 'The plan does not say whether traceability lot codes are assigned.',
              remedy:
                assigning.length > 0
                  ? `Describe how they are: there are ${nounsOf(assigning)}, which assign them.`
                  : 'Say that none are assigned, or describe how they are.',
            },
          ]
    },
  },
  {
    cites: '21 CFR 1.1315(a)(4)',
    title: 'Point of contact',
    partsOf: (plan) => partIf(contactWords(plan)),
    gapsOf: ({ contact = {} }) => [
      ...gapIf(
        !isGiven(contact.name) && !isGiven(contact.title),
        '/contact/name',
        'No point of contact is named.',
        'Name the person, or the job title, who answers questions about the plan and the records.',
      ),
      ...gapIf(
        !isGiven(contact.phoneNumber) && !isGiven(contact.email),
        '/contact/phoneNumber',
        'The plan does not say how to reach the point of contact.',
        'Add a phone number or an email address.',
      ),
    ],
  },
  {
    cites: '21 CFR 1.1315(a)(5)',
    title: 'Farm map',
    partsOf: ({ growsFoods, farmMapReference }) => [
      ...partIf(
        growsFoods === false
          ? 'No foods on the Food Traceability List other than eggs are grown or raised.'
          : undefined,
      ),
      ...partIf(farmMapReference),
    ],
    gapsOf: ({ growsFoods, farmMapReference }, kinds) =>
      growsFoods === false || isGiven(farmMapReference)
        ? []
        : growsFoods
          ? [
              {
                pointer: '/farmMapReference',
                message: 'Foods are grown or raised, and the plan names no farm map.',
                remedy:
                  'Say where the farm map is, with the name and geographic coordinates of each field or growing area.',
              },
            ]
          : [
              {
                pointer: '/growsFoods',
                message: 'The plan does not say whether foods on the Food Traceability List are grown or raised.',
                remedy:
                  kindsWhere(isOfGrowers, kinds).length > 0
                    ? `Say where the farm map is: there are ${nounsOf(kindsWhere(isOfGrowers, kinds))}. Or say that others grow the food.`
                    : 'Say that none are, or say where the farm map is.',
              },
            ],
  },
]

/** The text for a paragraph without a statement. */
export const planSaysNothing = 'The plan does not say.'

/** The gaps of the plan, in the order of the paragraphs. */
export const planGaps = (plan: PlanContent, kinds: readonly EventKindName[]): readonly PlanGap[] =>
  planParagraphs.flatMap(({ cites, gapsOf }) => gapsOf(plan, kinds).map((gap) => ({ cites, ...gap })))

/** The point of contact on one line; undefined when the plan names no person. */
export function contactWords({ contact = {} }: PlanContent): string | undefined {
  const words = [contact.name, contact.title, contact.phoneNumber, contact.email].filter(isGiven).join(', ')
  return words === '' ? undefined : words
}
