// Mock recalls: start one, and see those before.
import { useState } from 'preact/hooks'
import { Form } from '../../parts/fields/form.tsx'
import { Radios } from '../../parts/fields/select.tsx'
import { type SettingField, SettingFields } from '../../parts/fields/setting-fields.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty } from '../../parts/frame/states.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import { drillColumns } from '../../parts/traceability/drill-columns.tsx'
import { go } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { Mistake } from '../../state/frame/submission.ts'
import { failureSentence } from '../../words/failure-words.ts'

export function MockRecallsPage() {
  const { own } = useOpenSession()
  const mayStart = useMay('writer')
  const drills = usePaged((api, options) => api.listMockRecalls(options), [])
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
      <PagedTable
        paged={drills}
        noun="mock recall"
        newestFirst
        label="Mock recalls"
        columns={drillColumns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="There has been no mock recall">
            <p>Start one now: it takes seconds, and auditors ask for it every year.</p>
          </Empty>
        }
      />
    </>
  )
}

const lotChoices = [
  [
    'drawn',
    <>
      <strong>Draw one</strong> at random from the last 12 months
    </>,
  ],
  ['named', <strong>A lot that I name</strong>],
] as const

const lotFields: Readonly<Record<(typeof lotChoices)[number][0], SettingField>> = {
  drawn: {
    name: 'seed',
    label: 'Seed (optional)',
    hint: 'Any text. The same text draws the same lot from the same events.',
  },
  named: { name: 'lotCode', label: 'Lot code', hint: 'As on the case, in any form.' },
}

function StartDrill() {
  const { api } = useOpenSession()
  const [lot, setLot] = useState<keyof typeof lotFields>('drawn')

  const send = async (text: (name: string) => string) => {
    const { name } = lotFields[lot]
    if (lot === 'named' && text(name) === '') throw new Mistake('Enter the lot code, or let the service draw a lot.')
    const body = {
      ...(text(name) !== '' && { [name]: text(name) }),
      ...(text('chain') !== '' && { chain: true }),
    }
    const { body: started } = await api.startMockRecall({ body })
    go(`/mock-recalls/${started.id}`)
  }

  return (
    <Form
      aria-labelledby="start-drill"
      words="Start mock recall"
      busyWords="Starting…"
      onSend={send}
      sentenceOf={(error) => failureSentence(error).replace('Name a lotCode.', 'Choose “A lot that I name”.')}
    >
      <h2 id="start-drill">Start a mock recall</h2>
      <Radios legend="Which lot" name="which" choices={lotChoices} value={lot} onChoose={setLot} />
      <SettingFields form="drill" fields={[lotFields[lot]]} values={{}} />
      <label class="check">
        <input type="checkbox" name="chain" />
        Count all lots that were made of it, too, and pack their records
      </label>
    </Form>
  )
}
