import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('release.mjs', import.meta.url));

test.each([
  ['--registry', 'https://publisher:hunter2@registry.example'],
  ['--images', 'publisher:hunter2@registry.example/shop'],
  ['--charts', 'publisher:hunter2@registry.example/charts'],
])('an address of %s with a password is refused, and the password is not printed', (option, address) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, option, address], { encoding: 'utf8' });
  expect(status).not.toBe(0);
  expect(stdout + stderr).toContain('Log in at the registry');
  expect(stdout + stderr).not.toContain('hunter2');
});
