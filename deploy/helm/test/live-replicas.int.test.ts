import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testEnvironment } from '@lintel/testkit';
import { CHART, HELM_FOLDER, KUBERNETES, objectsOf, renderChart } from './chart.ts';

const helm = testEnvironment('LINTEL_TEST_HELM_PROGRAM');
const run = promisify(execFile);
const AUTOSCALED = ['--set', 'data.autoscaling.enabled=true', '--set', 'reportsWorkers.autoscaling.keda.enabled=true'];

const replicasOf = (text: string) =>
  Object.fromEntries(
    objectsOf(text)
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ metadata, spec }) => [metadata.name, spec.replicas]),
  );

/** What the API of Kubernetes returns for a path: as much as Helm reads for `lookup`. */
function resourceAt(path: string, replicas: Readonly<Record<string, number>>): object | undefined {
  const list = (groupVersion: string, name: string, kind: string) => ({
    kind: 'APIResourceList',
    groupVersion,
    resources: [{ name, kind, singularName: '', namespaced: true, verbs: ['get'] }],
  });
  const version = { groupVersion: 'apps/v1', version: 'v1' };
  const known: Readonly<Record<string, object>> = {
    '/version': { major: '1', minor: '34', gitVersion: 'v1.34.0' },
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', groups: [{ name: 'apps', versions: [version], preferredVersion: version }] },
    '/api/v1': list('v1', 'secrets', 'Secret'),
    '/apis/apps/v1': list('apps/v1', 'deployments', 'Deployment'),
  };
  const [, name = ''] = /^\/apis\/apps\/v1\/namespaces\/lintel\/deployments\/([\w-]+)$/.exec(path) ?? [];
  const count = replicas[name];
  if (count === undefined) return known[path];
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { replicas: count } };
}

/** Renders the chart with a cluster in which Deployments have replicas. */
async function renderInCluster(replicas: Readonly<Record<string, number>>): Promise<string> {
  const server = createServer((request, response) => {
    const found = resourceAt((request.url ?? '').replace(/\?.*/, ''), replicas);
    const body = found ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'lintel-live-'));
  const values = join(HELM_FOLDER, 'values', 'minimal.yaml');
  const cluster = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const config = {
    clusters: [{ name: 'test', cluster }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
    users: [{ name: 'test', user: {} }],
  };
  try {
    const file = join(folder, 'config');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }), { mode: 0o600 });
    const parameters = [
      'template',
      'lintel',
      CHART,
      '--namespace',
      'lintel',
      ...KUBERNETES,
      '--values',
      values,
      ...AUTOSCALED,
    ];
    const { stdout } = await run(helm, [...parameters, '--dry-run=server', '--kubeconfig', file], {
      env: { ...process.env, HELM_CACHE_HOME: folder, HOME: folder },
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
}

test('a service that gets an autoscaler keeps the replicas that run', async () => {
  const text = await renderInCluster({ 'lintel-data': 7, 'lintel-reports-workers': 0, 'lintel-auth': 9 });
  // Auth has no autoscaler: its values decide.
  expect(replicasOf(text)).toMatchObject({ 'lintel-data': 7, 'lintel-reports-workers': 0, 'lintel-auth': 2 });
});

test('without a Deployment or a cluster, a service with an autoscaler has no number of replicas', async () => {
  const texts = [await renderInCluster({}), await renderChart(helm, 'minimal', AUTOSCALED)];
  for (const text of texts)
    expect(replicasOf(text)).toMatchObject({ 'lintel-data': undefined, 'lintel-reports-workers': undefined });
});
