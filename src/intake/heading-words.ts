// A heading as plain words: "Rec'd Qty (cs)", "QTY_RECEIVED" and "qtyReceived" read alike.

/** Short forms of the trade, each with the words it stands for. */
const longForms: Readonly<Record<string, string>> = {
  '#': 'number',
  act: 'actual',
  addr: 'address',
  add: 'address',
  arr: 'arrival',
  arrived: 'arrival',
  assigner: 'source',
  bb: 'best before',
  bbd: 'best before date',
  bol: 'bill of lading',
  boxes: 'cases',
  bxs: 'cases',
  ciudad: 'city',
  cmdty: 'commodity',
  cntr: 'container',
  coo: 'country of origin',
  ctry: 'country',
  cust: 'customer',
  cs: 'cases',
  cse: 'cases',
  ctn: 'cartons',
  ctns: 'cartons',
  del: 'delivery',
  deliv: 'delivery',
  desc: 'description',
  dscription: 'description',
  descr: 'description',
  descrip: 'description',
  despatch: 'dispatch',
  despatched: 'dispatch',
  dest: 'destination',
  dlvry: 'delivery',
  doc: 'document',
  dt: 'date',
  dte: 'date',
  est: 'estimated',
  exp: 'expiration',
  expd: 'expected',
  expiry: 'expiration',
  expires: 'expiration',
  fac: 'facility',
  fr: 'from',
  frm: 'from',
  gds: 'goods',
  gi: 'goods issue',
  grn: 'goods receipt',
  harv: 'harvest',
  harvested: 'harvest',
  identifier: 'id',
  ident: 'id',
  invc: 'invoice',
  ips: 'previous source',
  itm: 'item',
  lic: 'license',
  loc: 'location',
  lpn: 'license plate',
  mat: 'material',
  matl: 'material',
  mfg: 'manufacture',
  mnf: 'manufacture',
  mfd: 'manufacture',
  mfr: 'manufacturer',
  manufacturing: 'manufacture',
  manufactured: 'manufacture',
  nbr: 'number',
  nm: 'name',
  no: 'number',
  num: 'number',
  numbers: 'number',
  ord: 'ordered',
  orig: 'origin',
  packed: 'pack',
  packaged: 'pack',
  packaging: 'pack',
  package: 'pack',
  packing: 'pack',
  pkg: 'pack',
  pk: 'pack',
  pal: 'pallet',
  plt: 'pallet',
  ph: 'phone',
  recvr: 'receiver',
  shp: 'ship',
  shpr: 'shipper',
  telephone: 'phone',
  tel: 'phone',
  po: 'purchase order',
  pos: 'purchase order',
  postcode: 'postal code',
  prod: 'product',
  prov: 'province',
  qnty: 'quantity',
  qty: 'quantity',
  qtys: 'quantity',
  quant: 'quantity',
  rcd: 'received',
  rcpt: 'receipt',
  rcv: 'receive',
  rcvd: 'received',
  rec: 'received',
  recd: 'received',
  recv: 'receive',
  recvd: 'received',
  ref: 'reference',
  ship: 'ship',
  shipped: 'ship',
  shipping: 'ship',
  shipment: 'ship',
  shpd: 'ship',
  sn: 'serial number',
  st: 'state',
  sup: 'supplier',
  supp: 'supplier',
  tlcs: 'lot source',
  tran: 'transaction',
  trans: 'transaction',
  trk: 'tracking',
  trlr: 'trailer',
  um: 'unit of measure',
  un: 'unit',
  uom: 'unit of measure',
  units: 'unit',
  var: 'variety',
  vend: 'vendor',
  vndr: 'vendor',
  whse: 'warehouse',
  whs: 'warehouse',
  wh: 'warehouse',
  zipcode: 'zip code',
}

/** Names of columns in the tables of programs, without signs, as their screens call the columns. */
const technicalNames: Readonly<Record<string, string>> = {
  // SAP: documents of materials, deliveries
  arktx: 'material description',
  bolnr: 'bill of lading',
  bstkd: 'customer purchase order',
  bstnk: 'customer purchase order',
  budat: 'posting date',
  charg: 'batch',
  ebeln: 'purchase order number',
  ebelp: 'purchase order item',
  erfme: 'unit of entry',
  erfmg: 'quantity in unit of entry',
  exidv: 'handling unit',
  frbnr: 'bill of lading',
  hsdat: 'manufacture date',
  kunnr: 'customer number',
  kunwe: 'ship to party',
  lfdat: 'delivery date',
  lfimg: 'delivery quantity',
  licha: 'vendor batch',
  lifnr: 'supplier number',
  maktx: 'material description',
  matnr: 'material',
  meins: 'base unit of measure',
  menge: 'quantity',
  vfdat: 'expiration date',
  vrkme: 'sales unit',
  vstel: 'ship point',
  wadatist: 'actual goods issue date',
  werks: 'plant',
  // SAP Business One
  baseref: 'base document reference',
  cardcode: 'customer vendor code',
  cardname: 'customer vendor name',
  distnumber: 'batch number',
  docdate: 'posting date',
  numatcard: 'customer vendor reference number',
  unitmsr: 'unit of measure',
  // Dynamics GP
  actlship: 'actual ship date',
  cstponbr: 'customer purchase order',
  expndate: 'expiration date',
  itemnmbr: 'item number',
  locncode: 'location code',
  mfgdate: 'manufacture date',
  qtyshppd: 'quantity',
  serltnum: 'lot number',
  serltqty: 'lot quantity',
  uofm: 'unit of measure',
  vnditnum: 'vendor item number',
  // Infor M3
  bano: 'lot number',
  itds: 'item description',
  itno: 'item number',
  pnli: 'purchase order line',
  puno: 'purchase order number',
  rvqa: 'received quantity',
  sunm: 'supplier name',
  suno: 'supplier number',
  trdt: 'transaction date',
  unms: 'base unit of measure',
  whlo: 'warehouse',
  // Sage X3
  bpslot: 'supplier lot',
  bpsnum: 'supplier number',
  itmref: 'product code',
  pohnum: 'purchase order number',
  rcpdat: 'receipt date',
  shldat: 'expiration date',
  // JD Edwards
  branchplant: 'plant',
}

