import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { testEnvironment } from '@lintel/testkit';
import { parse } from 'yaml';
import { type KubernetesObject, objectsOf, renderValues, schemaProblems } from '../../helm/test/chart.ts';
import { settingsOfPod } from '../../helm/test/pod-settings.ts';
import { build, KUSTOMIZE_FOLDER, renderBase } from './kustomize.ts';

const run = promisify(execFile);
const kustomize = testEnvironment('LINTEL_TEST_KUSTOMIZE_PROGRAM');
const COMPONENT = 'app.kubernetes.io/component';
const OVERLAYS = ['development', 'production'] as const;

/** A repository with nothing but the folder, in which the commands of the guide are run. */
let repository: string;
const overlay = (name: string) => join(repository, 'deploy', 'kustomize', 'overlays', name);
beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'lintel-kustomize-'));
  cpSync(KUSTOMIZE_FOLDER, join(repository, 'deploy', 'kustomize'), {
    recursive: true,
    filter: (path) => !path.endsWith('secrets.env'),
  });
  cpSync(join(overlay('development'), 'secrets.env.example'), join(overlay('development'), 'secrets.env'));
});
afterAll(() => rmSync(repository, { recursive: true }));

const componentOf = ({ metadata }: KubernetesObject) => metadata.labels?.[COMPONENT] ?? '';
const namesOf = (objects: readonly KubernetesObject[], kind: string) =>
  objects.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name);

/** The ConfigMaps and Secrets that a pod cannot start without. */
// biome-ignore lint/suspicious/noExplicitAny: an object of Kubernetes
function* namesReadBy({ containers, volumes }: any): Generator<string> {
  for (const { envFrom } of containers) for (const { configMapRef } of envFrom) yield configMapRef.name;
  for (const { configMap, projected } of volumes) {
    if (configMap !== undefined) yield configMap.name;
    for (const { secret } of projected?.sources ?? []) yield secret.name;
  }
}

