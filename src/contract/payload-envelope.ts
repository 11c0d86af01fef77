// The two fields every payload may carry around its record. Source: §2.1.
import { dateTime, optional, text } from './shape/field.ts'

const transmissionDateTime = {
  meaning: 'When the payload was sent.',
  example: '2026-03-04T18:05:00Z',
  section: '2.1',
  synonyms: ['sentAt', 'sentDateTime', 'transmissionDate', 'transmissionTime'],
}

const payloadId = text({
  meaning: 'Unique payload id supplied by the submitter.',
  example: 'PL-2026-000481',
  section: '2.1',
  synonyms: ['messageId', 'requestId', 'submissionId'],
})

/** Envelope of a receiving event payload, whose endpoint states the datetime forms. */
export const payloadEnvelope = {
  payloadId: optional(payloadId),
  transmissionDateTime: optional(dateTime(transmissionDateTime)),
}

/**
 * Envelope of a master data payload: its endpoint states only the length of strings, so the form is
 * a rule of severity warning (decision 0006).
 */
export const masterDataEnvelope = {
  payloadId: optional(payloadId),
  transmissionDateTime: optional(text(transmissionDateTime)),
}
