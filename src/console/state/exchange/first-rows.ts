// The first rows of the file as they will be read, again after each choice.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { recordCalls } from '../../../client/record-calls.ts'
import { comparedRowsMax } from '../../../intake/column-matches.ts'
import { type FirstRows, readFirstRows } from '../../../intake/mending/first-rows.ts'
import type { Mends } from '../../../intake/mending/mends.ts'
import { MasterCompletion } from '../../../intake/stored-master.ts'
import type { RuleSettings } from '../../../rules/rule.ts'
import { openedFile } from '../../files/file-import.ts'
import { useOpenSession } from '../frame/session.ts'
import { intakeFor, type ReadingChoices } from './reading-choices.ts'

const none: FirstRows = new Map()
/** As many as are compared for the proposals. */
const rowsRead = comparedRowsMax
/** How long choosing rests before the rows are read again, in milliseconds. */
const restMs = 200

interface Read {
  readonly file: File
  readonly settings: RuleSettings
  readonly mends: Mends
  /** With the mapping as it is shown. */
  readonly choices: ReadingChoices
}

export function useFirstRows({ file, settings, mends, choices }: Read): FirstRows {
  const { api } = useOpenSession()
  const [rows, setRows] = useState(none)
  const { completes } = choices
  const master = useMemo(() => {
    const { stored } = recordCalls(api, { signal: new AbortController().signal, sha256: async () => undefined })
    return completes ? new MasterCompletion(stored) : undefined
  }, [file, completes])
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const read = async () => {
      const intake = intakeFor(choices, mends)
      const found = await readFirstRows(openedFile(file), {
        ...{ intake, settings, master },
        now: Date.now(),
        count: rowsRead,
      })
      if (!signal.aborted) setRows(found)
    }
    // Without them, the columns can be matched too.
    const timer = setTimeout(() => read().catch(() => signal.aborted || setRows(none)), restMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [file, JSON.stringify(choices)])
  return rows
}
