import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/**
 * The names, versions and licences of packages whose code is part of another package.
 *
 * @param {readonly string[]} folders of the packages
 * @returns {{ components: readonly { name: string, version: string, license: string }[], text: string }}
 */
export function noticesOf(folders) {
  const entries = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => LICENCE.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return { component: { name, version, license: String(license) }, texts };
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

const keyOf = ({ component: { name, version } }) => `${name}@${version}`;

/** Writes the notices into a package. */
export function writeNotices(target, folders) {
  const { text } = noticesOf(folders);
  writeFileSync(join(target, 'THIRD-PARTY-NOTICES.md'), text);
}
