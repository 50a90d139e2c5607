import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether `node_modules` holds the packages of the lock file. What npm notes down about the folder is not enough:
 * `npm install --package-lock-only` notes down packages that it does not install.
 *
 * @param {{ packages: Readonly<Record<string, object>> }} lock
 * @param {string} root the folder that holds `node_modules`
 */
export function isInstalled(lock, root) {
  const noted = readJson(join(root, 'node_modules', '.package-lock.json'));
  if (noted === undefined) return false;
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === '' || !path.includes('node_modules/')) return true;
    const found = noted.packages[path];
    const there = readJson(join(root, path, 'package.json'));
    // Packages of other platforms are not installed, and are no reason to do it again.
    if (there === undefined) return Boolean(wanted.optional || wanted.devOptional || wanted.peer);
    if (found === undefined || found.link) return found !== undefined;
    // npm writes versions into the lock file without the letter that some packages put first.
    if (there.version.replace(/^[v=]/, '') !== wanted.version) return false;
    // The lock file cannot know the checksum of what its registry did not carry.
    return found.version === wanted.version && (!wanted.integrity || found.integrity === wanted.integrity);
  });
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
