// Words that people write around a lot code: labels ("Lot no."), dates ("best by 3/4"), remarks in
// brackets, the GTIN, amounts. In the languages of the labels that reach North America.
import { stringLengthMax } from '../shape/field.ts'
import { units } from '../text/units.ts'

/** Letters of these languages; with a class of Unicode, the first use takes four times as long. */
const letters = 'A-Za-zÀ-ÿ'
const letter = `[${letters}]`
const oneOf = (words: string): string =>
  words
    .split(',')
    .map((word) => word.trim())
    .join('|')

/** Names of a lot code. */
const lotWord = `(?:(?:traceability |case )?(?:${oneOf(`
  lots?, lotes?, lotto, batch(?:es)?, tlc, t\\.l\\.c\\., charge, chargen, ch\\.?-?b\\.?, partida, partie, partij, los,
  lô, parti[ai]?, šarže, партия, партии
`)}))`
const numberWord = '(?:codes?|numbers?|nbr|nummer|número|numero|numer|num|nr|no|id|số|n|№)'
const numberOf = `(?:${numberWord}|c[oó]digo|c[oó]d|numéro|č|номер)[.°º]? *(?:del? |du |of )?`
const signs = ' \\t._:#=*°º№/|,;&+@~>→-'
const sign = `[${signs}]`

/** The same in languages that write no blank behind it: `批号LX1342`. */
const tightLabel = '(?:生[产産]?)?(?:批[号號次]+|ロット(?:番号|no\\.?)?|製造番号|로트(?: ?번호)?)'

/** `AI 10: LX1342`, `10: LX1342`. */
const identifierLabel = `(?:ai[ -]?\\(?10\\)?(?:${sign}+|(?=[a-z]{1,4}\\d{3}))|10 *[:=]+ *(?=[a-z]))`

/**
 * `Lot# `, `LOT:`, `batch no. `, `Número de lote `, `Chargen-Nr. `; `L` or `No.` with a sign, or
 * before letters and digits.
 */
const labelText = `(?:(?:${numberOf})?${lotWord}(?:[ ._-]*${numberWord})*${sign}+|(?:[lb]\\/?n?|lt|code|c[oó]digo|trace(?: code)?) *[:#=]${sign}*|(?:l|[lb]\\/?n|lt|no\\.?|nr\\.?|id) +(?=[a-z]{1,4}\\d{3})|${tightLabel}${sign}*|${identifierLabel})`
const labelBefore = new RegExp(`^(?:${labelText})+(?=[^${signs}])`, 'i')

/** The same between two lots: `Lot L1 Lot L2`. */
const labelBetween = new RegExp(
  `(?<=[${letters}\\d)])(?:[\\s,;/&+|]+|\\s+(?:and|y|e|et|und|or|plus)\\s+)(?:${labelText})(?=[^${signs}])`,
  'gi',
)

/** `LOT77`: it may be 77, or a code that begins so. */
const labelAtDigits = new RegExp(`^${lotWord}(\\d.*)`, 'is')

/** `LOTLX1342`, `L-LX1342`; `LOTUS12` has too few digits for another code. */
const labelAtLetters =
  /^(?:(?:lotes?|lotto|lots?|batch|tlc|partida)(?:code|number|no|nr)?\/?|(?:l|[lb]n|lt)[-_./])([a-z]{1,4}\d{3}.*)/is

/** A month in a date, with its end in letters. */
const shortMonth = `(?:${oneOf('jan, feb, mar, apr, may, jun, jul, aug, sep, oct, nov, dec, ene, abr, ago, dic, avr, mai, okt, dez')})`
export const month = `${shortMonth}${letter}*\\.?`
const writtenDate = `(?:\\d{1,4}[-/.]\\d{1,4}(?:[-/.]\\d{1,4})?|\\d{1,2}[ .-]?${month}(?:[ .,-]*\\d{2,4}(?!${letter}))?|${month}[ .,-]*\\d{1,4}(?:,? ?\\d{2,4}(?!${letter}))?|\\d{2,8}(?!${letter}))`