test('the base is what the chart renders', async () => {
  const files = await renderBase(testEnvironment('LINTEL_TEST_HELM_PROGRAM'));
  const stale = [...files].filter(([path, text]) => readFileSync(join(KUSTOMIZE_FOLDER, path), 'utf8') !== text);
  const remedy = 'run "node --conditions=lintel-source deploy/kustomize/test/render-base.mjs" and read what it changes';
  expect(stale.length === 0 ? 'current' : remedy).toBe('current');
  const there = readdirSync(join(KUSTOMIZE_FOLDER, 'base'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'kustomization.yaml')
    .map((entry) => join(entry.parentPath, entry.name).slice(KUSTOMIZE_FOLDER.length));
  expect(there.sort()).toEqual([...files.keys()].filter((path) => path.startsWith('base/')).sort());
  for (const [path, text] of files) expect([path, text]).toEqual([path, expect.not.stringMatching(/helm\.sh|Source:/)]);
});

describe.each(OVERLAYS)('the overlay %s', (name) => {
  let text: string;
  let objects: readonly KubernetesObject[];
  beforeAll(async () => {
    text = await build(kustomize, overlay(name));
    objects = objectsOf(text);
  });

  test('makes objects that the schemas of Kubernetes know', async () => {
    expect(objects.length).toBeGreaterThan(35);
    expect(await schemaProblems(testEnvironment('LINTEL_TEST_KUBECONFORM_PROGRAM'), text)).toEqual([]);
  });

  test('gives each service all its settings: known names, good values, no secret that is missing', () => {
    const deployments = objects.filter(({ kind }) => kind === 'Deployment');
    expect(deployments).toHaveLength(6);
    const issuer = name === 'production' ? 'https://api.example.com' : 'http://localhost:8080';
    for (const deployment of deployments) {
      const { config } = settingsOfPod(deployment, objects, join(repository, name));
      expect(config.platform.issuer).toBe(issuer);
      const { delayMs, drainMs } = config.platform.shutdown;
      expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBe((delayMs + drainMs) / 1000 + 10);
    }
  });

  test('has everything in one namespace, and nothing that is referred to is missing', () => {
    for (const { metadata } of objects) expect(metadata).toMatchObject({ namespace: 'lintel' });
    const there = new Set([...namesOf(objects, 'ConfigMap'), ...namesOf(objects, 'Secret')]);
    if (name === 'production') there.add('lintel-secrets');
    const pods = objects
      .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
      .map(({ spec }) => spec.template.spec);
    expect(pods).toHaveLength(7);
    for (const pod of pods) expect([...there]).toEqual(expect.arrayContaining([...namesReadBy(pod)]));
    const accounts = namesOf(objects, 'ServiceAccount');
    for (const pod of pods) expect(accounts).toContain(pod.serviceAccountName);
  });

  test('has one version of all images', () => {
    const images = [...text.matchAll(/^ +image: (\S+)$/gm)].map(([, image = '']) => image);
    const expected = name === 'production' ? /^registry\.example\.com\/team\/lintel-\w+:1\.0$/ : /^lintel-\w+:local$/;
    expect(images).toHaveLength(7);
    for (const image of images) expect(image).toMatch(expected);
  });

  test('has its replicas', () => {
    const replicas = Object.fromEntries(
      objects.filter(({ kind }) => kind === 'Deployment').map((each) => [componentOf(each), each.spec.replicas]),
    );
    const scaled = objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler').map(componentOf);
    if (name === 'development') {
      expect(scaled).toEqual([]);
      expect(Object.values(replicas)).toEqual([1, 1, 1, 1, 1, 1]);
    } else {
      expect(scaled.sort()).toEqual(['auth', 'data', 'files', 'gateway', 'reports']);
      for (const component of scaled) expect([component, replicas[component]]).toEqual([component, undefined]);
      expect(replicas['reports-workers']).toBe(2);
    }
    expect(namesOf(objects, 'PodDisruptionBudget')).toHaveLength(6);
  });

  test('has all that the migrations need among what is applied first, and nothing that serves', () => {
    const [, list = ''] = /in \(([^)]*)\)/.exec(guide) ?? [];
    const first = objects.filter((each) => list.split(', ').includes(componentOf(each)));
    expect(first.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'Job',
      'NetworkPolicy',
      ...(name === 'development' ? ['Secret'] : []),
      'ServiceAccount',
    ]);
    const job = first.find(({ kind }) => kind === 'Job');
    expect(job?.metadata).toMatchObject({ name: 'lintel-migrations' });
    expect(job?.metadata.annotations).toBeUndefined();
    const [container] = job?.spec.template.spec.containers ?? [];
    expect(namesOf(first, 'ConfigMap')).toEqual([container.envFrom[0].configMapRef.name]);
    const [source] = job?.spec.template.spec.volumes[0].projected.sources ?? [];
    expect(source.secret.name).toBe(namesOf(first, 'Secret')[0] ?? 'lintel-secrets');
  });
});

test('with the component of the workers, the replicas of data leave the jobs to them', async () => {
  const folder = overlay('with-workers');
  cpSync(overlay('development'), folder, { recursive: true });
  appendFileSync(join(folder, 'kustomization.yaml'), '\ncomponents: [../../components/workers]\n');
  const text = await build(kustomize, folder);
  expect(await schemaProblems(testEnvironment('LINTEL_TEST_KUBECONFORM_PROGRAM'), text)).toEqual([]);
  const objects = objectsOf(text);
  const runsJobs = objects
    .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name.startsWith('lintel-data'))
    .map((each) => [each.metadata.name, settingsOfPod(each, objects, folder).config.runsJobs]);
  expect(Object.fromEntries(runsJobs)).toEqual({ 'lintel-data': false, 'lintel-data-workers': true });
  expect(namesOf(objects, 'ServiceAccount')).toContain('lintel-data-workers');
  expect(text.match(/image: lintel-data:local$/gm)).toHaveLength(3);
});

