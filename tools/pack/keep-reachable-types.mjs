import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']/g;

/**
 * Removes the declarations that no exported declaration imports: half of the files of the platform, which only its own
 * packages would read.
 *
 * @param {string} folder of the platform
 * @param {readonly string[]} entries declarations that are exported, relative to the folder
 * @returns {ReadonlySet<string>} the packages that the remaining declarations import
 */
export function keepReachableTypes(folder, entries) {
  const kept = new Set();
  const imported = new Set();
  const follow = (file) => {
    if (kept.has(file)) return;
    kept.add(file);
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (!specifier.startsWith('.')) imported.add(specifier);
      else {
        const target = resolve(dirname(file), specifier).replace(/\.(js|ts)$/, '.d.ts');
        if (!existsSync(target)) throw new Error(`${relative(folder, file)} imports ${specifier}, which is missing`);
        follow(target);
      }
    }
  };
  for (const entry of entries) follow(join(folder, entry));
  for (const file of readdirSync(folder, { recursive: true })) {
    if (file.endsWith('.d.ts') && !kept.has(join(folder, file))) rmSync(join(folder, file));
  }
  return imported;
}
