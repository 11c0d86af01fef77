// The types of alerts, and what is expected of vendors. Source: decisions 0068, 0073.

/** The name of each kind: the type of its entries in the list and of its messages. */
export const alertTypes = [
  'alert.completenessBelowTarget',
  'alert.vendorSilent',
  'alert.refusalsAboveNormal',
  'alert.checkpointOverdue',
  'alert.webhookFailing',
  'alert.copiesFailing',
  'alert.importBrokenOff',
  'alert.retentionDue',
] as const

/** Targets of a vendor without its own. No vendor is expected to deliver without `silentDays`. */
export const defaultTarget = { completeShare: 0.95, silentDays: null, refusalFactor: 3 } as const

/** Versions past the retention time are counted up to so many. */
export const dueVersionsMax = 1_000

export type AlertType = (typeof alertTypes)[number]

export const isAlertType = (text: string): text is AlertType => alertTypes.some((type) => type === text)
