// Ship notices in the dialects that are in use, as text.
import { readFileSync } from 'node:fs'

const exampleAt = (name: string): string => readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8')

/** A whole interchange in the order S-O-T-I, with the lot in LIN. */
export const exampleNotice = exampleAt('asn.edi')

/** The same shipment with another quantity and another lot, and its cancellation. */
export const exampleReplacement = exampleAt('asn-replacement.edi')
export const exampleCancellation = exampleAt('asn-cancellation.edi')

const heading = ['BSN*00*ASN-1*20260303*1612*0001']
const shipment = [
  'HL*1**S',
  'REF*BM*BOL-1',
  'DTM*011*20260303*1610',
  'N1*SF*GREEN VALLEY COOLER*UL*0614141000012',
  'N3*1200 HARVEST ROAD',
  'N4*SALINAS*CA*93901*US',
  'N1*ST*DC 7*92*DC07',
]

/** An interchange of these transaction sets, each given by its segments between ST and SE. */
export function interchangeOf(
  sets: readonly (readonly string[])[],
  { element = '*', segment = '~\n', version = '00401', repetition = 'U', id = '856' } = {},
): string {
  const terminator = segment.slice(0, 1)
  const isa = `ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260303*1615*${repetition}*${version}*000000001*0*P*>`
  const lines = [
    isa,
    'GS*SH*SENDER*RECEIVER*20260303*1615*1*X*004010',
    ...sets.flatMap((segments, i) => {
      const number = String(i + 1).padStart(4, '0')
      return [`ST*${id}*${number}`, ...segments, `SE*${segments.length + 2}*${number}`]
    }),
    `GE*${sets.length}*1`,
    'IEA*1*000000001',
  ]
  return lines.map((line) => `${line.replaceAll('*', element)}${terminator}${segment.slice(1)}`).join('')
}

/** Levels of one notice below its shipment, in the dialects of different receivers. */
export const dialects = {
  'S-O-T-P-I': [
    'HL*2*1*O',
    'PRF*PO-1***20260301',
    'HL*3*2*T',
    'MAN*GM*00106141410000000019',
    'PO4*12*1820',
    'HL*4*3*P',
    'MAN*GM*00106141410000000026',
    'SN1**56*CA',
    'HL*5*4*I',
    'LIN*1*UP*614141000418*EN*10614141000415*IN*5500123',
    'SN1**56*CA',
    'PID*F**08**Romaine hearts 24 ct',
    'REF*LT*LOT-A',
    'REF*EXP*20260320',
  ],
  'S-O-P-I': [
    'HL*2*1*O',
    'PRF*PO-1',
    'HL*3*2*P',
    'MAN*GM*00106141410000000019',
    'HL*4*3*I',
    'LIN*1*UK*10614141000415*UP*614141000418',
    'SN1*1*56*CA',
    'REF*LT*LOT-A',
    'REF*BT*FIELD-4',
  ],
  'S-O-I': ['HL*2*1*O', 'PRF*PO-1', 'HL*3*2*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA'],
  'S-O-I-P': [
    'HL*2*1*O',
    'PRF*PO-1',
    'HL*3*2*I',
    'SN1**56*CA',
    'LIN**IN*5500123*UK*10614141000415',
    'HL*4*3*P',
    'MAN*GM*00106141410000000019',
    'REF*LT*LOT-A',
  ],
  'S-O-I with a level for each lot': [
    'HL*2*1*O',
    'PRF*PO-1',
    'HL*3*2*I',
    'LIN**UK*10614141000415',
    'SN1**56*CA',
    'HL*4*3*B',
    'LIN**LT*LOT-A',
    'SN1**56*CA',
  ],
  'S-O-T-P with a level for each lot': [
    'HL*2*1*O',
    'PRF*PO-1',
    'HL*3*2*T',
    'MAN*GM*00106141410000000019',
    'HL*4*3*P',
    'LIN**IN*5500123*UK*10614141000415*UP*614141000418*CH*US-CA',
    'SN1**56*CA',
    'PID*F****Romaine hearts 24 ct',
    'HL*5*4*ZZ',
    'LIN**LT*LOT-A',
    'SN1**56*CA',
    'N1*ZW*Lettuce Field 7',
  ],
  'S-P-I': ['HL*2*1*P', 'MAN*GM*00106141410000000019', 'HL*3*2*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA'],
  'S-I': ['HL*2*1*I', 'REF*PO*PO-1', 'LIN**UK*10614141000415*B8*LOT-A', 'SN1**56*CA'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The segments of a notice with these levels below its shipment. */
export const noticeOf = (levels: readonly string[]): string[] => [...heading, ...shipment, ...levels]

export const noticeIn = (dialect: keyof typeof dialects): string[] => noticeOf(dialects[dialect])
