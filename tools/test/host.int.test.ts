import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHost } from '@lintel/testkit/host';
import { noHelm } from './test/no-helm.mjs';

let folder: string;
const before = { ...process.env };
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-cache-'));
  Object.assign(process.env, noHelm(folder));
});
afterAll(() => {
  for (const name of Object.keys(noHelm(folder)))
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  rmSync(folder, { recursive: true, force: true });
});

test('a program that cannot be built fails only those who need it, and they get the remedy', async () => {
  const reported: string[] = [];
  const host = openHost(['chromium', 'helm'], ({ backend }: { backend: string }) => reported.push(backend));
  try {
    expect((await host.ready(['chromium'])).origins).toHaveLength(1);
    await expect(host.ready(['chromium', 'helm'])).rejects.toThrow(
      /^helm cannot be had: .* To provide it: install Go, or set /,
    );
    await host.settled;
    expect(reported).toEqual(['chromium', 'helm']);
  } finally {
    await host.stop();
  }
});
