import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ProvidedBackends, provide } from '@lintel/testkit/backends';

const FOLDER = fileURLToPath(new URL('../../.github/workflows', import.meta.url));

let programs: ProvidedBackends;
beforeAll(async () => {
  programs = await provide({ actionlint: true });
});
afterAll(() => programs?.stop());

test('the workflows have no mistake that actionlint finds', async () => {
  const files = readdirSync(FOLDER).map((file) => join(FOLDER, file));
  expect(files.length).toBeGreaterThanOrEqual(3);
  const actionlint = programs.environment['LINTEL_TEST_ACTIONLINT_PROGRAM'] ?? '';
  const { stdout } = await promisify(execFile)(actionlint, ['-no-color', ...files]);
  expect(stdout).toBe('');
});
