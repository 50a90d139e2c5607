import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyReadme } from '../release/repository.mjs';
import { manifestOf } from './manifest.mjs';
import { staleFiles } from './stale-files.mjs';

/** Only the repository uses these. */
const OF_REPOSITORY = ['private', 'scripts', 'devDependencies'];

/**
 * Copies a package that depends on no other package of the repository.
 *
 * @param {string} root the repository
 * @param {string} folder of the package, relative to the repository
 * @param {(name: string) => string} targetOf the folder that is made
 * @returns {string} the name of the package
 */
export function makeSelfContained(root, folder, targetOf) {
  const own = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const needed = Object.keys(own.dependencies ?? {}).filter((name) => name.startsWith('@lintel/'));
  if (needed.length > 0) throw new Error(`${own.name} depends on ${needed.join(', ')}, which is not published`);
  const target = targetOf(own.name);
  mkdirSync(target, { recursive: true });
  copyReadme(root, join(root, folder), target);
  const isStale = staleFiles(join(root, folder));
  for (const file of own.files)
    if (existsSync(join(root, folder, file)))
      cpSync(join(root, folder, file), join(target, file), {
        recursive: true,
        filter: (path) => !/(\.map|\.tsbuildinfo)$/.test(path) && !isStale(path),
      });
  const kept = Object.fromEntries(Object.entries(own).filter(([field]) => !OF_REPOSITORY.includes(field)));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = manifestOf(root, { ...kept, version, exports: withoutSources(own.exports) });
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return own.name;
}

/** Without the condition under which the repository runs its sources. */
function withoutSources(exports) {
  if (typeof exports !== 'object' || exports === null) return exports;
  return Object.fromEntries(
    Object.entries(exports)
      .filter(([condition]) => condition !== 'lintel-source')
      .map(([key, value]) => [key, withoutSources(value)]),
  );
}
