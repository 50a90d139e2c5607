import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationEnvironment } from './application-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-context-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const applicationOf = (variables: Readonly<Record<string, string>>) =>
  applicationEnvironment(variables).SVC_APPLICATION;

test('the application is that of the folder, also with a configuration file that names none', () => {
  const other = fileWith('other.properties', 'svc.log.level=debug\n');
  expect(applicationOf({})).toBe('.');
  expect(applicationOf({ SVC_CONFIG_FILE: other })).toBe('.');
  expect(applicationOf({ SVC_CONFIG_FILE: join(folder, 'missing.properties') })).toBe('.');
});

test('a variable or a configuration file names another application', () => {
  const named = fileWith('named.yml', 'svc:\n  application: ./elsewhere\n');
  expect(applicationOf({ SVC_APPLICATION: './other' })).toBe('./other');
  expect(applicationOf({ SVC_CONFIG_FILE: named })).toBeUndefined();
});
