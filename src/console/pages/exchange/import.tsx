// Import a file: the service checks it row by row, then it is sent; what is rejected is saved with
// the reason beside each row.
import { templateWorkbook } from '../../../intake/template-file.ts'
import { handOver } from '../../files/saving.ts'
import { BrokenOffImports } from '../../parts/exchange/broken-off-imports.tsx'
import { FileChoice } from '../../parts/exchange/file-choice.tsx'
import { ImportStep } from '../../parts/exchange/import-step.tsx'
import { MappingForm } from '../../parts/exchange/mapping-form.tsx'
import { ReadingOptions } from '../../parts/exchange/reading-options.tsx'
import { RemovalQuestion } from '../../parts/exchange/removal-question.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty } from '../../parts/frame/states.tsx'
import { useFileImport } from '../../state/exchange/file-import-run.ts'
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
  const { choices, mappingFault, step, removal, ...run } = useFileImport()
  const { choose } = run
  return (
    <>
      <FileChoice chosen={'file' in step ? step.file.name : undefined} onFile={run.open} />
      {step.is === 'none' && <BrokenOffImports account={own.provider} onContinue={run.send} />}
      <ReadingOptions
        choices={choices}
        mappingFault={mappingFault}
        isHidden={step.is === 'document'}
        onChoose={choose}
        onColumns={run.loadColumns}
      />
      {removal && <RemovalQuestion {...removal} />}
      <ImportStep step={step} onCancel={run.cancel} onCheck={run.check} onSend={run.send}>
        {(step.is === 'checked' || step.is === 'sent') && step.report.columns && (
          <MappingForm
            asked={step.report.columns}
            mapping={choices.mapping}
            defaults={choices.defaults}
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

async function saveTemplate(): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of templateWorkbook()) parts.push(part as Uint8Array<ArrayBuffer>)
  handOver(new Blob(parts), 'lotkeeper-template.xlsx')
}
