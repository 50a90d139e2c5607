import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeHome, resolveStatePaths } from './state-directory.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lintel-state-'));
  chmodSync(home, 0o755);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('concurrent commands resolve the same folders, and leave no files there', async () => {
  // As another command does concurrently.
  const probe = openSync(join(home, 'probe'), 'w', 0o755);
  try {
    expect((await resolveStatePaths(home)).database).toBe(join(home, 'database'));
  } finally {
    closeSync(probe);
  }
  expect(readdirSync(home)).toEqual(['probe']);
});

test('an existing database is not moved, with any permissions of its folder', async () => {
  mkdirSync(join(home, 'database', 'data'), { recursive: true });
  writeFileSync(join(home, 'database', 'data', 'PG_VERSION'), '18\n');
  chmodSync(home, 0o700);
  expect((await resolveStatePaths(home)).database).toBe(join(home, 'database'));
  expect(existsSync(join(home, 'location'))).toBe(false);
});

test('a home folder that replaces a deleted one has a new database; removed with its home folder, none is left', async () => {
  // Only the owner may enter: as root, the database is stored outside.
  chmodSync(home, 0o700);
  const first = await resolveStatePaths(home);
  const location = join(home, 'location');
  const kept = existsSync(location) ? readFileSync(location) : undefined;
  mkdirSync(join(first.database, 'data'), { recursive: true });
  writeFileSync(join(first.database, 'data', 'PG_VERSION'), '18\n');
  expect((await resolveStatePaths(home)).database).toBe(first.database);
  rmSync(home, { recursive: true });
  mkdirSync(home, { mode: 0o700 });
  const second = await resolveStatePaths(home);
  expect(existsSync(join(second.database, 'data'))).toBe(false);
  removeHome(home);
  // As the home folder was before it was deleted.
  mkdirSync(home);
  if (kept !== undefined) writeFileSync(location, kept);
  removeHome(home);
  expect([first, second].map(({ database }) => existsSync(dirname(database)))).toEqual([false, false]);
});
