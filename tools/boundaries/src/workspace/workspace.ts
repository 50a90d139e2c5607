import type { SourceFile } from '../source/source-file.ts';

export type PackageGroup = 'apps' | 'libs' | 'services' | 'examples' | 'deploy' | 'tools' | 'bench' | 'tests' | 'root';

export interface WorkspacePackage {
  /** From the root of the repository; empty for the root package. */
  readonly folder: string;
  readonly name: string;
  readonly group: PackageGroup;
  readonly dependencies: ReadonlySet<string>;
  readonly devDependencies: ReadonlySet<string>;
  /** Keys of `exports` (`.`, `./settings`). */
  readonly exports: ReadonlySet<string>;
  readonly manifest: string;
  /** `undefined` without a tsconfig.json that takes part in the build. */
  readonly project: Project | undefined;
}

/** The tsconfig.json of a package that `tsc -b` builds. */
export interface Project {
  /** Folders of the packages it refers to. */
  readonly references: ReadonlySet<string>;
  readonly text: string;
}

/** The repository as values: everything the rules look at. */
export interface Workspace {
  /** Texts of sources and documents, by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly packages: readonly WorkspacePackage[];
  readonly files: readonly SourceFile[];
  /** Files that are not JavaScript or TypeScript. */
  readonly unreadable: readonly { readonly path: string; readonly line: number; readonly message: string }[];
  readonly packageByName: ReadonlyMap<string, WorkspacePackage>;
  readonly packageByFolder: ReadonlyMap<string, WorkspacePackage>;
  /** Hash and subject of each commit that the main branch does not have. */
  readonly commits: readonly string[];
  /** Whether an installed package says by `exports` which of its paths are public. */
  readonly declaresExports: (packageName: string) => boolean;
}
