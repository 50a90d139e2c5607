import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { folderOf, SELF_CONTAINED } from './publication.mjs';

/** `from '@lintel/x'`, `import '@lintel/x'`, `import('@lintel/x')` of declarations, which contain no texts with code. */
const IMPORT = /(?<=\bfrom\s*|\bimport\s*\(?\s*)(["'])@lintel\/[^"'\s]+\1/g;

/**
 * Makes the imports of packages of the repository relative, for a file that is in one package with all of them.
 *
 * @param {string} text of a module or of its declarations
 * @param {string} path of the file in the platform: `cli/dist/main.js`
 * @param {ReadonlyMap<string, string>} exported file of the platform by what is imported
 * @throws {Error} naming the import that no package exports
 */
export function rewriteImports(text, path, exported) {
  const requests = path.endsWith('.d.ts') ? requestsOfTypes(text) : requestsOfModule(text, path);
  return requests
    .sort(([one], [other]) => other - one)
    .reduce((changed, [start, end]) => {
      const specifier = changed.slice(start + 1, end - 1);
      if (!specifier.startsWith('@lintel/') || specifier in SELF_CONTAINED) return changed;
      const target = exported.get(specifier);
      if (target === undefined)
        throw new Error(`${path} imports ${specifier}, which is in none of the packed packages`);
      const relative = posix.relative(posix.dirname(path), target);
      const quoted = `'${relative.startsWith('.') ? relative : `./${relative}`}'`;
      return changed.slice(0, start) + quoted + changed.slice(end);
    }, text);
}

/** Begin and end of each quoted name of a module; texts in which a command writes code for an application are none. */
function requestsOfModule(text, path) {
  const { module, errors } = parseSync(path, text, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const exports = module.staticExports.flatMap(({ entries }) => entries);
  return [...module.staticImports, ...exports, ...module.dynamicImports]
    .map(({ moduleRequest }) => moduleRequest)
    .filter((request) => request !== null && request !== undefined)
    .map(({ start, end }) => [start, end])
    .filter(([start], index, all) => all.findIndex(([other]) => other === start) === index);
}

const requestsOfTypes = (text) =>
  [...text.matchAll(IMPORT)].map((match) => [match.index, match.index + match[0].length]);

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
