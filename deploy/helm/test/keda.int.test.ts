import { randomUUID } from 'node:crypto';
import { runMigrations } from '@lintel/schema';
import { METRICS } from '@lintel/telemetry';
import { createTestDatabase, testEnvironment } from '@lintel/testkit';
import { type KubernetesObject, objectsOf, renderChart } from './chart.ts';

const helm = testEnvironment('LINTEL_TEST_HELM_PROGRAM');

let objects: readonly KubernetesObject[];
beforeAll(async () => {
  objects = objectsOf(await renderChart(helm, 'keda'));
});

const namesOf = (kind: string) => objects.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name);
const specOf = (kind: string, name: string) =>
  objects.find((each) => each.kind === kind && each.metadata.name === name)?.spec;

test('each service has one autoscaler at the most, which alone says how many replicas there are', () => {
  expect(namesOf('ScaledObject')).toEqual(['lintel-data-workers', 'lintel-files', 'lintel-reports-workers']);
  expect(namesOf('HorizontalPodAutoscaler')).toEqual(['lintel-data']);
  for (const name of namesOf('ScaledObject')) {
    expect(specOf('ScaledObject', name).scaleTargetRef).toMatchObject({ kind: 'Deployment', name });
    expect(specOf('Deployment', name)).toBeDefined();
    expect(specOf('Deployment', name).replicas).toBeUndefined();
  }
});

test('replicas go as slowly as with the autoscaler of Kubernetes', () => {
  const { behavior } = specOf('HorizontalPodAutoscaler', 'lintel-data');
  for (const name of namesOf('ScaledObject'))
    expect(specOf('ScaledObject', name).advanced.horizontalPodAutoscalerConfig).toEqual({ behavior });
});

test('files go by processor and connections, of their own pods', () => {
  const [cpu, connections] = specOf('ScaledObject', 'lintel-files').triggers;
  expect(cpu).toEqual({ type: 'cpu', metricType: 'Utilization', metadata: { value: '70' } });
  expect(connections.metadata).toEqual({
    serverAddress: 'http://prometheus.monitoring:9090',
    query: 'sum(lintel_http_connections{namespace="lintel",pod=~"lintel-files-.+"})',
    threshold: '200',
  });
  expect(METRICS['lintel.http.connections'].type).toBe('gauge');
});

test('workers go by the runs that have not ended, down to none', async () => {
  const { minReplicaCount, triggers } = specOf('ScaledObject', 'lintel-reports-workers');
  expect([minReplicaCount, triggers.length]).toEqual([0, 1]);
  const server = await createTestDatabase('keda');
  try {
    await runMigrations({ url: server.url, migrations: [] });
    const count = async () => Object.values((await server.query(triggers[0].metadata.query))[0] ?? {}).map(Number);
    expect(await count()).toEqual([0]);
    for (const status of ['QUEUED', 'QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'])
      await server.query(
        `INSERT INTO report_run.run (id, username, report_id, report_name, request, locale, session_id, status)
         VALUES ('${randomUUID()}', 'anna', '${randomUUID()}', 'Sales', '{}', 'en', 'session', '${status}')`,
      );
    expect(await count()).toEqual([3]);
  } finally {
    await server.drop();
  }
});

test('workers of jobs go by processor and the runs that are due, down to the one that keeps the schedules', async () => {
  const { minReplicaCount, triggers } = specOf('ScaledObject', 'lintel-data-workers');
  expect([minReplicaCount, triggers.map(({ type }: { readonly type: string }) => type)]).toEqual([
    1,
    ['cpu', 'postgresql'],
  ]);
  const server = await createTestDatabase('keda-jobs');
  try {
    await runMigrations({ url: server.url, migrations: [] });
    await server.query(`SELECT job.create_queue('a', '{"policy": "standard"}')`);
    await server.query(
      `INSERT INTO job.job (name, state, start_after, blocked)
       SELECT 'a', state, now() + wait * interval '1 hour', blocked
       FROM unnest(enum_range(NULL::job.job_state)) state, generate_series(-1, 1) wait, (VALUES (true), (false)) b (blocked)`,
    );
    const [row = {}] = await server.query(triggers[1].metadata.query);
    expect(Object.values(row).map(Number)).toEqual([6]);
  } finally {
    await server.drop();
  }
});

test('KEDA looks with the login of the workers, which is no part of the ScaledObject', async () => {
  const name = specOf('ScaledObject', 'lintel-reports-workers').triggers[0].authenticationRef.name;
  const secretOf = (of: readonly KubernetesObject[]) =>
    of.find((each) => each.kind === 'TriggerAuthentication' && each.metadata.name === name)?.spec.secretTargetRef;
  expect(secretOf(objects)).toEqual([{ parameter: 'connection', name: 'lintel-database-logins', key: 'reports' }]);
  const shared = await renderChart(helm, 'keda', ['--set', 'secrets.reportsDatabaseUrl.existingSecret=']);
  expect(secretOf(objectsOf(shared))).toEqual([
    { parameter: 'connection', name: 'lintel-secrets', key: 'database-url' },
  ]);
});

test.each([
  ['both autoscalers for files', ['files.autoscaling.enabled=true'], 'files/autoscaling'],
  ['both autoscalers for workers', ['reportsWorkers.autoscaling.enabled=true'], 'reportsWorkers/autoscaling'],
  ['no replica without KEDA', ['reportsWorkers.autoscaling.keda.enabled=false'], 'reportsWorkers/autoscaling'],
  ['no replica that keeps the schedules', ['dataWorkers.autoscaling.minReplicas=0'], 'dataWorkers/autoscaling'],
  ['no replica of files', ['files.autoscaling.minReplicas=0'], 'files/autoscaling/minReplicas'],
  ['connections without a Prometheus', ['metrics.prometheusUrl='], 'metrics.prometheusUrl: where KEDA asks'],
  ['a service that KEDA knows nothing of', ['data.autoscaling.keda.enabled=true'], 'data/autoscaling'],
])('%s is refused', async (_case, values, named) => {
  await expect(renderChart(helm, 'keda', ['--set', values.join(',')])).rejects.toThrow(named);
});
