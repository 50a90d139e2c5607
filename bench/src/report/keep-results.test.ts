import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepResults } from './keep-results.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-results-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a result is recorded, unless the options say that it is not', () => {
  expect(keepResults({ record: false, output: undefined }, folder, 'soak.json', {})).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
  expect(keepResults({ record: true, output: undefined }, folder, 'soak.json', {})).toBe(join(folder, 'soak.json'));
  expect(readdirSync(folder)).toEqual(['soak.json']);
});

test('a named file gets the result in any case, and the folder of recorded results nothing', () => {
  const output = join(folder, 'mine', 'growth.json');
  expect(keepResults({ record: false, output }, join(folder, 'recorded'), 'growth.json', {})).toBe(output);
  expect(readdirSync(folder)).toEqual(['mine']);
});
