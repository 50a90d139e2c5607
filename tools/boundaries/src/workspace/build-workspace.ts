import { dirname, join } from 'node:path/posix';
import { parseSource } from '../source/parse-source.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { PackageGroup, Project, Workspace, WorkspacePackage } from './workspace.ts';

const SOURCE = /\.[cm]?[jt]sx?$/;
const GROUPS = new Set<string>(['apps', 'libs', 'services', 'examples', 'deploy', 'tools', 'bench', 'tests']);

/**
 * The workspace of a set of files: package.json and tsconfig.json files make the packages, the rest is source.
 *
 * @param texts path from the root of the repository → text
 */
export function buildWorkspace(
  texts: ReadonlyMap<string, string>,
  declaresExports: (packageName: string) => boolean,
  commits: readonly string[] = [],
): Workspace {
  const packages = [...texts]
    .filter(([path]) => path === 'package.json' || path.endsWith('/package.json'))
    .map(([path, text]) => toPackage(path, text, texts));
  const packageByFolder = new Map(packages.map((one) => [one.folder, one]));
  const files: SourceFile[] = [];
  const unreadable: { path: string; line: number; message: string }[] = [];
  for (const [path, text] of texts) {
    if (!SOURCE.test(path)) continue;
    const { error, ...parsed } = parseSource(path, text);
    if (error !== undefined) unreadable.push({ path, ...error });
    files.push({ path, packageFolder: ownerOf(path, packageByFolder), isTest: isTest(path), ...parsed });
  }
  return {
    texts,
    packages,
    files,
    unreadable,
    packageByName: new Map(packages.map((one) => [one.name, one])),
    packageByFolder,
    declaresExports,
    commits,
  };
}

/** The group of a path: that of its package, and of the files beside the packages. */
export function groupOf(path: string): PackageGroup {
  const [top = ''] = path.split('/', 1);
  return GROUPS.has(top) ? (top as PackageGroup) : 'root';
}

/** Folder of the nearest package.json at or above the path; empty for the root package. */
export function ownerOf(path: string, packageByFolder: ReadonlyMap<string, WorkspacePackage>): string {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    if (packageByFolder.has(folder)) return folder;
  return '';
}

/** Folders with nothing but tests, or with what only runs them. */
const TEST_FOLDER = /^(tests|tools\/test|[^/]+\/[^/]+\/test)\//;

const isTest = (path: string): boolean => /\.test\.[cm]?[jt]sx?$/.test(path) || TEST_FOLDER.test(path);

function toPackage(path: string, manifest: string, texts: ReadonlyMap<string, string>): WorkspacePackage {
  const folder = path === 'package.json' ? '' : dirname(path);
  const { name, dependencies, peerDependencies, devDependencies, exports } = JSON.parse(manifest) as Manifest;
  return {
    folder,
    name: name ?? folder,
    group: groupOf(folder),
    dependencies: new Set(Object.keys({ ...dependencies, ...peerDependencies })),
    devDependencies: new Set(Object.keys(devDependencies ?? {})),
    exports: new Set(Object.keys(exports ?? {})),
    manifest,
    project: folder === '' ? undefined : toProject(folder, texts.get(`${folder}/tsconfig.json`)),
  };
}

interface Manifest {
  readonly name?: string;
  readonly dependencies?: object;
  readonly peerDependencies?: object;
  readonly devDependencies?: object;
  readonly exports?: object;
}

/** Our tsconfig files are plain JSON; one with comments fails here, with its path. */
function toProject(folder: string, text: string | undefined): Project | undefined {
  if (text === undefined) return undefined;
  let config: { compilerOptions?: { composite?: boolean }; references?: readonly { path: string }[] };
  try {
    config = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${folder}/tsconfig.json is not plain JSON`, { cause });
  }
  if (config.compilerOptions?.composite === false) return undefined;
  return { references: new Set((config.references ?? []).map(({ path }) => join(folder, path))), text };
}
