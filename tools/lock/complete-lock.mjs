/**
 * Completes `package-lock.json`: `npm run lock`.
 *
 * npm leaves out of the lock file the platform packages (`@swc/core-darwin-arm64`) that it could not fetch when
 * it wrote the file, and `npm ci` then refuses the file on every platform. Their names and versions are known:
 * the package that asks for them names both.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SYSTEMS = {
  darwin: 'darwin',
  win32: 'win32',
  windows: 'win32',
  linux: 'linux',
  freebsd: 'freebsd',
  android: 'android',
  openharmony: 'openharmony',
  openbsd: 'openbsd',
  netbsd: 'netbsd',
  sunos: 'sunos',
  aix: 'aix',
};
const PROCESSORS = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el'];

/** Operating system and processor that the name of a platform package tells. */
export function platformOf(name) {
  const words = name.split(/[/-]/).slice(1);
  const os = words.map((word) => SYSTEMS[word]).find((found) => found !== undefined);
  const cpu = words.map((word) => (word === '64' ? 'x64' : word)).find((word) => PROCESSORS.includes(word));
  return { ...(os === undefined ? {} : { os: [os] }), ...(cpu === undefined ? {} : { cpu: [cpu] }) };
}

/** Whether a package at `place` finds `name`, as Node resolves it: in its own folder, then in those above. */
function finds(packages, place, name) {
  const folders = place.split('/node_modules/');
  return (
    folders.some(
      (_, at) =>
        packages[`${folders.slice(0, folders.length - at).join('/node_modules/')}/node_modules/${name}`] !== undefined,
    ) || packages[`node_modules/${name}`] !== undefined
  );
}

/** Optional dependencies that the lock file asks for and does not have. */
export function missingFrom(lock) {
  const { packages } = lock;
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !finds(packages, place, name))
      .map(([name, version]) => ({ place: `node_modules/${name}`, name, version, for: place })),
  );
}

/** The lock file with the missing packages; they have no integrity, since nobody has seen them. */
export function completed(lock) {
  const packages = { ...lock.packages };
  for (const { place, name, version } of missingFrom(lock)) {
    if (!/^\d/.test(version)) throw new Error(`${name} is asked for as ${version}, which is no exact version`);
    packages[place] = { version, ...platformOf(name), optional: true };
  }
  const sorted = Object.fromEntries(Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : 1)));
  return { ...lock, packages: sorted };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingFrom(lock);
  if (missing.length > 0) writeFileSync(file, `${JSON.stringify(completed(lock), null, 2)}\n`);
  process.stdout.write(`${missing.length} platform packages added to package-lock.json\n`);
}
