// Import a file: the service checks it row by row, then it is sent; what is rejected is saved with
// the reason beside each row.
import { pluralize } from '../../../contract/text/pluralize.ts'
import { templateWorkbook } from '../../../intake/template-file.ts'
import { blobOf, handOver } from '../../files/saving.ts'
import { BrokenOffImports } from '../../parts/exchange/broken-off-imports.tsx'
import { FileChoice } from '../../parts/exchange/file-choice.tsx'
import { ImportRounds } from '../../parts/exchange/import-rounds.tsx'
import { ImportStep } from '../../parts/exchange/import-step.tsx'
import { MappingForm } from '../../parts/exchange/mapping-form.tsx'
import { Mending } from '../../parts/exchange/mending.tsx'
import { ReadingOptions } from '../../parts/exchange/reading-options.tsx'
import { RemovalQuestion } from '../../parts/exchange/removal-question.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty } from '../../parts/frame/states.tsx'
import { useFileImport } from '../../state/exchange/file-import-run.ts'
import { keptMendedFiles } from '../../state/exchange/mended-file.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'

export function ImportPage() {
  if (!useMay('writer'))
    return (
      <>
        <PageHead title="Import" />
        <Empty title="This key cannot import">
          <p>Sign in with a writer key to import files.</p>
        </Empty>
      </>
    )
  return (
    <>
      <PageHead
        title="Import"
        actions={
          <button type="button" onClick={saveTemplate}>
            Save template
          </button>
        }
      />
      <FileImport />
    </>
  )
}

function FileImport() {
  const { own } = useOpenSession()
  const { choices, mappingFault, step, removal, mended, readWith, cause, ...run } = useFileImport()
  const { choose } = run
  return (
    <>
      <FileChoice chosen={'file' in step ? step.file.name : undefined} onFile={run.open} />
      {step.is === 'none' && <KeptCorrections />}
      {step.is === 'none' && <BrokenOffImports account={own.provider} onContinue={run.send} />}
      <ReadingOptions
        choices={choices}
        mappingFault={mappingFault}
        isHidden={step.is === 'document'}
        onChoose={choose}
        onColumns={run.loadColumns}
      />
      {removal && <RemovalQuestion {...removal} />}
      <ImportStep
        step={step}
        onCancel={run.cancel}
        onCheck={run.check}
        onSend={run.send}
        onCause={(chosen) => {
          run.showCause(chosen)
          document.getElementById('mending-title')?.focus()
        }}
      >
        {(step.is === 'checked' || step.is === 'sent') && (
          <Mending
            report={step.report}
            mends={mended.mends}
            sent={mended.sent}
            checked={readWith.mends}
            cause={cause}
            onCause={run.showCause}
            onMend={run.mend}
            onUndo={mended.before && run.undo}
            onDiscard={run.discard}
            onAgain={run.takeRejected}
          />
        )}
        {(step.is === 'checked' || step.is === 'sent') && <ImportRounds report={step.report} {...{ mended }} />}
        {(step.is === 'checked' || step.is === 'sent') && step.report.columns && (
          <MappingForm
            asked={step.report.columns}
            {...{ choices }}
            file={step.file}
            mends={mended.mends}
            settings={step.report.settings}
            onMapping={(mapping) => choose({ mapping })}
            onDefaults={(defaults) => choose({ defaults })}
            onCheck={(mapping) => run.checkWith(step.file, step.report, mapping)}
            onKind={(kind) => run.proposeFor(step.file, kind)}
          />
        )}
      </ImportStep>
    </>
  )
}

/** Files whose corrections are on this device: the browser forgets a file with its page. */
function KeptCorrections() {
  const { key } = useOpenSession()
  return keptMendedFiles(key).map(({ name, cells }) => (
    <p key={name} class="callout">
      {pluralize(cells, 'correction')} of <bdi>{name}</bdi> {cells === 1 ? 'is' : 'are'} kept on this device. To
      continue, choose the same file again.
    </p>
  ))
}

const saveTemplate = async () => handOver(await blobOf(templateWorkbook()), 'lotkeeper-template.xlsx')
