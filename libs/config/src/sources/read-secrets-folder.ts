import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasPropertyPrefix } from '../key-names.ts';
import type { PropertySource } from './property-source.ts';

/** Maximum depth of the folders that are read. */
const MAX_DEPTH = 5;

/**
 * Properties from a folder with a file for each: the name of the file is the key, in any spelling, its text the
 * value. Folders in it are parts of the key (`svc/internal/secret`). Names that begin with a dot, such as those
 * of Kubernetes' own links, and names without our prefix are left alone. Throws what reading throws.
 */
export function readSecretsFolder(folder: string): readonly PropertySource[] {
  const values: Record<string, string> = {};
  collect(folder, '', 1, values);
  const isVariable = (key: string): boolean => key.startsWith('SVC_');
  const sourceOf = (kind: PropertySource['kind'], keep: (key: string) => boolean): PropertySource => ({
    label: folder,
    kind,
    isSecret: true,
    values: Object.fromEntries(Object.entries(values).filter(([key]) => keep(key))),
  });
  return [sourceOf('file', (key) => !isVariable(key)), sourceOf('environment', isVariable)];
}

function collect(folder: string, prefix: string, depth: number, values: Record<string, string>): void {
  for (const name of readdirSync(folder).sort()) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    const key = `${prefix}${name}`;
    if (statSync(path).isDirectory()) {
      if (depth < MAX_DEPTH) collect(path, `${key}.`, depth + 1, values);
    } else if (hasPropertyPrefix(key)) values[key] = withoutLastLineEnd(readFileSync(path, 'utf8'));
  }
}

/** Editors and `echo` add one. */
export const withoutLastLineEnd = (text: string): string => text.replace(/\r?\n$/, '');
