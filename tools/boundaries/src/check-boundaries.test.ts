import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkBoundaries } from './check-boundaries.ts';
import type { Exception } from './exceptions.ts';
import { formatResult } from './format-result.ts';
import { buildWorkspace } from './workspace/build-workspace.ts';
import { readWorkspace } from './workspace/read-workspace.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

test('this repository keeps all rules, and every exception is needed', () => {
  expect(formatResult(checkBoundaries(readWorkspace(ROOT)))).toBe('');
});

describe('exceptions', () => {
  const workspace = buildWorkspace(
    new Map([
      ['package.json', '{"name": "lintel"}'],
      ['libs/http/package.json', '{"name": "@lintel/http", "dependencies": {"pg": "1", "amqplib": "1"}}'],
      ['libs/http/src/a.ts', "import 'pg';\nimport 'amqplib';"],
    ]),
    () => true,
  );
  const exception = (path: string, what?: string): Exception => ({
    rule: 'one-importer-per-driver',
    path,
    ...(what === undefined ? {} : { what }),
    reason: 'of the test',
  });
  const lines = (exceptions: readonly Exception[]) =>
    checkBoundaries(workspace, undefined, exceptions).violations.map(({ line }) => line);

  test('excuse a file, a folder, or only what they name', () => {
    expect(lines([])).toEqual([1, 2]);
    expect(lines([exception('libs/http/src/a.ts')])).toEqual([]);
    expect(lines([exception('libs/http/')])).toEqual([]);
    expect(lines([exception('libs/http/src/a.ts', 'imports pg,')])).toEqual([2]);
    expect(lines([exception('libs/http/src')])).toEqual([1, 2]);
  });

  test('that excuse nothing are reported', () => {
    const idle = exception('libs/cache/');
    const result = checkBoundaries(workspace, undefined, [exception('libs/http/'), idle]);
    expect(result).toEqual({ violations: [], unusedExceptions: [idle] });
    expect(formatResult(result)).toContain('excuses nothing any longer: one-importer-per-driver in libs/cache/');
  });

  test('are the only way out: each problem says place, fact, rule and reason', () => {
    expect(formatResult(checkBoundaries(workspace, undefined, [exception('libs/http/', 'amqplib')]))).toBe(
      'libs/http/src/a.ts:1 imports pg, which belongs to libs/persistence and libs/schema\n' +
        '    one-importer-per-driver: Each driver has one importer, because a driver that one package knows can be replaced, configured and translated in one package.\n',
    );
  });
});
