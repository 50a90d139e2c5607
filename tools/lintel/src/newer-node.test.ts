import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULE = new URL('../bin/newer-node.mjs', import.meta.url).href;
const PACKAGES = new URL('../bin/node-package.mjs', import.meta.url).href;

const folder = mkdtempSync(join(tmpdir(), 'lintel-newer-node-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What `continueInNewerNode` does where `npm` is this script of the shell. */
function continueWith(npm: string, script: string) {
  const program = join(folder, 'npm');
  writeFileSync(program, `#!/bin/sh\n${npm}\n`);
  chmodSync(program, 0o755);
  const file = join(folder, 'script.mjs');
  writeFileSync(file, script);
  const call = `import { continueInNewerNode } from ${JSON.stringify(MODULE)};
    await continueInNewerNode(${JSON.stringify(file)}, ['user', 'add', 'two words']);`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', call], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
  });
}

test('the command goes on in the Node that npm has, with its parameters and its exit code', () => {
  const { status, stdout, stderr } = continueWith(
    `case "$*" in "exec --yes --package="*@24.*" -- node -p process.execPath") echo '${process.execPath}';; *) exit 9;; esac`,
    'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 1;',
  );
  expect({ status, stdout: JSON.parse(stdout) }).toEqual({ status: 1, stdout: ['user', 'add', 'two words'] });
  expect(stderr).toMatch(/^Using Node\.js 24\.\S+ from npm, because this one is \S+\n$/);
});

test('where npm has none, it says what is needed and what to do', () => {
  const { status, stdout, stderr } = continueWith(
    'echo "npm error code ENOTFOUND" >&2; echo "npm error the registry cannot be reached" >&2; exit 1',
    'throw new Error("must not run")',
  );
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('Lintel needs Node.js 24.9 or newer');
  expect(stderr).toContain('(the registry cannot be reached)');
  expect(stderr).toContain('Install Node.js 24');
});

test.each([
  ['16.20.2', false],
  ['24.8.9', false],
  ['24.9.0', true],
  ['25.0.0', true],
])('Node %s is new enough: %s', async (version, isEnough) => {
  const { isNewEnough } = (await import(fileURLToPath(PACKAGES))) as { isNewEnough(version: string): boolean };
  expect(isNewEnough(version)).toBe(isEnough);
});
