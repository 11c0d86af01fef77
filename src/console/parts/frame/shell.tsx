// The frame of every page: links to the others, the current session, toasts, the state of the
// connection.
import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { TitledPage } from '../../pages/frame/page.ts'
import { followLink, hrefTo } from '../../state/frame/address.ts'
import { useAway } from '../../state/frame/connection.ts'
import { discardDrafts, draftPlaces, unsentReceipts } from '../../state/frame/device.ts'
import { keepFocus } from '../../state/frame/focus.ts'
import { leaveBy, stay, useLeaveQuestion } from '../../state/frame/leaving.ts'
import { useMedia } from '../../state/frame/media.ts'
import { usePrinting } from '../../state/frame/printing.ts'
import { type Session, signOut, useSession } from '../../state/frame/session.ts'
import { chooseTheme, type Theme, themes, useTheme } from '../../state/frame/theme.ts'
import { dismiss, useToasts } from '../../state/frame/toasts.ts'
import { minuteWords } from '../../words/labels.ts'
import { Disclosure } from './disclosure.tsx'
import { Menus, NarrowMenu } from './menus.tsx'
import { SearchField } from './search-field.tsx'
import { shortcuts, takeShortcut } from './shortcuts.ts'

interface Props {
  /** Those that menus and the search can offer. */
  readonly pages: readonly TitledPage[]
  readonly children?: ComponentChildren
}

export function Shell({ pages, children }: Props) {
  const help = useRef<HTMLDialogElement>(null)
  useEffect(keepFocus, [])
  useEffect(() => {
    addEventListener('keydown', takeShortcut)
    addEventListener('click', followLink)
    return () => {
      removeEventListener('keydown', takeShortcut)
      removeEventListener('click', followLink)
    }
  }, [])
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Top pages={pages} onHelp={() => help.current?.showModal()} />
      <Away />
      <SharedBy />
      <Printed />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
      <Help dialog={help} />
      <LeaveQuestion />
    </>
  )
}

/** From this width on the menus fit one line. */
const wide = '(width >= 1024px)'

function Top({ pages, onHelp }: Pick<Props, 'pages'> & { readonly onHelp: () => void }) {
  const session = useSession()
  const isWide = useMedia(wide)
  const account = <Account onHelp={onHelp} />
  return (
    <header class="top">
      <a class="mark" href={hrefTo('/')} aria-label="Lotkeeper">
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <rect width="32" height="32" rx="7" class="mark-ground" />
          <path d="M9 8v16h14" class="mark-line" />
          <circle cx="19.5" cy="12.5" r="4" class="mark-line" />
        </svg>
        <span>Lotkeeper</span>
      </a>
      {session && isWide && <Menus pages={pages} />}
      {session && <SearchField key={session.own.provider} pages={pages} />}
      {!session && <div class="top-end">{account}</div>}
      {session && !isWide && <NarrowMenu pages={pages}>{account}</NarrowMenu>}
      {session && isWide && (
        <Disclosure id="account" class="account" label={<Who session={session} />}>
          {account}
        </Disclosure>
      )}
    </header>
  )
}

/**
 * The current session on the button of the account: the person, else the provider. Screen readers
 * hear the rest.
 */
function Who({ session: { own } }: { readonly session: Session }) {
  const { personName, provider, role } = own
  return (
    <span class="who">
      {personName !== null && <bdi class="person">{personName}</bdi>}{' '}
      <span class={personName === null ? undefined : 'hidden'}>
        <bdi>{provider}</bdi> <span class="hidden">{role}</span>
      </span>
    </span>
  )
}

/** The current session, and the other constant parts of every page. */
function Account({ onHelp }: { readonly onHelp: () => void }) {
  const session = useSession()
  return (
    <div class="account-parts">
      {session && (
        <p class="quiet small">
          Signed in with{' '}
          <a href={hrefTo('/keys')}>
            <bdi>{session.own.label || session.own.keyId}</bdi>
          </a>
          , {session.role} of <bdi>{session.own.provider}</bdi>
        </p>
      )}
      <ThemeSwitch />
      <button type="button" class="plain" onClick={onHelp}>
        Help and shortcuts
      </button>
      <a href="/docs">API documentation</a>
      {session && (
        <button type="button" class="plain" onClick={() => leaveBy(() => void signOut(), unsent(session))}>
          Sign out
        </button>
      )}
    </div>
  )
}

