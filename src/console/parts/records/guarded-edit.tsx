// A form of settings that another user may change meanwhile. It then shows both changes, and
// continues from the reader's choice.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Conflict, type Edited, useGuardedSave } from '../../state/frame/guarded-save.ts'
import { useStaying } from '../../state/frame/leaving.ts'
import { StaleEdit } from './stale-edit.tsx'

interface Form<Content> {
  /** The initial values of the form. */
  readonly content: Content
  /** True where the initial values are unsaved. */
  readonly isUnsaved: boolean
  readonly save: (content: Content) => Promise<void>
}

interface Props<Content> {
  /** The noun, such as `partner`. */
  readonly noun: string
  readonly start: Edited<Content>
  readonly send: (content: Content, version: number) => Promise<unknown>
  readonly read: () => Promise<Edited<Content>>
  readonly onSaved: (content: Content) => void
  readonly children: (form: Form<Content>) => ComponentChildren
}

export function GuardedEdit<Content extends object>({ noun, start, send, read, onSaved, children }: Props<Content>) {
  const { conflict, save, settle } = useGuardedSave<Content>()
  const [base, setBase] = useState(start)
  const [chosen, setChosen] = useState<Content>()
  if (conflict !== undefined)
    return (
      <EditConflict
        noun={noun}
        conflict={conflict}
        onSettled={(content) => {
          setBase(conflict.theirs)
          setChosen(content)
          settle()
        }}
      />
    )
  return children({
    content: chosen ?? base.content,
    isUnsaved: chosen !== undefined,
    save: async (content) => {
      if (await save(base, content, { send, read })) onSaved(content)
    },
  })
}

interface ConflictProps<Content> {
  readonly noun: string
  readonly conflict: Conflict<Content>
  readonly onSettled: (content: Content) => void
}

/** The changes of both. Leaving it asks first, as leaving the form does. */
export function EditConflict<Content>({ noun, conflict: { base, mine, theirs }, onSettled }: ConflictProps<Content>) {
  useStaying(`The ${noun} is not saved.`)
  return (
    <StaleEdit
      noun={noun}
      base={base.content}
      baseVersion={base.version}
      mine={mine}
      theirs={theirs.content}
      theirVersion={theirs.version}
      onSettled={(content) => onSettled(content as Content)}
    />
  )
}
