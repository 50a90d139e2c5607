import { basename } from 'node:path';

/** Where each kind of file has the version of the release. */
const PATTERNS = {
  'package.json': [/^( {2}"version": ")[^"]+(",)$/m],
  'Chart.yaml': [/^(version: )\S+()$/m, /^(appVersion: ")[^"]+(")$/m],
  Dockerfile: [/^(ARG VERSION=)\S+()$/m],
};

/**
 * A file with another version.
 *
 * @param {string} file its path
 * @param {string} text
 * @param {string} version
 * @throws {Error} if the file has none where it is expected
 */
export function withVersion(file, text, version) {
  return PATTERNS[basename(file)].reduce((changed, pattern) => {
    if (!pattern.test(changed)) throw new Error(`${file} has no version that fits ${pattern}`);
    return changed.replace(pattern, (_, before, after) => `${before}${version}${after}`);
  }, text);
}

/**
 * The version of a file.
 *
 * @param {string} file
 * @param {string} text
 */
export const versionOf = (file, text) =>
  PATTERNS[basename(file)].map((pattern) => {
    const [whole, before, after] = pattern.exec(text) ?? [];
    return whole?.slice(before.length, whole.length - after.length);
  });
