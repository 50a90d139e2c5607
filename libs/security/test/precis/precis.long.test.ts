import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

test('Go has the results that the tests compare with', async () => {
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const { stdout } = await promisify(execFile)('go', ['run', '.'], { cwd });
  expect(stdout).toBe(readFileSync(new URL('expected.json', import.meta.url), 'utf8'));
}, 300_000);
