// Geographic coordinates as people write them: degrees, minutes and seconds, with or without marks
// and hemisphere; or signed degrees. Source: §2.3 describes degrees and minutes.

const form =
  /^([+-]?)(\d{1,3}(?:\.\d{1,10})?)[°d]?(?: ?(\d{1,2}(?:\.\d{1,10})?)['′m]?)?(?: ?(\d{1,2}(?:\.\d{1,10})?)["″s]?)? ?([NSEWnsew]?)$/

interface Angle {
  readonly degrees: number
  readonly axis: 'latitude' | 'longitude' | undefined
}

function readAngle(text: string | undefined): Angle | 'noMinutes' | undefined {
  const [, sign, whole, minutes = '0', seconds = '0', hemisphere = ''] = form.exec(text?.trim() ?? '') ?? []
  if (whole === undefined) return undefined
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return 'noMinutes'
  const size = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600
  const axis = hemisphere === '' ? undefined : 'NSns'.includes(hemisphere) ? 'latitude' : 'longitude'
  return { degrees: sign === '-' || 'SWsw'.includes(hemisphere || '-') ? -size : size, axis }
}

/**
 * The mistake in a pair of coordinates, latitude first, as the end of a sentence; undefined without
 * one.
 */
export function coordinatesFault(pair: readonly (string | undefined)[]): string | undefined {
  const [latitude, longitude] = pair.map(readAngle)
  if (pair.length !== 2 || latitude === undefined || longitude === undefined)
    return 'does not read as one latitude and one longitude'
  if (latitude === 'noMinutes' || longitude === 'noMinutes') return 'has 60 minutes or more in a degree'
  const isExchanged =
    latitude.axis === 'longitude' ||
    longitude.axis === 'latitude' ||
    (Math.abs(latitude.degrees) > 90 && Math.abs(latitude.degrees) <= 180 && Math.abs(longitude.degrees) <= 90)
  if (isExchanged) return 'has the longitude first; the latitude comes first'
  if (Math.abs(latitude.degrees) > 90) return 'has a latitude of more than 90 degrees'
  return Math.abs(longitude.degrees) > 180 ? 'has a longitude of more than 180 degrees' : undefined
}
