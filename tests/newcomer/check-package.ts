import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** Kilobytes of a tarball. */
const BUDGETS_KB: Readonly<Record<string, number>> = {
  '@lintel/platform': 5_050,
  '@lintel/client': 78,
  '@lintel/data-providers': 25,
  '@lintel/react': 44,
  'create-lintel': 80,
};
const BUDGET_OF_OTHERS_KB = 10;

/** Fields that every published package has. */
const FIELDS = [
  'description',
  'license',
  'repository',
  'homepage',
  'keywords',
  'engines',
  'exports',
  'sideEffects',
  'files',
];
/** The packages are ES modules with `exports`, which the resolution of Node 10 does not know. */
const isAccepted = ({ kind, resolutionKind }: { kind: string; resolutionKind?: string }): boolean =>
  kind === 'CJSResolvesToESM' || resolutionKind === 'node10';
/** A program, not a module. */
const PROGRAMS = ['./cli/bin'];

interface Manifest {
  readonly name: string;
  readonly [field: string]: unknown;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** What is wrong with a tarball, as sentences: files, fields, exports, types, size. */
export async function problemsOfPackage(file: string): Promise<readonly string[]> {
  const data = new Uint8Array(readFileSync(file));
  const contents = createPackageFromTarballData(data);
  const root = `/node_modules/${contents.packageName}/`;
  const manifest = JSON.parse(contents.readFile(`${root}package.json`)) as Manifest;
  return [
    ...['README.md', 'LICENSE'].filter((name) => !contents.fileExists(`${root}${name}`)).map((name) => `no ${name}`),
    ...fieldProblems(manifest),
    ...dependencyProblems(manifest),
    ...exportProblems(manifest, (path) => contents.fileExists(`${root}${path}`)),
    ...sizeProblems(manifest.name, data.length),
    ...(await lintProblems(data)),
    ...(await typeProblems(contents)),
  ].map((problem) => `${basename(file)}: ${problem}`);
}

function fieldProblems(manifest: Manifest): readonly string[] {
  const { access } = (manifest['publishConfig'] ?? {}) as { access?: string };
  const scripts = Object.keys((manifest['scripts'] ?? {}) as object).filter((name) => /install|prepare/.test(name));
  return [
    ...FIELDS.filter((field) => manifest[field] === undefined).map((field) => `package.json has no ${field}`),
    ...(manifest['private'] === true ? ['package.json is private'] : []),
    ...(access === 'public' ? [] : ['publishConfig has no public access']),
    ...scripts.map((name) => `the script ${name} runs at the installation`),
  ];
}

/** A registry has versions; `file:`, `workspace:` and addresses are of one machine or of another server. */
function dependencyProblems(manifest: Manifest): readonly string[] {
  return ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((field) =>
    Object.entries((manifest[field] ?? {}) as Readonly<Record<string, string>>)
      .filter(([, version]) => !/^(\^|~|>=)?\d+(\.\d+)*(-[\w.]+)?( \|\| |$)/.test(version))
      .map(([name, version]) => `${field} has ${name} from ${version}`),
  );
}

/** What is exported exists, and modules have types. */
function exportProblems({ exports }: Manifest, exists: (path: string) => boolean): readonly string[] {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const targets = typeof target === 'string' ? { default: target } : target;
    const absent = Object.values(targets).filter((path) => typeof path === 'string' && !exists(path.replace('./', '')));
    const isModule = !subpath.endsWith('package.json') && !subpath.endsWith('/bin');
    const isTyped = !isModule || 'types' in targets || typeof Object.values(targets)[0] === 'object';
    return [
      ...absent.map((path) => `${subpath} exports ${path}, which is missing`),
      ...(isTyped ? [] : [`${subpath} has no types`]),
    ];
  });
}

function sizeProblems(name: string, bytes: number): readonly string[] {
  const budget = BUDGETS_KB[name] ?? BUDGET_OF_OTHERS_KB;
  return bytes > budget * 1024 ? [`has ${Math.ceil(bytes / 1024)} KB, the maximum is ${budget} KB`] : [];
}

async function lintProblems(data: Uint8Array): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer as ArrayBuffer }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`);
}

async function typeProblems(contents: ReturnType<typeof createPackageFromTarballData>): Promise<readonly string[]> {
  const result = await checkPackage(contents, { excludeEntrypoints: PROGRAMS });
  if (result.types === false) return contents.packageName === 'create-lintel' ? [] : ['there are no types'];
  return result.problems
    .filter((problem) => !isAccepted(problem))
    .map((problem) => `types: ${JSON.stringify(problem)}`);
}
