import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@lintel/testkit';
import { watchFolder } from './watch-folder.ts';

let folder: string;
let changes: string[];
let watch: ReturnType<typeof watchFolder>;
const write = (path: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), String(Math.random()));
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-watch-'));
  for (const path of ['src/a/deep.ts', 'node_modules/p/index.js', 'test/a.test.ts', 'home/database/file']) write(path);
  changes = [];
  watch = watchFolder(folder, { ignored: join(folder, 'home'), onChange: (files) => changes.push(...files) });
});
afterEach(() => {
  watch.close();
  rmSync(folder, { recursive: true, force: true });
});

test('changes of sources, configuration and new folders are noticed, others are not', async () => {
  for (const path of [
    'node_modules/p/index.js',
    'test/a.test.ts',
    'home/database/file',
    '.hidden',
    'README.md',
    'a.ts~',
    'src/a.ts~',
    'src/.a.ts.swp',
    'export.csv',
    'out/run.log',
  ])
    write(path);
  const sources = ['.env', 'application.properties', 'src/a/deep.ts', 'src/a/letter.docx'];
  for (const path of sources) write(path);
  // The new folder `out` may hold sources.
  await eventually(() => expect([...new Set(changes)].filter((file) => file !== 'out').sort()).toEqual(sources));
  changes = [];
  write('resources/messages.properties');
  await eventually(() => expect(changes).toContain('resources'));
  write('resources/messages.properties');
  await eventually(() => expect(changes).toContain('resources/messages.properties'));
});
