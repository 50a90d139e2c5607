import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isInstalled } from './is-installed.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lintel-installed-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (path: string, content: object) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(content));
};
const A = { version: '1.2.3', integrity: 'sha512-a' };
const lock = (packages: object) => ({ packages: { '': {}, 'libs/x': { version: '0.1.0' }, ...packages } });
const note = (packages: object) => write('node_modules/.package-lock.json', { packages });

test('packages are installed where npm noted them down and they are there', () => {
  expect(isInstalled(lock({ 'node_modules/a': A }), root)).toBe(false);
  note({ 'node_modules/a': A });
  // "npm install --package-lock-only" notes down what it does not install.
  expect(isInstalled(lock({ 'node_modules/a': A }), root)).toBe(false);
  write('node_modules/a/package.json', { version: '1.2.2' });
  expect(isInstalled(lock({ 'node_modules/a': A }), root)).toBe(false);
  for (const version of ['1.2.3', 'v1.2.3']) {
    write('node_modules/a/package.json', { version });
    expect(isInstalled(lock({ 'node_modules/a': A }), root)).toBe(true);
  }
});

test('a package with another checksum, or that npm did not note down, is not the one', () => {
  write('node_modules/a/package.json', { version: '1.2.3' });
  note({ 'node_modules/a': { ...A, integrity: 'sha512-b' } });
  expect(isInstalled(lock({ 'node_modules/a': A }), root)).toBe(false);
  expect(isInstalled(lock({ 'node_modules/a': { version: '1.2.3' } }), root)).toBe(true);
  note({});
  expect(isInstalled(lock({ 'node_modules/a': A }), root)).toBe(false);
});

test('packages of other platforms may be missing; links to packages of the repository have no version', () => {
  note({ 'node_modules/@x/own': { resolved: 'libs/x', link: true } });
  write('node_modules/@x/own/package.json', { version: '0.1.0' });
  const link = { 'node_modules/@x/own': { resolved: 'libs/x', link: true } };
  expect(isInstalled(lock({ ...link, 'node_modules/b': { version: '1.0.0', optional: true } }), root)).toBe(true);
});
