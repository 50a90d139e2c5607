import { readFileSync } from 'node:fs';
import { missingEntries } from './complete-lock-file.mjs';

const packages = (owner: object, more: object = {}) => ({ '': {}, 'node_modules/turbo': owner, ...more });

test('the lock file names the programs of every platform', () => {
  const lock = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'));
  // Otherwise `npm ci` refuses it: run `node tools/bootstrap/installation/complete-lock-file.mjs`.
  expect(Object.keys(missingEntries(lock.packages))).toEqual([]);
});

test('the lock file holds no address of a registry', () => {
  expect(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8')).not.toMatch(
    /https?:\/\/[^"]*\.tgz/,
  );
});

test('a missing program gets its system, processor and C library from its name', () => {
  const optionalDependencies = { '@x/cli-linux-x64-musl': '1.2.3', '@x/darwin-64': '1.2.3', 'cpu-features': '~0.0.10' };
  expect(missingEntries(packages({ dev: true, optionalDependencies }))).toEqual({
    'node_modules/@x/cli-linux-x64-musl': {
      version: '1.2.3',
      cpu: ['x64'],
      os: ['linux'],
      libc: ['musl'],
      dev: true,
      optional: true,
    },
    'node_modules/@x/darwin-64': { version: '1.2.3', cpu: ['x64'], os: ['darwin'], dev: true, optional: true },
  });
});

test('an entry in the folder of the owner counts', () => {
  const owner = { optionalDependencies: { '@x/darwin-64': '1.2.3' } };
  expect(missingEntries(packages(owner, { 'node_modules/turbo/node_modules/@x/darwin-64': {} }))).toEqual({});
});
