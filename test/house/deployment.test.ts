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

test('Kubernetes runs pods without rights, whose parts name each other', () => {
  const documents = parseAllDocuments(textOf('examples/operating/kubernetes.yaml'))
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  const [deployment, service, budget] = documents.map((one) => one.toJS())
  const { template, selector, replicas } = deployment.spec
  const pod = template.spec
  expect([deployment.kind, service.kind, budget.kind]).toEqual(['Deployment', 'Service', 'PodDisruptionBudget'])
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  expect(pod.automountServiceAccountToken).toBe(false)
  const [container] = pod.containers
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  const labels = [selector.matchLabels, template.metadata.labels, service.spec.selector]
  for (const one of [...labels, budget.spec.selector.matchLabels]) expect(one).toEqual(deployment.metadata.labels)
  expect(budget.spec.minAvailable).toBeLessThan(replicas)
  const ports = Object.fromEntries(
    container.ports.map((one: { name: string; containerPort: number }) => [one.name, one.containerPort]),
  )
  const value = (name: string) => container.env.find((one: { name: string }) => one.name === name)?.value
  expect(textOf('Dockerfile')).toContain(`PORT=${ports.http}`)
  expect(value('METRICS_PORT')).toBe(String(ports.metrics))
  expect(template.metadata.annotations['prometheus.io/port']).toBe(String(ports.metrics))
  expect(ports).toHaveProperty(service.spec.ports[0].targetPort)
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    expect(ports).toHaveProperty(container[probe].httpGet.port)
    expect(textOf('src/http/server.ts')).toContain(container[probe].httpGet.path)
  }
  const [key] = pod.volumes
  const [mount] = container.volumeMounts
  expect([mount.name, `${mount.mountPath}/${key.secret.items[0].path}`]).toEqual([key.name, value('SIGNING_KEY_FILE')])
  // What the page says to put into the secret.
  const page = textOf('docs/kubernetes.md')
  expect(page).toContain(`secret generic ${key.secret.secretName} --from-file=${key.secret.items[0].key}`)
  expect(page).toContain(`--from-literal=${container.env[0].valueFrom.secretKeyRef.key}=`)
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
