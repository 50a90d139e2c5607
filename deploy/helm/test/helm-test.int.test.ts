import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { testEnvironment } from '@lintel/testkit';
import { type KubernetesObject, objectsOf, renderChart } from './chart.ts';

const helm = testEnvironment('LINTEL_TEST_HELM_PROGRAM');
const run = promisify(execFile);

const isOfTest = ({ metadata }: KubernetesObject) => metadata.annotations?.['helm.sh/hook'] === 'test';
const testOf = async (set: string, ...more: readonly string[]) =>
  objectsOf(await renderChart(helm, set, more)).filter(isOfTest);
function podIn(objects: readonly KubernetesObject[]): KubernetesObject {
  const pod = objects.find(({ kind }) => kind === 'Pod');
  if (pod === undefined) throw new Error('There is no pod');
  return pod;
}

test('is a pod with no rights, which reaches the name servers and the gateway', async () => {
  const objects = await testOf('hardened');
  const pod = podIn(objects);
  expect(pod.spec).toMatchObject({
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  });
  const [container] = pod.spec.containers;
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(container.args.slice(1)).toEqual([
    'https://lintel-gateway:443',
    'https://api.example.com',
    'http://lintel-test:9180',
    '100',
  ]);
  expect(Number(container.args.at(-1))).toBeLessThan(pod.spec.activeDeadlineSeconds);
  const service = objects.find(({ kind }) => kind === 'Service');
  expect(service).toMatchObject({ metadata: { name: 'lintel-test' }, spec: { ports: [{ port: 9180 }] } });
  const [own, ofGateway] = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const component = (name: string) => expect.objectContaining({ 'app.kubernetes.io/component': name });
  expect(own?.spec).toMatchObject({
    podSelector: { matchLabels: component('test') },
    egress: [
      { ports: [{ port: 53 }, { port: 53 }] },
      { ports: [{ port: 8080 }, { port: 9180 }], to: [{ podSelector: { matchLabels: component('gateway') } }] },
    ],
  });
  // The gateway is open to some clients only: during the test, and no longer, to the pod as well.
  expect(ofGateway?.metadata.annotations?.['helm.sh/hook-delete-policy']).toContain('hook-succeeded');
  expect(ofGateway?.spec).toMatchObject({
    podSelector: { matchLabels: component('gateway') },
    ingress: [
      { ports: [{ port: 'http' }, { port: 'metrics' }], from: [{ podSelector: { matchLabels: component('test') } }] },
    ],
  });
});

test('keeps its pod until the next test, because `helm test --logs` reads the log after the end', async () => {
  const objects = await testOf('hardened');
  for (const { kind, metadata } of objects)
    expect([kind, metadata.annotations?.['helm.sh/hook-delete-policy']]).toEqual([
      kind,
      kind === 'Pod' ? 'before-hook-creation' : 'before-hook-creation,hook-succeeded',
    ]);
});

test('without network policies there are only the pod and a Service', async () => {
  expect((await testOf('small')).map(({ kind }) => kind)).toEqual(['Service', 'Pod']);
});

type Respond = (request: IncomingMessage) => readonly [status: number, body: object];

/** Runs the command of the pod against a server. */
async function runAgainst(respond: Respond, seconds = '0') {
  const hosts = new Set<string | undefined>();
  const server = createServer((request, response) => {
    if (request.url !== '/health/services') hosts.add(request.headers.host);
    const [status, body] = respond(request);
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const [container] = podIn(await testOf('minimal')).spec.containers;
  const [, ...options] = container.command as readonly string[];
  const [script, , publicUrl] = container.args as readonly [string, string, string];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const { stdout } = await run(process.execPath, [...options, script, url, publicUrl, url, seconds]);
    return { code: 0, lines: stdout.trim().split('\n'), hosts: [...hosts] };
  } catch (error) {
    const { code, stdout } = error as { readonly code: number; readonly stdout: string };
    return { code, lines: stdout.trim().split('\n'), hosts: [...hosts] };
  } finally {
    server.close();
  }
}

const installation =
  (issuer = 'https://api.example.com/', unavailable?: string): Respond =>
  ({ url }) => {
    if (url === '/.well-known/openid-configuration') return [200, { issuer }];
    if (url !== '/health/services') return [200, {}];
    const stateOf = (name: string) => ({ status: name === unavailable ? 'unavailable' : 'degraded', replicas: [] });
    const services = ['auth', 'data', 'files', 'reports'].map((name) => [name, stateOf(name)]);
    return [unavailable === undefined ? 200 : 503, { services: Object.fromEntries(services) }];
  };

test('passes for an installation that responds by its public name', async () => {
  const { code, lines, hosts } = await runAgainst(installation());
  expect(code).toBe(0);
  expect(lines).toEqual([
    'passed: the gateway is ready',
    'passed: tokens have the public URL as their issuer',
    ...['auth', 'data', 'files', 'reports'].map((name) => `passed: ${name} is reached and ready`),
  ]);
  expect(hosts).toEqual(['api.example.com']);
});

test.each([
  ['another issuer', installation('https://other.example.com'), 'the issuer is https://other.example.com'],
  ['a gateway that is not ready', () => [503, {}] as const, 'FAILED: the gateway is ready: status 503'],
  ...['auth', 'data', 'files', 'reports'].map((name): [string, Respond, string] => [
    `${name} without a ready replica`,
    installation(undefined, name),
    `FAILED: ${name} is reached and ready: no replica is ready`,
  ]),
])('fails for %s', async (_case, respond, line) => {
  const { code, lines } = await runAgainst(respond);
  expect(code).toBe(1);
  expect(lines.join('\n')).toContain(line);
});

test('repeats a check until the service is reached', async () => {
  let asked = 0;
  const { code, lines } = await runAgainst((request) => {
    if (request.url === '/health/services') asked += 1;
    return installation(undefined, asked === 1 ? 'auth' : undefined)(request);
  }, '60');
  expect([code, lines.filter((line) => line.startsWith('FAILED')), asked]).toEqual([0, [], 5]);
});
