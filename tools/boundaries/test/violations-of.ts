import { checkBoundaries } from '../src/check-boundaries.ts';
import { buildWorkspace } from '../src/workspace/build-workspace.ts';

/** What a package of the virtual repository declares; its folder gives the rest. */
export interface VirtualPackage {
  readonly dependencies?: readonly string[];
  readonly devDependencies?: readonly string[];
  readonly exports?: readonly string[];
  /** Folders, from the root. */
  readonly references?: readonly string[];
}

const FOLDERS = [
  ...['errors', 'metadata', 'query', 'security', 'application', 'contracts', 'config', 'http', 'events', 'cache'],
  ...['telemetry', 'persistence', 'passwords', 'embedded-database', 'testkit'],
].map((name) => `libs/${name}`);
const PACKAGES = [
  ...FOLDERS,
  ...['gateway', 'auth', 'data', 'files', 'reports'].map((name) => `services/${name}`),
  ...['examples/sales', 'deploy/standalone', 'tools/reference', 'bench', 'tests/e2e', 'tests/contract'],
];
const NAMES = new Map([['examples/sales', '@lintel/example-sales']]);

/**
 * `file:line what` of everything in a virtual repository that breaks the rule. The packages are those of the
 * real one; nothing is excepted.
 */
export function violationsOf(
  rule: string,
  sources: Readonly<Record<string, string>>,
  packages: Readonly<Record<string, VirtualPackage>> = {},
): readonly string[] {
  const texts = new Map([['package.json', JSON.stringify({ name: 'lintel', devDependencies: { 'fast-check': '1' } })]]);
  for (const folder of PACKAGES) {
    const { dependencies, devDependencies, exports, references } = packages[folder] ?? {};
    texts.set(
      `${folder}/package.json`,
      JSON.stringify({
        name: NAMES.get(folder) ?? `@lintel/${folder.split('/').at(-1)}`,
        exports: keyed(exports ?? (folder.startsWith('services/') ? ['.', './settings'] : ['.'])),
        dependencies: keyed(dependencies),
        devDependencies: keyed(devDependencies),
      }),
    );
    const up = '../'.repeat(folder.split('/').length);
    const config = { references: (references ?? []).map((path) => ({ path: `${up}${path}` })) };
    texts.set(`${folder}/tsconfig.json`, JSON.stringify(config));
  }
  for (const [path, text] of Object.entries(sources)) texts.set(path, text);
  const workspace = buildWorkspace(texts, (name) => name !== 'without-exports');
  return checkBoundaries(workspace, undefined, [])
    .violations.filter((violation) => violation.rule.id === rule)
    .map(({ file, line, what }) => `${file}:${line} ${what}`);
}

const keyed = (names: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, '0.1.0']));
