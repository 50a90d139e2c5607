import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testEnvironment } from '@lintel/testkit';
import { CHART_VERSION, type KubernetesObject, objectsOf, renderChart, VALUE_SETS } from './chart.ts';
import { settingsOfPod } from './pod-settings.ts';

const helm = testEnvironment('LINTEL_TEST_HELM_PROGRAM');
const COMPONENT = 'app.kubernetes.io/component';

interface Variable {
  readonly name: string;
  readonly value: string;
}

interface Named {
  readonly metric: { readonly name: string };
}

let folder: string;
let objects: readonly KubernetesObject[];
const named = (kind: string, name: string): KubernetesObject => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
const componentOf = (object: KubernetesObject): string => object.metadata.labels[COMPONENT] ?? '';
const workloads = () => [...ofKind('Deployment'), ...ofKind('Job')];
const containerOf = (workload: KubernetesObject) => workload.spec.template.spec.containers[0];
const variablesOf = (workload: KubernetesObject): readonly Variable[] => containerOf(workload).env;

const settingsOf = (deployment: KubernetesObject) => settingsOfPod(deployment, objects, folder);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-workloads-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(VALUE_SETS)('what runs with the values %s', (set) => {
  beforeAll(async () => {
    objects = objectsOf(await renderChart(helm, set));
  });

  test('each service reads all its settings: known names, good values, no secret that is missing', () => {
    expect(ofKind('Deployment').length).toBeGreaterThanOrEqual(5);
    for (const deployment of ofKind('Deployment')) expect(() => settingsOf(deployment)).not.toThrow();
  });

  test('each secret is a file of the pod, and no variable has one', () => {
    for (const deployment of ofKind('Deployment')) {
      const { environment, secrets } = settingsOf(deployment);
      const files = Object.entries(environment).filter(
        ([name]) => /^SVC_.*_FILE$/.test(name) && name !== 'SVC_CONFIG_FILE',
      );
      expect(files.map(([, path]) => path.split('/').at(-1)).sort()).toEqual([...secrets].sort());
      for (const [, path] of files) expect(existsSync(path)).toBe(true);
    }
    const secretNames = /PASSWORD|SECRET|TOKEN|ACCESS_KEY|DATASOURCE_URL|REDIS_URL|BROKER_URLS/;
    for (const workload of workloads())
      for (const { name, value } of variablesOf(workload)) {
        if (secretNames.test(name))
          expect([name, value]).toEqual([expect.stringMatching(/_FILE$/), expect.stringMatching(/^\//)]);
        expect(value).not.toMatch(/:\/\/[^/]*:[^/]*@/);
      }
    for (const { data } of ofKind('ConfigMap'))
      expect(Object.values(data ?? {}).join()).not.toMatch(/:\/\/[^/]*:[^/]*@|an-example/);
  });

  test('addresses of services lead to Services, and these to ports that containers listen on', () => {
    const addresses = ofKind('ConfigMap')
      .flatMap(({ data }) => [...(data?.['application.properties'] ?? '').matchAll(/http:\/\/([\w-]+):(\d+)/g)])
      .filter(([, host = '']) =>
        objects.some(({ metadata }) => host.startsWith(`${metadata.name}-`) || host === metadata.name),
      );
    expect(addresses.length).toBeGreaterThan(15);
    for (const [, host = '', port] of addresses) {
      const { spec } = named('Service', host);
      const exposed = spec.ports.find((each: { port: number }) => each.port === Number(port));
      const deployment = ofKind('Deployment').find((each) => componentOf(each) === spec.selector[COMPONENT]);
      if (deployment === undefined) throw new Error(`${host} selects nothing`);
      const listener = containerOf(deployment).ports.find((each: { name: string }) => each.name === exposed.targetPort);
      expect([host, listener.containerPort]).toEqual([host, Number(port)]);
      const { config } = settingsOf(deployment);
      expect([config.port, config.internalPort]).toContain(listener.containerPort);
    }
  });

  test('the gateway gets the addresses of replicas, the others one address', () => {
    const gateway = named('ConfigMap', `${prefix()}-gateway`).data?.['application.properties'] ?? '';
    for (const service of ['auth', 'data', 'files', 'reports']) {
      expect(gateway).toContain(`svc.gateway.${service}-url=http://${prefix()}-${service}:`);
      expect(named('Service', `${prefix()}-${service}`).spec.clusterIP).toBe('None');
      // Known to DNS before a replica is ready.
      expect(gateway).toContain('svc.gateway.fallback-host-suffix=-internal');
      expect(named('Service', `${prefix()}-${service}-internal`).spec.clusterIP).toBeUndefined();
    }
  });

  test('selectors match the pods that they are for, and no others', () => {
    const pods = [
      ...workloads().map((workload) => ({
        component: componentOf(workload),
        labels: workload.spec.template.metadata.labels as Record<string, string>,
      })),
      ...ofKind('Pod').map((pod) => ({ component: componentOf(pod), labels: pod.metadata.labels })),
    ];
    const selected = (labels: Record<string, string>) =>
      pods.filter((pod) => Object.entries(labels).every(([name, value]) => pod.labels[name] === value));
    const selectors = [
      ...ofKind('Deployment').map((each) => [componentOf(each), each.spec.selector.matchLabels]),
      ...ofKind('PodDisruptionBudget').map((each) => [componentOf(each), each.spec.selector.matchLabels]),
      ...ofKind('NetworkPolicy').map((each) => [componentOf(each), each.spec.podSelector.matchLabels]),
      ...ofKind('Service').map((each) => [componentOf(each), each.spec.selector]),
    ];
    for (const [component, labels] of selectors)
      expect(selected(labels).map((pod) => pod.component)).toEqual([component]);
    for (const { spec } of ofKind('PodMonitor')) expect(selected(spec.selector.matchLabels)).toHaveLength(pods.length);
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      expect(named('Deployment', spec.scaleTargetRef.name).spec.replicas).toBeUndefined();
      expect(spec.maxReplicas).toBeGreaterThan(spec.minReplicas);
    }
  });

  test('probes ask a port that the container has, before, while and after it is ready', () => {
    for (const deployment of ofKind('Deployment')) {
      const container = containerOf(deployment);
      const ports = container.ports.map((each: { name: string }) => each.name);
      const isTls = hasTls(deployment);
      for (const [probe, path] of [
        ['startupProbe', '/health/live'],
        ['livenessProbe', '/health/live'],
        ['readinessProbe', '/health/ready'],
      ] as const) {
        const { httpGet } = container[probe];
        expect([httpGet.path, httpGet.scheme]).toEqual([path, isTls ? 'HTTPS' : undefined]);
        expect(ports).toContain(httpGet.port);
      }
    }
  });

  test('metrics are at the port where the service has them, and by the names that it gives them', () => {
    const page = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8');
    for (const deployment of ofKind('Deployment')) {
      const { config } = settingsOf(deployment);
      expect(containerOf(deployment).ports).toContainEqual({ name: 'metrics', containerPort: config.management.port });
    }
    const scaledBy = ofKind('HorizontalPodAutoscaler').map((each) => [
      componentOf(each),
      each.spec.metrics.map(
        (metric: { pods?: Named; external?: Named }) => (metric.pods ?? metric.external)?.metric.name ?? 'cpu',
      ),
    ]);
    for (const name of scaledBy.flatMap(([, names]) => names as string[]).filter((name) => name !== 'cpu'))
      expect(page).toContain(`| \`${name}\` | gauge |`);
    if (set !== 'production') return;
    expect(Object.fromEntries(scaledBy)).toEqual({
      gateway: ['cpu'],
      auth: ['cpu'],
      data: ['cpu'],
      files: ['cpu', 'lintel_http_connections'],
      reports: ['cpu'],
      'reports-workers': ['lintel_reports_runs_waiting'],
    });
  });

  test('a pod has the time that its service takes to stop, and the next one is known before', () => {
    for (const deployment of ofKind('Deployment')) {
      const { config } = settingsOf(deployment);
      const { delayMs, drainMs } = config.platform.shutdown;
      expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBe((delayMs + drainMs) / 1000 + 10);
      expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    }
  });

  test('nothing runs as root, writes to its image, keeps a capability or has a token of Kubernetes', () => {
    for (const workload of workloads()) {
      const pod = workload.spec.template.spec;
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(named('ServiceAccount', pod.serviceAccountName)).toMatchObject({ automountServiceAccountToken: false });
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(container.resources.requests).toEqual({ cpu: expect.anything(), memory: expect.anything() });
        expect(container.resources.limits).toMatchObject({ memory: expect.anything() });
      }
    }
  });

  test('replicas share neither node nor zone where they can', () => {
    if (set === 'small') return expect(ofKind('Deployment')[0]?.spec.template.spec.affinity).toBeUndefined();
    const mode = set === 'hardened' ? 'required' : 'preferred';
    for (const { spec } of ofKind('Deployment')) {
      expect(Object.keys(spec.template.spec.affinity.podAntiAffinity)).toEqual([
        `${mode}DuringSchedulingIgnoredDuringExecution`,
      ]);
      expect(spec.template.spec.topologySpreadConstraints).toHaveLength(1);
    }
  });

  test('images have the names of their services, and one version', () => {
    const images = Object.fromEntries(workloads().map((each) => [componentOf(each), containerOf(each).image]));
    const prefix = set === 'production' ? 'registry.example.com/platform/lintel-' : 'lintel-';
    const version = set === 'production' ? '2026.11.1' : CHART_VERSION;
    for (const [component, image] of Object.entries(images)) {
      const service =
        { migrations: 'data', 'data-workers': 'data', 'reports-workers': 'reports' }[component] ?? component;
      const isPlain = set === 'small' && service === 'reports';
      expect([component, image]).toEqual([component, `${prefix}${service}:${isPlain ? 'plain' : version}`]);
    }
  });

  test('the database is migrated once, by a job before the release or by the data service', () => {
    const migrates = named('ConfigMap', `${prefix()}-data`).data?.['application.properties'];
    const jobs = ofKind('Job');
    if (set === 'small') {
      expect(jobs).toEqual([]);
      expect(migrates).toContain('svc.datasource.migrate=true');
      return;
    }
    expect(migrates).toContain('svc.datasource.migrate=false');
    expect(jobs).toHaveLength(1);
    const needed = objects.filter((object) => componentOf(object) === 'migrations');
    // What the job needs is there before the release is.
    for (const { metadata } of needed) expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(needed.map(({ kind }) => kind).sort()).toEqual(['Job', 'NetworkPolicy', 'ServiceAccount']);
  });

  test('only the workers carry out runs in the background, where there are any', () => {
    const workers = ofKind('Deployment')
      .filter((each) => componentOf(each).startsWith('reports'))
      .map((each) => [componentOf(each), settingsOf(each).config.background.workers]);
    const expected: Readonly<Record<string, unknown>> = {
      small: [['reports', 2]],
      production: [
        ['reports', 0],
        ['reports-workers', 4],
      ],
    };
    expect(workers).toEqual(
      expected[set] ?? [
        ['reports', 0],
        ['reports-workers', 2],
      ],
    );
    expect(ofKind('Service').map(componentOf)).not.toContain('reports-workers');
  });

  const prefix = () => (set === 'small' ? 'demo' : 'lintel');
  const hasTls = (deployment: KubernetesObject) => set === 'hardened' && componentOf(deployment) === 'gateway';
});

describe('another configuration', () => {
  const checksums = async (set: string, ...more: readonly string[]) =>
    new Map(
      objectsOf(await renderChart(helm, set, more))
        .filter(({ kind }) => kind === 'Deployment')
        .map((each) => [componentOf(each), each.spec.template.metadata.annotations]),
    );
  const changed = (before: Map<string, object>, after: Map<string, object>) =>
    [...after.keys()].filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)));

  test('restarts the services that read it, and no others', async () => {
    const before = await checksums('minimal');
    expect(changed(before, await checksums('minimal', '--set', 'data.config.svc\\.demo\\.enabled=true'))).toEqual([
      'data',
    ]);
    expect(changed(before, await checksums('minimal', '--set', 'logLevel=debug'))).toHaveLength(6);
  });

  test('a new value of a secret restarts those that have it', async () => {
    const before = await checksums('small');
    expect(changed(before, await checksums('small', '--set', 'secrets.s3SecretKey.value=another'))).toEqual(['files']);
  });
});

test('options of Node for little memory are those of `npm run services`', async () => {
  const plan = readFileSync(new URL('../../services/plan-processes.mjs', import.meta.url), 'utf8');
  for (const deployment of objectsOf(await renderChart(helm, 'minimal')).filter(({ kind }) => kind === 'Deployment')) {
    const [, list = ''] =
      plan.match(new RegExp(`^  ${componentOf(deployment).replace('-workers', '')}: \\[(.*)\\],$`, 'm')) ?? [];
    const options = list
      .split(', ')
      .filter(Boolean)
      .map((option) => option.slice(1, -1));
    const { command, args } = containerOf(deployment);
    expect(command).toEqual(
      options.length === 0 ? undefined : ['node', ...options, '--import', '@lintel/telemetry/register'],
    );
    expect(args).toEqual(options.length === 0 ? undefined : ['service/dist/main.js']);
  }
});
