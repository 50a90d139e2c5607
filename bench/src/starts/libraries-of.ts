import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

/** What one module of ours imports from packages and from Node. */
export interface ImportedLibraries {
  readonly file: string;
  /** Import statements as they are. */
  readonly statements: readonly string[];
  /** The local names that they declare. */
  readonly names: readonly string[];
}

/** The compiler writes each on a line of its own. */
const STATIC = /^(?:import|export) (?:(.*) from )?'([^']+)';$/gm;
const ALIAS = /^(?:\w+|\*) as (\w+)$/;

/** The imports of packages, and of Node, in all modules of ours that these entries load statically. */
export function librariesOf(entries: readonly string[]): readonly ImportedLibraries[] {
  const found: ImportedLibraries[] = [];
  const seen = new Set<string>();
  const open = entries.map((entry) => realpathSync(entry));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const statements: string[] = [];
    const names: string[] = [];
    for (const [statement, imported, specifier = ''] of readFileSync(file, 'utf8').matchAll(STATIC)) {
      if (specifier.startsWith('.') || specifier.startsWith('@lintel/')) open.push(fileOf(specifier, file));
      else {
        statements.push(statement);
        if (statement.startsWith('import')) names.push(...localNames(imported ?? ''));
      }
    }
    if (statements.length > 0) found.push({ file, statements, names });
  }
  return found;
}

/** Undefined members of a list, as in `{ a, b, }`, have no name. */
const localNames = (imported: string): readonly string[] =>
  imported
    .split(/[{},]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ALIAS.exec(part)?.[1] ?? part);

function fileOf(specifier: string, from: string): string {
  const file = specifier.startsWith('.') ? resolve(dirname(from), specifier) : createRequire(from).resolve(specifier);
  if (!existsSync(file)) throw new Error(`${from} imports ${specifier}, which is not built`);
  return realpathSync(file);
}
