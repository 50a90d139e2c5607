import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { librariesOf } from './libraries-of.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lintel-libraries-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, ...lines: readonly string[]): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

test('imports of packages are found in all modules of ours, each module once, and late imports are not', () => {
  const main = write(
    'main.js',
    "import { a, b as c, } from 'left';",
    "import pg, * as all from 'pg';",
    "import './part.js';",
    "import { ours } from '@lintel/ours';",
    "const late = await import('late');",
  );
  const part = write('part.js', "export { d } from 'right';", "import 'effect';", "import { x } from './main.js';");
  write('node_modules/@lintel/ours/package.json', '{"exports":"./index.js"}');
  const ours = write('node_modules/@lintel/ours/index.js', "import { readFile } from 'node:fs/promises';");
  const found = librariesOf([main]);
  expect(Object.fromEntries(found.map(({ file, ...libraries }) => [file, libraries]))).toEqual({
    [main]: {
      statements: ["import { a, b as c, } from 'left';", "import pg, * as all from 'pg';"],
      names: ['a', 'c', 'pg', 'all'],
    },
    [part]: { statements: ["export { d } from 'right';", "import 'effect';"], names: [] },
    [ours]: { statements: ["import { readFile } from 'node:fs/promises';"], names: ['readFile'] },
  });
  expect(found).toHaveLength(3);
});

test('a module that is not there is named', () => {
  const main = write('main.js', "import './part.js';");
  expect(() => librariesOf([main])).toThrow(`${main} imports ./part.js, which is not built`);
});
