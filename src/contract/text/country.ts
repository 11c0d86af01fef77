// Countries: the codes of ISO 3166-1, how people write them, and which parts an address has there.

/**
 * Alpha-2 and alpha-3 code of each country in one word; at the end Kosovo, which trade calls XKX.
 * Source: ISO 3166-1.
 */
const codes = `
  ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD BEBEL
  BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD
  CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA
  DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF
  GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN
  IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA
  KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE
  MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM
  NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
  PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN
  SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL
  TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR
  VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE XKXKX`
  .trim()
  .split(/\s+/)

const alpha2ByAlpha3: ReadonlyMap<string, string> = new Map(codes.map((code) => [code.slice(2), code.slice(0, 2)]))
const alpha2Codes: ReadonlySet<string> = new Set(alpha2ByAlpha3.values())

const alpha3ByAlpha2: ReadonlyMap<string, string> = new Map(codes.map((code) => [code.slice(0, 2), code.slice(2)]))

/** The alpha-3 code of a country that is named by either code, in any case. */
export const countryCodeOf = (text: string): string | undefined =>
  alpha3ByAlpha2.get(text.toUpperCase()) ?? (isCountryCode(text) ? text.toUpperCase() : undefined)

/** True for an alpha-3 code of ISO 3166-1, in any case. */
export const isCountryCode = (text: string): boolean => alpha2ByAlpha3.has(text.toUpperCase())

/** Names in use that Intl does not give, in lower case. */
const otherNames: Readonly<Record<string, string>> = {
  america: 'US',
  'united states of america': 'US',
  uk: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  'great britain': 'GB',
  holland: 'NL',
  'the netherlands': 'NL',
  korea: 'KR',
  'republic of korea': 'KR',
  'czech republic': 'CZ',
  'ivory coast': 'CI',
  'viet nam': 'VN',
  uae: 'AE',
  turkey: 'TR',
  'hong kong': 'HK',
  macau: 'MO',
  burma: 'MM',
  'cape verde': 'CV',
  swaziland: 'SZ',
}

let alpha2ByName: ReadonlyMap<string, string> | undefined

/**
 * Names in English, and in Spanish for vendors in Latin America. Made on first use: most addresses
 * have codes.
 */
function namedCountry(name: string): string | undefined {
  alpha2ByName ??= new Map([
    ...['es', 'en'].flatMap((language) => {
      const names = new Intl.DisplayNames([language], { type: 'region' })
      return [...alpha2Codes].map((code) => [plain(names.of(code) ?? code), code] as const)
    }),
    ...Object.entries(otherNames),
  ])
  return alpha2ByName.get(plain(name))
}

/** In lower case, without accents, dots and doubled blanks. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '')
    .toLowerCase()
    .split(/\s/)
    .filter(Boolean)
    .join(' ')

/**
 * Alpha-2 code of the country that a text names by either code or by name; undefined when none is
 * known by it.
 */
export function countryOf(text: string): string | undefined {
  const code = text.trim().replaceAll('.', '').toUpperCase()
  if (alpha2Codes.has(code)) return code
  return alpha2ByAlpha3.get(code) ?? namedCountry(text)
}

const splitList = (countries: string): ReadonlySet<string> => new Set(countries.split(' '))

// Where a state, or a postal code, is a part that an address needs. Source: the address formats of
// the Universal Postal Union, as the metadata of libaddressinput gives them ("require").
const countriesWithStates = splitList(
  'AE AU BR CA CN CO CR ES FM HK HN IN IQ IT JM JP KR KY MH MM MX MY PE PH PW SO TH TW US VE',
)
const countriesWithPostalCodes = splitList(
  'AT AU BE BR CA CH CN CZ DE DK EE ES FI FR GB GR HR HU IN IT JP KR LI LT LU LV MX MY NL NO NZ PH PL PT RO RU SA SE SG SI SK TH TR TW UA US ZA AS GU MP PR VI',
)

/** Whether an address in this country, an alpha-2 code, needs a state or region. */
export const hasStates = (country: string): boolean => countriesWithStates.has(country)

/** Whether an address in this country, an alpha-2 code, needs a postal code. */
export const hasPostalCodes = (country: string): boolean => countriesWithPostalCodes.has(country)

/** The States, the District of Columbia, the territories and their abbreviations. */
const statesOfUsa: ReadonlySet<string> = new Set(
  `AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX
  UT VT VA WA WV WI WY DC PR GU VI AS MP ALABAMA ALASKA ARIZONA ARKANSAS CALIFORNIA COLORADO CONNECTICUT DELAWARE FLORIDA GEORGIA
  HAWAII IDAHO ILLINOIS INDIANA IOWA KANSAS KENTUCKY LOUISIANA MAINE MARYLAND MASSACHUSETTS MICHIGAN MINNESOTA MISSISSIPPI MISSOURI
  MONTANA NEBRASKA NEVADA NEW_HAMPSHIRE NEW_JERSEY NEW_MEXICO NEW_YORK NORTH_CAROLINA NORTH_DAKOTA OHIO OKLAHOMA OREGON PENNSYLVANIA
  RHODE_ISLAND SOUTH_CAROLINA SOUTH_DAKOTA TENNESSEE TEXAS UTAH VERMONT VIRGINIA WASHINGTON WEST_VIRGINIA WISCONSIN WYOMING
  DISTRICT_OF_COLUMBIA PUERTO_RICO GUAM`.split(/\s+/),
)

/** True when the text is the name or the abbreviation of a State of the USA. */
export const isStateOfUsa = (text: string): boolean =>
  statesOfUsa.has(text.trim().toUpperCase().replaceAll('.', '').replaceAll(' ', '_'))
