import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programVariables } from '@lintel/testkit';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

test('lintel test runs the tests of the folder, and its exit code says whether they pass', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-test-'));
  try {
    mkdirSync(join(folder, 'test'));
    symlinkSync(PACKAGES, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(folder, 'test', 'a.test.ts'),
      "import { test } from 'node:test'; test('works', () => {}); test('fails', () => { throw new Error('no'); });",
    );
    const run = (...parameters: readonly string[]) =>
      spawnSync(
        process.execPath,
        ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators', MAIN, 'test', ...parameters],
        { cwd: folder, encoding: 'utf8', env: { ...programVariables(), HOME: process.env['HOME'] } },
      );
    const all = run();
    expect([all.status, all.stdout]).toEqual([1, expect.stringContaining('pass 1')]);
    expect(run('--', '--test-name-pattern=works').status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
