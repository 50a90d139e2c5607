import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PAGE_TESTS = fileURLToPath(new URL('hooks.in-page.ts', import.meta.url));

// React looks for the globals of a page in the process, which other tests of this process must not find.
test('the hooks do in a page what they promise', async () => {
  const parameters = ['--no-warnings', '--conditions=lintel-source', '--test-reporter=spec', PAGE_TESTS];
  const { stdout } = await promisify(execFile)(process.execPath, parameters, {
    env: { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: '' },
  }).catch((error: { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  expect(stdout).toContain('fail 0');
  expect(stdout).toContain('pass 13');
});
