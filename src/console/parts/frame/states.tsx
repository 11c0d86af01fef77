// Placeholders for content: loading, empty, failed.
import type { ComponentChildren } from 'preact'
import { pageOf } from '../../records/record-sections.ts'
import { hrefTo } from '../../state/frame/address.ts'
import type { RequestState } from '../../state/frame/request.ts'
import { failureWords } from '../../words/failure-words.ts'

/** Shown only when the answer takes longer than a blink. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <div class="loading" role="status">
      <span class="hidden">Loading {what}…</span>
      <div class="bar" />
      <div class="bar" />
      <div class="bar" />
    </div>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="state">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

export function Failure({ error, again }: { readonly error: unknown; readonly again?: (() => void) | undefined }) {
  const words = failureWords(error)
  return (
    <div class="state failure" role="alert">
      <h2>{words.title}</h2>
      <p>{words.detail}</p>
      {words.elsewhere && (
        <p>
          It is the id of a <a href={hrefTo(pageOf(words.elsewhere.path))}>{words.elsewhere.noun}</a>.
        </p>
      )}
      {words.request && (
        <p class="quiet">
          Request <code>{words.request}</code>
        </p>
      )}
      {again && words.again && (
        <p>
          <button type="button" onClick={again}>
            Try again
          </button>
        </p>
      )}
    </div>
  )
}

/** Draws the answer once it arrives. */
export function When<T>({
  asked,
  what,
  children,
}: {
  readonly asked: RequestState<T>
  /** The noun for the loaded data, as in a sentence. */
  readonly what: string
  readonly children: (value: T) => ComponentChildren
}) {
  switch (asked.is) {
    case 'asking':
      return <Loading what={what} />
    case 'failed':
      return <Failure error={asked.error} again={asked.again} />
    case 'answered':
      return <>{children(asked.value)}</>
  }
}
