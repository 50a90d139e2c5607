import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { versionedFiles, versionOf, withVersion } from './with-version.mjs';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const FILES = versionedFiles(fileURLToPath(new URL('../../', import.meta.url)));

test('the base of Kustomize has the version in each workload', () => {
  expect(FILES.filter((file) => file.startsWith('deploy/kustomize/base/'))).toHaveLength(7);
});

test.each(FILES)('%s has the version of all packages', (file) => {
  const { version } = JSON.parse(read('libs/application/package.json'));
  expect(versionOf(file, read(file)).length).toBeGreaterThan(0);
  for (const found of versionOf(file, read(file))) expect(found).toBe(version);
});

test.each(FILES)('%s gets another version, and nothing else changes', (file) => {
  const text = read(file);
  const changed = withVersion(file, text, '12.0.0-rc.1');
  for (const found of versionOf(file, changed)) expect(found).toBe('12.0.0-rc.1');
  expect(withVersion(file, changed, versionOf(file, text)[0] ?? '')).toBe(text);
});

test('a file without a version is named', () => {
  expect(() => withVersion('x/Chart.yaml', 'name: x\n', '1.0.0')).toThrow('x/Chart.yaml has no version');
});