/** Names of a date of food. */
const dateWord = `(?:${oneOf(`
  best ?-?(?:if used )?(?:by|before)(?: date| end)?, bbd, bbe, bb, b\\/b, biub, pd, dom, f\\.?v\\., used? ?-?(?:or freeze )?(?:by|before)(?: date)?,
  sell ?-?by(?: date)?, freeze ?-?by(?: date)?, exp(?:iry|ires|iration)?(?: date| on)?, packed(?: on| date)?, pack(?:ing|aging)? ?date,
  packaged(?: on)?, pkd, mfg(?: date)?, mfd, made on, prod(?:uced|uction)?(?: on| date), harvest(?:ed)?(?: on| date)?,
  rec(?:eived|vd|'d)(?: on| date)?, shipped(?: on)?, date, dated, julian(?: date)?, jd,
  caducidad, caduca(?: el)?, f\\.? ?cad\\.?, cad, vence(?: el)?, vencimiento, venc, vto, consumir (?:preferentemente )?antes del?(?: fin de)?,
  consumo preferente(?: antes del?)?, elaborado(?: el)?, elaboración, envasado(?: el)?, empacado(?: el)?, empaque, cosecha(?:do)?(?: el)?, fecha(?: de ${letter}+)?,
  à consommer (?:de préférence )?(?:avant|jusqu['’]au)(?: le| fin)?, dluo, dlc, ddm, emballé le, conditionné le, récolté le, date limite(?: de ${letter}+)?,
  mind(?:estens|\\.) haltbar bis(?: ende)?, haltbar bis, mhd, (?:zu )?verbrauchen bis, verpackt am, abgepackt am, hergestellt am, geerntet am,
  da consumarsi (?:preferibilmente )?entro(?: il| fine)?, scadenza, scad, tht
`)})`

/** `best by 3/4`, `EXP: 12/26`, `packed on Mar 4, 2026`, with the brackets around it. */
const datePhrase = new RegExp(
  `(?<![${letters}\\d])[([]?(?:${dateWord})(?: (?:on|am|el|le))?(?!${letter})[\\s.:#=-]*(?:${writtenDate})?[)\\]]?`,
  'gi',
)

/** Units of cases and pallets in words that no unit of a quantity has. */
const otherUnits =
  'pallets pallet plt bins bin bags bag bxs cajas caja kartons karton kisten kiste caisses caisse casse'.split(' ')
const unitWords = [...units.keys(), ...otherUnits].filter((word) => word.length > 1).join('|')
const amount = `\\d+(?:[.,]\\d+)? ?(?:${unitWords})\\.?`
const quantityWord = `(?:${oneOf('qty, quantity, cant, cantidad, menge, anzahl, qté, quantité, quantità')})`
const amountBehind = new RegExp(
  `[\\s:=@x×*/-]+${amount}$|\\s+[x×] ?\\d+$|(?:\\s*=\\s*|: +|\\s+(?:${quantityWord}|cases|cs)[.:= ]*)\\d+(?:[.,]\\d+)?$`,
  'i',
)
const amountBefore = new RegExp(`^(?:${amount}(?: of)?|\\d+ [x×])[\\s:=@/-]+`, 'i')

/** A code in brackets, and nothing beside it. */
const wrapped = /^[([{<«](?!\d{2,4}\))([^()[\]{}<>«»]+)[)\]}>»]$/

/** A remark in brackets at one end; two to four digits in front are an identifier of GS1. */
const remark = /^\((?!\d{2,4}\))[^()]*\)|\([^()]*\)$|^\[[^[\]]*\]|\[[^[\]]*\]$|\{[^{}]*\}$/u
/** A GTIN, called so, or with a code of letters behind it. */
const item =
  /^(?:\d{14}[\s,;+|/_-]+(?=\S*[a-z])|(?:gtin|upc|item|sku|product)(?: ?(?:code|number|no\.?|nr\.?))?[ :#=]*\d{6,14}[\s,;+|/-]+)/i
const itemBehind =
  /[\s,;+|/-]+(?:gtin|upc|item|sku|product)(?: ?(?:code|number|no\.?|nr\.?))?[ :#=]*\d{6,14}$|(?<=[a-z]\S*)[\s,;+|/_-]+\d{14}$/i

/** `product of USA`, `packed in Mexico`. */
const origin = new RegExp(
  `[\\s,;/-]+[([]?(?:product|produce|grown|packed|made|produced|harvested|imported|producto|hecho|cultivado|produit)(?: (?:of|in|from|de|en|du))+ [${letters}. ]{2,30}[)\\]]?$`,
  'i',
)

/** `+ 2 more`, `etc.`: lots that the text does not name. */
const othersBehind =
  /[\s,;/&+]+(?:(?:and|plus|y|et|und) )?(?:(?:\d+ )?(?:more|others?|additional|más|otros?)(?: lots?)?|etc\.?|et al\.?)$/i

const mark = `[\\s,;:|/*"'“”‘’‚„‹›\`´「」『』【】、•·✓®#=@~^<>?!–—-]`
const marks = new RegExp(`^${mark}+|${mark}+$`, 'g')

/** A date or time that is not called one. */
const bareDate = `(?:\\d{1,2}/\\d{1,2}(?:/\\d{2,4})?|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}\\.\\d{1,2}\\.\\d{2,4}|\\d{1,2}[ .-]?${month}[ .-]?\\d{2,4}|${month} \\d{1,2},? \\d{4}|\\d{1,2}[.-]${shortMonth}|${shortMonth}\\.?[ -]\\d{1,2}|\\d{1,2}:\\d\\d(?::\\d\\d)?(?: ?[ap]m)?)`
const dateAtEnd = new RegExp(
  `^${bareDate} +(?=\\S{3})|(?<=\\S{3})(?: *[@_,;:] *| +[-–] +| +(?:on|of|at|from) +| +)${bareDate}$`,
  'i',
)

/** Characters of which words around a code have at least one: nearly every code has none. */
const maybeWorded = new RegExp(
  `[^\\w.-]|^\\d{14}[_-]|[_-]\\d{14}$|-\\d+[a-z]{2,}$|^(?:${oneOf('lot, batch, tlc, charge, partida, los, ai10')})`,
  'i',
)

/** Full-width signs and letters as those of ASCII. */
const withPlainSigns = (text: string): string =>
  text.replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))

/**
 * A lot code without the words around it; empty when nothing remains. A code without such words
 * is returned as it is.
 */
export function withoutWords(text: string): string {
  if (text.length > stringLengthMax || !maybeWorded.test(text)) return text
  let left = withPlainSigns(text).replace(origin, '').replaceAll(datePhrase, ' ').replaceAll(/ {2,}/g, ' ')
  for (let before = ''; before !== left; ) {
    before = left
    left = [remark, othersBehind, dateAtEnd, item, itemBehind, amountBehind, amountBefore].reduce(
      (rest, words) => rest.replace(words, ''),
      left.replaceAll(marks, '').replace(labelBefore, '').replace(wrapped, '$1'),
    )
  }
  return left
}

/** A word of three or more letters, with its punctuation. */
const wordAlone = /^[("*]*\p{L}{3,}[.,:;)"*]*$/u

/** The text without words may be a code: letters and digits, or four digits. */
const maybeCode = /^(?=.*\d)(?=.*\p{L}|.{4}).{3}/u

/**
 * A lot code without the plain words around it, `LX13 organic`; as it is where too little is left:
 * `ROW 12` is one code.
 */
export function withoutPlainWords(text: string): string {
  if (text.length > stringLengthMax || !/\s/.test(text)) return text
  const parts = text.split(/\s/).filter(Boolean)
  const isWord = (part: string) => wordAlone.test(part)
  const first = parts.findIndex((part) => !isWord(part))
  const code = parts
    .slice(first, parts.findLastIndex((part) => !isWord(part)) + 1)
    .join(' ')
    .replaceAll(marks, '')
  return maybeCode.test(code) && code.length < text.length ? code : text
}

/** A code that may end anywhere behind these: letters, then three digits. */
const wholeCode = '[a-z]{1,6}[-_.]?\\d{3}[\\w.-]*'

/** What is numbered beside a lot: `line 2`, `PO 4711`. */
export const numberedThing =
  '(?:line|shift|plant|row|block|field|ranch|farm|house|bay|bin|run|crew|table|pallet|plt|page|pack|size|grade|item|sku|plu|upc|gtin|po|bol|asn|ln|#)(?:[ .:#-]+\\w{1,14}(?: of \\d{1,4})?|\\d{1,2}[a-z]?)'

/**
 * A code beside what may be no part of it, or may be: a label written together with it, a bare
 * quantity (`LX1342/40`, `40*LX1342`; one digit behind a slash or a blank is part of the code), or
 * the number of something else (`LX1342 line 2`).
 */
const besideCode: readonly RegExp[] = [
  labelAtDigits,
  labelAtLetters,
  new RegExp(`^(${wholeCode})(?: *[*×@:=,;+|] *[1-9]\\d{0,3}| *\\/ *[1-9]\\d{1,2}| (?:- )?[1-9]\\d{1,2})$`, 'i'),
  /^([A-Z]{1,6}[-_.]?\d{3}[\dA-Z_.-]*)x\d{1,4}$/,
  new RegExp(`^\\d{1,4}(?: ?[x×*/@:]| -|[.)] ) *(${wholeCode})$`, 'i'),
  new RegExp(`^(\\S{4,}[^\\s,;/|-])[\\s,;/|-]+${numberedThing}$`, 'i'),
  new RegExp(`^${numberedThing}[\\s,;/|-]+(${wholeCode})$`, 'i'),
]

/** What a code may be without something that may be a part of it: nothing for nearly all codes. */
export const codesInside = (lotCode: string): readonly string[] =>
  lotCode.length > stringLengthMax ? [] : besideCode.flatMap((beside) => beside.exec(lotCode)?.[1] ?? [])

/** A text of several lots, each with its label, with a semicolon for each label but the first. */
export const labelsAsSigns = (text: string): string =>
  text.length > stringLengthMax ? text : text.replaceAll(labelBetween, '; ')

const amountsBetween = /(?<=[A-Za-z\d])(?: +[x×] ?\d{1,4}| *\(\d[^()]{0,12}\)| +\d{1,3} ?%)(?= +[A-Za-z\d(]|$)/g

/** `L1 x10 L2 x20`, `L1 (10cs) L2 (20cs)`, `L1 50% L2 50%`: several lots without their amounts. */
export const withoutAmountsBetween = (text: string): string => text.replaceAll(amountsBetween, ' ')

/** `1) L1 2) L2`: several lots with a semicolon for each number. */
export const numbersAsSigns = (text: string): string =>
  /^1[.)] ?\S{2}.*\s2[.)] ?\S{2}/.test(text) ? text.replaceAll(/(?:^|\s)\d{1,2}[.)] ?(?=\S{2})/g, ' ; ') : text

/** `L1, L2 organic` */
export const withoutLowerWords = (text: string): string => text.replace(/(?: [a-zà-ÿ]{3,})+$/, '')

const count = new RegExp(
  `^(?:\\d{1,4}(?: ?[x×*]|[.)])? ?|${numberedThing} *[:=] *)(?=[a-z]{1,6}[-_.]?\\d{2}[\\w.-]*$)`,
  'i',
)

/** `40 L1`, `10xL1`, `1) L1`, `Pallet 1: L1`: one of several lots without what is before it. */
export const withoutCount = (lot: string): string => lot.replace(count, '')

const lotsCounted = /^\W*\d{1,3} (?:different )?(?:lots|lotes|batches)(?![a-z])|\(\d{1,3} (?:lots|lotes|batches)\)/i

/** `L1 + 2 more`, `L1 etc.`, `L1 (2 lots)`: there are more lots than the text names. */
export const namesNotAllLots = (text: string): boolean =>
  text.length <= stringLengthMax && /[ ,;&+]/.test(text) && (othersBehind.test(text) || lotsCounted.test(text))
