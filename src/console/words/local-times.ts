// The time zone of local times in a file without one: choices for the import page.
import type { IntakeOptions } from '../../intake/intake.ts'

interface ChoiceGroup {
  readonly words: string
  /** The choices, and their words. */
  readonly choices: readonly (readonly [value: string, words: string])[]
}

const unitedStates = [
  ['America/New_York', 'Eastern (New York)'],
  ['America/Chicago', 'Central (Chicago)'],
  ['America/Denver', 'Mountain (Denver)'],
  ['America/Phoenix', 'Arizona (Phoenix)'],
  ['America/Los_Angeles', 'Pacific (Los Angeles)'],
  ['America/Anchorage', 'Alaska (Anchorage)'],
  ['Pacific/Honolulu', 'Hawaii (Honolulu)'],
] as const

const offsets = Array.from({ length: 27 }, (_, i) => i - 12).map((hours) => {
  const two = String(Math.abs(hours)).padStart(2, '0')
  if (hours === 0) return ['Z', 'UTC'] as const
  return hours < 0 ? ([`-${two}:00`, `UTC−${two}:00`] as const) : ([`+${two}:00`, `UTC+${two}:00`] as const)
})

/** Time zones with their daylight saving first, offsets that are the same all year last. */
export const localTimeGroups = (): readonly ChoiceGroup[] => [
  { words: 'United States', choices: unitedStates },
  {
    words: 'Other time zones',
    choices: Intl.supportedValuesOf('timeZone')
      .filter((zone) => zone.includes('/') && !unitedStates.some(([known]) => known === zone))
      .map((zone) => [zone, zone.replaceAll('_', ' ')] as const),
  },
  { words: 'The same offset all year', choices: offsets },
]

/** How the import reads times after a choice; none leaves them without an offset. */
export const localTimeOptions = (choice: string): Pick<IntakeOptions, 'utcOffset' | 'timeZone'> =>
  /^(?:Z|[+-])/.test(choice)
    ? { utcOffset: choice, timeZone: undefined }
    : { utcOffset: undefined, timeZone: choice === '' ? undefined : choice }
