import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { staleFiles } from './stale-files.mjs';

const folder = mkdtempSync(join(tmpdir(), 'lintel-stale-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, text = ''): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test('compiled files without a source, assets that nothing of the page names, and files of this machine are not published', () => {
  write('src/index.ts');
  write('src/page/form.tsx');
  write('dist/bundle/index.html', '<script src="./assets/index-B.js"></script>');
  const current = [
    write('dist/index.js'),
    write('dist/index.d.ts'),
    write('dist/cjs/index.js'),
    write('dist/cjs/package.json'),
    write('dist/page/form.js'),
    write('dist/bundle/licenses.md'),
    write('dist/bundle/assets/index-B.js', "import('./editor-2.min.js')"),
    write('dist/bundle/assets/editor-2.min.js', "import('./index-B.js')"),
    write('template/old.js'),
  ];
  const stale = [
    write('dist/renamed.js'),
    write('dist/renamed.d.ts'),
    write('dist/cjs/renamed.js'),
    write('dist/bundle/assets/index-A.js'),
    write('dist/bundle/assets/editor-1.min.js'),
    write('template/.env', 'INTERNAL_SECRET=of-this-machine'),
    write('template/.lintel/secrets.json'),
    write('template/node_modules/x/index.js'),
  ];
  expect([...current, ...stale].filter(staleFiles(folder))).toEqual(stale);
});
