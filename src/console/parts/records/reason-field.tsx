// Why a version replaces another: a field that may stay empty (decision 0097).
import { stringLengthMax } from '../../../contract/shape/field.ts'
import { TextField } from '../fields/text-field.tsx'

interface Props {
  readonly reason: string
  readonly onReason: (reason: string) => void
}

export const ReasonField = ({ reason, onReason }: Props) => (
  <TextField
    id="change-reason"
    label="Reason (optional)"
    hint="Why the record changes. Its history, the list of corrections for FDA and exports show it."
    maxLength={stringLengthMax}
    value={reason}
    onInput={({ currentTarget }) => onReason(currentTarget.value)}
  />
)
