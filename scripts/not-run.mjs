// Lists at the end of a run on a cluster which tests were not run there, and why.

const others = [
  '`pure`, `page` and `packages` use no database.',
  '`embedded` uses the embedded database, which is on one machine.',
  '`crashes` kills servers of its own, each a single one.',
]

export default class NotRun {
  onTestRunEnd(modules) {
    const byReason = new Map()
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        const reason = test.result().note ?? 'left out by an option, or a test that another database runs'
        byReason.set(reason, [...(byReason.get(reason) ?? []), `${module.relativeModuleId}: ${test.fullName}`])
      }
    const lines = [
      'Not run on the cluster:',
      ...others.map((line) => `- ${line}`),
      ...[...byReason].flatMap(([reason, tests]) => [`- ${reason}:`, ...tests.map((name) => `    ${name}`)]),
    ]
    process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}
