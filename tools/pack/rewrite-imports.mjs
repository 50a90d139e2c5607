import { posix } from 'node:path';
import { folderOf, SELF_CONTAINED } from './publication.mjs';

/** `from '@lintel/x'`, `import '@lintel/x'`, `import('@lintel/x')`, `import.meta.resolve('@lintel/x')`. */
const IMPORT = /(\bfrom\s*|\bimport\s*\(?\s*|\bimport\.meta\.resolve\(\s*)(["'])(@lintel\/[^"'\s]+)\2/g;

/**
 * Makes the imports of packages of the repository relative, for a file that is in one package with all of them.
 *
 * @param {string} text of a module or of its declarations
 * @param {string} path of the file in the platform: `cli/dist/main.js`
 * @param {ReadonlyMap<string, string>} exported file of the platform by what is imported
 * @throws {Error} naming the import that no package exports
 */
export function rewriteImports(text, path, exported) {
  return text.replace(IMPORT, (whole, before, quote, specifier) => {
    const target = exported.get(specifier);
    // In code that the command writes for an application.
    if (specifier in SELF_CONTAINED) return whole;
    if (target === undefined) throw new Error(`${path} imports ${specifier}, which is in none of the packed packages`);
    const relative = posix.relative(posix.dirname(path), target);
    return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`;
  });
}

/**
 * The files that packages export, by what is imported: `@lintel/config/environment` is `config/dist/environment.js`.
 *
 * @param {readonly { name: string, description: object }[]} packages
 * @returns {ReadonlyMap<string, string>}
 */
export function exportedFiles(packages) {
  return new Map(
    packages.flatMap(({ name, description }) =>
      Object.entries(description.exports ?? {}).map(([subpath, target]) => [
        posix.join(name, subpath),
        posix.join(folderOf(name), typeof target === 'string' ? target : target.default),
      ]),
    ),
  );
}
