// Mock recalls: start one, and see those before.
import { useState } from 'preact/hooks'
import { FormEnd } from '../../parts/fields/form-end.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { DrillTable } from '../../parts/traceability/drill-table.tsx'
import { go } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { textIn, useSubmission } from '../../state/frame/submission.ts'
import { failureSentence } from '../../words/failure-words.ts'

export function MockRecallsPage() {
  const { api, own } = useOpenSession()
  const mayStart = useMay('writer')
  const drills = usePaged(async (options) => (await api.listMockRecalls(options)).body, [])
  return (
    <>
      <PageHead title="Mock recalls">
        <p class="quiet">
          FDA may request the records of a lot within 24 hours (21 CFR 1.1455(c)(3)). A mock recall traces a lot, makes
          the FDA package and checks it for gaps against the clock, and keeps a signed report. No data leaves the
          service.
        </p>
      </PageHead>
      {mayStart ? (
        <StartDrill />
      ) : (
        <p class="callout">A writer or administrator key starts a mock recall. Yours is a {own.role} key.</p>
      )}
      <When asked={drills.asked} what="the mock recalls">
        {({ content }) =>
          content.length === 0 ? (
            <Empty title="There has been no mock recall">
              <p>Start one now: it takes seconds, and auditors ask for it every year.</p>
            </Empty>
          ) : (
            <>
              <DrillTable drills={content} />
              <ListEnd paged={drills} noun="mock recall" newestFirst />
            </>
          )
        }
      </When>
    </>
  )
}

function StartDrill() {
  const { api } = useOpenSession()
  const [isNamed, setNamed] = useState(false)
  const submission = useSubmission()

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const text = textIn(event.currentTarget)
    const [lotCode, seed] = [text('lotCode'), text('seed')]
    if (isNamed && lotCode === '') return submission.setFault('Enter the lot code, or let the service draw a lot.')
    await submission.submit(
      async () => {
        const { body } = await api.startMockRecall({ body: isNamed ? { lotCode } : seed === '' ? {} : { seed } })
        go(`/mock-recalls/${body.id}`)
      },
      (error) => failureSentence(error).replace('Name a lotCode.', 'Choose “A lot that I name”.'),
    )
  }

  return (
    <form class="new-key" onSubmit={send} aria-labelledby="start-drill">
      <h2 id="start-drill">Start a mock recall</h2>
      <fieldset class="choices">
        <legend>Which lot</legend>
        <label>
          <input type="radio" name="which" checked={!isNamed} onChange={() => setNamed(false)} />
          <span>
            <strong>Draw one</strong> at random from the last 12 months
          </span>
        </label>
        <label>
          <input type="radio" name="which" checked={isNamed} onChange={() => setNamed(true)} />
          <span>
            <strong>A lot that I name</strong>
          </span>
        </label>
      </fieldset>
      <div class="form-fields">
        {isNamed ? (
          <TextField id="drill-lot" label="Lot code" name="lotCode" hint="As on the case, in any form." />
        ) : (
          <TextField
            id="drill-seed"
            label="Seed (optional)"
            name="seed"
            hint="Any text. The same text draws the same lot from the same events."
          />
        )}
      </div>
      <FormEnd submission={submission} words="Start mock recall" busyWords="Starting…" />
    </form>
  )
}
