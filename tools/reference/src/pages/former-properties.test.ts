import { readFileSync } from 'node:fs';
import { ConfigurationError, loadSettings, type SettingsShape } from '@lintel/config';
import { SERVICES, settingRows } from './setting-rows.ts';

/** Names of properties of an earlier version; one that is removed stays in the list. */
const names = readFileSync(new URL('../../test/property-names.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const current = new Set(settingRows().map(({ name }) => name));
const removed = names.filter((name) => !current.has(name)).map((name) => name.replace('<name>', 'own'));

function problemsOf(shape: SettingsShape, values: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadSettings(shape, { sources: [{ label: 'test', kind: 'environment', values }], readSecretFile: () => '' });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

function spellings(name: string): readonly string[] {
  const variable = name.replaceAll(/[.-]/g, '_').toUpperCase();
  return [name, `${name}[0]`, variable, `${variable}_0`, `${name}-file`, `${variable}_FILE`];
}

test.each(Object.entries(SERVICES))('%s refuses each property that was removed, with what to do', (_, shapes) => {
  const values = Object.fromEntries(removed.flatMap(spellings).map((name) => [name, '1']));
  const problems = shapes.flatMap((shape) => problemsOf(shape, values));
  const advised = problems.flatMap((problem) => /^(\S+): no such property: (?:use|it is) /.exec(problem)?.[1] ?? []);
  expect(Object.keys(values).filter((name) => !advised.includes(name))).toEqual([]);
});

test('a property that replaces another one exists', () => {
  const values = Object.fromEntries(removed.map((name) => [name, '1']));
  const problems = Object.values(SERVICES)
    .flat()
    .flatMap((shape) => problemsOf(shape, values));
  const successors = problems.flatMap((problem) => /: use (svc[\w.-]+)/.exec(problem)?.[1] ?? []);
  expect(successors).not.toEqual([]);
  expect(successors.filter((name) => !current.has(name))).toEqual([]);
});
