import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@lintel/testkit';

const RUNNER = fileURLToPath(new URL('../test/run-supervised.mjs', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../test/program.mjs', import.meta.url));
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

function run(kind: string, options: readonly string[] = []) {
  const child = spawn(process.execPath, [...options, RUNNER, PROGRAM, kind], { env: { PATH: process.env['PATH'] } });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += String(data)));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const pids = (): readonly number[] => [...output.matchAll(/^ready (\d+)/gm)].map(([, pid]) => Number(pid));
  const pidOf = async (start: number): Promise<number> => {
    await eventually(() => expect(pids().length).toBeGreaterThanOrEqual(start));
    return pids()[start - 1] ?? 0;
  };
  return { child, ended, output: () => output, pids, pidOf };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a program that ends before it was ready is not started again; its code is ours', async () => {
  const { ended, output } = run('broken');
  expect(await ended).toBe(3);
  expect(output()).toBe('configuration is wrong\n');
});

test.each([
  ['is killed', 'throw', 'SIGKILL', [], 'signal SIGKILL'],
  ['throws', 'throw', 'SIGUSR2', [], 'code 1'],
  ['has no memory left', 'allocate', 'SIGUSR2', ['--max-old-space-size=30'], '(signal SIG|code )'],
] as const)('a program that %s is started again, with back-off, and says so', async (_, kind, signal, options, how) => {
  const { child, ended, output, pids, pidOf } = run(kind, options);
  process.kill(await pidOf(1), signal);
  process.kill(await pidOf(2), signal);
  const third = await pidOf(3);
  for (const delay of ['0.5', '1'])
    expect(output()).toMatch(
      new RegExp(`^The program ended by itself \\(.*\\); it is started again in ${delay} s\\.`, 'm'),
    );
  expect(output()).toMatch(new RegExp(how));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect([output().includes('stopping'), isAlive(third), pids().length]).toEqual([true, false, 3]);
});

test('a program that is killed as soon as it was ready is started again', async () => {
  const { child, ended, output } = run('brief');
  await eventually(() => expect(output()).toContain('ended by itself (signal SIGKILL); it is started again'));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a stop while it waits to start again ends at once', async () => {
  const { child, ended, output, pidOf } = run('throw');
  process.kill(await pidOf(1), 'SIGKILL');
  await eventually(() => expect(output()).toContain('ended by itself'));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a program ends with its supervisor, however that ends', async () => {
  const { child, pidOf } = run('throw');
  const pid = await pidOf(1);
  child.kill('SIGKILL');
  await eventually(() => expect(isAlive(pid)).toBe(false));
});
