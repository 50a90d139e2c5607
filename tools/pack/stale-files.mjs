import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';

const COMPILED = /^dist\/(?!bundle\/)(?:cjs\/)?(.+?)(?:\.d)?\.(?:js|ts)$/;
const ASSET = /^dist\/bundle\/assets\//;
/** Files such as `.env` and `.lintel`, and installed packages. */
const LOCAL = /(^|\/)(\.[^/]|node_modules(\/|$))/;
const FILE_NAME = /[\w-]+(?:\.[\w-]+)+/g;

/**
 * Returns a test for files that are not published. An earlier build left them in `dist`, since compilers do not remove
 * the output of a source that was renamed, and a bundle keeps the assets of earlier versions; or only this machine has
 * them, such as secrets.
 *
 * @param {string} folder of a package of the repository
 * @returns {(path: string) => boolean}
 */
export function staleFiles(folder) {
  const bundle = join(folder, 'dist', 'bundle');
  const assets = existsSync(bundle) ? assetsOf(bundle) : undefined;
  return (path) => {
    const file = relative(folder, path).split(sep).join('/');
    if (LOCAL.test(file)) return true;
    if (ASSET.test(file)) return assets?.has(basename(file)) === false;
    const source = COMPILED.exec(file)?.[1];
    return source !== undefined && !['.ts', '.tsx'].some((type) => existsSync(join(folder, 'src', `${source}${type}`)));
  };
}

/** Names of the assets that the page, or an asset of the page, names. */
function assetsOf(bundle) {
  const names = new Set(readdirSync(join(bundle, 'assets')));
  const found = new Set();
  const follow = (file) => {
    for (const [name] of readFileSync(file, 'utf8').matchAll(FILE_NAME)) {
      if (!names.has(name) || found.has(name)) continue;
      found.add(name);
      follow(join(bundle, 'assets', name));
    }
  };
  follow(join(bundle, 'index.html'));
  return found;
}
