import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationFolder } from './run-migrate.ts';

test('the folder is the one of the nearest package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-application-'));
  try {
    mkdirSync(join(folder, 'app', 'src'), { recursive: true });
    writeFileSync(join(folder, 'app', 'package.json'), '{}');
    writeFileSync(join(folder, 'app', 'src', 'index.ts'), '');
    expect(applicationFolder('./app', folder)).toBe(join(folder, 'app'));
    expect(applicationFolder('./app/src/index.ts', folder)).toBe(join(folder, 'app'));
    expect(applicationFolder(join(folder, 'app', 'src'), '/')).toBe(join(folder, 'app'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
