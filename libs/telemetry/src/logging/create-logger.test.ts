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

/** Runs a program that logs when it gets a message, after its standard output was closed by the reader. */
async function endWithoutReader(ends: string): Promise<number | NodeJS.Signals | null> {
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
  child.stdout?.destroy();
  child.send('go');
  // A program that hangs is ended, and the test fails by the signal instead of by its own time limit.
  const deadline = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const how = await ended;
  clearTimeout(deadline);
  return how;
}

test.each([
  ['exits with a code', 'process.exit(3);', 3],
  ['ends by itself', 'process.exitCode = 3;', 3],
  ['ends later', "setTimeout(() => { logger.info('nor this'); process.exitCode = 3; }, 300);", 3],
])('a process whose output nothing reads any more ends all the same: one that %s', async (_, ends, code) => {
  expect(await endWithoutReader(ends)).toBe(code);
});
