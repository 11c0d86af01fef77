// Shows an error in place of a page that fails; the rest of the console stays.
import { Component, type ComponentChildren } from 'preact'
import { Failure } from './states.tsx'

interface Props {
  readonly children: ComponentChildren
}

export class Boundary extends Component<Props, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {}

  static override getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return <Failure error={this.state.error} again={() => this.setState({ error: undefined })} />
  }
}
