// The files with which the service is run: Docker Compose, Kubernetes, systemd. None of them gives it
// a right that it does not need, and what must last is kept.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { textOf } from './tree.ts'

const [, dataDir = ''] = /DATA_DIR=(\S+)/.exec(textOf('Dockerfile')) ?? []

test('Docker Compose keeps the signing key in a named volume, and the service has no rights', () => {
  const { services, volumes } = parse(textOf('compose.yaml'))
  const named = [...services.lotkeeper.volumes, ...services.database.volumes].map((one: string) => one.split(':'))
  expect(named.map(([name]) => name).sort()).toEqual(Object.keys(volumes).sort())
  expect(services.lotkeeper.volumes).toEqual([`lotkeeper:${dataDir}`])
  expect(services.lotkeeper).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] })
  expect(services.database).toMatchObject({ cap_drop: ['ALL'] })
  for (const one of [services.lotkeeper, services.database])
    expect(one.security_opt).toEqual(['no-new-privileges:true'])
})

/** What the chart makes of its default values, and of others, by kind. */
const renderings = ['examples/operating/kubernetes.yaml', 'charts/lotkeeper/ci/all-rendered.yaml']
function documentsOf(file: string) {
  const documents = parseAllDocuments(textOf(file))
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  return Object.fromEntries(documents.map((one) => one.toJS()).map((one) => [one.kind, one]))
}

test.each(renderings)('Kubernetes runs pods without rights, whose parts name each other: %s', (file) => {
  const { Deployment: deployment, Service: service, PodDisruptionBudget: budget, ...others } = documentsOf(file)
  const { template, selector, replicas } = deployment.spec
  const pod = template.spec
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  expect(pod.automountServiceAccountToken).toBe(false)
  const [container] = pod.containers
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  const selected = [service.spec.selector, budget.spec.selector.matchLabels]
  if (others.NetworkPolicy) selected.push(others.NetworkPolicy.spec.podSelector.matchLabels)
  if (others.PodMonitor) selected.push(others.PodMonitor.spec.selector.matchLabels)
  for (const one of selected) expect(one).toEqual(selector.matchLabels)
  expect(template.metadata.labels).toMatchObject(selector.matchLabels)
  expect(budget.spec.maxUnavailable).toBeLessThan(replicas)
  const ports = Object.fromEntries(
    container.ports.map((one: { name: string; containerPort: number }) => [one.name, one.containerPort]),
  )
  const value = (name: string) => container.env.find((one: { name: string }) => one.name === name)?.value
  expect(textOf('Dockerfile')).toContain(`PORT=${ports.http}`)
  expect(value('METRICS_PORT')).toBe(String(ports.metrics))
  // Scraped by one of two: not twice.
  expect(template.metadata.annotations['prometheus.io/port']).toBe(others.PodMonitor ? undefined : `${ports.metrics}`)
  expect(ports).toHaveProperty(service.spec.ports[0].targetPort)
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    expect(ports).toHaveProperty(container[probe].httpGet.port)
    expect(textOf('src/http/server.ts')).toContain(container[probe].httpGet.path)
  }
  const [key] = pod.volumes
  const [mount] = container.volumeMounts
  expect([mount.name, `${mount.mountPath}/${key.secret.items[0].path}`]).toEqual([key.name, value('SIGNING_KEY_FILE')])
  expect(container.env[0].valueFrom.secretKeyRef.name).toBe(key.secret.secretName)
  // What the page says to put into the secret.
  const page = textOf('docs/kubernetes.md')
  expect(page).toContain(` --from-file=${key.secret.items[0].key}`)
  expect(page).toContain(`--from-literal=${container.env[0].valueFrom.secretKeyRef.key}=`)
})

test('the chart makes the secret of the page its default, and refuses variables that it sets itself', () => {
  const { secret } = parse(textOf('charts/lotkeeper/values.yaml'))
  expect(textOf('docs/kubernetes.md')).toContain(`secret generic ${secret} `)
  const { properties } = JSON.parse(textOf('charts/lotkeeper/values.schema.json'))
  const [container] = documentsOf('examples/operating/kubernetes.yaml').Deployment.spec.template.spec.containers
  const set = container.env.map(({ name }: { name: string }) => name)
  expect(properties.env.propertyNames.not.enum).toEqual(expect.arrayContaining(set))
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
test.skipIf(!hasSystemd)('systemd has nothing to say about the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-unit-'))
  // With a user, a folder and a program that are on every machine.
  const unit = textOf('examples/operating/lotkeeper.service')
    .replace('User=lotkeeper', 'User=daemon')
    .replace('/opt/lotkeeper', '/tmp')
    .replace('/usr/bin/node', process.execPath)
  writeFileSync(join(folder, 'lotkeeper.service'), unit)
  const { stdout, stderr, status } = spawnSync('systemd-analyze', ['verify', join(folder, 'lotkeeper.service')], {
    encoding: 'utf8',
  })
  expect([stdout, stderr, status]).toEqual(['', '', 0])
  rmSync(folder, { recursive: true })
})
