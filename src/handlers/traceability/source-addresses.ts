// Lists and sets the web addresses of sources of lot codes, and describes the location at one.
import type { Static } from 'typebox'
import { isGiven } from '../../contract/shape/field.ts'
import {
  describedParts,
  isSourceName,
  type NewSourceAddress,
  type SourceDescription,
  sourceAddressPath,
} from '../../contract/source-address.ts'
import { sourceAddressOperations } from '../../operations/traceability/source-addresses.ts'
import { declaredSettingsOf } from '../../store/base/declared-settings.ts'
import { describedLocation } from '../../store/records/locations.ts'
import { listDeclared, nothingSet, setDeclared } from '../base/declared-settings.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { isRecordId } from '../base/record-id.ts'
import { shapeRefusal } from '../records/failure-answers.ts'

const kind = 'sourceAddress'

const listSourceAddresses =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const { version, content } = await listDeclared(store, provider, kind, 'address')
    const listed = content.map((one) => ({ ...one, path: pathOf(provider, one.address as NewSourceAddress) }))
    return { outcome: 'listed', version, body: { content: listed } }
  }

const pathOf = (provider: string, { name }: NewSourceAddress): string => `${sourceAddressPath}/${provider}/${name}`

const setSourceAddresses =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'stale' | 'set'>> => {
    const refusal = shapeRefusal(sourceAddressOperations.setSourceAddresses.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const { addresses } = call.body.value as Static<typeof sourceAddressOperations.setSourceAddresses.body>
    return setDeclared(context, call, addresses, {
      kind,
      nouns: 'locations',
      settingOf: (address) => ({ key: address.name, value: isClosed(address) ? undefined : address }),
      wordsOf: (name) => `address ${JSON.stringify(name)}`,
      faultOf,
    })
  }

const isClosed = ({ dataProviderVendorId, locationCode }: NewSourceAddress): boolean =>
  !isGiven(dataProviderVendorId) && !isGiven(locationCode)

function faultOf(address: NewSourceAddress, whose: string): string | undefined {
  const { name, dataProviderVendorId, locationCode } = address
  if (!isSourceName(name))
    return `The name of ${whose} must be 3 to 64 letters, digits, - and _, e.g. k3Zp8vQm1TtRwXy7LdN0sA.`
  if (isClosed(address) || (isGiven(dataProviderVendorId) && isGiven(locationCode))) return undefined
  return `Give both dataProviderVendorId and locationCode of ${whose}, or omit both to close it.`
}

/** Describes the location at an address; undefined when nothing is open there. */
export type DescribeSource = (provider: string, name: string) => Promise<SourceDescription | undefined>

export const sourceDescriber =
  ({ store }: Pick<HandlerContext, 'store'>): DescribeSource =>
  async (provider, name) => {
    if (!isRecordId(provider) || !isSourceName(name)) return undefined
    const found = await declaredSettingsOf<NewSourceAddress>(store, provider, kind, [name])
    const { dataProviderVendorId: vendor = '', locationCode: code = '' } =
      found.find(({ key }) => key === name)?.value ?? {}
    const location = code === '' ? undefined : await describedLocation(store, { provider, vendor, code })
    return location && describedParts(location.content)
  }

export const sourceAddressHandlers = { listSourceAddresses, setSourceAddresses }
