import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packagesToPack } from './packages-to-pack.mjs';

const root = mkdtempSync(join(tmpdir(), 'lintel-pack-'));
afterAll(() => rmSync(root, { recursive: true }));

function addPackage(folder: string, description: object): void {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, 'package.json'), JSON.stringify(description));
}

beforeAll(() => {
  addPackage('libs/errors', { name: '@lintel/errors', version: '1.2.0' });
  addPackage('libs/metadata', {
    name: '@lintel/metadata',
    version: '1.2.0',
    dependencies: { '@lintel/errors': '1.2.0', 'intl-messageformat': '12.1.5' },
    devDependencies: { '@lintel/testkit': '1.2.0' },
  });
  addPackage('libs/testkit', { name: '@lintel/testkit', version: '1.2.0' });
  // Each needs the other.
  addPackage('services/data', {
    name: '@lintel/data',
    version: '2.0.0-rc.1',
    dependencies: { '@lintel/metadata': '1.2.0', '@lintel/cli': '1.2.0' },
  });
  addPackage('tools/cli', { name: '@lintel/cli', version: '1.2.0', dependencies: { '@lintel/data': '2.0.0-rc.1' } });
  mkdirSync(join(root, 'deploy/no-package'), { recursive: true });
});

test('a package is packed with all that it needs at run time, each once, by name', () => {
  expect(packagesToPack(root, ['@lintel/cli', '@lintel/metadata'])).toEqual([
    { name: '@lintel/cli', folder: 'tools/cli', file: 'lintel-cli-1.2.0.tgz' },
    { name: '@lintel/data', folder: 'services/data', file: 'lintel-data-2.0.0-rc.1.tgz' },
    { name: '@lintel/errors', folder: 'libs/errors', file: 'lintel-errors-1.2.0.tgz' },
    { name: '@lintel/metadata', folder: 'libs/metadata', file: 'lintel-metadata-1.2.0.tgz' },
  ]);
});

test('a package that there is not is named', () => {
  expect(() => packagesToPack(root, ['@lintel/errors', '@lintel/nothing'])).toThrow(
    'There is no package @lintel/nothing in apps, libs, services, deploy, tools',
  );
});
