// Lines of food that has no traceability lot code yet: harvested, and cooled before it is packed.
import { itemCodeSynonyms } from '../product.ts'
import { ProductLine } from '../product-line.ts'
import { number, object, optional, text } from '../shape/field.ts'
import { lineList } from './event-fields.ts'

const section = '2.5'
const { shipQuantityUom, productId, vendorItemDescription, businessUnit, countryOfOrigin } = ProductLine.properties

const lineFields = {
  vendorItemCode: text({
    meaning: 'Item code of the food. Commodity and variety are those of its product.',
    example: 'ROM-24',
    section,
    synonyms: [...itemCodeSynonyms, 'itemCode', 'commodityCode', 'sku'],
  }),
  shipQuantity: number({
    meaning: 'Quantity of the food.',
    example: 75,
    section,
    synonyms: ['quantity', 'qty', 'bins', 'count'],
    unit: 'shipQuantityUom',
  }),
  shipQuantityUom,
  productId,
  vendorItemDescription,
  businessUnit,
  countryOfOrigin,
}

export const exampleOfHarvest = { vendorItemCode: 'ROM-24', shipQuantity: 75, shipQuantityUom: 'bin' }

/** Of cooling. */
export const CooledLine = object('CooledLine', lineFields)

/** Of harvesting: where exactly it grew. */
export const HarvestLine = object('HarvestLine', {
  ...lineFields,
  growingAreaName: optional(
    text({
      meaning: 'Of produce, name of the field or other growing area, as the grower calls it.',
      example: 'Field 7',
      section,
      synonyms: ['field', 'fieldName', 'growingArea', 'block', 'ranch'],
    }),
  ),
  containerName: optional(
    text({
      meaning: 'Of aquacultured food, name of the container, such as pond, pool, tank or cage.',
      example: 'Pond 3',
      section,
      synonyms: ['pond', 'tank', 'cage', 'container'],
    }),
  ),
})

/** The product list of such an event. */
export const harvestLines = <Line extends typeof CooledLine | typeof HarvestLine>(line: Line, meaning: string) =>
  lineList(line, { meaning, example: [exampleOfHarvest], synonyms: ['products', 'lines', 'items', 'harvested'] }, 1)
