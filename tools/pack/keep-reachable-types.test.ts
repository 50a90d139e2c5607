import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepReachableTypes } from './keep-reachable-types.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-types-'));
  mkdirSync(join(folder, 'a'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);

test('declarations that an exported one imports stay, others are removed; their packages are returned', () => {
  write('a/index.d.ts', "export * from './used.js';\nexport type X = import('./type.js').X;");
  write('a/used.d.ts', "import type { Client } from 'pg';");
  write('a/type.d.ts', '');
  write('a/unused.d.ts', "import 'other';");
  write('a/unused.js', '');
  expect([...keepReachableTypes(folder, ['a/index.d.ts'])]).toEqual(['pg']);
  expect(
    ['used.d.ts', 'type.d.ts', 'unused.js', 'unused.d.ts'].map((file) => existsSync(join(folder, 'a', file))),
  ).toEqual([true, true, true, false]);
});

test('a declaration that is missing is named', () => {
  write('a/index.d.ts', "export * from './gone.js';");
  expect(() => keepReachableTypes(folder, ['a/index.d.ts'])).toThrow('a/index.d.ts imports ./gone.js');
});
