import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE = /^(licen[cs]e|copying)(\.|-|$)/i;
const NOTICE = /^notice(\.|-|$)/i;
/** A folder with the licences of code that a package contains. */
const LICENCES = /^licen[cs]es$/i;

/** Licence texts of packages that do not contain them, `<name>.txt`. */
const STORED = join(import.meta.dirname, 'licences');

/**
 * The names, versions and licences of packages whose code is part of another package.
 *
 * @param {readonly string[]} folders of the packages
 * @throws Error naming a package that has no licence text, in its folder or in `licences`
 * @returns {{ components: readonly { name: string, version: string, license: string }[], text: string }}
 */
export function noticesOf(folders) {
  const entries = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { component: { name, version, license: String(license) }, texts: textsOf(folder, name, version) };
  });
  const sorted = entries.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const sections = sorted.map(({ component: { name, version, license }, texts }) =>
    [`## ${name} ${version} (${license})`, ...texts].join('\n\n'),
  );
  const title = '# Packages whose code is part of this package';
  return {
    components: sorted.map(({ component }) => component),
    text: `${[title, ...sections].join('\n\n')}\n`,
  };
}

/** The licence of a package, its notices, and the licences of code that it contains. */
function textsOf(folder, name, version) {
  const licences = filesOf(folder, LICENCE);
  if (licences.length === 0) {
    const stored = join(STORED, `${name}.txt`);
    if (!existsSync(stored))
      throw new Error(`${name} ${version} has no licence text: store it in tools/pack/licences/${name}.txt`);
    licences.push(readFileSync(stored, 'utf8').trim());
  }
  const contained = readdirSync(folder)
    .filter((entry) => LICENCES.test(entry))
    .flatMap((entry) => filesOf(join(folder, entry), /^/));
  return [...licences, ...filesOf(folder, NOTICE), ...contained];
}

/** The texts of the files of a folder whose names match. */
const filesOf = (folder, pattern) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim())
    .filter((text) => text !== '');

const keyOf = ({ component: { name, version } }) => `${name}@${version}`;

/** Writes the notices into a package. */
export function writeNotices(target, folders) {
  const { text } = noticesOf(folders);
  writeFileSync(join(target, 'THIRD-PARTY-NOTICES.md'), text);
}
