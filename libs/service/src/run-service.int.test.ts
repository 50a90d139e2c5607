import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually, programVariables } from '@lintel/testkit';

const pathOf = (file: string): string => fileURLToPath(new URL(`../test/${file}`, import.meta.url));
/** Processes take seconds to start where the machine has much to do. */
const STARTING = { timeoutMs: 60_000 };

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  stdout: string;
  stderr: string;
}

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function run(error: string, environment: Readonly<Record<string, string>>): Run {
  const child = spawn(process.execPath, ['--conditions=lintel-source', pathOf('sample-service.ts'), error], {
    env: { ...programVariables(), SVC_APPLICATION: pathOf('sample-application.ts'), ...environment },
  });
  children.push(child);
  const state: Run = { child, ended: once(child, 'exit'), stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => {
    state.stdout += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    state.stderr += data.toString();
  });
  return state;
}

const SECRET = { SVC_INTERNAL_SECRET: 'internal secret of the test', SVC_SHUTDOWN_DELAY: '0s' };

/** The lines of the log by their messages, the others as they are, without that of a machine that stood still. */
const linesOf = ({ stdout }: Run): readonly string[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('{') ? (JSON.parse(line) as { readonly message: string }).message : line))
    .filter((line) => line !== 'the event loop was blocked');

test('a service starts, serves on its listeners, and on a signal closes them, itself and what it owns, in this order', async () => {
  const service = run('', SECRET);
  await eventually(() => expect(linesOf(service)).toContain('ready'), STARTING);
  const ready = service.stdout.split('\n').find((line) => line.includes('"ready"')) ?? '';
  const { url, internalUrl, managementUrl } = JSON.parse(ready) as Record<string, string>;
  expect(await (await fetch(`${url}/`)).text()).toBe('public');
  expect(await (await fetch(`${internalUrl}/`)).text()).toBe('internal');
  expect(await (await fetch(`${managementUrl}/health/ready`)).json()).toMatchObject({ checks: { sample: 'up' } });
  expect((await fetch(`${managementUrl}/health/services`)).status).toBe(200);

  service.child.kill('SIGTERM');
  await service.ended;
  expect(service.child.exitCode).toBe(0);
  const isClosed = (line: string): boolean => line.startsWith('closed');
  const lines = linesOf(service);
  expect(lines.filter((line) => !isClosed(line))).toEqual([
    'started sample of http://localhost:8080',
    'ready',
    'stopping',
    'stopped',
  ]);
  expect(lines.filter(isClosed)).toEqual(['closed service', 'closed bus', 'closed pool']);
  expect(service.stderr).toBe('');
});

test.each([
  ['an error that the operator can remedy is one line', 'start-error', SECRET, /^The sample has no table\n$/],
  ['another one is shown with its stack', 'bug', SECRET, /^TypeError: The sample is wrong\n {4}at /],
  [
    'missing settings are listed',
    '',
    {},
    /^The configuration is not valid:\n {2}- svc.internal.secret \(SVC_INTERNAL_SECRET\): is required/,
  ],
])('an error of the start ends the process with code 1: %s', async (_title, error, environment, expected) => {
  const service = run(error, environment);
  await service.ended;
  expect(service.child.exitCode).toBe(1);
  expect(service.stderr).toMatch(expected);
  expect(linesOf(service)).toEqual([]);
});
