import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const node = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-decorators-'));
  await writeFile(
    join(folder, 'index.ts'),
    `import { named } from './named.ts';
@named('desk')
class Desk {
  readonly #size: number = 3;
  @counted
  size(): number {
    return this.#size;
  }
}
function counted<T extends () => number>(method: T, _context: ClassMethodDecoratorContext): (this: Desk) => number {
  return function (this: Desk) { return method.call(this) + 1; };
}
export default { id: \`\${named.of} \${new Desk().size()}\`, model: {}, resourceRoles: new Map() };`,
  );
  await writeFile(
    join(folder, 'named.ts'),
    `export const named = Object.assign((name: string) => (_: object, __: ClassDecoratorContext): void => { named.of = name; }, { of: '' });`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

/** In a process of its own: jest loads modules itself. */
const load = (specifier: string) =>
  node(
    process.execPath,
    [
      ...['--conditions=lintel-source', '--no-warnings', '--input-type=module', '-e'],
      `import ${JSON.stringify(fileURLToPath(new URL('../decorators.ts', import.meta.url)))};
       import { loadApplication } from ${JSON.stringify(fileURLToPath(new URL('./load-application.ts', import.meta.url)))};
       process.stdout.write((await loadApplication(${JSON.stringify(specifier)}, ${JSON.stringify(folder)})).id);`,
    ],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  );

test('sources in TypeScript may have decorators', async () => {
  expect((await load('./index.ts')).stdout).toBe('desk 4');
});

test('a decorator may follow export', async () => {
  await writeFile(
    join(folder, 'exported.ts'),
    `import { named } from './named.ts';
export @named('shop') class Shop {}
export default { id: named.of, model: {}, resourceRoles: new Map() };`,
  );
  expect((await load('./exported.ts')).stdout).toBe('shop');
});

test('a mistake in such a file is reported with its file and line', async () => {
  await writeFile(join(folder, 'wrong.ts'), "@named('x'\nclass Desk {}\n");
  await expect(load('./wrong.ts')).rejects.toThrow(/wrong\.ts:2:\d+: ERROR/);
});
