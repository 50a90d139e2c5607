import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@lintel/testkit';
import { type ProvidedBackends, provide } from '@lintel/testkit/backends';
import { type Browser, chromium } from 'playwright-core';

/** `npm run site`: the documentation from its sources, while somebody writes it. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START_MS = 10 * 60_000;

let server: ChildProcess;
let output = '';
let programs: ProvidedBackends;
let browser: Browser;

beforeAll(async () => {
  server = spawn(process.execPath, ['tools/bootstrap/run.mjs', 'site'], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', LINTEL_SITE_BASE: '/' },
  });
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', (data: Buffer) => {
      output += data.toString();
    });
  programs = await provide({ chromium: true });
  browser = await chromium.launch({
    executablePath: programs.environment['LINTEL_TEST_CHROMIUM_PROGRAM'] ?? '',
    // Its sandbox is not for root, as whom tests run in containers.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  await eventually(() => expect(output).toMatch(/http:\/\/127\.0\.0\.1:\d+/), { timeoutMs: START_MS });
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await programs?.stop();
  if (server?.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
});

test(
  'pages of each kind are shown, and headings contain their text alone',
  async () => {
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    const headings: string[] = [];
    for (const path of ['/guide/reading', '/reference/config', '/reference/typescript/']) {
      await page.goto(`${url}${path}`, { timeout: START_MS });
      const heading = page.getByRole('heading', { level: 1 });
      await heading.waitFor({ timeout: START_MS });
      headings.push((await heading.textContent())?.trim().replaceAll('\u200B', '').trim() ?? '');
    }
    expect([headings, problems]).toEqual([
      ['Read entities', expect.stringMatching(/onfiguration/), 'TypeScript API'],
      [],
    ]);
  },
  START_MS,
);
