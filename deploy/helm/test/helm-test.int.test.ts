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
  expect(container.args.slice(1)).toEqual(['https://lintel-gateway:443', 'https://api.example.com']);
  const [own, ofGateway] = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const component = (name: string) => expect.objectContaining({ 'app.kubernetes.io/component': name });
  expect(own?.spec).toMatchObject({
    podSelector: { matchLabels: component('test') },
    ingress: [],
    egress: [
      { ports: [{ port: 53 }, { port: 53 }] },
      { ports: [{ port: 8080 }], to: [{ podSelector: { matchLabels: component('gateway') } }] },
    ],
  });
  // The gateway is open to some clients only: during the test, and no longer, to the pod as well.
  expect(ofGateway?.metadata.annotations?.['helm.sh/hook-delete-policy']).toContain('hook-succeeded');
  expect(ofGateway?.spec).toMatchObject({
    podSelector: { matchLabels: component('gateway') },
    ingress: [{ ports: [{ port: 'http' }], from: [{ podSelector: { matchLabels: component('test') } }] }],
  });
});

test('without network policies there is only the pod', async () => {
  expect((await testOf('small')).map(({ kind }) => kind)).toEqual(['Pod']);
});

/** Runs the command of the pod against a server. */
async function runAgainst(respond: (request: IncomingMessage) => readonly [status: number, body: object]) {
  const hosts = new Set<string | undefined>();
  const server = createServer((request, response) => {
    hosts.add(request.headers.host);
    const [status, body] = respond(request);
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const [container] = podIn(await testOf('minimal')).spec.containers;
  const [, ...options] = container.command as readonly string[];
  const [script, , publicUrl] = container.args as readonly [string, string, string];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const { stdout } = await run(process.execPath, [...options, script, url, publicUrl]);
    return { code: 0, lines: stdout.trim().split('\n'), hosts: [...hosts] };
  } catch (error) {
    const { code, stdout } = error as { readonly code: number; readonly stdout: string };
    return { code, lines: stdout.trim().split('\n'), hosts: [...hosts] };
  } finally {
    server.close();
  }
}

const healthy =
  (issuer: string) =>
  ({ url }: IncomingMessage): readonly [number, object] => {
    if (url === '/health/ready') return [200, {}];
    return url === '/.well-known/openid-configuration' ? [200, { issuer }] : [401, {}];
  };

test('passes for an installation that responds by its public name', async () => {
  const { code, lines, hosts } = await runAgainst(healthy('https://api.example.com/'));
  expect([code, lines.every((line) => line.startsWith('passed: ')), lines.length]).toEqual([0, true, 3]);
  expect(hosts).toEqual(['api.example.com']);
});

test.each([
  ['another issuer', healthy('https://other.example.com'), 'FAILED: auth is reached'],
  ['a gateway that is not ready', () => [503, {}] as const, 'FAILED: the gateway is ready'],
  [
    'a data service that is not reached',
    (request: IncomingMessage) =>
      request.url?.startsWith('/rest/') ? ([502, {}] as const) : healthy('https://api.example.com')(request),
    'FAILED: data is reached',
  ],
])('fails for %s', async (_case, respond, line) => {
  const { code, lines } = await runAgainst(respond);
  expect(code).toBe(1);
  expect(lines.join('\n')).toContain(line);
});
