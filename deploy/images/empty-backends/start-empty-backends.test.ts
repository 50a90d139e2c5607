import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programVariables } from '@lintel/testkit';

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Starts a service with empty backends; resolves when it has ended. */
const startService = (service: string, settings: Record<string, string>) =>
  new Promise<{ readonly code: unknown; readonly stderr: string }>((resolve) => {
    const options = ['--conditions=lintel-source', '--no-warnings', '--import', pathOf('start-empty-backends.mjs')];
    execFile(
      process.execPath,
      [...options, pathOf(`../../../services/${service}/src/main.ts`)],
      { env: { ...programVariables(), SVC_INTERNAL_SECRET: 'a-secret-of-at-least-32-characters', ...settings } },
      (error, _stdout, stderr) => resolve({ code: error?.code, stderr }),
    );
  });

test('a wrong storage of files ends the start with its description alone, while the database is awaited', async () => {
  expect(await startService('files', { SVC_FILES_STORAGE_FS_KIND: 'folder' })).toEqual({
    code: 1,
    stderr: 'The configuration is not valid:\n  - svc.files.storage.fs.path is required for a storage of kind folder\n',
  });
});
