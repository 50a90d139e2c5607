import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPlace } from './place.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lintel-place-'));
  chmodSync(home, 0o755);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('commands that look for the place at the same time find the same one, and leave nothing there', () => {
  // As another command does it at this moment.
  const probe = openSync(join(home, 'probe'), 'w', 0o755);
  try {
    expect(findPlace(home).database).toBe(join(home, 'database'));
  } finally {
    closeSync(probe);
  }
  expect(readdirSync(home)).toEqual(['probe']);
});

test('a database that is there stays where it is, whoever may enter its folder', () => {
  mkdirSync(join(home, 'database', 'data'), { recursive: true });
  writeFileSync(join(home, 'database', 'data', 'PG_VERSION'), '18\n');
  chmodSync(home, 0o700);
  expect(findPlace(home).database).toBe(join(home, 'database'));
  expect(existsSync(join(home, 'location'))).toBe(false);
});
