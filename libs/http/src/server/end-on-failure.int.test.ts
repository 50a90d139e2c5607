import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually, programVariables } from '@lintel/testkit';

const SCRIPT = fileURLToPath(new URL('../../test/failing-process.ts', import.meta.url));
const started: ChildProcess[] = [];
/** Processes take seconds to start, and longer on a busy machine. */
const STARTING = { timeoutMs: 60_000 };

afterEach(() => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

async function start() {
  const child = spawn(process.execPath, ['--conditions=lintel-source', SCRIPT], { env: programVariables() });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += String(data)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = (): readonly Record<string, unknown>[] =>
    output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  await eventually(() => expect(lines()[0]).toHaveProperty('url'), STARTING);
  return { child, ended, lines, url: String(lines()[0]?.['url']) };
}

const named = (lines: readonly Record<string, unknown>[], message: string) =>
  lines.filter((line) => line['message'] === message);

test('an error of a request handler returns a 500, a line of the log, and the process lives', async () => {
  const { url, child, lines } = await start();
  for (const kind of ['handler', 'asyncHandler']) expect((await fetch(`${url}/fail/${kind}`)).status).toBe(500);
  expect((await fetch(`${url}/fail/nothing`)).status).toBe(200);
  await eventually(() => expect(lines().filter(({ level }) => level === 'error')).toHaveLength(2));
  expect(child.exitCode).toBeNull();
});

test.each([
  ...['timeout', 'interval', 'immediate', 'nextTick', 'microtask', 'promise', 'asyncTimer', 'emitter', 'stream'],
  'notAnError',
])(
  'an error that nothing has caught (%s) is logged with its request, what is under way ends, and the code is 1',
  async (kind) => {
    const { url, ended, lines } = await start();
    const slow = fetch(`${url}/slow`);
    await eventually(async () => expect((await fetch(`${url}/fail/nothing`)).status).toBe(200));
    const failed = fetch(`${url}/fail/${kind}`).then(
      ({ headers }) => headers.get('x-trace-id'),
      () => undefined,
    );
    expect(await (await slow).json()).toBe('slow');
    const traceId = await failed;
    expect(await ended).toBe(1);
    const [line] = named(lines(), 'an error that nothing has caught');
    expect(JSON.stringify(line)).toContain('failed on purpose');
    expect(line).toMatchObject({ level: 'error', requests: expect.any(Array) });
    expect(JSON.stringify(line)).toContain('/slow');
    if (traceId !== undefined && kind !== 'promise') expect(line?.['traceId']).toBe(traceId);
  },
);

test('a blocked event loop is logged with the shape of the request', async () => {
  const { url, child, lines } = await start();
  expect((await fetch(`${url}/fail/block?secret=value`)).status).toBe(200);
  await eventually(() => expect(named(lines(), 'the event loop was blocked')).toHaveLength(1));
  const [line] = named(lines(), 'the event loop was blocked');
  expect(line).toMatchObject({
    level: 'warn',
    durationMs: expect.any(Number),
    suspects: [
      { shape: { method: 'GET', route: '/fail/:entityName', entity: 'block', queryLength: 12, bodyBytes: 0 } },
    ],
  });
  expect(JSON.stringify(line)).not.toContain('secret');
  expect(child.exitCode).toBeNull();
});
