import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { run, type Terminal } from '@lintel/cli';
import { baseUrl } from '../api.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const GUIDES = join(ROOT, 'docs', 'guide');

const OPTIONS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: false,
    allowImportingTsExtensions: true,
  },
};

const unused = async (): Promise<never> => Promise.reject(new Error('There is no input'));
const terminal: Terminal = {
  isInteractive: false,
  print: () => {},
  note: () => {},
  during: (_title, work) => work(() => {}),
  through: (_title, _total, work) => work(() => {}),
  askText: unused,
  askPassword: unused,
  askYes: unused,
  readInput: async () => '',
};

/** A program of all examples, in order; those for browsers are compiled only, and those with another mark are no code. */
function programOf(guide: string): string {
  const examples = [...guide.matchAll(/^```ts( browser)?\n(.*?)^```$/gms)];
  return examples
    .map(([, browser, text = ''], index) =>
      browser === undefined ? text : `export async function browser${index}(): Promise<void> {\n${text}}\n`,
    )
    .join('\n')
    .replaceAll('http://localhost:8080', baseUrl);
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(ROOT, 'tests', 'contract', '.typed-client-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program; its output, and what it complains of otherwise. */
const node = (...parameters: readonly string[]): Promise<string> =>
  promisify(execFile)(process.execPath, parameters, { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' } }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${error.stdout ?? ''}${error.stderr ?? ''}`);
    },
  );

test('every example of the guides of the JavaScript client and of the history compiles and runs', async () => {
  const output = join(folder, 'api');
  expect(await run(['client', '--application', '@lintel/example-sales', '--output', output], terminal)).toBe(0);
  const guides = ['javascript-client.md', 'history.md'].map((page) => readFile(join(GUIDES, page), 'utf8'));
  await writeFile(join(folder, 'guide.ts'), programOf((await Promise.all(guides)).join('\n')));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(OPTIONS));
  await node(COMPILER, '-p', 'tsconfig.json');
  const printed = await node('--no-warnings', 'guide.ts');
  for (const text of [
    'Somebody else was faster: REQ_PRECONDITION_FAILED',
    'name may not be null',
    'not needed any more',
    '5 of 5',
    'note.txt hello',
    'SUCCEEDED',
    'Ada became Adam',
  ]) {
    expect(printed).toContain(text);
  }
}, 180_000);

test.each(['react.md', 'extend-the-console.md'])(
  'every example of %s compiles',
  async (page) => {
    const project = await mkdtemp(join(folder, 'react-'));
    const output = join(project, 'api');
    expect(await run(['client', '--application', '@lintel/example-sales', '--output', output], terminal)).toBe(0);
    const examples = [...(await readFile(join(GUIDES, page), 'utf8')).matchAll(/^```tsx\n(.*?)^```$/gms)];
    await writeFile(join(project, 'guide.tsx'), examples.map(([, text]) => text).join('\n'));
    const compilerOptions = { ...OPTIONS.compilerOptions, jsx: 'react-jsx', types: [] };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    await node(COMPILER, '-p', join(project, 'tsconfig.json'));
    expect(examples.length).toBeGreaterThan(0);
  },
  180_000,
);
