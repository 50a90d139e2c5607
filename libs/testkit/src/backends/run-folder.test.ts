import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDataFolder, createRunFolder } from './run-folder.ts';

test.each([
  ['of a run', createRunFolder],
  ['of a database', createDataFolder],
])('the folder %s can be entered by users of servers, and is removed at the end', (_whose, create) => {
  const folder = create();
  expect(statSync(folder.path).mode & 0o777).toBe(0o755);
  folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});

test('folders of runs that have ended without removing them are removed by the next one, on disk and in memory', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  const data = createDataFolder();
  const left = [tmpdir(), dirname(data.path)].map((parent, at) => join(parent, `lintel-test-${pid}-left${at}`));
  for (const path of left) mkdirSync(path);
  const next = createRunFolder();
  try {
    expect(left.filter((path) => existsSync(path))).toEqual([]);
    expect(existsSync(data.path)).toBe(true);
  } finally {
    next.remove();
    data.remove();
  }
});
