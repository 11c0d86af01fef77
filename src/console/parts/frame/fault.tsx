// Why the last attempt failed, in one sentence; nothing is shown without one.
import type { ComponentChildren } from 'preact'

interface Props {
  /** For the field that it describes. */
  readonly id?: string
  readonly children: ComponentChildren
}

export const Fault = ({ id, children }: Props) => (
  <p id={id} class="fault" role="alert">
    {children}
  </p>
)
