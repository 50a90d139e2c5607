import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PackageSpecifications } from './find-packages.ts';

const TEMPLATE = fileURLToPath(new URL('../../template', import.meta.url));

/** npm leaves these out of packages, or gives them a meaning, under their real names. */
const REAL_NAMES: Readonly<Record<string, string>> = {
  gitignore: '.gitignore',
  dockerignore: '.dockerignore',
  npmrc: '.npmrc',
  'env.example': '.env.example',
  'readme.md': 'README.md',
};

/** What the application's own code and commands use; the rest comes with them. */
const USED = [
  '@lintel/application',
  '@lintel/cli',
  '@lintel/config',
  '@lintel/http',
  '@lintel/metadata',
  '@lintel/security',
];

/** What its tests use. */
const TEST_PACKAGE = '@lintel/test';

export interface Scaffold {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly packages: PackageSpecifications;
}

/** The files of a new application: contents by path, with `/` between folders. */
export function scaffoldFiles(scaffold: Scaffold): ReadonlyMap<string, string> {
  const { id, name } = scaffold;
  const files = new Map<string, string>();
  for (const entry of readdirSync(TEMPLATE, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(TEMPLATE, file).split(sep).join('/');
    // The template is an application that is type-checked and tested as it is, by the name of "sample".
    const text = readFileSync(file, 'utf8').replaceAll('sample', id).replaceAll('Sample', name);
    files.set(REAL_NAMES[path] ?? path, text);
  }
  files.set('package.json', `${JSON.stringify(description(scaffold), null, 2)}\n`);
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function description({ id, name, folder, packages }: Scaffold): object {
  const isUsed = ([packageName]: readonly [string, string]): boolean => USED.includes(packageName);
  const isOfTests = ([packageName]: readonly [string, string]): boolean => packageName === TEST_PACKAGE;
  // Applications that call another one install the client by themselves.
  const all = Object.entries(packages).filter(([name]) => name.startsWith('@lintel/') && name !== '@lintel/client');
  return {
    name: packageName(basename(folder), id),
    version: '0.1.0',
    private: true,
    description: name,
    type: 'module',
    engines: { node: '>=24.9.0' },
    exports: './src/index.ts',
    scripts: {
      start: 'lintel start',
      dev: 'lintel dev',
      test: 'lintel test',
      check: 'tsc -p .',
    },
    dependencies: Object.fromEntries(all.filter(isUsed)),
    devDependencies: {
      ...Object.fromEntries(all.filter(isOfTests)),
      '@types/node': '24.19.2',
      typescript: '7.0.2',
    },
    ...(all.some(([, specification]) => specification.startsWith('file:')) && {
      // Of packages in files, only these: npm requests every package that is not named here from the registry, even an
      // installed one, and the name could belong to another publisher there.
      overrides: Object.fromEntries(
        all.map((entry) => [entry[0], isUsed(entry) || isOfTests(entry) ? `$${entry[0]}` : entry[1]]),
      ),
    }),
  };
}

/** A name that npm takes. */
function packageName(folder: string, id: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '');
  return name === '' ? id : name;
}
