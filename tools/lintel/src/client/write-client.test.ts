import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { COMPILERS, compile, installClient } from '../../test/generated-client/install-client.ts';
import { run } from '../run.ts';

const NODE_TYPES = fileURLToPath(new URL('../../../../node_modules/@types/node', import.meta.url));
/** What is used as it should be, and what must not compile. */
const USE = new URL('../../test/generated-client/use.ts.txt', import.meta.url);

let folder: string;
let generated: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-client-'));
  await installClient(folder);
  await mkdir(join(folder, 'node_modules', '@types'));
  await symlink(NODE_TYPES, join(folder, 'node_modules', '@types', 'node'));
  const terminal = fakeTerminal();
  const output = join(folder, 'api');
  const code = await run(['client', '--application', '@lintel/example-sales', '--output', output, '--json'], terminal);
  expect([code, terminal.notes()]).toEqual([0, '']);
  expect(JSON.parse(terminal.output())).toMatchObject({ files: ['index.ts'] });
  generated = await readFile(join(output, 'index.ts'), 'utf8');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const STRICT = {
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  isolatedModules: true,
  skipLibCheck: false,
  target: 'es2024',
  lib: ['es2024'],
  types: [],
};
const ESM = { verbatimModuleSyntax: true, erasableSyntaxOnly: true };
const DOM = { lib: ['es2024', 'dom', 'dom.iterable'] };
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' };

/** The settings of applications: compiler options, how they import a file, and the type of their package. */
const SETTINGS = [
  ['a bundler', { ...ESM, ...BUNDLER }, './index', 'module'],
  ['a bundler, for browsers', { ...ESM, ...BUNDLER, ...DOM }, './index', 'module'],
  [
    'a bundler, with files by their names',
    { ...ESM, ...BUNDLER, allowImportingTsExtensions: true },
    './index.ts',
    'module',
  ],
  ['Node, as modules', { ...ESM, module: 'nodenext', types: ['node'] }, './index.js', 'module'],
  ['Node, without its types', { ...ESM, module: 'nodenext' }, './index.js', 'module'],
  ['Node 16, as CommonJS', { module: 'node16' }, './index', 'commonjs'],
  ['CommonJS', { module: 'commonjs', moduleResolution: 'bundler', esModuleInterop: true }, './index', 'commonjs'],
] as const;

/** What only the older compiler has; it takes five times as long for the others. */
const OLDER = [
  ...SETTINGS.filter(([settings]) =>
    ['a bundler', 'a bundler, for browsers', 'Node, without its types', 'Node 16, as CommonJS'].includes(settings),
  ),
  ['CommonJS, as before exports', { module: 'commonjs', moduleResolution: 'node10' }, './index', 'commonjs'],
] as const;

async function problemsOf(compiler: string, options: object, file: string, type: string): Promise<string> {
  const project = await mkdtemp(join(folder, 'use-'));
  await writeFile(join(project, 'index.ts'), generated);
  await writeFile(join(project, 'use.ts'), (await readFile(USE, 'utf8')).replace('#api', file));
  await writeFile(join(project, 'package.json'), JSON.stringify({ type }));
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...STRICT, ...options } }));
  return compile(compiler, '-p', project);
}

describe('the client of the example compiles, and knows its entities, plans, queries and services', () => {
  test.each(SETTINGS)('with %s, by TypeScript 7', async (_settings, ...setting) => {
    expect(await problemsOf(COMPILERS['TypeScript 7'], ...setting)).toBe('');
  });
  test.each(OLDER)('with %s, by TypeScript 5.9', async (_settings, ...setting) => {
    expect(await problemsOf(COMPILERS['TypeScript 5.9'], ...setting)).toBe('');
  });
});
