// The types of alerts. Source: decision 0073.

/** The name of each kind: the type of its entries in the list and of its messages. */
export const alertTypes = [
  'alert.completenessBelowTarget',
  'alert.vendorSilent',
  'alert.refusalsAboveNormal',
  'alert.checkpointOverdue',
  'alert.retentionDue',
] as const

/** Versions past the retention time are counted up to so many. */
export const dueVersionsMax = 1_000

export type AlertType = (typeof alertTypes)[number]

export const isAlertType = (text: string): text is AlertType => alertTypes.some((type) => type === text)
