import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openHomeDatabase } from '@lintel/standalone';

const SCRIPT = fileURLToPath(new URL('./migrate.mjs', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const home = mkdtempSync(join(tmpdir(), 'lintel-migrate-'));
// As root, the database runs as another user, who must reach it.
chmodSync(home, 0o755);
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** `npm run migrate -- …` without a configured database, in the home folder. */
const migrate = (...parameters: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators', SCRIPT, ...parameters],
      { cwd: ROOT, env: { PATH: process.env['PATH'], LINTEL_HOME: home } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

test('the database of the standalone mode is migrated where it does not run, and looked at where it does', async () => {
  const first = await migrate();
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/ran \d+-initial\n(.*\n)*\d+ migrations run/) });
  expect(first.stderr).toContain('Starting the database');
  const database = await openHomeDatabase(home, () => {});
  try {
    const [status, drift] = await Promise.all([migrate('status', '--json'), migrate('drift')]);
    expect(status).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(status.stdout)).toMatchObject({ upToDate: true });
    expect(drift).toEqual({ code: 0, stdout: 'The database fits the model.\n', stderr: '' });
  } finally {
    await database.close();
  }
}, 240_000);
