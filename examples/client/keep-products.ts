// Keeps master products as another system has them: creates what is new, replaces what changed.
import { lotkeeper, type MasterProduct } from 'lotkeeper-client'

const { LOTKEEPER_URL = 'http://127.0.0.1:3000', LOTKEEPER_KEY = '' } = process.env
const client = lotkeeper({ url: LOTKEEPER_URL, key: LOTKEEPER_KEY })

const dataProviderVendorId = 'V-1001'
const products: MasterProduct[] = [
  { itemCode: 'ROM-24', itemDescription: 'Romaine hearts 24 ct', dataProviderVendorId, packSize: '24 x 10 oz' },
  { itemCode: 'CIL-30', itemDescription: 'Cilantro bunched 30 ct', dataProviderVendorId, packSize: '30 bunches' },
]

for (const product of products) {
  const body = { productMasterDataList: product }
  const { body: found } = await client.listMasterProducts({ dataProviderVendorId, itemCode: product.itemCode })
  const [known] = found.content
  if (known === undefined) {
    await client.createMasterProducts({ body })
    console.log(`${product.itemCode}: created.`)
  } else {
    // The same content again makes no new version.
    const { version } = await client.replaceMasterProduct({ id: known.id, body })
    console.log(`${product.itemCode}: version ${version}.`)
  }
}
