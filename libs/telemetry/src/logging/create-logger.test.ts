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
