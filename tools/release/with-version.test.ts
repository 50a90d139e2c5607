import { readFileSync } from 'node:fs';
import { versionOf, withVersion } from './with-version.mjs';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const FILES = ['package.json', 'deploy/helm/lintel/Chart.yaml', 'deploy/images/Dockerfile'];

test.each(FILES)('%s has the version of all packages', (file) => {
  const { version } = JSON.parse(read('libs/application/package.json'));
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
