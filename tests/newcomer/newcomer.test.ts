import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type NewcomerShell, openShell } from './newcomer-shell.ts';
import { printedSteps } from './printed-steps.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = ['README.md', 'docs/guide/first-application.md', 'docs/guide/testing.md'];
/** What the pages promise: issue and README speak of ten minutes. */
const LIMIT_MS = 10 * 60_000;

let folder: string;
let shell: NewcomerShell | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-newcomer-'));
  // The database runs as a user of its own, who must be able to get here.
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  await shell?.close();
  rmSync(folder, { recursive: true, force: true });
});

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Ids and moments differ from run to run. */
const steady = (text: string): string =>
  text
    .trim()
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d{3}/g, '<moment>');

test(
  'from an empty folder to served requests by nothing but the commands that README and guide print',
  async () => {
    const port = await freePort();
    shell = openShell(ROOT, { PORT: String(port) });
    const hereAndNow = (commands: string): string =>
      commands.replaceAll('~/shop', join(folder, 'shop')).replaceAll('localhost:8080', `localhost:${port}`);
    const steps = PAGES.flatMap((page) => printedSteps(readFileSync(join(ROOT, page), 'utf8')));
    const kinds = steps.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'start')).toHaveLength(2);
    expect(kinds.length).toBeGreaterThanOrEqual(12);
    const printed: { commands: string; output: string; shown: string }[] = [];
    const times: string[] = [];
    for (const { kind, commands, shown } of steps) {
      const begin = Date.now();
      if (kind === 'start') await shell.start(hereAndNow(commands), /^ready in/m);
      else {
        const output = await shell.run(hereAndNow(commands));
        if (shown !== undefined) printed.push({ commands, output: steady(output), shown: steady(shown) });
      }
      times.push(`${((Date.now() - begin) / 1000).toFixed(1)} s ${commands.trim().split('\n')[0]}`);
    }
    process.stderr.write(`${times.join('\n')}\n`);
    const outputs = printed.map(({ commands, output }) => ({ commands, output }));
    expect(outputs).toEqual(printed.map(({ commands, shown }) => ({ commands, output: shown })));
  },
  LIMIT_MS,
);
