// A paragraph of the traceability plan: its text, its gaps, and the facts that the service adds.
import type { TraceabilityPlanAddition, TraceabilityPlanStatement } from '../../../client/generated/shapes.ts'
import { type PlanContent, type PlanParagraph, planSaysNothing } from '../../../contract/traceability-plan.ts'
import { FactList } from '../tables/fact-list.tsx'

interface HeadProps {
  readonly paragraph: PlanParagraph
  readonly plan: PlanContent
  /** Kinds of which there are events. */
  readonly kinds: TraceabilityPlanAddition['kinds']
}

export const planHeadingId = ({ cites }: PlanParagraph): string => `plan-${cites.slice(-2, -1)}`

/** The heading of the paragraph, and its gaps. */
export const PlanHead = ({ paragraph, plan, kinds }: HeadProps) => (
  <>
    <h2 id={planHeadingId(paragraph)}>
      {paragraph.title} <span class="quiet small">{paragraph.cites}</span>
    </h2>
    {paragraph.gapsOf(plan, kinds).map(({ pointer, message, remedy }) => (
      <p key={pointer} class="on-screen">
        <span class="tag gap">missing</span> {message} <span class="quiet">{remedy}</span>
      </p>
    ))}
  </>
)

interface Props extends HeadProps {
  readonly statements: readonly TraceabilityPlanStatement[]
}

/** The facts that the service knows itself. */
export const PlanStatements = ({ statements }: Pick<Props, 'statements'>) => (
  <FactList class="known" facts={statements.map(({ subject, statement }) => [subject, statement])} />
)

export function PlanParagraphs({ paragraph, plan, kinds, statements }: Props) {
  const parts = paragraph.partsOf(plan)
  return (
    <section aria-labelledby={planHeadingId(paragraph)}>
      <PlanHead paragraph={paragraph} plan={plan} kinds={kinds} />
      {parts.length === 0 && <p class="quiet on-paper">{planSaysNothing}</p>}
      {parts.map(({ heading, text }) => (
        <div key={text}>
          {heading && <h3>{heading}</h3>}
          <p class="written">
            <bdi>{text}</bdi>
          </p>
        </div>
      ))}
      {statements.length > 0 && <PlanStatements statements={statements} />}
    </section>
  )
}
