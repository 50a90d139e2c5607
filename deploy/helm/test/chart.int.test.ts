import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testEnvironment } from '@lintel/testkit';
import {
  CHART,
  CHART_VERSION,
  HELM_FOLDER,
  lintChart,
  objectsOf,
  renderChart,
  renderValues,
  schemaProblems,
  snapshotOf,
  VALUE_SETS,
} from './chart.ts';

const helm = testEnvironment('LINTEL_TEST_HELM_PROGRAM');
const kubeconform = testEnvironment('LINTEL_TEST_KUBECONFORM_PROGRAM');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-chart-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const problemsOf = (text: string) => schemaProblems(kubeconform, text);

describe.each(VALUE_SETS)('the chart with the values %s', (set) => {
  test('is good by the rules of Helm', async () => {
    expect(await lintChart(helm, set)).toContain('0 chart(s) failed');
  });

  test('makes objects that the schemas of Kubernetes know', async () => {
    const text = await renderChart(helm, set);
    expect(objectsOf(text).length).toBeGreaterThan(20);
    expect(await problemsOf(text)).toEqual([]);
  });

  test('is what the snapshot shows', async () => {
    const isCurrent = (await renderChart(helm, set)) === readFileSync(snapshotOf(set), 'utf8');
    const remedy =
      'run "node --conditions=lintel-source deploy/helm/test/render-snapshots.mjs" and read what it changes';
    expect(isCurrent ? 'current' : remedy).toBe('current');
  });
});

test('without values the chart is good by the rules of Helm, and cannot be installed', async () => {
  const printed = await lintChart(helm);
  expect(printed).toContain('0 chart(s) failed');
  expect(printed).not.toMatch(/icon|\[WARNING\]|\[ERROR\]/);
  const empty = join(folder, 'empty.yaml');
  writeFileSync(empty, '{}');
  await expect(renderValues(helm, empty)).rejects.toThrow(
    'publicUrl: the address that clients use, https://api.example.com',
  );
});

test('the icon is the file of the repository', () => {
  const [, icon = ''] =
    /^icon: data:image\/svg\+xml;base64,(\S+)$/m.exec(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) ?? [];
  expect(Buffer.from(icon, 'base64').toString()).toBe(readFileSync(join(HELM_FOLDER, 'icon.svg'), 'utf8'));
});

test('an object with a member that Kubernetes does not know is found', async () => {
  const text = (await renderChart(helm, 'minimal')).replaceAll('revisionHistoryLimit', 'revisionsLimit');
  expect(await problemsOf(text)).toContainEqual(expect.stringContaining("'revisionsLimit' not allowed"));
});

