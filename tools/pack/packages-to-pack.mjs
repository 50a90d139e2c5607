import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const GROUPS = ['apps', 'libs', 'services', 'deploy', 'tools'];

/**
 * Packages of the repository with every package of it that they need at run time.
 *
 * @param {string} root the repository
 * @param {readonly string[]} names
 * @returns {readonly { name: string, folder: string, file: string }[]} by name; `file` is the name of the tarball
 * @throws {Error} naming a package that there is not
 */
export function packagesToPack(root, names) {
  const known = workspacePackages(root);
  const chosen = new Map();
  const follow = (name) => {
    if (chosen.has(name)) return;
    const found = known.get(name);
    if (found === undefined) throw new Error(`There is no package ${name} in ${GROUPS.join(', ')}`);
    const { folder, description } = found;
    chosen.set(name, {
      name,
      folder,
      file: `${name.replace(/^@/, '').replace('/', '-')}-${description.version}.tgz`,
    });
    for (const needed of Object.keys(description.dependencies ?? {})) if (needed.startsWith('@lintel/')) follow(needed);
  };
  names.forEach(follow);
  return [...chosen.values()].sort((one, other) => one.name.localeCompare(other.name));
}

function workspacePackages(root) {
  const folders = GROUPS.filter((group) => existsSync(join(root, group))).flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name)),
  );
  return new Map(
    folders
      .filter((folder) => existsSync(join(root, folder, 'package.json')))
      .map((folder) => {
        const description = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
        return [description.name, { folder, description }];
      }),
  );
}
