import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolders } from './unit-tests.mjs';

/*
 * Turbo keeps the result of a package's unit tests as long as the files of the package, of its dependencies and those
 * that `turbo.json` names stay the same. These tests keep a test from depending on anything else.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ROOT_PREFIX = '$TURBO_ROOT$/';
const TASK = 'test:unit';
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const { tasks } = read('turbo.json') as { tasks: Record<string, { inputs: string[] }> };
const { cached } = packageFolders();

/** Unit tests, and what they share. */
const testFilesOf = (folder: string): readonly string[] =>
  globSync('{src,test}/**/*.ts', { cwd: join(ROOT, folder) })
    .filter((file) => file.startsWith('test/') || file.endsWith('.test.ts'))
    .filter((file) => !/\.(int|long)\.test\.ts$/.test(file))
    .map((file) => join(ROOT, folder, file));

/** Existing paths outside of the package that a file names, up to the first part that is made when it runs. */
function pathsOutside(file: string, folder: string): readonly string[] {
  const named = [...readFileSync(file, 'utf8').matchAll(/['"`](\.\.?\/[^'"`\s]*)['"`]/g)];
  return named
    .map(([, path = '']) => resolve(dirname(file), path.replace(/\$\{.*/, '')))
    .filter((path) => relative(join(ROOT, folder), path).startsWith('..') && existsSync(path))
    .map((path) => relative(ROOT, path))
    .filter((path) => !path.startsWith('..'));
}

describe.each(cached)('the unit tests of %s', (folder) => {
  const { name, dependencies = {}, devDependencies = {} } = read(`${folder}/package.json`);
  const inputs = (tasks[`${name}#${TASK}`] ?? tasks[TASK])?.inputs ?? [];

  test('read files outside of their package only where turbo.json names them', () => {
    const known = inputs
      .filter((input) => input.startsWith(ROOT_PREFIX) && !tasks[TASK]?.inputs.includes(input))
      .map((input) => input.slice(ROOT_PREFIX.length).replace(/\*\*$/, ''));
    const unknown = testFilesOf(folder).flatMap((file) =>
      pathsOutside(file, folder)
        .filter((path) => !known.some((start) => `${path}/`.startsWith(start) || (path === '' && start !== '')))
        .map((path) => `${relative(ROOT, file)} reads ${path || 'the repository'}`),
    );
    expect(unknown).toEqual([]);
  });

  test('import packages that the package depends on', () => {
    const declared = new Set([name, ...Object.keys(dependencies), ...Object.keys(devDependencies)]);
    const undeclared = testFilesOf(folder).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/ from '(@lintel\/[\w-]+)/g)]
        .filter(([, imported = '']) => !declared.has(imported))
        .map(([, imported]) => `${relative(ROOT, file)} imports ${imported}`),
    );
    expect(undeclared).toEqual([]);
  });
});

test('a task of one package has all inputs, outputs and variables of the general one', () => {
  const general = tasks[TASK];
  for (const [task, own] of Object.entries(tasks).filter(([task]) => task.endsWith(`#${TASK}`))) {
    expect([task, own]).toEqual([task, { ...general, inputs: expect.arrayContaining(general?.inputs ?? []) }]);
  }
});
