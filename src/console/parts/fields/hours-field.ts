// A declared field for how long something is open: an invitation, a lot, a link.
import type { SettingField } from './setting-fields.tsx'

export const hoursField = (label: string): SettingField => ({
  is: 'choice',
  name: 'hours',
  label,
  choices: [
    ['24', '24 hours'],
    ['72', '3 days'],
    ['168', '7 days'],
    ['720', '30 days'],
  ],
})
