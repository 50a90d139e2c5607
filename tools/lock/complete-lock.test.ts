import { readFileSync } from 'node:fs';

const { completed, missingFrom, platformOf } = await import(new URL('./complete-lock.mjs', import.meta.url).href);

const lock = {
  packages: {
    '': {},
    'node_modules/tool': {
      version: '1.0.0',
      optionalDependencies: { '@tool/linux-x64': '1.0.0', '@tool/darwin-arm64': '1.0.0' },
    },
    'node_modules/@tool/linux-x64': { version: '1.0.0', optional: true },
    'libs/a/node_modules/other': { version: '2.0.0', optionalDependencies: { inner: '1.2.3' } },
    'libs/a/node_modules/inner': { version: '1.2.3', optional: true },
  },
};

test('a platform package that npm could not fetch is added with its platform', () => {
  expect(missingFrom(lock).map(({ name }: { name: string }) => name)).toEqual(['@tool/darwin-arm64']);
  expect(completed(lock).packages['node_modules/@tool/darwin-arm64']).toEqual({
    version: '1.0.0',
    os: ['darwin'],
    cpu: ['arm64'],
    optional: true,
  });
  expect(missingFrom(completed(lock))).toEqual([]);
});

test.each([
  ['@turbo/windows-64', { os: ['win32'], cpu: ['x64'] }],
  ['@swc/core-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'] }],
  ['@unrs/resolver-binding-openharmony-arm64', { os: ['openharmony'], cpu: ['arm64'] }],
])('the platform of %s is read from its name', (name, platform) => {
  expect(platformOf(name)).toEqual(platform);
});

test('package-lock.json of the repository is complete and names no address; otherwise run "npm run lock"', () => {
  const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
  expect(missingFrom(JSON.parse(text))).toEqual([]);
  expect(text).not.toMatch(/"resolved": "https?:/);
});
