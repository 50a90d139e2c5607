import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { claimHome } from './instance-claim.ts';
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

test('a copy of a home folder is not taken for the folder itself, and one that was moved keeps its database', async () => {
  chmodSync(home, 0o700);
  const first = await resolveStatePaths(home);
  mkdirSync(join(first.database, 'data'), { recursive: true });
  writeFileSync(join(first.database, 'data', 'PG_VERSION'), '18\n');
  claimHome(home, 'http://localhost:1');
  const [copy, moved] = [`${home}-copy`, `${home}-moved`];
  try {
    cpSync(home, copy, { recursive: true });
    expect(() => claimHome(copy, 'http://localhost:2')).not.toThrow();
    expect(() => claimHome(home, 'http://localhost:2')).toThrow('Lintel is already running at http://localhost:1');
    expect((await resolveStatePaths(copy)).database).not.toBe(first.database);
    removeHome(copy);
    expect(existsSync(join(first.database, 'data'))).toBe(true);
    renameSync(home, moved);
    const { database } = await resolveStatePaths(moved);
    expect(existsSync(join(database, 'data', 'PG_VERSION'))).toBe(true);
  } finally {
    removeHome(copy);
    removeHome(moved);
  }
});
