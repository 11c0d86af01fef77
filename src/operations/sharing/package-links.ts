// Packages for FDA or an auditor, handed over by an address and a code. Not shown in the contract;
// decided in 0079.
import { number, object, optional, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { declareLimit } from '../../limits.ts'
import { keyName, listedPage } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { paging } from '../base/query.ts'
import { exportFdaPackage } from '../traceability/export-fda.ts'

/** Longest time for which a link opens, and the default. */
export const linkHours = {
  max: declareLimit('packageLinkLife', 720, 'hours', 'Longest time for which a package link opens.'),
  default: 168,
} as const

/** Where links are opened, without a key. */
export const packageLinkPath = '/packages'

const section = '8'
const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const NewPackageLink = object('NewPackageLink', {
  label: text({
    meaning:
      'Who it is for, and why. The list of links and the access log show it; whoever opens the link does not see it.',
    example: 'FDA, request 2026-0114',
    section,
  }),
  expiresInHours: optional(
    number({
      meaning: `Whole hours for which it opens, 1 to ${linkHours.max}; ${linkHours.default} without it.`,
      example: 72,
      section,
    }),
  ),
})

const fields = {
  id: Type.String({ description: 'Id of the link. It does not open anything.' }),
  label: Type.String({ description: 'Who it is for, and why.' }),
  state: Type.Enum(['open', 'expired', 'withdrawn', 'locked'], {
    description: '`locked`: too many wrong codes were entered. Only an `open` link hands out its package.',
  }),
  asked: Type.Object({}, { description: 'The parameters of the package, by name.', additionalProperties: true }),
  createdDateTime: Type.String({ description: 'When it was created, in UTC.' }),
  createdBy: Type.String({ description: 'Id of the key that created it.' }),
  createdByName: keyName,
  expiresDateTime: Type.String({ description: 'From when on it opens nothing, in UTC.' }),
  withdrawnDateTime: orNull('When it was withdrawn, in UTC; null while it is not.'),
  withdrawnBy: orNull('Id of the key that withdrew it.'),
  withdrawnByName: keyName,
  wrongCodes: Type.Integer({ description: 'How often a wrong code was entered.' }),
  fetches: Type.Integer({
    description: 'How often the package was fetched. `GET /access-log?who=package link <id>` lists each time.',
  }),
  lastFetchedDateTime: orNull('When it was last fetched, in UTC; null when it never was.'),
}

const PackageLink = Type.Object(fields, { title: 'PackageLink', additionalProperties: false })

const CreatedPackageLink = Type.Object(
  {
    ...fields,
    path: Type.String({
      description: 'Address of the link on this service. It is shown only once and is not stored.',
      examples: [`${packageLinkPath}/AZo8Hn0rfEqfEDpba3yNnw…`],
    }),
    code: Type.String({
      description: 'The code that opens it. It is shown only once and is not stored. Pass it on another way.',
      examples: ['K7QM-2XRD'],
    }),
    events: Type.Integer({ description: 'Receiving and shipping events in the package, if it were made now.' }),
    lines: Type.Integer({ description: 'Their matching lines.' }),
  },
  { title: 'CreatedPackageLink', additionalProperties: false },
)

const shared = {
  cites: '21 CFR 1.1455(c)(3); decision 0079',
  topic: 'package links',
  headers: [],
  query: {},
  role: 'administrator',
} as const

const listPackageLinks = {
  ...shared,
  name: 'listPackageLinks',
  method: 'GET',
  path: '/package-links',
  summary: 'Lists links to packages, newest first.',
  description:
    'The list includes expired and withdrawn links. Addresses and codes are not stored and never shown again.',
  query: paging,
  outcomes: {
    listed: listedPage(PackageLink, 'PackageLinkPage'),
  },
} as const satisfies Operation

const createPackageLink = {
  ...shared,
  name: 'createPackageLink',
  method: 'POST',
  path: '/package-links',
  summary: 'Creates a link by which somebody without a key fetches an FDA package.',
  description:
    'Takes the parameters of `exportFdaPackage`, of which at least one must narrow the records. The answer has an address and a code. Whoever has both fetches the package until the link expires or is withdrawn. The package is made when it is fetched, from the records as they are then.',
  query: exportFdaPackage.query,
  body: NewPackageLink,
  outcomes: {
    tooMany: exportFdaPackage.outcomes.tooMany,
    refused: {
      status: 422,
      when: 'A field is missing or wrong, nothing narrows the records, or there are too many open links. No link is created.',
      retry: 'changed',
    },
    created: { status: 201, when: 'The link is open.', body: CreatedPackageLink, retry: 'never' },
  },
} as const satisfies Operation

const withdrawPackageLink = {
  ...shared,
  name: 'withdrawPackageLink',
  method: 'DELETE',
  path: '/package-links/{id}',
  summary: 'Withdraws a link.',
  description:
    'It opens nothing more at once, and a download in progress is cut off within two seconds. It stays in the list, marked as withdrawn. Withdrawing a withdrawn link changes nothing.',
  outcomes: {
    unknownPackageLink: { status: 404, when: 'The provider has no link with this id.', retry: 'never' },
    withdrawn: { status: 200, when: 'The link is withdrawn.', body: PackageLink, retry: 'never' },
  },
} as const satisfies Operation

export const packageLinkOperations = { listPackageLinks, createPackageLink, withdrawPackageLink }
