// A field for how long something is open: an invitation, a lot, a link.

/** Hours, and how they read. */
const spans: readonly (readonly [hours: number, words: string])[] = [
  [24, '24 hours'],
  [72, '3 days'],
  [168, '7 days'],
  [720, '30 days'],
]

interface Props {
  readonly id: string
  readonly label: string
  readonly usual: number
}

/** The field `hours` of its form. */
export const HoursField = ({ id, label, usual }: Props) => (
  <div class="form-field">
    <label for={id}>{label}</label>
    <select id={id} name="hours">
      {spans.map(([hours, words]) => (
        <option key={hours} value={hours} selected={hours === usual}>
          {words}
        </option>
      ))}
    </select>
  </div>
)
