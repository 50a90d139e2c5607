import { testEnvironment } from '@lintel/testkit';
import { type KubernetesObject, objectsOf, renderChart } from './chart.ts';

const helm = testEnvironment('LINTEL_TEST_HELM_PROGRAM');
const COMPONENT = 'app.kubernetes.io/component';

/** All there is to be: who calls whom, by the ports of docs/guide/deploy.md. */
const ARROWS = [
  'auth → postgresql',
  'auth → rabbitmq',
  'auth → redis',
  'clients → gateway http',
  'data → auth http',
  'data → auth internal',
  'data → files internal',
  'data → postgresql',
  'data → rabbitmq',
  'data → redis',
  'data → reports http',
  'files → auth http',
  'files → data internal',
  'files → postgresql',
  'files → rabbitmq',
  'files → redis',
  'files → s3',
  'gateway → auth http',
  'gateway → auth internal',
  'gateway → data http',
  'gateway → files http',
  'gateway → rabbitmq',
  'gateway → redis',
  'gateway → reports http',
  'migrations → postgresql',
  'reports → auth http',
  'reports → auth internal',
  'reports → data internal',
  'reports → files internal',
  'reports → postgresql',
  'reports → rabbitmq',
  'reports → redis',
  'reports-workers → auth http',
  'reports-workers → auth internal',
  'reports-workers → data internal',
  'reports-workers → files internal',
  'reports-workers → postgresql',
  'reports-workers → rabbitmq',
  'reports-workers → redis',
];
const SERVICES = ['auth', 'data', 'files', 'gateway', 'reports', 'reports-workers'];
const BACKENDS: Readonly<Record<number, string>> = {
  4318: 'telemetry',
  5432: 'postgresql',
  5671: 'rabbitmq',
  5672: 'rabbitmq',
  6379: 'redis',
  6380: 'redis',
  26380: 'redis',
  9000: 's3',
};