/** Words that headings are written together from, as in "shipfromgln" or "LOTNUMBER". */
const parts = `
  account addr address arrival batch best bill billed bol brand by carrier case cases city code country cust customer date datetime
  delivery desc descr description dest destination document exp expiration facility from gln gtin harvest id inventory invoice item
  lading line loc location lot material measure name nbr no num number of order ordered pack pallet phone po product
  purchase qty quantity rcvd receipt receive received receiving recd reference ship shipment shipped shipping site size
  source state street supplier symbol time tlc to type unit uom upc use variety vend vendor warehouse zip`
  .trim()
  .split(/\s+/)
const knownParts: ReadonlySet<string> = new Set(parts)
const partLengthMax = Math.max(...parts.map((part) => part.length))

/** The words that a text is written together from; undefined when it is not. */
function splitJoined(text: string): readonly string[] | undefined {
  if (text.length > 40) return undefined
  /** The words of the first so many letters. */
  const splits: (readonly string[] | undefined)[] = [[]]
  for (let end = 1; end <= text.length; end++)
    for (let start = Math.max(0, end - partLengthMax); start < end && splits[end] === undefined; start++) {
      const before = splits[start]
      const word = text.slice(start, end)
      if (before !== undefined && knownParts.has(word)) splits[end] = [...before, word]
    }
  const words = splits[text.length]
  return words !== undefined && words.length > 1 ? words : undefined
}

/** Hints that a heading gives besides its meaning. */
const hints =
  /\( ?[ab]? ?\) ?\(\d+\)|\(\d+\)|§[\s\d.]+|\((?:if (?:applicable|known)|optional|required|utc|local|mm.dd.y+|y+.mm.dd|dd.mm.y+|fsma 204|kde|tlc|bol|asn|po|i\.e\.[^()]*)\)/gi

/** The words of a heading in lower case, short forms written out, separated by single blanks. */
export function headingWords(heading: string): string {
  const [plain = ''] = heading.split(/\n\s*\n/)
  const technical = plain.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  if (Object.hasOwn(technicalNames, technical)) return technicalNames[technical] ?? ''
  const separated = plain
    .replaceAll(hints, ' ')
    // A field of a group, as in "Item: Lot Number", and of another record: "lot_id/name".
    .replace(/^\s*(?:item|line|product)s?\s*:|^(?:item|line)s\.|\((?:items|lines)\)/i, ' ')
    .replace(/^\s*tracking ?[-:] ?(lot|batch|expir)/i, ' $1')
    .replaceAll(/_id\//g, ' ')
    // Letters with points, as in "P.O. No."
    .replaceAll(/\b(?:[a-z]\.){2,}/gi, (letters) => ` ${letters.replaceAll('.', '')} `)
    .replaceAll(/\bu\s*(?:\/|of\s)\s*m\b|UoM/gi, ' uom ')
    .replaceAll(/\b([bB])\/([lL])\b/g, ' bol ')
    .replaceAll(/['’`]/g, '')
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll(/\b(gtin|sscc|upc|ean|gln)[\s-]*\d+\b/gi, '$1')
    .replaceAll(/(\p{L})(\d+)\b/gu, '$1 $2')
    .replaceAll('#', ' # ')
    .replaceAll('&', ' and ')
    .toLowerCase()
  const words = separated.match(/[\p{L}\p{N}]+|#/gu) ?? []
  return words
    .flatMap((word) =>
      Object.hasOwn(longForms, word) || knownParts.has(word) ? [word] : (splitJoined(word) ?? [word]),
    )
    .map((word) => (Object.hasOwn(longForms, word) ? longForms[word] : word))
    .join(' ')
    .replaceAll(/\bproduct instance\b/g, '')
    .replaceAll(/\b(?:the|a|an|where|your|you|was|were|is|food|for)\b/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
