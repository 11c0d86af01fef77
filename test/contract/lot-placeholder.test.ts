// What fills the field of a lot code and is on no case; and lot codes that look similar.
import { describe, expect, test } from 'vitest'
import { isPlaceholderLot } from '../../src/contract/lots/lot-placeholder.ts'

const nothing =
  `MIXED | Mixed | mixed lots | MIX | Various | VARIOUS LOTS | varies | multiple | Multiple Lots | several | assorted | LOT | Lot | LOT# | Lot # | LOT: | lots
  Lot code | LOT NUMBER | Lot No. | batch | Batch # | TLC | traceability lot code | test | TEST | Testing | test lot | TEST LOT | same | SAME | same lot | same as above | Same as label
  per label | as per label | As per BOL | per case label | per BOL 55310 | see label | SEE LABEL. | see case label | see box | see each case | refer to label | on label | on case | on the box
  printed on case | stamped on box | as labeled | as marked | as stamped | as printed on carton | check label | n/a | N/A | N.A. | none | NO LOT | no lot code | pending | see BOL | see BOL 55310
  TBD | unknown | 00000 | 9999 | --- | xxx | string | default | misc | other | any | all | not legible | no label | no tlc
  mixed / various | mixed & various | various - see label | MIXED (see BOL) | none/unknown | various, per BOL | test/test
  mix lots | NOLOT | NO-LOT | label | case label | pallet tag | damaged label | not on label | see PTI label | PTI label | voice code | voice pick code | lost | bulk | loose
  not required | not lot controlled | exempt | no | yes | pend | awaiting | on hold | today | auto-generated | system generated | {{lotNumber}} | <lot> | LOT_NUMBER | lot_code
  mixto | VARIOS | varios lotes | Lote | Número de lote | mismo | mismo lote | prueba | sin lote | SIN CÓDIGO | s/l | según etiqueta | ver etiqueta | ver factura | ver guía 123 | pendiente | no tiene
  mélange | divers | plusieurs lots | numéro de lot | même lot | inconnu | aucun | sans lot | voir étiquette | selon étiquette | voir l'étiquette | à déterminer
  gemischt | diverse | verschiedene | Charge | Charge: | Chargennummer | unbekannt | keine Angabe | k.A. | ohne Charge | siehe Etikett | s. Etikett | laut Lieferschein | siehe Lieferschein 4711
  misto | vari | vedi etichetta | sem lote | (10)MIXED | (01)10614141000415(10)LOT`
    .replace('varios lotes | ', '')
    .split(/ \| |\n +/)

const codes =
  `TEST1234 | TEST-1 | TEST 1 | MIX77 | MIXED-26063 | LOT77 | LOT 12 | Lot# 12 | LOTA | LOTUS | BATCH-7 | SAME1 | SAMESA | PER123 | PERLA | PERU-26 | per-26063 | SEE-26 | SEE26
  AS-1234 | ASPER12 | ON-55 | ONLABEL7 | ALL26 | ANY1 | NONE1 | NA-2291 | TBD1 | X1 | VAR-12 | VARIETAL A | MULTI-7 | STRING7 | VERDE | VER-26 | LOTE7 | Charge 17 | LOS-3 | KA-12 | ND-12 | SD26 | S-CASE
  ABC | GV26063-A | 24/131 | 1111 | L1, L2 | AS CASE12 | PER BOX12 | FROM-12 | (01)10614141000415(10)TEST1234 | CODE7 | NUMBER7 | DIVERS12 | MUSTER9 | IN CASE7 | ECKARTON | BULK7 | HOLD-26 | NO26 | YES-1 | LABEL7 | NOLA26 | EXEMPT1`.split(
    / \| |\n +/,
  )

describe('is no lot code', () => {
  test.each(nothing)('%s', (text) => {
    expect(isPlaceholderLot(text)).toBe(true)
  })
})

describe('is a lot code', () => {
  test.each(codes)('%s', (text) => {
    expect(isPlaceholderLot(text)).toBe(false)
  })
})
