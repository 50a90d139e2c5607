/**
 * `node tools/bootstrap/installation/complete-lock-file.mjs`, after `npm install` from a registry that does not carry the
 * programs of every platform: npm leaves those out of the lock file, and `npm ci` then refuses it. Adds
 * them with the version that their package asks for. Where one is needed, npm fetches it by that version.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../paths.mjs';

const SYSTEMS = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  win32: 'win32',
  windows: 'win32',
};
const PROCESSORS = {
  64: 'x64',
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  loong64: 'loong64',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  x64: 'x64',
};

/** Optional packages of packages that have no entry, with the entry that each should have. */
export function missingEntries(packages) {
  const missing = {};
  for (const [owner, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const path = `node_modules/${name}`;
      if (isThere(packages, owner, path)) continue;
      const platform = platformOf(name);
      if (platform === undefined || !/^\d+\.\d+\.\d+/.test(version)) continue;
      missing[path] = { version, ...platform, ...(dev ? { dev } : {}), optional: true };
    }
  }
  return missing;
}

/** Whether the owner finds the package, in its own folder or in one above. */
function isThere(packages, owner, path) {
  for (let base = owner; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/')))) {
    if (packages[base === '' ? path : `${base}/${path}`] !== undefined) return true;
    if (base === '') return false;
  }
}

/** Names of such packages end in system, processor and C library. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const system = words.map((word) => SYSTEMS[word]).find(Boolean);
  const processor = words.map((word) => PROCESSORS[word]).find(Boolean);
  if (system === undefined || processor === undefined) return undefined;
  const libc = words.find((word) => /^(gnu|musl)/.test(word));
  return {
    cpu: [processor],
    os: [system],
    ...(system === 'linux' && libc !== undefined ? { libc: [libc.startsWith('gnu') ? 'glibc' : 'musl'] } : {}),
  };
}

function main() {
  const file = join(ROOT, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingEntries(lock.packages);
  const packages = Object.entries({ ...lock.packages, ...missing }).sort(([left], [right]) =>
    left.localeCompare(right, 'en'),
  );
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
  process.stdout.write(`${Object.keys(missing).length} packages of other platforms added\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