/** Warns about receipts that signing out would delete, and offers to discard drafts, which stay. */
function unsent({ key, own: { provider } }: Session) {
  const [receipts, drafts] = [unsentReceipts(provider), draftPlaces(key).length]
  const words = [
    receipts > 0 &&
      `${pluralize(receipts, 'receipt')} on this device ${receipts === 1 ? 'is' : 'are'} not sent yet. Signing out deletes what is kept here.`,
    drafts > 0 &&
      `${pluralize(drafts, 'draft')} of yours ${drafts === 1 ? 'is' : 'are'} not sent yet. What you keep stays on this device, and is shown to you alone when you sign in again.`,
  ].filter((one) => one !== false)
  if (words.length === 0) return {}
  return { words: words.join(' '), ...(drafts > 0 && { discard: () => discardDrafts(key) }) }
}

const themeWords: Readonly<Record<Theme, string>> = { system: 'Auto', light: 'Light', dark: 'Dark' }

function ThemeSwitch() {
  const theme = useTheme()
  return (
    <label class="theme">
      <span>Colours</span>
      <select value={theme} onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}>
        {themes.map((one) => (
          <option key={one} value={one}>
            {themeWords[one]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A partner sees part of another firm's records: each page names the firm. */
function SharedBy() {
  const sharedBy = useSession()?.own.sharedBy
  if (!sharedBy) return null
  return (
    <aside class="shared-by" aria-label="Sharing">
      Shared with you by <bdi>{sharedBy}</bdi>
    </aside>
  )
}

/** Of whom and when a print is, and where the page is found again. */
function Printed() {
  const session = useSession()
  const printing = usePrinting()
  const { own } = session ?? {}
  // Without what follows `#`: an invitation has its secret there.
  const { origin, pathname, search } = location
  if (own === undefined || !printing) return null
  return (
    <p class="on-paper printed">
      <bdi>{own.provider}</bdi> · printed {minuteWords(new Date().toISOString())} by{' '}
      <bdi>{own.personName || own.label || own.keyId}</bdi> · <bdi>{origin + pathname + search}</bdi>
    </p>
  )
}

function Away() {
  const away = useAway()
  return (
    <div role="status" class={away ? 'away' : undefined}>
      {away && 'The service cannot be reached. Nothing you entered is lost; the page continues as soon as it answers.'}
    </div>
  )
}

function Toasts() {
  const toasts = useToasts()
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, words, tone }) => (
        <div key={id} class={`toast ${tone}`}>
          <span dir="auto">{words}</span>
          <button type="button" class="plain" onClick={() => dismiss(id)} aria-label="Dismiss">
            ×
          </button>
        </div>
      ))}
    </div>
  )
}

function Help({ dialog }: { readonly dialog: { readonly current: HTMLDialogElement | null } }) {
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title">
      <h2 id="help-title">Help</h2>
      <dl>
        {shortcuts.map(({ keys, words }) => (
          <Fragment key={words}>
            <dt>
              {keys.map((one, n) => (
                <span key={one.join(' ')}>
                  {n > 0 && ' or '}
                  {one.map((key, i) => (
                    <Fragment key={key}>
                      {i > 0 && ' '}
                      <kbd>{key}</kbd>
                    </Fragment>
                  ))}
                </span>
              ))}
            </dt>
            <dd>{words}</dd>
          </Fragment>
        ))}
      </dl>
      <p class="quiet small">
        On a Mac, <kbd>⌘</kbd> does the same as <kbd>Ctrl</kbd>, and <kbd>⌥</kbd> is <kbd>Alt</kbd>.
      </p>
      <p>
        You can share every address: it shows the same to everyone who may read it. Any program can do what the console
        does. The <a href="/docs">API documentation</a> explains how.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}

/** The question before leaving work in progress. */
function LeaveQuestion() {
  const question = useLeaveQuestion()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (question !== undefined) dialog.current?.showModal()
  }, [question])
  if (question === undefined) return null
  return (
    <dialog ref={dialog} onClose={stay} aria-labelledby="leave-title">
      <h2 id="leave-title">Leave this page?</h2>
      <p>{question.words}</p>
      <p class="actions">
        <button type="button" class="main" onClick={stay}>
          Stay
        </button>
        {question.discard && (
          <button type="button" class="danger" onClick={question.discard}>
            Discard drafts and leave
          </button>
        )}
        <button type="button" onClick={question.leave}>
          Leave
        </button>
      </p>
    </dialog>
  )
}
