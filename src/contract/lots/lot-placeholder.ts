// Texts that fill the field of a lot code and are on no case: "MIXED", "Lot #", "as per label",
// "test". Only the whole text counts: "TEST1234" and "MIX77" are lot codes. Source: decision 0051.

import { isPlaceholderCode, isPlaceholderPart, withoutMarks } from '../shape/placeholder.ts'
import { readLotCode } from './lot-code.ts'

const splitList = (texts: string): ReadonlySet<string> => new Set(texts.split(',').map((text) => text.trim()))

/** Whole texts in lower case, without dots, in the languages of labels. */
const words = splitList(`
  mix, mixed, mixed lot, mixed lots, mixed codes, mixed load, mixed pallet, various, various lots, various codes, varied, varies, variable,
  multi, multiple, multiple lots, multiple codes, multiple lot codes, multi lot, several, several lots, many, assorted, different, different lots,
  lot, lots, lot code, lot codes, lot number, lot numbers, lot num, lot no, lot nr, lot id, the lot, the lot code, enter lot, enter lot code,
  batch, batch code, batch number, batch no, batch id, tlc, traceability lot, traceability lot code, code, number, case lot number, caselotnumber,
  test, tests, testing, test lot, test lot code, lot test, testlot, sample, sample lot, example, demo, default, generic, string, asdf, qwerty,
  same, the same, same lot, same code, same lot code, same as before, same as previous, same as last, same as label, same as below, same as prior, as before,
  misc, miscellaneous, other, others, any, all, all lots, random, temp, temporary, later, coming, unlabeled, unlabelled, unmarked, illegible, unreadable,
  label, case label, pallet tag, pallet label, pti label, damaged label, voice code, voice pick, voice pick code, mix lots, nolot, no, yes, lost, bulk, loose,
  not on label, not required, not lot controlled, exempt, pend, awaiting, hold, on hold, today, auto, auto generated, generated, system generated,
  lotnumber, lotcode, lot_number, lot_code,
  not legible, not readable, not visible, no label, no tag, no tlc, no batch, no batch code, not printed, no lot given, no lot provided, without lot,
  as labeled, as labelled, as marked, as stamped, as printed, as shown, as noted, as stated, as listed, as tagged, labeled, labelled, printed, stamped,
  nd, n/d, s/d, s/c, ns, n/s,
  mixto, mixta, mixtos, mixtas, varios, varias, múltiple, múltiples, multiples, diversos, diversas, mezcla, mezclado, surtido, lote, lotes,
  número de lote, numero de lote, num de lote, no de lote, código de lote, codigo de lote, código, codigo, mismo, misma, el mismo, lo mismo, mismo lote,
  prueba, de prueba, lote de prueba, ejemplo, sin código, sin codigo, sin número, sin numero, sin etiqueta, sin información, sin informacion, no tiene, no hay,
  ninguna, ningún, ningun, desconocida, no especificado, no aplicable, no indicado, por definir, por confirmar, por determinar,
  mélange, melange, mixte, mixtes, divers, diverses, plusieurs, plusieurs lots, assortis, numéro de lot, n° de lot, code de lot, même, meme, même lot, idem,
  inconnu, inconnue, aucun, aucune, sans, sans lot, sans numéro, sans objet, néant, neant, non applicable, non disponible, non précisé, à déterminer,
  à confirmer, à venir, essai, exemple,
  gemischt, diverse, divers, verschiedene, verschieden, mehrere, charge, chargen, chargennummer, chargennr, chargen-nr, los, losnummer, los-nr, partie,
  gleich, gleiche, dieselbe, dito, dto, unbekannt, keine, kein, keiner, keine angabe, keine angaben, ka, ohne, ohne charge, ohne los, ohne angabe,
  nicht bekannt, nicht vorhanden, nicht angegeben, entfällt, leer, offen, folgt, muster, beispiel,
  misto, mista, misti, vari, varie, lotto, lotti, numero di lotto, stesso, lo stesso, sconosciuto, nessuno, nessuna, prova, non indicato,
  vários, várias, mesmo, o mesmo, desconhecido, nenhum, sem, sem lote, teste`)

/** Where a text points to instead of naming the lot. */
const places =
  `above,asn,attached,attachments?,below,bags?,barcodes?,bills?,bins?,bill of lading,bol,box(?:es)?,cartons?,cases?,code date,comments?,containers?,crates?,documents?,docs?,
  e-?mail,files?,invoices?,labels?,labell?ing,lids?,lists?,manifests?,notes?,orders?,outside,packs?,packages?,packaging,packers?,packing,pallets?,papers?,paperwork,po,product,purchase,
  receipts?,references?,remarks?,sheets?,shipping,stamps?,stickers?,suppliers?,system,tags?,tickets?,vendors?,
  etiquetas?,cajas?,facturas?,guía,guia,hoja,documentos?,empaque,remisión,remision,proveedor,
  étiquettes?,etiquettes?,factures?,bon,bordereau,colis,caisses?,emballage,fournisseur,
  etiketten?,etikett,lieferschein,rechnung,kartons?,kiste,verpackung,lieferant,
  etichett[ae],scatol[ae],fattura,bolla,rótulo,caixa`
    .split(',')
    .map((place) => place.trim())
    .join('|')

/** `as per label`, `see BOL 55310`, `según etiqueta`, `siehe Lieferschein`. */
const pointing = new RegExp(
  `^(?:please )?(?:see|per|as per|as|refer to|ref to|refer|check|look at|read|according to|on|in|from|printed on|stamped on|marked on|written on|(?:as )?(?:shown|noted|stated|listed|printed|stamped|marked|labell?ed) (?:on|in)|same as|` +
    `ver|véase|vease|según|segun|en|igual que|voir|selon|sur|cf|siehe|laut|lt|gemäß|gemäss|gemaess|auf|s|vedi|come da|su|conforme) ` +
    `(?:the |our |your |each |individual |la |el |las |los |su |le |les |l['’]|die |der |das |dem |den |sull['’])?(?:case |box |carton |product |pallet |shipping |packing |pti |gs1 )?(?:${places})(?![\\p{L}\\d-])`,
  'iu',
)

/** Longest text that can be a placeholder. */
const placeholderLengthMax = 60

/** A code with a digit points only where these words are in front of it. */
const maybePointing =
  /^\W*(?:please|see|per|as|refer|ref|check|look|read|according|ver|v[ée]ase|seg[uú]n|voir|selon|cf|siehe|laut|lt|gem)/i

/** True when a text of a line is no lot code: a placeholder of any code, or one of these texts. */
export function isPlaceholderLot(written: string): boolean {
  const { lotCode } = readLotCode(written)
  if (isPlaceholderCode(lotCode)) return true
  if (lotCode.length > placeholderLengthMax || (/\d/.test(lotCode) && !maybePointing.test(lotCode))) return false
  const whole = withoutMarks(lotCode)
  if (pointing.test(whole)) return true
  if (/\d/.test(whole)) return false
  return [whole.split(/[-–—,;:()]/), whole.split(/[-–—,;:()/&+]| (?:and|or|y|et|und|oder) /)].some((parts) =>
    parts.every((part) => isWord(part.trim())),
  )
}

const isWord = (text: string): boolean => words.has(text) || pointing.test(text) || isPlaceholderPart(text)
