import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyPrograms, PROGRAMS } from './make-runtime.mjs';

test('an image has the programs that it runs, and no tests', () => {
  const target = mkdtempSync(join(tmpdir(), 'lintel-programs-'));
  try {
    copyPrograms(target);
    expect(readdirSync(target).sort()).toEqual([...PROGRAMS].sort());
    const files = readdirSync(target, { recursive: true }).map(String);
    expect(files).toContain(join('empty-backends', 'start-empty-backends.mjs'));
    expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
  } finally {
    rmSync(target, { recursive: true });
  }
});
