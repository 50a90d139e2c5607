import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * The result of a package's unit or integration tests is stored as long as the files of the package, of its
 * dependencies and those that `turbo.json` names stay the same. These tests keep a test from depending on anything else.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ROOT_PREFIX = '$TURBO_ROOT$/';
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const { tasks } = read('turbo.json') as { tasks: Record<string, { inputs: string[] }> };

/** Which files have the tests of a task, beside those of the folder `test`, which may be used by both. */
const TASKS: Readonly<Record<string, (file: string) => boolean>> = {
  'test:unit': (file) => file.endsWith('.test.ts') && !/\.(int|long)\.test\.ts$/.test(file),
  'test:int': (file) => file.endsWith('.int.test.ts'),
};
/** Tests of another kind than that of the task. */
const isOfOther = (task: string, file: string): boolean => /\.test\.ts$/.test(file) && TASKS[task]?.(file) !== true;

const packages = globSync('{libs,services,examples,deploy,tools,bench}/{package.json,*/package.json}', { cwd: ROOT })
  .map((file) => ({ folder: dirname(file), scripts: read(file).scripts ?? {} }))
  .flatMap(({ folder, scripts }) =>
    Object.keys(TASKS)
      .filter((task) => scripts[task] !== undefined)
      .map((task) => [task, folder] as const),
  );

/** Tests of the task, and what they share. */
const testFilesOf = (task: string, folder: string): readonly string[] =>
  globSync('{src,test}/**/*.ts', { cwd: join(ROOT, folder) })
    .filter((file) => (file.startsWith('test/') || TASKS[task]?.(file) === true) && !isOfOther(task, file))
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

describe.each(packages)('%s of %s', (task, folder) => {
  const { name, dependencies = {}, devDependencies = {} } = read(`${folder}/package.json`);
  const inputs = (tasks[`${name}#${task}`] ?? tasks[task])?.inputs ?? [];

  test('reads files outside of the package only where turbo.json names them', () => {
    const known = inputs
      .filter((input) => input.startsWith(ROOT_PREFIX) && !tasks[task]?.inputs.includes(input))
      .map((input) => input.slice(ROOT_PREFIX.length).replace(/\*\*$/, ''));
    const unknown = testFilesOf(task, folder).flatMap((file) =>
      pathsOutside(file, folder)
        .filter((path) => !known.some((start) => `${path}/`.startsWith(start) || (path === '' && start !== '')))
        .map((path) => `${relative(ROOT, file)} reads ${path || 'the repository'}`),
    );
    expect(unknown).toEqual([]);
  });

  test('imports packages that the package depends on', () => {
    const declared = new Set([name, ...Object.keys(dependencies), ...Object.keys(devDependencies)]);
    const undeclared = testFilesOf(task, folder).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/ from '(@lintel\/[\w-]+)/g)]
        .filter(([, imported = '']) => !declared.has(imported))
        .map(([, imported]) => `${relative(ROOT, file)} imports ${imported}`),
    );
    expect(undeclared).toEqual([]);
  });
});

test.each(Object.keys(TASKS))(
  '%s of one package has all inputs, outputs and variables of the general task',
  (general) => {
    const own = Object.entries(tasks).filter(([task]) => task.endsWith(`#${general}`));
    for (const [task, { inputs, ...more }] of own) {
      const { inputs: generalInputs, ...generalMore } = tasks[general] ?? { inputs: [] };
      expect([task, inputs, more]).toEqual([task, expect.arrayContaining(generalInputs), generalMore]);
    }
  },
);

test('every package with integration tests among the libraries and services stores their results', () => {
  const withTests = globSync('{libs,services}/*/{src,test}/**/*.int.test.ts', { cwd: ROOT });
  const folders = new Set(withTests.map((file) => file.split('/').slice(0, 2).join('/')));
  const stored = packages.filter(([task]) => task === 'test:int').map(([, folder]) => folder);
  expect(stored.sort()).toEqual([...folders].sort());
});
