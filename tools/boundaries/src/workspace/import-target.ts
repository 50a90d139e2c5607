import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path/posix';
import type { ImportStatement, SourceFile } from '../source/source-file.ts';
import { groupOf, ownerOf } from './build-workspace.ts';
import type { Workspace, WorkspacePackage } from './workspace.ts';

/** Where an import leads. */
export type ImportTarget =
  | { readonly kind: 'builtin'; readonly name: string }
  | {
      readonly kind: 'package';
      readonly name: string;
      /** Key of `exports`: `.`, `./settings`. */
      readonly subpath: string;
      /** `undefined` for packages from the registry. */
      readonly workspacePackage: WorkspacePackage | undefined;
    }
  | { readonly kind: 'file'; readonly path: string; readonly packageFolder: string }
  /** The name is known only when the program runs. */
  | { readonly kind: 'computed' };

export interface ResolvedImport {
  readonly file: SourceFile;
  readonly statement: ImportStatement;
  readonly target: ImportTarget;
}

const BUILTINS = new Set(builtinModules);
const known = new WeakMap<Workspace, readonly ResolvedImport[]>();

/** Every import of the workspace with where it leads; computed once. */
export function importsOf(workspace: Workspace): readonly ResolvedImport[] {
  let imports = known.get(workspace);
  if (imports === undefined) {
    imports = workspace.files.flatMap((file) =>
      file.imports.map((statement) => ({ file, statement, target: targetOf(file, statement, workspace) })),
    );
    known.set(workspace, imports);
  }
  return imports;
}

function targetOf(file: SourceFile, { specifier }: ImportStatement, workspace: Workspace): ImportTarget {
  if (specifier === undefined) return { kind: 'computed' };
  if (/^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..') {
    const path = join(dirname(file.path), specifier);
    return { kind: 'file', path, packageFolder: ownerOf(path, workspace.packageByFolder) };
  }
  if (specifier.startsWith('node:')) return { kind: 'builtin', name: specifier.slice('node:'.length) };
  const parts = specifier.split('/');
  const name = parts.splice(0, specifier.startsWith('@') ? 2 : 1).join('/');
  if (BUILTINS.has(specifier)) return { kind: 'builtin', name: specifier };
  return {
    kind: 'package',
    name,
    subpath: ['.', ...parts].join('/'),
    workspacePackage: workspace.packageByName.get(name),
  };
}

/** The package of this repository that an import leads to, by name or by path. */
export function packageOf({ target }: ResolvedImport, workspace: Workspace): WorkspacePackage | undefined {
  if (target.kind === 'package') return target.workspacePackage;
  return target.kind === 'file' ? workspace.packageByFolder.get(target.packageFolder) : undefined;
}

/** The group that an import leads to; `undefined` outside this repository. */
export function targetGroupOf(one: ResolvedImport, workspace: Workspace): ReturnType<typeof groupOf> | undefined {
  if (one.target.kind === 'file') return groupOf(one.target.path);
  return packageOf(one, workspace)?.group;
}

/** `libs/query/src/x.ts` lies in `libs/query`, not in `libs/que`. */
export const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
