import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Writes lines, more than the buffer takes or fewer, and ends. */
const program = (lines: number, ends: string): string => `
import { createLogger } from '${new URL('./create-logger.ts', import.meta.url).href}';
const logger = createLogger({ service: 'data' });
for (let at = 0; at < ${lines}; at += 1) logger.info({ at, text: 'ä€' + 'x'.repeat(100) }, 'one of many');
${ends}
`;

/** The lines that a process writes to its standard output. */
function linesOf(source: string): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['--conditions=lintel-source', '--input-type=module', '-'], {
    env: { PATH: '', NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(source);
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', reject).once('close', () => resolve(output.split('\n')));
  });
}

test.each([
  ['ends by itself', 300, ''],
  ['exits while lines are buffered', 30, 'process.exit();'],
  ['has written nothing for a while', 300, "setTimeout(() => logger.info({ at: 300 }, 'last'), 300);"],
])('a process that %s writes each line once, in their order', async (_, count, ends) => {
  const lines = await linesOf(program(count, ends));
  const entries = lines.slice(0, -1).map((line) => JSON.parse(line) as { at: number; text?: string });
  const all = ends.includes('last') ? count + 1 : count;
  expect(entries.map(({ at }) => at)).toEqual(Array.from({ length: all }, (_, at) => at));
  expect(entries[0]?.text).toMatch(/^ä€x/);
  expect(lines.at(-1)).toBe('');
});

test('a line that comes while its reader is slow is written as soon as the reader continues', async () => {
  const source = program(
    0,
    `logger.info({ text: 'x'.repeat(4_000_000) }, 'large');
     logger.info('last');
     setTimeout(() => process.stderr.write('waiting'), 300);
     setInterval(() => {}, 60_000);`,
  );
  const child = spawn(process.execPath, ['--conditions=lintel-source', '--input-type=module', '-'], {
    env: { PATH: '', NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  try {
    child.stdin.end(source);
    // Until then nothing is read: the first line is being written while the second one waits.
    await new Promise((resolve) => child.stderr.once('data', resolve));
    const messages: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      messages.push((JSON.parse(line) as { message: string }).message);
      if (messages.length === 2) break;
    }
    expect(messages).toEqual(['large', 'last']);
  } finally {
    child.kill('SIGKILL');
  }
});

type Reader = 'has closed it' | 'takes nothing';

/** Runs a program that logs when it gets a message; returns how it ended. */
async function endWithout(reader: Reader, ends: string): Promise<number | NodeJS.Signals | null> {
  const source = `
import { createLogger } from '${new URL('./create-logger.ts', import.meta.url).href}';
const logger = createLogger({ service: 'data' });
process.once('message', () => {
  logger.info('nothing reads this');
  process.disconnect();
  ${ends}
});
process.send('ready');`;
  const child = spawn(process.execPath, ['--conditions=lintel-source', '--input-type=module', '-'], {
    env: { PATH: '', NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) =>
    child.once('error', reject).once('exit', (code, signal) => resolve(code ?? signal)),
  );
  child.stdin?.end(source);
  await new Promise((resolve) => child.once('message', resolve));
  if (reader === 'has closed it') child.stdout?.destroy();
  child.send('go');
  // A program that hangs is ended, and the test fails by the signal instead of by its own time limit.
  const deadline = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const how = await ended;
  clearTimeout(deadline);
  child.stdout?.destroy();
  return how;
}

const LARGE = "for (let each = 0; each < 20; each += 1) logger.info({ text: 'x'.repeat(1_000_000) }, 'large');";

test.each<[Reader, string, string]>([
  ['has closed it', 'exits with a code', 'process.exit(3);'],
  ['has closed it', 'ends by itself', 'process.exitCode = 3;'],
  ['has closed it', 'ends later', "setTimeout(() => { logger.info('nor this'); process.exitCode = 3; }, 300);"],
  ['takes nothing', 'exits with a code', `${LARGE} process.exit(3);`],
  ['takes nothing', 'ends by itself', `${LARGE} process.exitCode = 3;`],
  ['takes nothing', 'ends while a write waits', `${LARGE} setTimeout(() => process.exit(3), 300);`],
])('a process whose output has a reader that %s ends all the same: one that %s', async (reader, _, ends) => {
  expect(await endWithout(reader, ends)).toBe(3);
});

test('lines are dropped while more than 16 MiB wait for the reader', async () => {
  const source = program(0, `${LARGE}setTimeout(() => process.stderr.write('waiting'), 300);`);
  const child = spawn(process.execPath, ['--conditions=lintel-source', '--input-type=module', '-'], {
    env: { PATH: '', NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(source);
  await new Promise((resolve) => child.stderr.once('data', resolve));
  let count = 0;
  for await (const line of createInterface({ input: child.stdout }))
    if ((JSON.parse(line) as { message: string }).message === 'large') count += 1;
  // One is being written, and 17 million characters wait.
  expect(count).toBe(18);
});
