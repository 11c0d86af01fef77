// Checks and imports the file that was chosen, with what was chosen for it.
import { useEffect, useReducer, useRef } from 'preact/hooks'
import { partnerDocumentOf } from '../../../intake/file-form.ts'
import type { Mapping } from '../../../intake/layout.ts'
import { readMapping } from '../../../intake/mapping.ts'
import type { Mend } from '../../../intake/mending/mends.ts'
import { type ImportReport, importFile, openedFile } from '../../files/file-import.ts'
import { useStaying } from '../frame/leaving.ts'
import { patientClient, useOpenSession } from '../frame/session.ts'
import { type ImportState, importStart, nextImportState } from './import-steps.ts'
import { isMended, keepMendedFile, recallMendedFile } from './mended-file.ts'
import { intakeFor, type ReadingChoices } from './reading-choices.ts'
import { recallColumns, rememberColumns } from './remembered-columns.ts'
import { type RemovalAsked, useRemovalQuestion } from './removal-question.ts'

export interface FileImport extends ImportState {
  readonly removal: RemovalAsked | undefined
  readonly choose: (choices: Partial<ReadingChoices>) => void
  readonly loadColumns: (file: File) => Promise<void>
  /** Takes a file that was chosen now. */
  readonly open: (file: File) => Promise<void>
  readonly check: (file: File) => Promise<void>
  readonly checkWith: (file: File, report: ImportReport, mapping: Mapping) => Promise<void>
  /** Proposes columns again, for this kind of events. */
  readonly proposeFor: (file: File, kind: Mapping['kind']) => Promise<void>
  readonly send: (file: File, choices?: ReadingChoices) => Promise<void>
  readonly mend: (mends: readonly Mend[]) => void
  readonly undo: () => void
  readonly discard: () => void
  readonly showCause: (cause: string) => void
  /** Takes the records again that were rejected, with the corrections. */
  readonly takeRejected: () => Promise<void>
  readonly cancel: () => void
}

const titlesIn = ({ columns }: ImportReport): readonly string[] => columns?.columns.map(({ title }) => title) ?? []

export function useFileImport(): FileImport {
  const { own, key } = useOpenSession()
  const [state, dispatch] = useReducer(nextImportState, importStart)
  const { asked, mayRemove, begin, giveUp } = useRemovalQuestion()
  const running = useRef<AbortController>(undefined)
  const { choices, step, mended, readWith } = state
  const account = own.provider
  const stop = () => {
    running.current?.abort()
    giveUp()
  }
  useEffect(() => stop, [])
  useEffect(() => keepMendedFile(key, mended), [key, mended])
  useStaying(
    step.is === 'sending'
      ? `${step.file.name} is being imported. Records already sent stay stored. To continue later, choose the same file again.`
      : undefined,
  )

  const run = async (
    as: 'checking' | 'sending',
    file: File,
    chosen: ReadingChoices,
    earlierRun?: ImportReport,
  ): Promise<void> => {
    // The corrections of another file are not those of this one.
    const mending = mended.file === file ? mended : recallMendedFile(key, file)
    if (mending !== mended) dispatch({ is: 'recall', mended: mending })
    const controller = new AbortController()
    running.current = controller
    begin()
    dispatch({ is: 'choose', choices: chosen })
    dispatch({ is: 'start', as, file })
    const { replace, completes, mapping } = chosen
    try {
      const report = await importFile({
        ...{ file, account, replace, completes, earlierRun },
        intake: intakeFor(chosen, mending.mends),
        createClient: patientClient,
        signal: controller.signal,
        onProgress: (progress) => dispatch({ is: 'progress', progress }),
        ...(as === 'sending' && { mayRemove }),
      })
      const isOpen = as === 'checking' && report.columns?.isRead === false && mapping === undefined
      const known = isOpen ? recallColumns(account, titlesIn(report)) : undefined
      if (known !== undefined) return run(as, file, { ...chosen, mapping: known })
      dispatch({ is: 'end', report, at: Date.now() })
    } catch (error) {
      dispatch(controller.signal.aborted ? { is: 'abandon' } : { is: 'fail', error })
    }
  }
  const checkAny = async (file: File, chosen: ReadingChoices) => {
    const document = await partnerDocumentOf(openedFile(file)).catch(() => undefined)
    if (document === undefined) return run('checking', file, chosen)
    running.current?.abort()
    dispatch({ is: 'open document', file, kind: document })
  }
  return {
    ...state,
    removal: asked,
    choose: (more) => dispatch({ is: 'choose', choices: more }),
    loadColumns: async (file) => {
      const read = readMapping(await file.text(), file.name)
      dispatch({ is: 'load columns', mapping: typeof read === 'string' ? read : { ...read, name: file.name } })
    },
    // Columns that were matched for another file are not those of this one.
    open: (file) => {
      const kept = recallMendedFile(key, file)
      if (isMended(kept) && kept.choices !== undefined) return checkAny(file, kept.choices)
      return checkAny(file, choices.mapping?.name === undefined ? { ...choices, mapping: undefined } : choices)
    },
    check: (file) => checkAny(file, choices),
    checkWith: (file, report, mapping) => {
      rememberColumns(account, titlesIn(report), mapping)
      return run('checking', file, { ...choices, mapping })
    },
    proposeFor: (file, kind) => run('checking', file, { ...choices, mapping: { kind, columns: {} } }),
    send: (file, chosen = choices) => run('sending', file, chosen),
    mend: (mends) => dispatch({ is: 'mend', mends }),
    undo: () => dispatch({ is: 'undo' }),
    discard: () => dispatch({ is: 'discard' }),
    showCause: (cause) => dispatch({ is: 'show cause', cause }),
    takeRejected: async () => {
      if (step.is !== 'checked' && step.is !== 'sent') return
      const { file, report } = step
      await run(
        step.is === 'sent' ? 'sending' : 'checking',
        file,
        choices,
        choices === readWith.choices && report.finished !== undefined ? report : undefined,
      )
    },
    cancel: () => {
      stop()
      dispatch({ is: 'stop' })
    },
  }
}