interface Peer {
  readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly namespaceSelector?: unknown;
  readonly ipBlock?: { readonly cidr: string };
}
interface Rule {
  readonly ports: readonly { readonly port: number | string; readonly protocol: string }[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}

/** What exists while `helm test` runs. */
const isOfTest = ({ annotations }: KubernetesObject['metadata']) => annotations?.['helm.sh/hook'] === 'test';

const policiesOf = (objects: readonly KubernetesObject[]) =>
  objects
    .filter(({ kind, metadata }) => kind === 'NetworkPolicy' && !isOfTest(metadata))
    .map(({ metadata, spec }) => ({
      own: metadata.labels[COMPONENT] ?? '',
      types: spec.policyTypes as readonly string[],
      ingress: (spec.ingress ?? []) as readonly Rule[],
      egress: spec.egress as readonly Rule[],
    }));
const componentIn = (peer: Peer): string | undefined =>
  peer.namespaceSelector === undefined ? peer.podSelector?.matchLabels[COMPONENT] : undefined;

/** What may come in, as arrows. */
const incoming = (objects: readonly KubernetesObject[]): readonly string[] =>
  policiesOf(objects)
    .flatMap(({ own, ingress }) =>
      ingress.flatMap(({ ports, from = [{}] }) =>
        ports.flatMap(({ port }) =>
          from.map(
            (peer) => `${componentIn(peer) ?? (port === 'metrics' ? 'monitoring' : 'clients')} → ${own} ${port}`,
          ),
        ),
      ),
    )
    .sort();

/** What may go out, as arrows; a port of a service by its name. */
function outgoing(objects: readonly KubernetesObject[]): readonly string[] {
  const nameOf = (component: string, port: number | string): string =>
    objects
      .find(({ kind, metadata }) => kind === 'Deployment' && metadata.labels[COMPONENT] === component)
      ?.spec.template.spec.containers[0].ports.find((each: { containerPort: number }) => each.containerPort === port)
      .name;
  const arrows = policiesOf(objects).flatMap(({ own, egress }) =>
    egress.flatMap(({ ports, to = [{}] }) =>
      ports.flatMap(({ port }) =>
        to.map((peer) => {
          const component = componentIn(peer);
          if (component !== undefined) return `${own} → ${component} ${nameOf(component, port)}`;
          if (port === 53) return `${own} → dns`;
          return `${own} → ${BACKENDS[Number(port)] ?? `port ${port}`}`;
        }),
      ),
    ),
  );
  return [...new Set(arrows)].sort();
}

let minimal: readonly KubernetesObject[];
let production: readonly KubernetesObject[];
beforeAll(async () => {
  minimal = objectsOf(await renderChart(helm, 'minimal'));
  production = objectsOf(await renderChart(helm, 'production'));
});

const withoutDns = (arrows: readonly string[]) => arrows.filter((arrow) => !arrow.endsWith('→ dns'));
const betweenPods = (arrows: readonly string[]) => arrows.filter((arrow) => / (http|internal)$/.test(arrow));

test('every pod has a policy, in both directions', () => {
  const policies = policiesOf(minimal);
  expect(policies.map(({ own }) => own).sort()).toEqual([...SERVICES, 'migrations'].sort());
  for (const { types } of policies) expect(types).toEqual(['Ingress', 'Egress']);
});

test('no policy has an empty list, which Kubernetes drops: the objects of the cluster would never match', () => {
  for (const { kind, metadata, spec } of [...minimal, ...production])
    if (kind === 'NetworkPolicy')
      expect([metadata.name, JSON.stringify(spec)]).toEqual([metadata.name, expect.not.stringContaining('[]')]);
});

test('only the arrows of the architecture go out', () => {
  const allowed = ARROWS.filter((arrow) => !arrow.startsWith('clients'));
  // S3 is often at 443; the two ports are one arrow.
  const found = withoutDns(outgoing(minimal)).filter((arrow) => arrow !== 'files → port 443');
  expect(found).toEqual(allowed);
  for (const name of [...SERVICES, 'migrations']) expect(outgoing(minimal)).toContain(`${name} → dns`);
});

test('what goes out between services comes in, and besides clients and monitoring nothing does', () => {
  expect(incoming(minimal)).toEqual(
    [...betweenPods(ARROWS), ...SERVICES.map((name) => `monitoring → ${name} metrics`)].sort(),
  );
});

test('only those who are named reach an internal listener, and the gateway to auth alone', () => {
  const internal = incoming(minimal).filter((arrow) => arrow.endsWith('internal'));
  expect(internal.filter((arrow) => arrow.startsWith('gateway'))).toEqual(['gateway → auth internal']);
  expect(internal.filter((arrow) => /clients|monitoring/.test(arrow))).toEqual([]);
});

test('traces, webhooks and documents of other servers open what they need, where they are asked for', () => {
  const more = outgoing(production).filter((arrow) => !outgoing(minimal).includes(arrow));
  expect(more).toEqual(
    [
      'data → port 443',
      'data → port 80',
      ...SERVICES.map((name) => `${name} → port 4317`),
      ...SERVICES.map((name) => `${name} → telemetry`),
      'reports → port 443',
      'reports → port 80',
      'reports-workers → port 443',
      'reports-workers → port 80',
    ].sort(),
  );
});

test('auth and data reach the mail server that is named', async () => {
  const objects = objectsOf(
    await renderChart(helm, 'minimal', ['--set', 'config.svc\\.mail\\.smtp-host=mail.example']),
  );
  expect(outgoing(objects).filter((arrow) => !outgoing(minimal).includes(arrow))).toEqual(
    ['auth', 'data'].flatMap((name) => [`${name} → port 465`, `${name} → port 587`]),
  );
});

const RATE_LIMIT = 'config.svc\\.gateway\\.rate-limit';

test.each<[string, readonly string[], boolean]>([
  ['no limit is named', [], true],
  ['only that of addresses holds', [`${RATE_LIMIT}\\.user=off`], true],
  [
    'only one of clients holds',
    [`${RATE_LIMIT}\\.user=off`, `${RATE_LIMIT}\\.address=off`, `${RATE_LIMIT}\\.client=9/1s`],
    true,
  ],
  ['all limits are off', [`${RATE_LIMIT}\\.user=off`, `gateway.${RATE_LIMIT}\\.address=OFF`], false],
])('where %s, the gateway has Redis: %s %s', async (_, values, hasRedis) => {
  const objects = objectsOf(
    await renderChart(
      helm,
      'minimal',
      values.flatMap((value) => ['--set', value]),
    ),
  );
  expect(outgoing(objects).includes('gateway → redis')).toBe(hasRedis);
  const gateway = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'lintel-gateway');
  expect(JSON.stringify(gateway).includes('redis-url')).toBe(hasRedis);
});

test('peers that are named are the only ones', () => {
  const backends = policiesOf(production).flatMap(({ egress }) =>
    egress.filter(({ ports }) => [5432, 6380, 5671].includes(Number(ports[0]?.port))),
  );
  expect(backends.length).toBeGreaterThan(12);
  for (const { to } of backends) expect(to).toHaveLength(1);
  const clients = policiesOf(production).find(({ own }) => own === 'gateway')?.ingress[0];
  expect(clients?.from).toEqual([
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } },
  ]);
});

test('documents of other servers are never read from private networks, and webhooks never sent there', () => {
  const outside = policiesOf(production)
    .flatMap(({ egress }) => egress)
    .flatMap(({ to = [] }) => to)
    .filter((peer) => peer.ipBlock?.cidr === '0.0.0.0/0');
  expect(outside).toHaveLength(3);
  for (const { ipBlock } of outside)
    expect(ipBlock).toMatchObject({ except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) });
});