describe('values that are refused', () => {
  const render = (...more: readonly string[]) => renderChart(helm, 'minimal', more);

  test.each([
    ['a value that the chart does not know', 'gatway.replicas=3', 'gatway'],
    ['a value of a service that it does not know', 'gateway.replica=3', 'replica'],
    ['a wrong type', 'data.replicas=many', 'data/replicas'],
    ['a choice that is none', 'antiAffinity=always', 'antiAffinity'],
    ['an address without scheme', 'publicUrl=api.example.com', 'publicUrl'],
    ['a secret among the properties', 'config.svc\\.datasource\\.url=postgres://x', 'svc.datasource.url'],
    [
      'a secret of a client among the properties',
      'auth.config.svc\\.authserver\\.client\\.a\\.client-secret=x',
      'config: svc.authserver.client.a.client-secret is a secret: name it, with the Secret that has its value, in secretProperties',
    ],
    ['a port that the chart decides', 'data.config.svc\\.data\\.port=1', 'svc.data.port'],
    ['a sentinel without a port', 'redis.sentinel.nodes={redis-1}', 'redis/sentinel/nodes'],
    ['sentinels without the name of the primary', 'redis.sentinel.nodes={a:1}', 'master and nodes belong together'],
    ['a name without sentinels', 'redis.sentinel.master=lintel', 'master and nodes belong together'],
    [
      'sentinels and a cluster',
      'redis.sentinel.master=m,redis.sentinel.nodes={a:1},redis.cluster.nodes={b:2}',
      'keep one',
    ],
    ['a URL and a cluster', 'secrets.redisUrl.value=redis://a,redis.cluster.nodes={b:2}', 'keep one'],
    ['a database of a cluster', 'redis.cluster.nodes={b:2},redis.database=1', 'has the database 0 only'],
    ['a route that no Gateway accepts', 'httpRoute.enabled=true', 'httpRoute.parentRefs: names of the Gateways'],
    ['a member of a route that it does not know', 'httpRoute.parentRef=public', 'parentRef'],
    ['no port of a backend', 'networkPolicy.redis.ports=null', 'ports'],
  ])('%s', async (_case, value, named) => {
    await expect(render('--set', value)).rejects.toThrow(named);
  });

  test('no address, no bucket, no secret', async () => {
    await expect(render('--set', 'publicUrl=')).rejects.toThrow('publicUrl: the address that clients use');
    await expect(render('--set', 'storage.endpointUrl=')).rejects.toThrow(
      'storage.endpointUrl: address of the S3 server',
    );
    await expect(render('--set', 'secrets.existingSecret=')).rejects.toThrow(
      'secrets.databaseUrl (svc.datasource.url) has neither value nor existingSecret',
    );
  });

  test('every secret property is refused among the properties', async () => {
    const page = readFileSync(join(HELM_FOLDER, '../../docs/reference/config.md'), 'utf8');
    const secrets = [...page.matchAll(/^\| `(svc\.[^`]+)` .*\*\(secret\)\*/gm)].map(([, name = '']) => name);
    expect(secrets.length).toBeGreaterThan(8);
    for (const name of secrets) {
      const key = name.replace('<name>', 'x').replaceAll('.', '\\.');
      await expect(render('--set-string', `config.${key}=x`)).rejects.toThrow(/config/);
    }
  });
});

test('the values of the guide are good', async () => {
  const guide = readFileSync(join(HELM_FOLDER, '../../docs/guide/kubernetes.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = '']) => block);
  const [installed = '', ...others] = blocks.filter((block) => !block.startsWith('rules:'));
  expect(installed).toContain('publicUrl');
  for (const [index, block] of [installed, ...others].entries()) {
    const file = join(folder, `guide-${index}.yaml`);
    writeFileSync(file, block);
    expect(await problemsOf(await renderChart(helm, 'minimal', ['--values', file]))).toEqual([]);
  }
});

test('the notes say where it is, and what is left to do', async () => {
  const chart = join(folder, 'chart');
  cpSync(CHART, chart, { recursive: true });
  // Helm shows the notes of an installation only.
  const notes = '{{ include (print $.Template.BasePath "/NOTES.txt") . | nindent 4 }}';
  writeFileSync(
    join(chart, 'templates', 'shown-notes.yaml'),
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: notes }\ndata:\n  notes: |\n    ${notes}\n`,
  );
  const notesOf = async (set: string, ...more: readonly string[]) =>
    objectsOf(await renderChart(helm, set, more, chart)).find(({ metadata }) => metadata.name === 'notes')?.data?.[
      'notes'
    ];
  const small = await notesOf('small', '--set', 'migrations.by=nobody');
  expect(small).toContain(`Lintel ${CHART_VERSION} for http://demo.example.com`);
  expect(small).toContain('kubectl --namespace lintel port-forward service/demo-gateway 8080:80');
  expect(small).toContain('The Secret demo opens the signing keys');
  expect(small).toContain('The chart does not migrate the database');
  expect(await notesOf('production')).not.toMatch(/port-forward|does not migrate|opens the signing keys/);
});

test('dashboards are in ConfigMaps that Grafana finds, where they are asked for', async () => {
  const dashboardsOf = async (set: string) =>
    objectsOf(await renderChart(helm, set)).filter(({ metadata }) => metadata.labels['grafana_dashboard'] === '1');
  expect(await dashboardsOf('minimal')).toEqual([]);
  const files = readdirSync(join(CHART, 'dashboards'));
  const maps = await dashboardsOf('production');
  expect(maps.flatMap(({ data }) => Object.keys(data ?? {})).sort()).toEqual(files.sort());
  for (const [name, text] of maps.flatMap(({ data }) => Object.entries(data ?? {})))
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(join(CHART, 'dashboards', name), 'utf8')));
});

test('secrets that are given nowhere are made, and long', async () => {
  const text = await renderChart(helm, 'small', [
    ...['--set', 'secrets.internalSecret.value='],
    ...['--set', 'secrets.keyEncryptionSecret.value='],
  ]);
  const secret = objectsOf(text).find(({ kind }) => kind === 'Secret');
  for (const key of ['internal-secret', 'key-encryption-secret'])
    expect(Buffer.from(secret?.data?.[key] ?? '', 'base64').toString()).toMatch(/^[A-Za-z0-9]{48}$/);
  expect(secret?.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
});
