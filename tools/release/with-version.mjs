import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const BASE = 'deploy/kustomize/base';
/** Images of our services in the base of Kustomize; overlays name their own versions. */
const IMAGES = [/^( +image: lintel-[a-z]+:)\S+()$/gm];

/** Where each kind of file has the version of the release. */
const PATTERNS = {
  'package.json': [/^( {2}"version": ")[^"]+(",)$/m],
  'Chart.yaml': [/^(version: )\S+()$/m, /^(appVersion: ")[^"]+(")$/m],
  Dockerfile: [/^(ARG VERSION=)\S+()$/m],
};

const patternsOf = (file) => (file.startsWith(BASE) ? IMAGES : PATTERNS[basename(file)]);

/**
 * A file with another version.
 *
 * @param {string} file its path
 * @param {string} text
 * @param {string} version
 * @throws {Error} if the file has none where it is expected
 */
export function withVersion(file, text, version) {
  return patternsOf(file).reduce((changed, pattern) => {
    if (changed.search(pattern) < 0) throw new Error(`${file} has no version that fits ${pattern}`);
    return changed.replace(pattern, (_, before, after) => `${before}${version}${after}`);
  }, text);
}

/**
 * The versions in a file.
 *
 * @param {string} file
 * @param {string} text
 */
export const versionOf = (file, text) =>
  patternsOf(file).flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, 'gm'))].map(([whole, before, after]) =>
      whole.slice(before.length, whole.length - after.length),
    ),
  );

/**
 * The files that have the version, apart from those that changesets writes.
 *
 * @param {string} root the repository
 * @returns {readonly string[]} relative to it
 */
export const versionedFiles = (root) => [
  ...['package.json', 'deploy/helm/lintel/Chart.yaml', 'deploy/images/Dockerfile'],
  ...readdirSync(join(root, BASE))
    .map((name) => `${BASE}/${name}`)
    .filter((file) => file.endsWith('.yaml') && readFileSync(join(root, file), 'utf8').search(IMAGES[0]) >= 0),
];