test.each([
  ['mail', 'config.svc\\.mail\\.smtp-host=mail.example.com'],
  ['remote-documents', 'config.svc\\.reports\\.remote-allowed-hosts=images.example.com'],
  ['telemetry', 'telemetry.endpoint=http://collector:4318'],
  ['webhooks', 'config.svc\\.webhooks\\.enabled=true'],
])('the component %s opens what the chart opens with the setting %s', async (name, setting) => {
  const folder = overlay(`with-${name}`);
  cpSync(overlay('development'), folder, { recursive: true });
  appendFileSync(join(folder, 'kustomization.yaml'), `\ncomponents: [../../components/${name}]\n`);
  const text = await build(kustomize, folder);
  expect(await schemaProblems(testEnvironment('LINTEL_TEST_KUBECONFORM_PROGRAM'), text)).toEqual([]);
  const { podSelector, policyTypes, egress } =
    objectsOf(text).find(({ metadata }) => metadata.name === `lintel-${name}`)?.spec ?? {};
  const helm = testEnvironment('LINTEL_TEST_HELM_PROGRAM');
  const values = join(KUSTOMIZE_FOLDER, 'values.yaml');
  const opening = objectsOf(await renderValues(helm, values, ['--set-string', setting])).filter(
    ({ kind, spec }) =>
      kind === 'NetworkPolicy' && spec.egress?.some((rule: unknown) => isDeepStrictEqual(rule, egress[0])),
  );
  expect(podSelector.matchExpressions).toEqual([{ key: COMPONENT, operator: 'In', values: opening.map(componentOf) }]);
  expect([podSelector.matchLabels, policyTypes, egress.length]).toEqual([
    { 'app.kubernetes.io/name': 'lintel', 'app.kubernetes.io/instance': 'lintel' },
    ['Egress'],
    1,
  ]);
});

test('another setting is another pod of all services, another property one of its own service', async () => {
  const base = await renderedDeployments();
  const settings = await renderedDeployments('base/settings.env', 'SVC_LOG_LEVEL=info', 'SVC_LOG_LEVEL=warn');
  const property = await renderedDeployments('base/config/data.properties', 'migrate=false', 'migrate=true');
  const changed = (after: ReadonlyMap<string, string>) =>
    [...after.keys()].filter((key) => after.get(key) !== base.get(key));
  expect(changed(settings)).toHaveLength(6);
  expect(changed(property)).toEqual(['lintel-data']);
});

const guide = readFileSync(join(KUSTOMIZE_FOLDER, '../../docs/guide/kubernetes.md'), 'utf8')
  .split('\n## Kustomize\n')[1]
  ?.split('\n## ')[0] as string;

test('the commands of the guide do what they say', async () => {
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(3);
  for (const block of blocks) {
    // There is no cluster: what kubectl would get is made; its parameters are checked above.
    const lines = block
      .replaceAll('kustomize ', `${kustomize} `)
      .split('\n')
      .filter((line) => !line.startsWith('kubectl'));
    const script = lines.map((line) => line.replace(/ \| kubectl.*/, ' > /dev/null')).join('\n');
    await run('sh', ['-euc', script], { cwd: repository });
  }
  const { images, replicas } = parse(readFileSync(join(overlay('production'), 'kustomization.yaml'), 'utf8'));
  expect(images).toContainEqual({
    name: 'lintel-data',
    newName: 'registry.example.com/team/lintel-data',
    newTag: '1.1',
  });
  expect(replicas).toContainEqual({ name: 'lintel-reports-workers', count: 4 });
});

/** The pods of the base by their names, with a file of it changed. */
async function renderedDeployments(path?: string, before = '', after = ''): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(repository, 'base-'));
  cpSync(join(KUSTOMIZE_FOLDER, 'base'), folder, { recursive: true });
  if (path !== undefined) {
    const file = join(folder, path.replace('base/', ''));
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(before);
    writeFileSync(file, text.replace(before, after));
  }
  const deployments = objectsOf(await build(kustomize, folder)).filter(({ kind }) => kind === 'Deployment');
  return new Map(deployments.map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec.template)]));
}
