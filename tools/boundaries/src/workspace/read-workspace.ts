import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWorkspace } from './build-workspace.ts';
import type { Workspace } from './workspace.ts';

/** What is made, not written. Names with a leading dot are left out as well. */
const SKIPPED = new Set(['node_modules', 'dist', 'coverage']);
const READ = /(\.[cm]?[jt]sx?|\.(md|json|ya?ml|tpl|sh|sql|css|html)|Dockerfile)$/;
/** Generated, or results of measurements: long, and without citations. */
const GENERATED = /^(package-lock\.json|bench\/results\/)/;
/** Projects of other products, which are copied to where these are installed. */
const FOREIGN = /^bench\/peers\//;

/** Reads all sources and documents of the repository, committed or not. */
export function readWorkspace(root: string): Workspace {
  const texts = new Map<string, string>();
  const addFolder = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (GENERATED.test(path) || FOREIGN.test(path)) continue;
      if (entry.isDirectory()) addFolder(path);
      else if (READ.test(entry.name)) texts.set(path, readFileSync(join(root, path), 'utf8'));
    }
  };
  addFolder('');
  return buildWorkspace(texts, (name) => declaresExports(root, name));
}

function declaresExports(root: string, packageName: string): boolean {
  const manifest = join(root, 'node_modules', packageName, 'package.json');
  // What is not installed cannot be imported either: the compiler says so.
  if (!existsSync(manifest)) return true;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: unknown }).exports !== undefined;
}
